import Type from 'typebox'
import type { ReadIncluded } from '../../resource/read/page.ts'
import { Decimal, Id } from '../../resource/values.ts'
import { places } from '../../storage/upsert.ts'
import { fromScaled, toScaled } from '../../values/values.ts'
import type { StockOperation } from '../stock/stock-operations.ts'
import type { Copied, ReceiptDetails, ReceiptLine } from './receipt-schema.ts'

const Cost = {
  cost: Type.Number({ description: 'What the stock movements took, in value' }),
  margin: Type.Number({ description: 'total − total_tax − cost' }),
}

/** include=costs: the cost of the stock taken and the margin, of the receipt and of each line. */
export const Costs = Type.Object(
  { ...Cost, receipt_products: Type.Array(Type.Object({ id: Id(), cost: Decimal(), margin: Decimal() })) },
  { $id: 'ReceiptCosts' },
)

export const readCosts: ReadIncluded = async (db, { brand_id }, ids) => {
  const rowsOf = (columns: string, table: string, column: string, order = 'id') =>
    db.rows<Record<string, string> & { receipt_id: number }>(
      `select ${column} as receipt_id, ${columns} from ${table} where brand_id = ? and ${column} in ${places(ids)} order by ${order}`,
      [brand_id, ...ids],
    )
  const receipts = await rowsOf('body, details', 'receipts', 'id')
  const lines = Map.groupBy(
    await rowsOf('body, copied', 'receipt_lines', 'receipt_id', 'position'),
    ({ receipt_id }) => receipt_id,
  )
  const moved = Map.groupBy(await rowsOf('body', 'stock_operations', 'receipt_id'), ({ receipt_id }) => receipt_id)
  return new Map(
    receipts.map(({ receipt_id, body, details }) => {
      const movements = (moved.get(receipt_id) ?? []).map((row) => JSON.parse(row.body!) as StockOperation)
      const costOf = (some: readonly StockOperation[]) => -sum(some.map(({ total_cost }) => total_cost))
      const { total } = JSON.parse(body!) as { total?: number }
      const { total_tax } = JSON.parse(details!) as ReceiptDetails
      const costs = {
        ...costAndMargin({ total: sum([total]), tax: sum([total_tax]), cost: costOf(movements) }),
        receipt_products: (lines.get(receipt_id) ?? []).map((row) => {
          const line = JSON.parse(row.body!) as ReceiptLine
          const own = movements.filter(({ receipt_product_id }) => receipt_product_id === line.id)
          const tax = includedTax(line, row.copied ? (JSON.parse(row.copied) as Copied) : undefined)
          return { id: line.id, ...costAndMargin({ total: sum([line.total]), tax, cost: costOf(own) }) }
        }),
      }
      return [receipt_id, JSON.stringify(costs)]
    }),
  )
}

const sum = (values: readonly (number | undefined)[]) =>
  values.reduce<number>((total, value = 0) => total + toScaled(value)!, 0)

/** Cost of the stock taken, and what is left of the total after it and the tax. The input is ×10,000. */
export const costAndMargin = ({ total, tax, cost }: { total: number; tax: number; cost: number }) => ({
  cost: fromScaled(cost),
  margin: fromScaled(total - tax - cost),
})

/** A line's total holds only the taxes that are included in its price. ×10,000. */
export function includedTax({ taxes }: Pick<ReceiptLine, 'taxes'>, copied: Copied | undefined): number {
  const excluded = copied?.taxes.filter(({ included }) => !included) ?? []
  return sum(taxes.filter(({ id }) => !excluded.some((tax) => tax.id === id)).map(({ amount }) => amount))
}
