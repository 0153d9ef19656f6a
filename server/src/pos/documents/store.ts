import { noSuchRecord, operationPublished } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { advance } from '../../resource/write/counters.ts'
import { type OperationItemRow, operationItems } from '../../resources/stock/operation-items.ts'
import { numberCounter, type OperationRow, operations } from '../../resources/stock/operations.ts'
import { DRAFT } from '../../values/states.ts'
import { laterOf } from '../../values/values.ts'
import type { DraftItem } from './schema.ts'

// How a document and its items are kept.

export interface StockDocument {
  readonly operation: OperationRow
  readonly items: readonly OperationItemRow[]
}

/** Reads a document of the active venue, which nobody else then changes before this transaction is over. */
export async function lockDocument(context: CommandContext, id: number): Promise<StockDocument> {
  const { tx, brand_id, caller } = context
  const row = await operations.lock<{ body: string; booked: 0 | 1 }>(context, id, 'body, booked', caller.venue_id)
  if (!row) throw noSuchRecord()
  const items = await tx.rows<{ body: string; counted_at: string | null }>(
    'select body, counted_at from operation_items where brand_id = ? and operation_id = ? order by id',
    [brand_id, id],
  )
  return {
    operation: { ...(JSON.parse(row.body) as OperationRow), booked: row.booked },
    items: items.map(({ body, counted_at }) => ({
      ...(JSON.parse(body) as OperationItemRow),
      ...(counted_at !== null && { counted_at }),
    })),
  }
}

/** S6: what is published stays as it is. */
export function mustBeDraft({ operation }: StockDocument): void {
  if (operation.status !== DRAFT) throw operationPublished(operation.published_at)
}

export const placed = (
  { caller, ids }: CommandContext,
  operation_id: number,
  items: readonly DraftItem[],
): OperationItemRow[] =>
  items.map((item) => ({ id: ids.take('operation_item_id'), venue_id: caller.venue_id, operation_id, ...item }))

export async function nextNumber({ tx, caller }: CommandContext): Promise<number> {
  const counter = numberCounter(caller.venue_id)
  return (await advance(tx, caller.brand_id, { [counter]: 1 }))[counter]!
}

/** Writes a new document; answers its text. */
export async function addDocument(context: CommandContext, { operation, items }: StockDocument): Promise<string> {
  const [body] = await operations.insert(context, [operation])
  await operationItems.insert({ ...context, unpublished: true }, items)
  return body!
}

/** Writes what a document is now; new items are those that it did not have. Answers its text. */
export async function saveDocument(
  context: CommandContext,
  before: StockDocument,
  { operation, items }: StockDocument,
): Promise<string> {
  const updated_at = laterOf(context.now, before.operation.updated_at)
  const [body] = await operations.update(context, [{ ...operation, updated_at }])
  if (items === before.items) return body!
  const kept = new Set(items.map(({ id }) => id))
  await removeItems(
    context,
    before.items.filter(({ id }) => !kept.has(id)),
  )
  const known = new Set(before.items.map(({ id }) => id))
  const quiet = operation.status === DRAFT ? context : { ...context, unpublished: true }
  await operationItems.update(
    quiet,
    items.filter(({ id }) => known.has(id)),
  )
  await operationItems.insert(
    quiet,
    items.filter(({ id }) => !known.has(id)),
  )
  return body!
}

export async function removeDocument(context: CommandContext, { operation, items }: StockDocument): Promise<void> {
  const { tx, brand_id } = context
  const { id, venue_id } = operation
  await removeItems(context, items)
  await operations.remove({ ...context, unpublished: true }, operation)
  tx.publish({ brand_id, type: 'operation.deleted', subject: String(id), venue_id, data: { id } })
}

/** Their document publishes for them (E2). */
async function removeItems(context: CommandContext, items: readonly OperationItemRow[]): Promise<void> {
  for (const row of items) await operationItems.remove({ ...context, unpublished: true }, row)
}
