import type { Database } from '../../storage/database.ts'
import { fromScaled } from '../../values/values.ts'
import { closedOn, type Days, type Part, sumOf } from './closed.ts'
import { type Heard, inParts } from './parts.ts'
import type { CategoryRow, ProductRow } from './schema.ts'

// What was sold, by product or by category, from the lines of the receipts that count. A refund has negative counts and amounts, so
// that these add up with the day's: subtotal and discount to its own, total to its total less charge, fee and excluded tax.

interface Sums {
  count: number
  subtotal: number
  total: number
  refunded: number
}

export const productReport = (db: Database, days: Days, heard?: Heard): Promise<ProductRow[]> =>
  soldBy<Pick<ProductRow, 'id' | 'name' | 'category'>>(db, days, 'product', heard)

export const categoryReport = (db: Database, days: Days, heard?: Heard): Promise<CategoryRow[]> =>
  soldBy<Pick<CategoryRow, 'id' | 'name'>>(db, days, 'category', heard)

const SUMS = ['count', 'subtotal', 'total', 'refunded']

async function soldBy<Named extends Pick<CategoryRow, 'id'>>(
  db: Database,
  days: Days,
  grouping: By,
  heard: Heard = () => {},
) {
  const order = (one: Named & Sums, other: Named & Sums) => other.total - one.total || (one.id ?? 0) - (other.id ?? 0)
  const rows = await inParts(db, days, { key: 'id', sums: SUMS, order }, heard, (part) =>
    readSold<Named>(db, part, grouping),
  )
  return rows.map(({ count, subtotal, total, refunded, ...what }) => ({
    ...(what as unknown as Named),
    count: fromScaled(count),
    subtotal: fromScaled(subtotal),
    discount: fromScaled(subtotal - total),
    total: fromScaled(total),
    refunded: fromScaled(refunded),
  }))
}

function readSold<Named>(db: Database, days: Days, grouping: By): Promise<(Named & Sums)[]> {
  const { brand_id } = days
  const closed = closedOn(db, days)
  const sold = `select product_id, ${sumOf('count')} as count, ${sumOf('subtotal')} as subtotal, ${sumOf('total')} as total,
      ${sumOf('case when closed.parent_id is null then 0 else -total end')} as refunded
    from (${closed.text}) as closed cross join receipt_lines as lines
    where lines.brand_id = ? and lines.receipt_id = closed.id and count <> 0 group by product_id`
  const values = [...closed.values, brand_id]
  const query = named(brand_id, grouping, { text: sold, values }, SUMS, 'total')
  return db.scan<Named & Sums>(brand_id, 'receipts', query.text, query.values)
}

type By = 'product' | 'category'

// A variant is called after its product, and is of its product's category.
const NAME = `case when whole.id is null then products.name
  else coalesce(products.full_name, whole.name || ', ' || products.name) end`

/** Sums of products, with the names that they have now, the largest first. */
export function named(brand_id: number, grouping: By, sold: Part, sums: readonly string[], order: string): Part {
  const shown =
    grouping === 'product'
      ? `product_id as id, ${NAME} as name, categories.name as category, ${sums.join(', ')}`
      : `categories.id, categories.name, ${sums.map((sum) => `${sumOf(sum)} as ${sum}`).join(', ')}`
  return {
    text: `select * from
        (select ${shown} from (${sold.text}) as sold
         join products on products.brand_id = ? and products.id = product_id
         left join products as whole on whole.brand_id = products.brand_id and whole.id = products.parent_id
         left join categories on categories.brand_id = products.brand_id
           and categories.id = coalesce(products.category_id, whole.category_id)
         ${grouping === 'product' ? '' : 'group by categories.id, categories.name'}) as shown
      order by ${order} desc, coalesce(id, 0)`,
    values: [...sold.values, brand_id],
  }
}
