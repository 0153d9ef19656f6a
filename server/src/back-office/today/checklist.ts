import type { Queries } from '../../storage/database.ts'
import type { Checklist } from './schema.ts'

const SOLD = `type in ('PRODUCT', 'DISH', 'TIMER') and parent_id is null and (status is null or status = 1)`
/** Taxes stand in the one text or the other. */
const UNTAXED = `body not like '%"taxes":[{%' and details not like '%"taxes":[{%'`

/** What a restaurant should have before it sells, and whether this one has it. */
export async function checklist(db: Queries, brand_id: number): Promise<Checklist> {
  const is = (condition: string) => `case when ${condition} then 1 else 0 end`
  const some = (table: string, where: string) => is(`exists (select 1 from ${table} where brand_id = ? and ${where})`)
  const [[found], venues] = await Promise.all([
    db.rows<Record<'product' | 'untaxed' | 'staff' | 'pins' | 'printer' | 'sale', number>>(
      `select ${some('products', SOLD)} as product, ${some('products', `${SOLD} and ${UNTAXED}`)} as untaxed,
         ${is('(select count(*) from users where brand_id = ? and active = 1) > 1')} as staff,
         ${is('exists (select 1 from pins join accounts on accounts.id = pins.account_id where accounts.brand_id = ?)')} as pins,
         ${some('printers', 'status = 1')} as printer, ${some('receipts', 'rule > 0 and status in (2, 3)')} as sale`,
      [brand_id, brand_id, brand_id, brand_id, brand_id, brand_id],
    ),
    db.texts('select settings from venues where brand_id = ?', [brand_id]),
  ])
  const { product, untaxed, staff, pins, printer, sale } = found!
  return {
    product: product === 1,
    taxes: product === 1 && untaxed === 0,
    hours: venues.every((settings) => (JSON.parse(settings) as { hours?: object }).hours !== undefined),
    staff: staff === 1,
    pins: pins === 1,
    printer: printer === 1,
    sale: sale === 1,
  }
}
