import type { DayRow } from '../../../../server/src/pos/reports/schema.ts'
import { reportTexts } from '../../texts/office/reports.ts'
import { type Column, Rows } from '../data/rows.tsx'
import { added, amount, longDay, money, number } from './figures.ts'
import { DayChart } from './report-charts.tsx'
import { ReportFilters, type ReportProps, ReportRowsOf, Sums } from './report-parts.tsx'

const words = reportTexts
const taxOf = ({ i_tax, e_tax }: DayRow) => added([i_tax, e_tax], (tax) => tax)

/** Days by their kept totals. */
export function DayReport(props: ReportProps) {
  return (
    <>
      <ReportFilters {...props} name={words.names.day} path="day" />
      <ReportRowsOf<DayRow> search={props.search} path="day">
        {({ data }) => (
          <>
            <Sums sums={sumsOf(data)} />
            <DayChart
              title={words.totalByDay}
              rows={data}
              series={[{ name: 'total', label: words.columns.total, color: 'var(--report-total)' }]}
            />
            <Rows caption={words.names.day} columns={COLUMNS} rows={data} keyOf={({ shift_date }) => shift_date} />
          </>
        )}
      </ReportRowsOf>
    </>
  )
}

function sumsOf(data: readonly DayRow[]): [string, string][] {
  const [total, receipts] = [added(data, (row) => row.total), added(data, (row) => row.receipts)]
  return [
    [words.columns.total, amount(total)],
    [words.columns.receipts, number(receipts)],
    [words.averageOf, amount(receipts === 0 ? 0 : total / receipts)],
    [words.columns.total_discount, amount(added(data, (row) => row.total_discount))],
    [words.columns.tax, amount(added(data, taxOf))],
  ]
}

const amountOf = (name: 'subtotal' | 'total_discount' | 'service_charge_value' | 'delivery_fee'): Column<DayRow> => ({
  name: words.columns[name],
  number: true,
  cell: (row) => money(row[name]),
})

const COLUMNS: Column<DayRow>[] = [
  {
    name: words.columns.shift_date,
    cell: ({ shift_date }) => <span className="strong nowrap">{longDay(shift_date)}</span>,
  },
  { name: words.columns.receipts, number: true, cell: ({ receipts }) => number(receipts) },
  { name: words.columns.refunds, number: true, cell: ({ refunds }) => number(refunds) },
  amountOf('subtotal'),
  amountOf('total_discount'),
  amountOf('service_charge_value'),
  amountOf('delivery_fee'),
  { name: words.columns.tax, number: true, cell: (row) => money(taxOf(row)) },
  { name: words.columns.total, number: true, cell: ({ total }) => <span className="strong">{money(total)}</span> },
  { name: words.columns.average, number: true, cell: ({ average }) => money(average) },
]
