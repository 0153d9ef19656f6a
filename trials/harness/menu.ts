import type { Row } from '../../server/test/store.ts'

/** A few rows of every kind that can be asked for, each carrying the marker. */
export const menu = (marker: string): Row[] => [
  { kind: 'venue', id: 2, name: `${marker} venue` },
  { kind: 'customer_group', id: 3, name: `${marker} group` },
  ...[1, 2, 3, 4, 5].map((id) => ({
    kind: 'product',
    id,
    name: `${marker} product ${id}`,
    type: 'PRODUCT',
    price: id,
  })),
  ...[1, 2].map((id) => ({ kind: 'price_list', id, name: `${marker} list ${id}` })),
  ...[1, 2, 3].map((id) => ({ kind: 'price', id, list_id: 1, product_id: id, price: id })),
  ...[1, 2, 3].map((id) => ({ kind: 'receipt', id, venue_id: 1, cid: `${marker} receipt ${id}` })),
  ...[1, 2, 3].map((id) => ({ kind: 'stock_operation', id, venue_id: 1, quantity: id, product_id: id })),
]
