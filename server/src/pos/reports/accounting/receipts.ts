import { withFreshDeadline } from '../../../http/edge/deadline.ts'
import type { ReceiptDetails } from '../../../resources/sales/receipt-schema.ts'
import type { Receipt } from '../../../resources/sales/receipts.ts'
import type { Database } from '../../../storage/database.ts'
import { definedOnly } from '../../../values/defined-only.ts'
import { closedOn, type Days } from '../closed.ts'
import { partsOf } from '../parts.ts'
import type { ReceiptFileRow } from './schema.ts'

/** The receipts that were closed on some days, by their ids in each part (parts.ts), so that few are in memory. */
export async function* receiptFile(db: Database, days: Days): AsyncGenerator<ReceiptFileRow[]> {
  const names = async (table: 'users' | 'sale_types') => {
    const rows = await db.rows<{ id: number; name: string }>(`select id, name from ${table} where brand_id = ?`, [
      days.brand_id,
    ])
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
  const [people, saleTypes] = [await names('users'), await names('sale_types')]
  const nameIn = (known: ReadonlyMap<number, string>, id: number | undefined) =>
    id === undefined ? null : (known.get(id) ?? null)
  for (const part of await partsOf(db, days)) {
    const rows = await withFreshDeadline(db, () => readReceipts(db, part.days))
    yield rows.map(({ shift_date, closed_at, receipt, details }) => {
      const {
        id,
        venue_id,
        created_at,
        source,
        fiscal_id,
        payment_methods = [],
        subtotal,
        delivery_fee,
        total,
      } = receipt
      const { number, parent_id, total_discount, service_charge_value, i_tax, e_tax } = details
      return {
        id,
        venue_id,
        shift_date,
        ...definedOnly({ number }),
        created_at: created_at!,
        closed_at,
        ...definedOnly({ parent_id, source, fiscal_id }),
        sale_type: nameIn(saleTypes, receipt.sale_type_id),
        person: nameIn(people, receipt.user_id),
        payments: payment_methods.map(({ name = '', amount = 0 }) => `${name} ${amount}`).join(', '),
        subtotal: subtotal ?? 0,
        total_discount: total_discount ?? 0,
        service_charge_value: service_charge_value ?? 0,
        delivery_fee: delivery_fee ?? 0,
        i_tax: i_tax ?? 0,
        e_tax: e_tax ?? 0,
        total: total ?? 0,
      }
    })
  }
}

interface Row {
  readonly shift_date: string
  readonly closed_at: string
  readonly body: string
  readonly details: string
}

async function readReceipts(db: Database, days: Days) {
  const { text, values } = closedOn(db, days, 'id, shift_date, closed_at, body, details')
  const rows = await db.scan<Row>(
    days.brand_id,
    'receipts',
    `select shift_date, closed_at, body, details from (${text}) as closed order by shift_date, id`,
    values,
  )
  return rows.map(({ shift_date, closed_at, body, details }) => ({
    shift_date,
    closed_at,
    receipt: JSON.parse(body) as Receipt,
    details: JSON.parse(details) as ReceiptDetails,
  }))
}
