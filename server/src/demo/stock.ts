import type { Catalogue, Stocked, Take } from './catalogue.ts'
import { type Scaled, times, toWire } from './decimal.ts'
import { UNIT_IDS } from './item.ts'
import { venues } from './people.ts'
import type { StockOperationRow } from './rows.ts'
import type { Line, SaleDay } from './sales.ts'

/** A delivery covers the day it comes on and, were they like it, the next three. */
const DAYS_COVERED = 4

/**
 * What the sales took from the shelves, and the deliveries that filled them. Each venue has one stock, of the same id.
 * A delivery is entered as its day begins; a sale takes its goods as the receipt is opened.
 */
export function* stockOperations(catalogue: Catalogue, days: Iterable<SaleDay>): Generator<StockOperationRow> {
  const width = catalogue.size + 1
  const held = new Float64Array(width * (venues.length + 1)) // ten-thousandths, by venue and product
  let id = 0
  let deliveries = 0
  let deliveredItems = 0

  function move(venueId: number, of: Stocked, quantity: Scaled, operatedAt: string): StockOperationRow {
    const place = venueId * width + of.id
    const before = held[place]!
    const after = before + quantity
    held[place] = after
    return {
      kind: 'stock_operation',
      id: ++id,
      venue_id: venueId,
      stock_id: venueId,
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
      const operation_id = ++deliveries
      for (const of of catalogue.stocked) {
        const place = venueId * width + of.id
        const missing = needed[place]! - held[place]!
        // The doors open on full shelves; after that, only what would not last the day is bought.
        if (missing <= 0 && !opening) continue
        const lots = Math.max(1, Math.ceil((needed[place]! * DAYS_COVERED - held[place]!) / of.lot))
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
          if (of.id !== line.sold.id) sale.parent_id = line.sold.id // the dish it went into
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
