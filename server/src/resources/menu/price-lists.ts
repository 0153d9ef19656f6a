import Type, { type Static } from 'typebox'
import type { Page } from '../../http/envelope.ts'
import type { ListRequest } from '../../lists/list.ts'
import { defineResource } from '../../resource/define.ts'
import { type Owner, type Reader, readPage } from '../../resource/read/page.ts'
import { DateTime, Id, Maybe, Name } from '../../resource/values.ts'
import type { Database } from '../../storage/database.ts'
import { listWithPrices } from './included-prices.ts'
import { PriceEntry } from './prices.ts'
import { checkScopes, Scopes } from './scopes.ts'

/** §2.4 */
export const PriceList = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    description: Maybe(Type.String()),
    status: Maybe(Type.Boolean()),
    prices: Maybe(Type.Array(PriceEntry)),
    created_at: Maybe(DateTime()),
    updated_at: Maybe(DateTime()),
  },
  { $id: 'PriceList' },
)
export type PriceList = Static<typeof PriceList>

/** One imported line: prices are lines of their own. */
export const PriceListRow = Type.Object({
  ...Type.Omit(PriceList, ['prices']).properties,
  name: Name(),
  scopes: Maybe(Scopes),
})
export type PriceListRow = Static<typeof PriceListRow>

export const priceLists = defineResource({
  name: { one: 'price-list', many: 'price-lists' },
  tag: 'Price Lists',
  about:
    'Named sets of product prices. Their entries come with include=prices, all of them: a page with more than 20,000 is sent in ' +
    'chunks.',
  wire: PriceList,
  line: PriceListRow,
  scope: 'brand',
  columns: { id: 'integer', name: 'text', status: 'boolean', created_at: 'instant', updated_at: 'instant' },
  computed: {
    summary: ({ id, name }) => JSON.stringify({ id, name }), // what a price entry shows of it (D2.6)
    scopes: ({ scopes }) => (scopes ? JSON.stringify(scopes) : null), // not on the wire (D2.6)
  },
  stamped: ['created_at', 'updated_at'],
  laterReferences: ({ scopes = [] }) =>
    scopes.flatMap(({ venue_id, sale_type_id }, index) => [
      { member: `scopes[${index}].venue_id`, table: 'venues', id: venue_id },
      { member: `scopes[${index}].sale_type_id`, table: 'sale_types', id: sale_type_id },
    ]),
  check: ({ scopes }) => checkScopes(scopes),
  exportText: `case when scopes is null then body else substr(body, 1, length(body) - 1) || ',"scopes":' || scopes || '}' end`,
  list: {
    maxLimit: 999,
    sortable: ['id', 'name', 'created_at'],
    include: ['prices'],
    date: 'created_at',
    read: listPriceLists,
    shown: { columns: ['name', 'description', 'status', 'created_at'] },
  },
  api: { list: { envelope: 'specified' } },
  edit: {
    permission: 'menu:write',
    members: ['name', 'description', 'status', 'scopes'],
    reviewed: ['scopes', 'status'],
  },
})

async function listPriceLists(db: Database | Reader, owner: Owner, list: ListRequest): Promise<Page> {
  return list.include.has('prices')
    ? listWithPrices(db as Database, priceLists, owner, list) // the API's own, which can stream
    : readPage(db, priceLists, owner, list)
}
