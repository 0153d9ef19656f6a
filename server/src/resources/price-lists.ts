import Type, { type Static } from 'typebox'
import type { Page } from '../http/envelope.ts'
import type { ListRequest } from '../lists/list.ts'
import type { Database } from '../storage/database.ts'
import { defineResource } from './define.ts'
import { listWithPrices } from './included-prices.ts'
import { type Owner, type Reader, readPage } from './page.ts'
import { PriceEntry } from './prices.ts'
import { DateTime, Id, Maybe, Name } from './values.ts'

/** §2.4; `fields` can leave out everything but the id. */
export const PriceList = Type.Object(
  {
    id: Id(),
    name: Maybe(Type.String()),
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
export const PriceListRow = Type.Object({ ...Type.Omit(PriceList, ['prices']).properties, name: Name() })
export type PriceListRow = Static<typeof PriceListRow>

export const priceLists = defineResource({
  name: { one: 'price-list', many: 'price-lists' },
  tag: 'Price Lists',
  about:
    'Named sets of product prices. Their entries come with include=prices: of several lists at most 20,000 together, of one ' +
    'list all of them (limit=1).',
  wire: PriceList,
  line: PriceListRow,
  scope: 'brand',
  columns: { id: 'integer', name: 'text', status: 'boolean', created_at: 'instant', updated_at: 'instant' },
  stamped: ['created_at', 'updated_at'],
  list: {
    maxLimit: 999,
    sortable: ['id', 'name', 'created_at'],
    include: ['prices'],
    date: 'created_at',
    read: listPriceLists,
  },
  api: { list: {} },
})

async function listPriceLists(db: Database | Reader, owner: Owner, list: ListRequest): Promise<Page> {
  return list.include.has('prices')
    ? listWithPrices(db as Database, priceLists, owner, list) // the API's own, which can stream
    : readPage(db, priceLists, owner, list)
}
