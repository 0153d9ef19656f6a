import { RowProblem } from '../../resource/files/read-row.ts'
import type { Queries, Transaction } from '../../storage/database.ts'
import { insert, places } from '../../storage/upsert.ts'

// A uuid is one thing: an order and the receipt that it becomes share theirs, and no other order or receipt has it. Both are written
// with a row of sale_uuids, whose key decides between those that come at once.

interface Of {
  readonly tx: Transaction
  readonly brand_id: number
}

/** Takes the uuid of a new order, or of a receipt without one; a used one is a UniqueViolation. */
export const takeUuid = ({ tx, brand_id }: Of, uuid: string): Promise<void> =>
  insert(tx, 'sale_uuids', [{ brand_id, uuid }])

/**
 * Whether a uuid was used. Asked before the order or receipt that has it is looked for: that is then found, or it is another kind's, or
 * an import has changed it since.
 */
export async function isUsedUuid(tx: Pick<Queries, 'rows'>, brand_id: number, uuid: string): Promise<boolean> {
  const found = await tx.rows('select 1 as one from sale_uuids where brand_id = ? and uuid = ?', [brand_id, uuid])
  return found.length > 0
}

interface Imported {
  readonly id: number
  readonly cid?: string | undefined
  readonly order_id?: number | undefined
}

/** Takes the uuids of imported receipts, which may share them (P22); refuses one that an order has whose receipt it is not. */
export async function takeImportedReceipts({ tx, brand_id }: Of, rows: readonly Imported[]): Promise<void> {
  const uuids = await takeImported({ tx, brand_id }, rows)
  if (uuids.length === 0) return
  const orders = await tx.rows<{ id: number; cid: string }>(
    `select id, cid from orders where brand_id = ? and cid in ${places(uuids)}`,
    [brand_id, ...uuids],
  )
  const orderOf = new Map(orders.map(({ id, cid }) => [cid, id]))
  for (const row of rows) {
    const id = orderOf.get(row.cid?.toLowerCase() ?? '')
    if (id !== undefined && id !== row.order_id) throw new RowProblem(`cid ${row.cid} is that of order ${id}`, row)
  }
}

/** Takes the uuids of imported orders; refuses one that a receipt has which is not the order's. */
export async function takeImportedOrders({ tx, brand_id }: Of, rows: readonly Imported[]): Promise<void> {
  const uuids = await takeImported({ tx, brand_id }, rows)
  const receipts = await tx.rows<{ id: number; cid: string; order_id: number | null }>(
    `select id, cid_key as cid, order_id from receipts where brand_id = ? and cid_key in ${places(uuids)}`,
    [brand_id, ...uuids],
  )
  const byUuid = Map.groupBy(receipts, ({ cid }) => cid)
  for (const row of rows) {
    const other = byUuid.get(row.cid!.toLowerCase())?.find(({ order_id }) => order_id !== row.id)
    if (other) throw new RowProblem(`cid ${row.cid} is that of receipt ${other.id}`, row)
  }
}

/** Waits for a concurrent order or receipt with one of the uuids, which the caller then finds. */
async function takeImported({ tx, brand_id }: Of, rows: readonly Imported[]): Promise<string[]> {
  const uuids = [...new Set(rows.flatMap(({ cid }) => cid?.toLowerCase() ?? []))].sort() // one order of locks
  if (uuids.length > 0)
    await tx.run(
      `insert into sale_uuids (brand_id, uuid) values ${uuids.map(() => '(?, ?)').join(', ')} on conflict do nothing`,
      uuids.flatMap((uuid) => [brand_id, uuid]),
    )
  return uuids
}
