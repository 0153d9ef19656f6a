import type { CategoryRow, ProductRow } from '../../../../server/src/pos/reports/schema.ts'
import { reportTexts } from '../../texts/office/reports.ts'
import { Pages } from '../data/pages.tsx'
import { type Column, Rows } from '../data/rows.tsx'
import { money, number } from './figures.ts'
import { TopChart } from './report-charts.tsx'
import { ByChoice, ReportFilters, type ReportProps, ReportRowsOf } from './report-parts.tsx'

const words = reportTexts
const SHOWN = 10

type Sold = ProductRow | CategoryRow
const nameOf = ({ name }: Sold) => name ?? words.noCategory

/** What was sold, by product or by category. */
export function ProductReport(props: ReportProps) {
  const { search, onChange } = props
  const path = search.by === 'categories' ? 'categories' : 'products'
  const choices = [
    { value: 'products', label: words.byProduct },
    { value: 'categories', label: words.byCategory },
  ]
  return (
    <>
      <ReportFilters {...props} name={words.names.products} path={path} />
      <div className="toolbar">
        <ByChoice value={path} choices={choices} onChange={onChange} />
      </div>
      <ReportRowsOf<Sold> key={path} search={search} path={path} page={search.page ?? 1}>
        {({ data, pagination }) => (
          <>
            {pagination!.page === 1 && (
              <TopChart
                title={path === 'products' ? words.topProducts : words.topCategories}
                rows={data.slice(0, SHOWN).map((row) => ({ label: nameOf(row), value: row.total }))}
                series={{ label: words.columns.total, color: 'var(--report-total)' }}
              />
            )}
            <Rows
              caption={words.names.products}
              columns={path === 'products' ? [NAME, CATEGORY, ...AMOUNTS] : [NAME, ...AMOUNTS]}
              rows={data}
              keyOf={({ id }) => id ?? 0}
            />
            <Pages pagination={pagination!} onChange={(page) => onChange({ page })} />
          </>
        )}
      </ReportRowsOf>
    </>
  )
}

const NAME: Column<Sold> = {
  name: words.columns.product,
  wide: true,
  cell: (row) => <span className="strong">{nameOf(row)}</span>,
}
const CATEGORY: Column<Sold> = {
  name: words.columns.category,
  cell: (row) => ('category' in row ? row.category : undefined),
}
const amount = (name: 'subtotal' | 'discount' | 'total' | 'refunded'): Column<Sold> => ({
  name: words.columns[name],
  number: true,
  cell: (row) => money(row[name]),
})
const AMOUNTS: Column<Sold>[] = [
  { name: words.columns.count, number: true, cell: ({ count }) => number(count) },
  amount('subtotal'),
  amount('discount'),
  amount('total'),
  amount('refunded'),
]
