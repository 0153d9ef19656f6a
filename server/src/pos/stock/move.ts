import { amountTooLarge } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { type StockOperation, stockOperations } from '../../resources/stock/stock-operations.ts'
import { stocks } from '../../resources/stock/stocks.ts'
import { places, upsert } from '../../storage/upsert.ts'
import { fromScaled, LARGEST_SCALED, laterOf } from '../../values/values.ts'
import { type Incoming, moved, NOTHING, type StockLevel } from './cost.ts'

/** A stock movement: goods put into a storage or taken from it. Numbers are integers ×10,000. */
export interface Movement {
  readonly product_id: number
  /** Absent: the venue's main storage (P20). */
  readonly storage_id?: number
  /** Signed: negative if goods are taken. */
  readonly quantity: number
  /** Cost of one incoming unit. Without it and `value`, goods come in at the last cost. */
  readonly cost?: number
  /** Exact value of all incoming goods. */
  readonly value?: number
  /** Earlier movements of the same call that took the incoming goods, which are worth what those took. */
  readonly carries?: readonly number[]
  /** S6: the quantity that was there at that instant; `quantity` is 0, and the difference moves. */
  readonly counted?: { readonly quantity: number; readonly at: string }
  readonly receipt_id?: number
  readonly receipt_product_id?: number
  readonly modificator_id?: number
  readonly operation_id?: number
  readonly operation_item_id?: number
  /** The movement that this one undoes. */
  readonly parent_id?: number
}

interface Stock extends StockLevel {
  readonly id: number
  readonly storage_id: number
  readonly product_id: number
  readonly movements: number
  readonly updated_at: string
}

/**
 * P21: moves stock in the order given and writes the stock operations with their event. Missing rows start at 0; all rows are locked by
 * id before the first moves (P16).
 */
export async function moveStock(context: CommandContext, movements: readonly Movement[]): Promise<StockOperation[]> {
  if (movements.length === 0) return []
  const { tx, caller, now, ids } = context
  const { brand_id, venue_id } = caller
  const { shelves, units } = await findShelves(context, movements)
  const operation_ids = movements.map(() => ids.take('stock_operation_id'))
  const held = await lockStocks(context, shelves, operation_ids)

  const missing = await missingOf(context, movements, (index) => held.get(placeOf(shelves[index]!))!)
  const rests = await restsOf(context, movements)
  const worth: number[] = []

  const rows = movements.map((movement, index) => {
    const { product_id, carries } = movement
    const quantity = movement.quantity + missing[index]!
    const place = placeOf(shelves[index]!)
    const stock = held.get(place)!
    const carried = carries?.reduce((sum, taken) => sum - worth[taken]!, 0)
    const { after, cost } = moved(
      stock,
      quantity,
      carried === undefined
        ? incomingOf(movement, rests)
        : { value: carried, carried: movement.parent_id === undefined }, // a transfer that is undone brings back what it took
    )
    worth.push(after.value - stock.value)
    refuseTooLarge(product_id, after)
    const operated_at = stock.movements > 0 ? laterOf(now, stock.updated_at) : now // times never decrease along a chain
    held.set(place, { ...stock, ...after, movements: stock.movements + 1, updated_at: operated_at })
    const unit_id = units.get(product_id)
    return {
      id: operation_ids[index]!,
      venue_id,
      stock_id: stock.id,
      storage_id: stock.storage_id,
      reserved: 0,
      ...pointersOf(movement),
      ...(unit_id !== undefined && { unit_id }),
      quantity: fromScaled(quantity),
      before_quantity: fromScaled(stock.quantity),
      after_quantity: fromScaled(after.quantity),
      before: fromScaled(stock.value),
      after: fromScaled(after.value),
      cost: fromScaled(cost),
      before_cost: fromScaled(stock.cost),
      total_cost: fromScaled(after.value - stock.value),
      operated_at,
      position: stock.movements + 1,
    }
  })
  await upsert(
    tx,
    'stocks',
    ['brand_id', 'id'],
    [...held.values()].map((stock) => stockRow(brand_id, venue_id, stock)),
    FIXED,
  )
  await stockOperations.insert(context, rows)
  return rows
}

function incomingOf(
  { cost, value, quantity, parent_id }: Movement,
  rests: ReadonlyMap<number, Rest>,
): Incoming | undefined {
  if (value === undefined) return cost === undefined ? undefined : { cost }
  const rest = rests.get(parent_id ?? 0)
  const isRest = rest?.quantity === quantity && Math.abs(rest.value - value) <= ROUNDING
  return { value: isRest ? rest.value : value }
}

/** What is left to undo of a movement. */
interface Rest {
  readonly quantity: number
  readonly value: number
}

/** How far the returned parts of a movement may differ from what was taken, if they come back over negative stock (cost.ts). */
const ROUNDING = 10

/** P19: the last part that comes back brings all that is left, so that the parts add up exactly to what was taken. */
async function restsOf({ tx, caller }: CommandContext, movements: readonly Movement[]): Promise<Map<number, Rest>> {
  const ids = movements.flatMap(({ value, parent_id }) =>
    value === undefined || parent_id === undefined ? [] : [parent_id],
  )
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<Rest & { id: number }>(
    `select taken.id, cast(-taken.quantity - coalesce(sum(back.quantity), 0) as bigint) as quantity,
       cast(-taken.total_cost - coalesce(sum(back.total_cost), 0) as bigint) as value
     from stock_operations as taken
       left join stock_operations as back on back.brand_id = taken.brand_id and back.parent_id = taken.id
     where taken.brand_id = ? and taken.id in ${places(ids)} group by taken.id, taken.quantity, taken.total_cost`,
    [caller.brand_id, ...ids],
  )
  return new Map(rows.map(({ id, ...rest }) => [id, rest]))
}

/** The rows that a movement refers to. */
function pointersOf(movement: Movement) {
  const { storage_id: _, quantity: __, cost: ___, value: ____, carries: _____, counted: ______, ...pointers } = movement
  return pointers
}

/** S6: differences between a count and the stock expected at that time: the present stock minus later movements, except those of counts. */
async function missingOf(
  { tx, caller }: CommandContext,
  movements: readonly Movement[],
  stockOf: (index: number) => Stock,
): Promise<number[]> {
  const missing: number[] = []
  for (const [index, { counted }] of movements.entries()) {
    if (!counted) {
      missing.push(0)
      continue
    }
    const { id, quantity } = stockOf(index)
    const [since] = await tx.rows<{ quantity: number }>(
      `select cast(coalesce(sum(quantity), 0) as bigint) as quantity from stock_operations
       where brand_id = ? and stock_id = ? and operated_at > ? and position > 0 and not exists (select 1 from operations
         where operations.brand_id = stock_operations.brand_id and operations.id = stock_operations.operation_id
           and operations.type = 9)`,
      [caller.brand_id, id, counted.at],
    )
    missing.push(counted.quantity - (quantity - since!.quantity))
  }
  return missing
}

function refuseTooLarge(product_id: number, { quantity, value }: StockLevel): void {
  if (Math.abs(quantity) > LARGEST_SCALED || Math.abs(value) > LARGEST_SCALED)
    throw amountTooLarge(`The stock of product ${product_id}`)
}

interface Place {
  readonly storage_id: number
  readonly product_id: number
}

const placeOf = ({ storage_id, product_id }: Place) => `${storage_id} ${product_id}`

/** Where each movement takes place, and the units of what moves. */
async function findShelves({ tx, caller }: CommandContext, movements: readonly Movement[]) {
  const { brand_id, venue_id } = caller
  const products = [...new Set(movements.map(({ product_id }) => product_id))]
  const storages = await tx.rows<{ id: number; is_main: number }>(
    'select id, is_main from storages where brand_id = ? and venue_id = ?',
    [brand_id, venue_id],
  )
  const units = await tx.rows<{ id: number; unit_id: number | null }>(
    `select id, unit_id from products where brand_id = ? and id in ${places(products)}`,
    [brand_id, ...products],
  )
  const main = storages.find(({ is_main }) => is_main === 1)!.id
  const own = new Set(storages.map(({ id }) => id))
  return {
    units: new Map(units.flatMap(({ id, unit_id }) => (unit_id === null ? [] : [[id, unit_id]]))),
    shelves: movements.map(({ storage_id = main, product_id }): Place => {
      if (!own.has(storage_id)) throw new Error(`Storage ${storage_id} is of another venue than ${venue_id} (I13)`)
      return { storage_id, product_id }
    }),
  }
}

const FIXED = ['brand_id', 'id', 'venue_id', 'storage_id', 'product_id']

const stockRow = (brand_id: number, venue_id: number, stock: Stock) => ({
  brand_id,
  id: stock.id,
  storage_id: stock.storage_id,
  product_id: stock.product_id,
  venue_id,
  quantity: stock.quantity,
  value: stock.value,
  cost: stock.cost,
  movements: stock.movements,
  updated_at: stock.updated_at,
})

/**
 * The stocks of these places, locked by id. Missing ones are inserted first, in one order, with the id of their first movement: a
 * concurrent insert of the same rows waits here and holds none of our locks.
 */
async function lockStocks(
  { tx, caller, now, counted }: CommandContext,
  stockPlaces: readonly Place[],
  ids: readonly number[],
): Promise<Map<string, Stock>> {
  const { brand_id, venue_id } = caller
  const wanted = new Map(stockPlaces.map((place) => [placeOf(place), place]))
  const first = new Map(stockPlaces.map((place, index) => [placeOf(place), ids[index]!] as const).reverse())
  const storages = [...new Set(stockPlaces.map(({ storage_id }) => storage_id))]
  const products = [...new Set(stockPlaces.map(({ product_id }) => product_id))]
  const read = async (lock: string) => {
    const rows = await tx.rows<Stock>(
      `select id, storage_id, product_id, quantity, value, cost, movements, updated_at from stocks
       where brand_id = ? and storage_id in ${places(storages)} and product_id in ${places(products)} order by +id${lock}`, // without the + SQLite walks the brand's stock in the order of ids
      [brand_id, ...storages, ...products],
    )
    return rows.filter((row) => wanted.has(placeOf(row)))
  }
  const found = new Map((await read('')).map((row) => [placeOf(row), row]))
  const missing = [...wanted.values()]
    .filter((place) => !found.has(placeOf(place)))
    .sort((one, other) => one.storage_id - other.storage_id || one.product_id - other.product_id)
  if (missing.length === 0 && tx.dialect.lockRows === '') return found // on SQLite the transaction locks the file, not rows
  const added = missing.map((place) =>
    stockRow(brand_id, venue_id, {
      ...place,
      ...NOTHING,
      id: first.get(placeOf(place))!,
      movements: 0,
      updated_at: now,
    }),
  )
  if (added.length > 0) {
    const columns = Object.keys(added[0]!)
    const made = await tx.rows<{ id: number }>(
      `insert into stocks (${columns.join(', ')}) values ${added.map(() => places(columns)).join(', ')}
       on conflict (brand_id, storage_id, product_id) do nothing returning id`,
      added.flatMap((row) => Object.values(row)),
    )
    counted.push(...made.map(({ id }) => ({ resource: stocks, row: { id, venue_id } })))
  }
  return new Map((await read(tx.dialect.lockRows)).map((row) => [placeOf(row), row]))
}
