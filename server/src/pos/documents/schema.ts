import Type, { type Static } from 'typebox'
import { type FieldProblem, fieldProblem } from '../../http/errors.ts'
import { DateTime, DecimalOrText, Id, Maybe } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { OperationItemRow } from '../../resources/stock/operation-items.ts'
import { Description, OperationType } from '../../resources/stock/operations.ts'
import { places } from '../../storage/upsert.ts'
import { COUNT, type DocumentType, PRODUCTION, SUPPLIER_RETURN, SUPPLY, TRANSFER } from '../../values/states.ts'
import { fromScaled, LARGEST_SCALED, toScaled } from '../../values/values.ts'
import { recipesOf } from '../menu.ts'
import { refuse } from '../receipts/line.ts'
import { roundTo } from '../rounding.ts'

// S6: what a document may say. Everything that is wrong with it is refused when it is written, not when it is published.

const NewItem = Type.Object(
  {
    product_id: Id(),
    quantity: Maybe(Type.Number({ description: 'Above 0; not of a stock count' })),
    cost: Maybe(DecimalOrText({ description: 'Cost of one unit; absent: the last cost. Not on a stock count' })),
    counted: Maybe(Type.Number({ description: 'Only on a stock count: the quantity found' })),
    counted_at: Maybe(Type.String({ format: 'date-time', description: 'Only on a stock count; absent: now' })),
  },
  { additionalProperties: false },
)
type NewItem = Static<typeof NewItem>

const MAX_ITEMS = 500

const Members = {
  type: OperationType(),
  storage_id: Id(),
  to_storage_id: Maybe(Id()),
  supplier_id: Maybe(Id()),
  document_date: Maybe(DateTime()),
  description: Maybe(Description()),
  items: Type.Array(NewItem, { minItems: 1, maxItems: MAX_ITEMS }),
}

export const NewDocument = Type.Object(Members, { $id: 'NewOperation', additionalProperties: false })
export type NewDocument = Static<typeof NewDocument>

/** What is sent replaces what was there; `items` are replaced as a whole. */
export const DocumentChange = Type.Partial(NewDocument, { $id: 'OperationChange', additionalProperties: false })
export type DocumentChange = Static<typeof DocumentChange>

const WITH_SUPPLIER: readonly DocumentType[] = [SUPPLY, SUPPLIER_RETURN]

/** An item as it will be stored, without its place. */
export type DraftItem = Omit<OperationItemRow, 'id' | 'venue_id' | 'operation_id'>

/** The items of a document with their costs. Refused with everything that is wrong with it. */
export async function readDocument(context: CommandContext, input: NewDocument): Promise<DraftItem[]> {
  const faults = [...(await faultsOfPlaces(context, input)), ...faultsOfItems(context, input)]
  refuse(faults)
  refuse(await faultsOfProducts(context, input))
  const costs = await lastCosts(context, input)
  const items = input.items.map((item) => draftItem(context, input, item, costs.get(item.product_id) ?? 0))
  refuse(
    items.flatMap(({ total_cost }, index) =>
      toScaled(total_cost) === undefined
        ? [fieldProblem(`items[${index}].cost`, 'maximum', 'makes more than 10^11')]
        : [],
    ),
  )
  return items
}

/** I13: storages are the venue's own. */
async function faultsOfPlaces({ tx, caller }: CommandContext, input: NewDocument): Promise<FieldProblem[]> {
  const { type, storage_id, to_storage_id, supplier_id } = input
  const { brand_id, venue_id } = caller
  const storages = await tx.rows<{ id: number }>('select id from storages where brand_id = ? and venue_id = ?', [
    brand_id,
    venue_id,
  ])
  const isOwn = (id: number) => storages.some((storage) => storage.id === id)
  const faults: FieldProblem[] = []
  if (!isOwn(storage_id)) faults.push(fieldProblem('storage_id', 'exists', 'is no storage of this venue'))
  if (type !== TRANSFER && to_storage_id !== undefined)
    faults.push(fieldProblem('to_storage_id', 'unknown', 'is only of a transfer'))
  if (type === TRANSFER && to_storage_id === undefined)
    faults.push(fieldProblem('to_storage_id', 'required', 'is missing'))
  if (type === TRANSFER && to_storage_id !== undefined && (to_storage_id === storage_id || !isOwn(to_storage_id)))
    faults.push(fieldProblem('to_storage_id', 'exists', 'is no other storage of this venue'))
  if (!WITH_SUPPLIER.includes(type) && supplier_id !== undefined)
    faults.push(fieldProblem('supplier_id', 'unknown', 'is only of a supply and of a return to a supplier'))
  if (type === SUPPLIER_RETURN && supplier_id === undefined)
    faults.push(fieldProblem('supplier_id', 'required', 'is missing'))
  if (WITH_SUPPLIER.includes(type) && supplier_id !== undefined) {
    const found = await tx.rows('select id from suppliers where brand_id = ? and id = ?', [brand_id, supplier_id])
    if (found.length === 0) faults.push(fieldProblem('supplier_id', 'exists', 'is no supplier of this brand'))
  }
  return faults
}

function faultsOfItems({ now }: CommandContext, { type, items }: NewDocument): FieldProblem[] {
  const counted = new Set<number>()
  return items.flatMap((item, index) => {
    const path = (member: keyof NewItem) => `items[${index}].${member}`
    const only = (members: readonly (keyof NewItem)[], must: string) =>
      members.flatMap((member) => (item[member] === undefined ? [] : [fieldProblem(path(member), 'unknown', must)]))
    if (type !== COUNT) {
      const faults = only(['counted', 'counted_at'], 'is only of a stock count')
      if (item.quantity === undefined) faults.push(fieldProblem(path('quantity'), 'required', 'is missing'))
      else if (item.quantity <= 0) faults.push(fieldProblem(path('quantity'), 'minimum', 'must be above 0'))
      if ((item.cost ?? 0) < 0) faults.push(fieldProblem(path('cost'), 'minimum', 'must be at least 0'))
      return faults
    }
    const faults = only(['quantity', 'cost'], 'is not of a stock count')
    if (item.counted === undefined) faults.push(fieldProblem(path('counted'), 'required', 'is missing'))
    else if (item.counted < 0) faults.push(fieldProblem(path('counted'), 'minimum', 'must be at least 0'))
    if (item.counted_at !== undefined && item.counted_at > now)
      faults.push(fieldProblem(path('counted_at'), 'past', 'must not be in the future'))
    if (counted.has(item.product_id)) faults.push(fieldProblem(path('product_id'), 'unique', 'is counted twice'))
    counted.add(item.product_id)
    return faults
  })
}

async function faultsOfProducts(context: CommandContext, { type, items }: NewDocument): Promise<FieldProblem[]> {
  const ids = items.map(({ product_id }) => product_id)
  const recipes = await recipesOf(context, ids)
  return items.flatMap(({ product_id }, index) => {
    const recipe = recipes.get(product_id)
    const field = `items[${index}].product_id`
    if (!recipe) return [fieldProblem(field, 'exists', 'is no product of this brand')]
    return type === PRODUCTION && recipe.length === 0
      ? [fieldProblem(field, 'exists', 'has no recipe to be made by')]
      : []
  })
}

/** What one unit of each product cost last in this storage, else what its menu entry says, ×10,000. */
async function lastCosts({ tx, caller }: CommandContext, input: NewDocument): Promise<Map<number, number>> {
  const ids = [...new Set(input.items.map(({ product_id }) => product_id))]
  const rows = await tx.rows<{ id: number; cost: number }>(
    `select products.id, coalesce(stocks.cost, products.cost_price, 0) as cost from products
       left join stocks on stocks.brand_id = products.brand_id and stocks.product_id = products.id and stocks.storage_id = ?
     where products.brand_id = ? and products.id in ${places(ids)}`,
    [input.storage_id, caller.brand_id, ...ids],
  )
  return new Map(rows.map(({ id, cost }) => [id, cost]))
}

function draftItem({ now }: CommandContext, { type }: NewDocument, item: NewItem, last: number): DraftItem {
  const { product_id, counted, counted_at = now } = item
  if (type === COUNT)
    return { product_id, quantity: 0, counted: counted!, counted_at, cost: fromScaled(last), total_cost: 0 }
  const cost = item.cost === undefined ? last : toScaled(item.cost)!
  const total = roundTo(1n, BigInt(toScaled(item.quantity!)!) * BigInt(cost), 10_000n)
  const total_cost = total > BigInt(LARGEST_SCALED) ? Number.POSITIVE_INFINITY : fromScaled(Number(total))
  return { product_id, quantity: item.quantity!, cost: fromScaled(cost), total_cost }
}
