import type { OnHand, Stockable } from '../../../../server/src/pos/stock/on-hand.ts'
import type { OperationItem } from '../../../../server/src/resources/stock/operation-items.ts'
import type { Operation } from '../../../../server/src/resources/stock/operations.ts'
import type { Storage } from '../../../../server/src/resources/stock/storages.ts'
import type { Supplier } from '../../../../server/src/resources/stock/suppliers.ts'
import type { COUNT, SUPPLY, TRANSFER, WASTE } from '../../../../server/src/values/states.ts'
import { number } from '../../components/reports/figures.ts'
import { liveQuery } from '../../live/use-live.ts'
import { stockTexts } from '../../texts/screens/stock.ts'

export type { OnHand, Stockable, Storage }
export type StockDocument = Operation & { readonly items?: readonly OperationItem[]; readonly supplier?: Supplier }

/** Documents that this page writes. */
export type Kind = typeof SUPPLY | typeof TRANSFER | typeof WASTE | typeof COUNT

const ACTIVE = encodeURIComponent('[["status",1]]')

export const onHandOf = (venue: number) => liveQuery<{ data: OnHand[]; now: string }>(venue, 'stock', '/stock-room')
export const productsOf = (venue: number) => liveQuery<{ data: Stockable[] }>(venue, 'menu', '/stock-room/products')
export const storagesOf = (venue: number) =>
  liveQuery<{ data: Storage[] }>(venue, 'places', `/read/storages?limit=100&filters=${ACTIVE}`)
export const suppliersOf = (venue: number) =>
  liveQuery<{ data: Supplier[] }>(venue, 'documents', `/read/suppliers?limit=100&filters=${ACTIVE}`)
export const documentsOf = (venue: number) =>
  liveQuery<{ data: StockDocument[] }>(venue, 'documents', '/read/operations?limit=50&include=items,supplier')

export const nameOf = ({ type_name, number: of }: Pick<Operation, 'type_name' | 'number'>) =>
  stockTexts.number(type_name, number(of))
