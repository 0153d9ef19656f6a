import { billTax, menuItem } from '../pos/menu.ts'
import { type Draft, withTotals } from '../pos/receipts/draft.ts'
import { sentLines } from '../pos/receipts/kitchen.ts'
import type { Line as BillLine } from '../pos/receipts/line.ts'
import { type MenuItem, makeLine } from '../pos/receipts/new-line.ts'
import { reservedBy } from '../pos/receipts/store.ts'
import { TOTALS_RULE } from '../pos/totals.ts'
import { DEFAULT_DETAILS, type Product } from '../resources/product-schema.ts'
import type { LineState } from '../resources/receipt-schema.ts'
import type { FinanceTax } from '../resources/taxes.ts'
import { businessDay, type DayRule } from '../values/business-day.ts'
import type { Catalogue } from './catalogue.ts'
import type { Scaled } from './decimal.ts'
import { houseOf } from './house.ts'
import { venues } from './people.ts'
import { uuidOf } from './random.ts'
import type { CustomerGroupRow, ReceiptRow } from './rows.ts'
import type { Line, Sale } from './sales.ts'

// The receipts of the demo are made by the functions that also make one at the till (P7).

const MONEY_PLACES = 2
const DAY_STARTS_AT = '04:00' // of a venue that says nothing else

/** Makes the rows of receipts, in the order in which they were opened: they are numbered by venue and business day. */
export function receiptRows(catalogue: Catalogue, today: Date): (sale: Sale) => ReceiptRow {
  const { taxes, saleTypes, stations } = houseOf(today)
  const taxById: ReadonlyMap<number, FinanceTax> = new Map(taxes.map((tax) => [tax.id, tax]))
  const stationIds = new Set(stations.map(({ id }) => id))
  const chargeTaxes = new Map(saleTypes.map(({ id, charge_tax_id = 0 }) => [id, taxById.get(charge_tax_id)]))
  const dayRules = new Map<number, DayRule>(
    venues.map(({ id, time_zone, day_starts_at = DAY_STARTS_AT }) => [id, { time_zone, day_starts_at }]),
  )
  const known = productsById(catalogue)
  const numbers = new Map<string, number>()

  const items = new Map<string, MenuItem>()
  const itemOf = (id: number, price: Scaled, sale_type_id: number): MenuItem => {
    const key = `${id} ${sale_type_id}`
    const item = items.get(key) ?? makeItem(id, price, sale_type_id)
    items.set(key, item)
    return item
  }
  const makeItem = (id: number, price: Scaled, sale_type_id: number): MenuItem => {
    const { own, product } = known.get(id)!
    const details = { ...DEFAULT_DETAILS, ...product }
    return menuItem({ own, product, details, price }, taxById, sale_type_id)
  }

  return ({ receipt, lines, group, priceOf, pay, state }) => {
    const { venue_id, sale_type_id, created_at, closed_at, updated_at } = receipt
    const rule = dayRules.get(venue_id)!
    const opened = businessDay(created_at!, rule)
    const number = (numbers.get(`${venue_id} ${opened}`) ?? 0) + 1
    numbers.set(`${venue_id} ${opened}`, number)
    const made = lines.map((line) =>
      makeBillLine(line, itemOf(line.sold.id, priceOf(line), sale_type_id!), created_at!),
    )
    const chargeTax = chargeTaxes.get(sale_type_id!)
    const plain = withTotals({
      receipt: {
        ...receipt,
        discount_type: 0,
        discount_value: 0,
        paid: 0,
        number,
        shift_date: closed_at === undefined ? opened : businessDay(closed_at, rule),
      },
      rule: TOTALS_RULE,
      terms: { money_places: MONEY_PLACES, ...(chargeTax && { charge_tax: billTax(chargeTax) }) },
      lines: made,
    })
    const draft = withGroupDiscount(plain, group)
    const { total = 0 } = draft.receipt
    return rowOf({
      ...draft,
      receipt: pay ? { ...draft.receipt, payment_methods: pay(total), paid: total, remaining: 0 } : draft.receipt,
      lines: atState(draft.lines, closed_at === undefined ? state : 'SERVED', { updated_at: updated_at!, stationIds }),
    })
  }
}

/** Products and their variants; a variant comes with its product. */
function productsById({ products }: Catalogue): Map<number, { own: Product; product: Product }> {
  const known = new Map<number, { own: Product; product: Product }>()
  for (const product of products) {
    known.set(product.id, { own: product, product })
    for (const variant of product.modifications) known.set(variant.id, { own: variant as Product, product })
  }
  return known
}

function makeBillLine({ id, sold, count, extras, discount, isGift }: Line, item: MenuItem, now: string): BillLine {
  const asked = {
    cid: uuidOf('receipt line', id),
    product_id: sold.id,
    count: sold.clock ? count * sold.clock.interval : count, // of a timer: minutes
    ...(extras.length > 0 && { modifiers: extras.map((extra) => ({ modifier_id: extra.id })) }),
    ...(discount > 0 && { discount_type: 1 as const, discount_value: discount }),
    ...(isGift && { is_gift: true }),
  }
  return makeLine(id, asked, item, { money_places: MONEY_PLACES, now, path: `line ${id}` })
}

/** P11 step 4. An amount that is worth more than the bill is kept for another day. */
function withGroupDiscount(plain: Draft, group: CustomerGroupRow | undefined): Draft {
  if (!group?.discount_type) return plain
  const value = group.discount_value
  const discount =
    group.discount_type === 'percent'
      ? { discount_type: 1 as const, discount_value: value }
      : { discount_type: 2 as const, discount_value: value }
  const { subtotal = 0, total_discount = 0 } = plain.receipt
  if (group.discount_type === 'amount' && subtotal - total_discount <= value)
    return { ...plain, terms: { ...plain.terms, discount_given: true } }
  return withTotals({ ...plain, receipt: { ...plain.receipt, ...discount } })
}

/** The lines once they were sent and the kitchen has come so far with them. */
function atState(
  lines: readonly BillLine[],
  state: LineState,
  { updated_at, stationIds }: { updated_at: string; stationIds: ReadonlySet<number> },
): BillLine[] {
  if (state === 'NEW') return [...lines]
  const isReady = (line: BillLine) => line.shown.state === 'READY' && state !== 'SERVED' // nobody has to make it
  return sentLines(lines, stationIds).map((line) => ({
    ...line,
    shown: { ...line.shown, state: isReady(line) ? 'READY' : state, updated_at },
  }))
}

/** The row of an import: with its lines, what they copied and, while it is open, what they reserve. */
function rowOf(draft: Draft): ReceiptRow {
  const { receipt, rule, terms, lines } = draft
  return {
    kind: 'receipt',
    ...receipt,
    version: 1,
    rule,
    terms,
    receipt_products: lines.map((line) => {
      const reserved = reservedBy(draft, line)
      return { ...line.shown, copied: line.copied, ...(reserved.length > 0 && { reserved }) }
    }),
  } as ReceiptRow
}
