import type { Queries } from '../src/storage/database.ts'
import { toScaled } from '../src/values/values.ts'

// Lines that are there get the columns of 0028. Their texts stay as they are.

const BATCH = 500

interface Line {
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
    const { count, subtotal, total, taxes } = JSON.parse(body) as Line
    const excluded = copied ? (JSON.parse(copied) as Copied).taxes.filter(({ included }) => !included) : []
    const included = taxes.filter((tax) => !excluded.some((other) => other.id === tax.id))
    const tax = included.reduce((sum, { amount }) => sum + toScaled(amount)!, 0)
    await tx.run('update receipt_lines set count = ?, subtotal = ?, total = ?, tax = ? where brand_id = ? and id = ?', [
      ...[toScaled(count)!, toScaled(subtotal)!, toScaled(total)!, tax],
      ...[brand_id, id],
    ])
  }
  return rows.length
}

export const up = `
drop index receipt_lines_incomplete;
`
