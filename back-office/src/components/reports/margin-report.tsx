import { Text } from '@mantine/core'
import type { DayMarginRow, ProductMarginRow } from '../../../../server/src/pos/reports/schema.ts'
import { reportTexts } from '../../texts/office/reports.ts'
import { Pages } from '../data/pages.tsx'
import { type Column, Rows } from '../data/rows.tsx'
import { added, amount, longDay, money, number, percent } from './figures.ts'
import { DayChart, TopChart } from './report-charts.tsx'
import { ByChoice, ReportFilters, type ReportProps, ReportRowsOf, Sums } from './report-parts.tsx'

const words = reportTexts
const SHOWN = 10

/** What is left of the total after taxes and what was taken from stock. */
export function MarginReport(props: ReportProps) {
  const by = props.search.by === 'products' ? 'products' : 'days'
  const choices = [
    { value: 'days', label: words.byDay },
    { value: 'products', label: words.byProduct },
  ]
  return (
    <>
      <ReportFilters {...props} name={words.names.margin} path={`margin/${by}`} />
      <div className="toolbar">
        <ByChoice value={by} choices={choices} onChange={props.onChange} />
        <Text size="sm" className="quiet">
          {words.marginNote}
        </Text>
      </div>
      {by === 'days' ? <DayMargins {...props} /> : <ProductMargins {...props} />}
    </>
  )
}

const DayMargins = ({ search }: ReportProps) => (
  <ReportRowsOf<DayMarginRow> search={search} path="margin/days">
    {({ data }) => (
      <>
        <Sums sums={sumsOf(data)} />
        <DayChart title={words.marginByDay} rows={data} series={SERIES} />
        <Rows caption={words.names.margin} columns={DAYS} rows={data} keyOf={({ shift_date }) => shift_date} />
      </>
    )}
  </ReportRowsOf>
)

const SERIES = [
  { name: 'margin', label: words.columns.margin, color: 'var(--report-total)' },
  { name: 'cost', label: words.columns.cost, color: 'var(--report-cost)' },
  { name: 'tax', label: words.columns.tax, color: 'var(--report-tax)' },
]

function sumsOf(data: readonly DayMarginRow[]): [string, string][] {
  const sum = (name: 'total' | 'tax' | 'cost' | 'margin') => added(data, (row) => row[name])
  return [
    ...(['total', 'tax', 'cost', 'margin'] as const).map((name): [string, string] => [
      words.columns[name],
      amount(sum(name)),
    ]),
    [words.columns.share, percent(sum('margin'), sum('total'))],
  ]
}

const ProductMargins = ({ search, onChange }: ReportProps) => (
  <ReportRowsOf<ProductMarginRow> search={search} path="margin/products" page={search.page ?? 1}>
    {({ data, pagination }) => (
      <>
        {pagination!.page === 1 && (
          <TopChart
            title={words.topMargins}
            rows={data.slice(0, SHOWN).map(({ name, margin }) => ({ label: name, value: margin }))}
            series={{ label: words.columns.margin, color: 'var(--report-total)' }}
          />
        )}
        <Rows caption={words.names.margin} columns={PRODUCTS} rows={data} keyOf={({ id }) => id} />
        <Pages pagination={pagination!} onChange={(page) => onChange({ page })} />
      </>
    )}
  </ReportRowsOf>
)

type Margin = Pick<DayMarginRow, 'total' | 'tax' | 'cost' | 'margin'>

const AMOUNTS: Column<Margin>[] = [
  ...(['total', 'tax', 'cost'] as const).map(
    (name): Column<Margin> => ({ name: words.columns[name], number: true, cell: (row) => money(row[name]) }),
  ),
  { name: words.columns.margin, number: true, cell: ({ margin }) => <span className="strong">{money(margin)}</span> },
  { name: words.columns.share, number: true, cell: ({ margin, total }) => percent(margin, total) },
]

const DAYS: Column<DayMarginRow>[] = [
  {
    name: words.columns.shift_date,
    cell: ({ shift_date }) => <span className="strong nowrap">{longDay(shift_date)}</span>,
  },
  ...AMOUNTS,
]

const PRODUCTS: Column<ProductMarginRow>[] = [
  { name: words.columns.product, wide: true, cell: ({ name }) => <span className="strong">{name}</span> },
  { name: words.columns.category, cell: ({ category }) => category },
  { name: words.columns.count, number: true, cell: ({ count }) => number(count) },
  ...AMOUNTS,
]
