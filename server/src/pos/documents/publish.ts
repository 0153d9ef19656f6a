import { operationPublished, validationFailed } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { OperationItemRow } from '../../resources/stock/operation-items.ts'
import type { OperationRow } from '../../resources/stock/operations.ts'
import type { StockOperation } from '../../resources/stock/stock-operations.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { COUNT, PRODUCTION, PUBLISHED, SUPPLIER_RETURN, SUPPLY, TRANSFER, WASTE } from '../../values/states.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import { notBefore } from '../context.ts'
import { recipesOf } from '../menu.ts'
import { takenBy } from '../recipe.ts'
import { type Movement, moveStock } from '../stock/move.ts'
import { sumsOf } from './commands.ts'
import {
  addDocument,
  lockDocument,
  mustBeDraft,
  nextNumber,
  placed,
  type StockDocument,
  saveDocument,
} from './store.ts'
import { billSupplier } from './supplier.ts'

// S6: publishing books the movements now, in the order of the items; a new document undoes them, once.

export async function publishDocument(given: CommandContext, id: number): Promise<string> {
  const before = await lockDocument(given, id)
  mustBeDraft(before)
  const context = notBefore(given, before.operation.created_at)
  const moved = await moveStock(context, await movementsOf(context, before))
  const byItem = Map.groupBy(moved, ({ operation_item_id }) => operation_item_id!)
  const items = before.items.map((item) => bookedItem(before.operation, item, byItem.get(item.id)!))
  const { type, supplier_id } = before.operation
  const operation: OperationRow = {
    ...before.operation,
    status: PUBLISHED,
    ...sumsOf(items),
    published_at: context.now,
    booked: 1,
  }
  if (supplier_id !== undefined)
    await billSupplier(context, { id: supplier_id, operation_id: id, amount: owed(type, operation.total_cost) })
  return saveDocument(context, before, { operation, items })
}

/** What a document makes us owe its supplier, ×10,000. */
const owed = (type: number, total_cost: number) => toScaled(total_cost)! * (type === SUPPLY ? 1 : -1)

async function movementsOf(context: CommandContext, { operation, items }: StockDocument): Promise<Movement[]> {
  const { id: operation_id, type, storage_id, to_storage_id } = operation
  const ids = items.map(({ product_id }) => product_id)
  const recipes = type === PRODUCTION ? await recipesOf(context, ids) : new Map()
  const movements: Movement[] = []
  for (const item of items) {
    const { id: operation_item_id, product_id } = item
    const quantity = toScaled(item.quantity)!
    const place = { product_id, storage_id, operation_id, operation_item_id }
    const next = movements.length
    switch (type) {
      case WASTE:
      case SUPPLIER_RETURN:
        movements.push({ ...place, quantity: -quantity })
        break
      case TRANSFER:
        movements.push({ ...place, quantity: -quantity })
        movements.push({ ...place, storage_id: to_storage_id!, quantity, carries: [next] })
        break
      case PRODUCTION: {
        const taken = takenBy({ recipe: recipes.get(product_id) ?? [], count: quantity, portion_size: 10_000 })
        movements.push(...taken.map((use) => ({ ...place, product_id: use.product_id, quantity: -use.quantity })))
        movements.push({ ...place, quantity, carries: taken.map((_, index) => next + index) })
        break
      }
      case COUNT:
        movements.push({ ...place, quantity: 0, counted: { quantity: toScaled(item.counted!)!, at: item.counted_at! } })
        break
      default:
        movements.push({ ...place, quantity, cost: toScaled(item.cost)! })
    }
  }
  return movements
}

/** What goods cost that were bought or sent back was agreed; what the others are worth is what moved. */
function bookedItem(
  { type }: OperationRow,
  item: OperationItemRow,
  moved: readonly StockOperation[],
): OperationItemRow {
  const last = moved.at(-1)!
  const worth = (some: readonly StockOperation[]) =>
    fromScaled(-some.reduce((sum, { total_cost }) => sum + toScaled(total_cost!)!, 0))
  switch (type) {
    case WASTE:
      return { ...item, cost: last.cost!, total_cost: worth([last]) }
    case TRANSFER:
      return { ...item, cost: moved[0]!.cost!, total_cost: worth(moved.slice(0, 1)) }
    case PRODUCTION:
      return { ...item, cost: last.cost!, total_cost: worth(moved.slice(0, -1)) }
    case COUNT:
      return { ...item, quantity: last.quantity!, cost: last.cost!, total_cost: last.total_cost! }
    default:
      return item
  }
}

/** Undoes a published document by a new one: quantities are as if it had not been. */
export async function reverseDocument(given: CommandContext, id: number): Promise<string> {
  const { operation, items } = await lockDocument(given, id)
  const context = notBefore(given, operation.published_at)
  const { tx, caller, now, ids } = context
  const { brand_id, venue_id } = caller
  await refuseIrreversible(context, operation)
  const moved = await tx.rows<{ body: string; storage_id: number }>(
    'select body, storage_id from stock_operations where brand_id = ? and operation_id = ? and position > 0 order by id desc',
    [brand_id, id],
  )
  const undone_id = ids.take('operation_id')
  const undone = placed(
    context,
    undone_id,
    items.map(({ product_id, quantity, cost, total_cost }) => ({
      product_id,
      quantity: -quantity,
      cost,
      total_cost: -total_cost,
    })),
  )
  const itemOf = new Map(items.map((item, index) => [item.id, undone[index]!.id]))
  await moveStock(
    context,
    moved.map(({ body, storage_id }, index) => {
      const movement = JSON.parse(body) as StockOperation
      return undoing(operation, movement, storage_id, index, itemOf.get(movement.operation_item_id!)!, undone_id)
    }),
  )
  const { type, type_name, to_storage_id, supplier_id } = operation
  const sums = sumsOf(undone)
  if (supplier_id !== undefined)
    await billSupplier(context, { id: supplier_id, operation_id: undone_id, amount: owed(type, sums.total_cost) })
  const reversal: OperationRow = {
    id: undone_id,
    venue_id,
    type,
    type_name,
    status: PUBLISHED,
    number: await nextNumber(context), // P16: after the balance
    storage_id: operation.storage_id,
    ...definedOnly({ to_storage_id, supplier_id }),
    user_id: caller.user.id,
    ...sums,
    document_date: now,
    published_at: now,
    reverses_id: id,
    created_at: now,
    updated_at: now,
    booked: 1,
  }
  tx.publish({ brand_id, type: 'operation.reversed', subject: String(id), venue_id, data: { id, status: PUBLISHED } })
  return addDocument(context, { operation: reversal, items: undone })
}

async function refuseIrreversible({ tx, caller }: CommandContext, operation: OperationRow): Promise<void> {
  const { id, status, reverses_id, published_at, booked } = operation
  if (status !== PUBLISHED)
    throw validationFailed([{ field: 'id', rule: 'state', message: 'A draft is changed or deleted, not reversed.' }])
  const [reversal] = await tx.rows<{ id: number }>('select id from operations where brand_id = ? and reverses_id = ?', [
    caller.brand_id,
    id,
  ])
  // A reversal stays as it is too, and history moved nothing (P22).
  if (reversal || reverses_id !== undefined || booked !== 1) throw operationPublished(published_at, reversal?.id)
}

/** The movements come last first. What was taken comes back with its value; what a transfer brought takes it back. */
function undoing(
  { type }: OperationRow,
  { id, product_id, quantity, total_cost }: StockOperation,
  storage_id: number,
  index: number,
  operation_item_id: number,
  operation_id: number,
): Movement {
  const back = -toScaled(quantity!)!
  return {
    product_id: product_id!,
    storage_id,
    quantity: back,
    parent_id: id,
    operation_id,
    operation_item_id,
    ...(back > 0 && (type === TRANSFER ? { carries: [index - 1] } : { value: -toScaled(total_cost!)! })),
  }
}
