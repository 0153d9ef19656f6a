import { costAndMargin } from '../../resources/sales/receipt-costs.ts'
import type { Database } from '../../storage/database.ts'
import { fromScaled } from '../../values/values.ts'
import { closedOn, type Days, onDays, sumOf } from './closed.ts'
import { type Heard, inParts } from './parts.ts'
import { named } from './products.ts'
import type { DayMarginRow, ProductMarginRow } from './schema.ts'

// Margins: the sums of what include=costs shows for receipts and for their lines.

type Summed<Row> = Omit<Row, 'margin'>

/** Margins by day of whole receipts, charge and fee included: the stored day totals, and what their receipts took from stock. */
export async function dayMargins(db: Database, days: Days, heard: Heard = ignored): Promise<DayMarginRow[]> {
  const rows = await inParts(db, days, DAYS, heard, (part) => dayCosts(db, part))
  return rows.map(({ shift_date, ...sums }) => ({ shift_date, ...withMargin(sums) }))
}

const ignored = () => {}
const DAYS = {
  key: 'shift_date',
  sums: ['total', 'tax', 'cost'],
  order: (one: { shift_date: string }, other: { shift_date: string }) => (one.shift_date < other.shift_date ? -1 : 1),
} as const

function dayCosts(db: Database, days: Days): Promise<Summed<DayMarginRow>[]> {
  const { brand_id } = days
  const [closed, counted] = [closedOn(db, days), onDays(days)]
  return db.scan<Summed<DayMarginRow>>(
    brand_id,
    'receipts',
    `select days.shift_date, total, tax, coalesce(cost, 0) as cost from
       (select shift_date, ${sumOf('total')} as total, ${sumOf('i_tax + e_tax')} as tax from venue_days
        where ${counted.text} and (receipts > 0 or refunds > 0) group by shift_date) as days
     left join
       (select closed.shift_date, ${sumOf('-total_cost')} as cost from (${closed.text}) as closed
        cross join stock_operations as moved
        where moved.brand_id = ? and moved.receipt_id = closed.id group by closed.shift_date) as costs
     on costs.shift_date = days.shift_date order by days.shift_date`,
    [...counted.values, ...closed.values, brand_id],
  )
}

const SUMS = ['count', 'total', 'tax', 'cost']

/** Margins by product. What a void line wasted is a cost of its product. */
export async function productMargins(db: Database, days: Days, heard: Heard = ignored): Promise<ProductMarginRow[]> {
  const rows = await inParts(db, days, PRODUCTS, heard, (part) => productCosts(db, part))
  return rows.map(({ id, name, category, count, ...sums }) => ({
    id,
    name,
    category,
    count: fromScaled(count),
    ...withMargin(sums),
  }))
}

const left = ({ total, tax, cost }: Pick<DayMarginRow, 'total' | 'tax' | 'cost'>) => total - tax - cost
const PRODUCTS = {
  key: 'id',
  sums: SUMS,
  order: (one: Summed<ProductMarginRow>, other: Summed<ProductMarginRow>) =>
    left(other) - left(one) || one.id - other.id,
} as const

function productCosts(db: Database, days: Days): Promise<Summed<ProductMarginRow>[]> {
  const { brand_id } = days
  const closed = closedOn(db, days)
  const sold = `select product_id, ${SUMS.map((name) => `${sumOf(name)} as ${name}`).join(', ')} from
    (select product_id, count, total, tax, 0 as cost from closed cross join receipt_lines as lines
     where lines.brand_id = ? and lines.receipt_id = closed.id and count <> 0
     union all
     select lines.product_id, 0, 0, 0, -moved.total_cost
     from closed cross join stock_operations as moved cross join receipt_lines as lines
     where moved.brand_id = ? and moved.receipt_id = closed.id
       and lines.brand_id = moved.brand_id and lines.receipt_id = closed.id and lines.id = moved.receipt_product_id) as parts
    group by product_id`
  const { text, values } = named(
    brand_id,
    'product',
    { text: sold, values: [brand_id, brand_id] },
    SUMS,
    'total - tax - cost',
  )
  return db.scan<Summed<ProductMarginRow>>(brand_id, 'receipts', `with closed as (${closed.text}) ${text}`, [
    ...closed.values,
    ...values,
  ])
}

const withMargin = (sums: { total: number; tax: number; cost: number }) => ({
  total: fromScaled(sums.total),
  tax: fromScaled(sums.tax),
  ...costAndMargin(sums),
})
