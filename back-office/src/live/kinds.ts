// What a screen of a venue holds, and which event makes which of it old.

/** What the key of a live query names: ['live', venue, kind, …]. */
export type LiveKind =
  | 'receipts'
  | 'floor'
  | 'tickets'
  | 'orders'
  | 'waiter-calls'
  | 'stop-list'
  | 'menu'
  | 'shifts'
  | 'stock'
  | 'documents'
  | 'customers'
  | 'places'
  | 'today'

const BY_THING: Record<string, readonly LiveKind[]> = {
  receipt: ['receipts', 'floor', 'tickets', 'today'],
  tickets: ['tickets', 'today'], // what cooks learn of receipts
  order: ['orders', 'today'],
  waiter_call: ['waiter-calls', 'floor'],
  stop_list: ['stop-list', 'today'],
  product: ['menu'],
  category: ['menu'],
  price_list: ['menu'],
  sale_type: ['menu'],
  payment_method: ['menu'],
  tax: ['menu'],
  station: ['menu', 'places'],
  unit: ['menu'],
  cash_shift: ['shifts', 'today'],
  stock: ['stock'],
  operation: ['documents'],
  supplier: ['documents'],
  customer: ['customers'],
  customer_group: ['customers'],
  terminal: ['places'],
  hall: ['places', 'floor'],
  table: ['places', 'floor'],
  course: ['menu'],
  printer: ['places'],
  print_route: ['places'],
  storage: ['places', 'stock'],
  venue: ['places', 'floor'],
  webhook_endpoint: ['today'],
}

/** What to read again after an event; undefined where that is everything. */
export function kindsOf(type: string): readonly LiveKind[] | undefined {
  if (type === 'import.completed' || type === 'feed.resync' || type === 'resync') return undefined
  return BY_THING[type.slice(0, type.indexOf('.'))] ?? []
}
