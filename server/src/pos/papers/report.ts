import type { BillTax, ReportDocument } from '../../printing/documents.ts'
import type { CashShiftReport } from '../money/shift-report.ts'
import type { Reading, VenuePapers } from './facts.ts'

/** The report of a shift: X while it is open, Z once it is closed. X has no cash, because the drawer is counted blind. */
export async function reportDocument(
  context: Reading & { readonly now: string },
  { head }: VenuePapers,
  report: CashShiftReport,
): Promise<ReportDocument> {
  const { sales, charges, closed_at } = report
  const isClosed = closed_at !== undefined
  return {
    kind: 'report',
    form: isClosed ? 'Z' : 'X',
    head,
    number: report.number,
    terminal: await terminalName(context, report.terminal_id),
    opened_at: report.opened_at,
    at: closed_at ?? context.now,
    sales: { receipts: sales.receipts, amount: sales.amount },
    by_payment_method: sales.by_payment_method.map(({ name, receipts, amount }) => ({ name, receipts, amount })),
    by_sale_type: sales.by_sale_type.map(({ name, receipts, amount }) => ({ name, receipts, amount })),
    taxes: taxesOf(report),
    discounts: report.discounts,
    gifts: report.gifts,
    refunds: report.refunds,
    cancelled: report.cancelled,
    service_charge: charges.service_charge,
    delivery_fee: charges.delivery_fee,
    ...(isClosed && { cash: cashOf(report) }),
  }
}

function cashOf({ cash }: CashShiftReport): NonNullable<ReportDocument['cash']> {
  const { counted, difference, ...flows } = cash
  return { ...flows, ...(counted !== undefined && { counted }), ...(difference !== undefined && { difference }) }
}

/** An imported report may not say whether prices held a tax. */
const taxesOf = ({ taxes }: CashShiftReport): BillTax[] =>
  taxes.map(({ name, rate, included = true, base, amount }) => ({ name, rate, included, base, amount }))

async function terminalName({ tx, caller }: Reading, id: number): Promise<string> {
  const [row] = await tx.rows<{ name: string }>('select name from terminals where brand_id = ? and id = ?', [
    caller.brand_id,
    id,
  ])
  return row?.name ?? String(id)
}
