import type { TaxSum } from '../../../../server/src/pos/money/tax-views.ts'
import { reportTexts } from '../../texts/office/reports.ts'
import { type Column, Rows } from '../data/rows.tsx'
import { added, amount, money, number } from './figures.ts'
import { TopChart } from './report-charts.tsx'
import { ReportFilters, type ReportProps, ReportRowsOf, Sums } from './report-parts.tsx'

const words = reportTexts

/** Taxes by their rates, as GET /finance/taxes/report says them. */
export function TaxReport(props: ReportProps) {
  return (
    <>
      <ReportFilters {...props} name={words.names.taxes} path="taxes" />
      <ReportRowsOf<TaxSum> search={props.search} path="taxes">
        {({ data }) => (
          <>
            <Sums
              sums={[
                [words.columns.amount, amount(added(data, (row) => row.amount))],
                [words.columns.base, amount(added(data, ({ base }) => base))],
              ]}
            />
            <TopChart
              title={words.taxesTitle}
              rows={data.map(({ name, rate, included, amount }) => ({
                label: words.taxLabel(name, number(rate), included),
                value: amount,
              }))}
              series={{ label: words.columns.amount, color: 'var(--report-tax)' }}
            />
            <Rows
              caption={words.names.taxes}
              columns={COLUMNS}
              rows={data}
              keyOf={({ id, rate, included }) => `${id} ${rate} ${included}`}
            />
          </>
        )}
      </ReportRowsOf>
    </>
  )
}

const COLUMNS: Column<TaxSum>[] = [
  { name: words.columns.tax_name, wide: true, cell: ({ name }) => <span className="strong">{name}</span> },
  { name: words.columns.rate, number: true, cell: ({ rate }) => words.percent(number(rate)) },
  { name: words.columns.included, cell: ({ included }) => (included ? words.inPrices : words.addedToPrices) },
  { name: words.columns.receipts, number: true, cell: ({ receipts }) => number(receipts) },
  { name: words.columns.base, number: true, cell: ({ base }) => money(base) },
  { name: words.columns.amount, number: true, cell: ({ amount }) => <span className="strong">{money(amount)}</span> },
]
