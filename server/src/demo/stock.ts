import { DOCUMENT_TYPES } from '../resources/operations.ts'
import type { Catalogue, Stocked, Take } from './catalogue.ts'
import { type Scaled, scaled, times, toWire } from './decimal.ts'
import { UNIT_IDS } from './item.ts'
import { venues } from './people.ts'
import type { OperationItemRow, OperationRow, StockOperationRow, StockRow } from './rows.ts'
import type { Line, SaleDay } from './sales.ts'

/** A delivery covers the day it comes on and, were they like it, the next three. */
const DAYS_COVERED = 4

type StockRows = OperationRow | OperationItemRow | StockRow | StockOperationRow

/** The documents of the deliveries, the stocks, and what moved them: drawn twice rather than kept. */
export function* stockRows(catalogue: Catalogue, days: () => Iterable<SaleDay>): Generator<StockRows> {
  const documents = new Map<number, OperationRow>()
  const items: OperationItemRow[] = []
  const stocks = new Map<number, StockRow>()
  const numbers = new Map<number, number>()
  for (const movement of stockOperations(catalogue, days())) {
    const { venue_id, product_id, stock_id, storage_id, cost, operated_at } = movement
    stocks.set(stock_id, {
      kind: 'stock',
      id: stock_id,
      venue_id,
      storage_id,
      product_id,
      cost,
      updated_at: operated_at,
    })
    const { operation_id, operation_item_id, quantity, total_cost } = movement
    if (!operation_id || !operation_item_id) continue
    items.push({
      ...{ kind: 'operation_item', id: operation_item_id, venue_id, operation_id, product_id, quantity, cost },
      total_cost,
    })
    let document = documents.get(operation_id)
    if (!document) {
      const number = (numbers.get(venue_id) ?? 0) + 1
      numbers.set(venue_id, number)
      document = deliveryOf(movement, operation_id, number)
      documents.set(operation_id, document)
    }
    document.items_count++
    document.total_cost = toWire(scaled(document.total_cost) + scaled(total_cost))
  }
  yield* documents.values()
  yield* items
  yield* stocks.values()
  yield* stockOperations(catalogue, days())
}

/** The doors open on full shelves, which is no delivery. */
const deliveryOf = (
  { venue_id, storage_id, operated_at }: StockOperationRow,
  id: number,
  number: number,
): OperationRow => ({
  kind: 'operation',
  id,
  venue_id,
  type: number === 1 ? 11 : 1,
  type_name: DOCUMENT_TYPES[number === 1 ? 11 : 1],
  status: 1,
  number,
  storage_id,
  user_id: 1,
  items_count: 0,
  total_cost: 0,
  document_date: operated_at,
  published_at: operated_at,
  created_at: operated_at,
  updated_at: operated_at,
  booked: 1,
})

/**
 * What the sales took from the shelves, and the deliveries that filled them. A delivery is entered as its day begins; a sale takes
 * its goods as the receipt is opened.
 */
function* stockOperations(catalogue: Catalogue, days: Iterable<SaleDay>): Generator<StockOperationRow> {
  const width = catalogue.size + 1
  const held = new Float64Array(width * (venues.length + 1)) // ten-thousandths, by venue and product
  const places = new Map<number, { id: number; movements: number }>()
  let id = 0
  let deliveries = 0
  let deliveredItems = 0

  function move(venueId: number, of: Stocked, quantity: Scaled, operatedAt: string): StockOperationRow {
    const place = venueId * width + of.id
    const before = held[place]!
    const after = before + quantity
    held[place] = after
    const stock = places.get(place) ?? { id: places.size + 1, movements: 0 }
    places.set(place, { ...stock, movements: stock.movements + 1 })
    return {
      kind: 'stock_operation',
      id: ++id,
      venue_id: venueId,
      stock_id: stock.id,
      storage_id: venueId, // its main one has the same id
      reserved: 0,
      product_id: of.id,
      unit_id: UNIT_IDS[of.unit],
      quantity: toWire(quantity),
      before_quantity: toWire(before),
      after_quantity: toWire(after),
      // What was there is worth `before`, what is left `after`; total_cost has the sign of quantity, so that they add up.
      before: toWire(times(of.cost, before)),
      after: toWire(times(of.cost, after)),
      cost: toWire(of.cost), // no cost changes within the thirty days
      before_cost: toWire(of.cost),
      total_cost: toWire(times(of.cost, quantity)),
      operated_at: operatedAt,
      position: stock.movements + 1,
    }
  }

  for (const { start, sales } of days) {
    const opening = id === 0
    const needed = new Float64Array(held.length)
    for (const { receipt, lines } of sales) {
      for (const { of, quantity } of lines.flatMap(takesOf)) needed[receipt.venue_id * width + of.id]! += quantity
    }

    const morning = new Date(start).toISOString()
    for (const { id: venueId } of venues) {
      let operation_id = 0
      for (const of of catalogue.stocked) {
        const place = venueId * width + of.id
        const missing = needed[place]! - held[place]!
        // The doors open on full shelves; after that, only what would not last the day is bought.
        if (missing <= 0 && !opening) continue
        const lots = Math.max(1, Math.ceil((needed[place]! * DAYS_COVERED - held[place]!) / of.lot))
        operation_id ||= ++deliveries
        const delivery = move(venueId, of, lots * of.lot, morning)
        delivery.operation_id = operation_id
        delivery.operation_item_id = ++deliveredItems
        yield delivery
      }
    }

    for (const { receipt, lines } of sales) {
      for (const line of lines) {
        for (const { of, quantity, modificator_id } of takesOf(line)) {
          const sale = move(receipt.venue_id, of, -quantity, receipt.created_at)
          sale.receipt_id = receipt.id
          sale.receipt_product_id = line.id
          if (modificator_id) sale.modificator_id = modificator_id
          yield sale
        }
      }
    }
  }
}

function takesOf({ sold, count, extras }: Line): (Take & { modificator_id?: number })[] {
  const takes: (Take & { modificator_id?: number })[] = sold.takes.map(({ of, quantity }) => ({
    of,
    quantity: quantity * count,
  }))
  for (const { id, take } of extras)
    if (take) takes.push({ of: take.of, quantity: take.quantity * count, modificator_id: id })
  return takes
}
