import type { Queries } from '../src/storage/database.ts'
import { toScaled } from '../src/values/values.ts'

// Lines that are there get the columns of 0028. Their texts stay as they are.

const BATCH = 500

interface Line {
  state: string
  count: number
  subtotal: number
  total: number
  taxes: { id: number; amount: number }[]
}

interface Copied {
  taxes: { id: number; included: boolean }[]
}

export async function batch(tx: Queries): Promise<number> {
  const rows = await tx.rows<{ brand_id: number; id: number; body: string; copied: string | null }>(
    `select brand_id, id, body, copied from receipt_lines where tax is null order by brand_id, id limit ${BATCH}`,
    [],
  )
  for (const { brand_id, id, body, copied } of rows) {
    await tx.run('update receipt_lines set count = ?, subtotal = ?, total = ?, tax = ? where brand_id = ? and id = ?', [
      ...amountsOf(JSON.parse(body) as Line, copied ? (JSON.parse(copied) as Copied) : undefined),
      ...[brand_id, id],
    ])
  }
  return rows.length
}

function amountsOf({ state, count, subtotal, total, taxes }: Line, copied: Copied | undefined): number[] {
  if (state === 'VOID') return [0, 0, 0, 0]
  const excluded = copied?.taxes.filter(({ included }) => !included) ?? []
  const included = taxes.filter(({ id }) => !excluded.some((tax) => tax.id === id))
  const tax = included.reduce((sum, { amount }) => sum + toScaled(amount)!, 0)
  return [toScaled(count)!, toScaled(subtotal)!, toScaled(total)!, tax]
}

// A year of a venue is added up from indexes alone: the rows themselves are ten times as large.
export const up = `
drop index receipt_lines_incomplete;
drop index receipt_lines_receipt_id;
create index receipt_lines_receipt_id on receipt_lines (brand_id, receipt_id, id, product_id, count, subtotal, total, tax);
drop index stock_operations_receipt_id;
create index stock_operations_receipt_id on stock_operations (brand_id, receipt_id, id, receipt_product_id, total_cost)
  where receipt_id is not null;
create index receipts_closed on receipts (brand_id, venue_id, shift_date, id, parent_id) where status = 2 and rule > 0;
`
