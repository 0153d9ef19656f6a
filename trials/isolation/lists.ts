import type { Names } from './neighbours.ts'

// What each list can be filtered by, with values that one brand has alone.

const FILTERS: Readonly<Record<string, (of: Names) => unknown[][]>> = {
  products: ({ id, name, code, number, instant }) => [
    ['id', id],
    ['id', 'in', [id]],
    ['parent_id', id],
    ['name', name],
    ['name', 'like', name.slice(0, 8)],
    ['barcode', code],
    ['price', number],
    ['cost_price', number],
    ['created_at', instant],
  ],
  'price-lists': ({ id, name, instant }) => [
    ['id', id],
    ['id', 'in', [id]],
    ['name', name],
    ['name', 'like', name.slice(0, 8)],
    ['created_at', instant],
  ],
  customers: ({ id, name, phone, email, code, cid, instant }) => [
    ['id', String(id)],
    ['name', name],
    ['name', 'like', name.slice(0, 8)],
    ['phone', phone],
    ['email', email],
    ['code', code],
    ['cid', cid],
    ['created_at', instant],
  ],
  receipts: ({ id, venue_id, user_id, instant }) => [
    ['id', id],
    ['id', 'in', [id]],
    ['venue_id', venue_id],
    ['user_id', user_id],
    ['customer_id', String(id)],
    ['created_at', instant],
  ],
  'stock-operations': ({ id, venue_id, instant }) => [
    ['id', id],
    ['venue_id', venue_id],
    ['receipt_id', id],
    ['product_id', id],
    ['operated_at', instant],
  ],
}

/** Queries that find something in the brand with these names, and nothing in any other. */
export function searches(list: string, of: Names): string[] {
  const filters = FILTERS[list]
  if (!filters) throw new Error(`trials/isolation/lists.ts does not know what ${list} can be filtered by`)
  const queries = filters(of).map((filter) => `?filters=${encodeURIComponent(JSON.stringify([filter]))}`)
  return [...queries, `?date[0]=${of.instant}&date[1]=${of.instant}`]
}
