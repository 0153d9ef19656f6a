// T18: what a session by PIN may call: the till, the floor, the kitchen and the shift. Everything else needs the password.

/** Routes under the back office's API, by method. Each is here because a page of service calls it. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  GET: [
    '/me',
    '/device',
    '/live',
    '/tickets',
    '/sellers',
    '/note-presets',
    '/till-menu',
    '/menu',
    '/floor',
    '/tips',
    '/print-alarms',
    '/print/preview',
    '/print/desk',
    '/receipts/:id/acts',
    '/receipts/:id/shares',
    '/receipts/:id/refund',
    '/waiter-calls',
    '/stop-list',
    '/stop-list/:product',
    '/reports/shifts/:id',
  ],
  POST: [
    '/approvals',
    '/receipts',
    '/receipts/:id/lines',
    '/receipts/:id/send',
    '/receipts/:id/fire',
    '/receipts/:id/lock',
    '/receipts/:id/unlock',
    '/receipts/:id/cancel',
    '/receipts/:id/refund',
    '/receipts/:id/payments',
    '/receipts/:id/close',
    '/receipts/:id/split',
    '/receipts/:id/move',
    '/receipts/:id/merge',
    '/receipts/:id/tips',
    '/tickets/:id/start',
    '/tickets/:id/ready',
    '/tickets/:id/recall',
    '/tickets/:id/serve',
    '/orders/:id/accept',
    '/orders/:id/refuse',
    '/waiter-calls/:id/done',
    '/shifts',
    '/shifts/:id/cash',
    '/shifts/:id/close',
    '/tips/payout',
    '/customers',
    '/customers/:id/balance',
    '/print',
    '/terminals/:id/drawer',
  ],
  PATCH: ['/receipts/:id', '/receipts/:id/lines/:line'],
  PUT: ['/language', '/stop-list/:product'],
  DELETE: ['/session', '/receipts/:id/lines/:line', '/stop-list/:product'],
}

/** Lists that the pages of service read, under `/read`. */
const READ =
  /^\/read\/(receipts|orders|products|categories|price-lists|customers|stations|sale-types|tables|halls|courses|terminals|payment-methods|reasons|note-presets|products\/stop-list|finance\/cash-shifts)(\/:id)?$/

const PREFIX = '/back-office/api'

/** Whether a session by PIN may call a route. */
export function isForPins(method: string, pattern: string): boolean {
  if (!pattern.startsWith(PREFIX)) return false
  const path = pattern.slice(PREFIX.length)
  const asked = method === 'HEAD' ? 'GET' : method
  return (asked === 'GET' && READ.test(path)) || (ALLOWED[asked]?.includes(path) ?? false)
}
