import { NativeSelect } from '@mantine/core'
import type { ChannelRow, HourRow, NamedRow, WeekdayRow } from '../../../../server/src/pos/reports/sales/schema.ts'
import { reportTexts } from '../../texts/office/reports.ts'
import { LOCALE } from '../../texts/texts.ts'
import { type Column, Rows } from '../data/rows.tsx'
import { added, amount, money, number, percent } from './figures.ts'
import { CompareChart } from './report-charts.tsx'
import { ReportFilters, type ReportProps, ReportRowsOf, Sums } from './report-parts.tsx'

const words = reportTexts

const KINDS = ['hours', 'weekdays', 'people', 'methods', 'channels'] as const
type Row = HourRow | WeekdayRow | NamedRow | ChannelRow

const hour = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', timeZone: 'UTC' })
/** Any Monday. */
const MONDAY = Date.UTC(2024, 0, 1)
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]

function nameOf(row: Row): string {
  if ('hour' in row) return hour.format(MONDAY + row.hour * HOUR_MS)
  if ('weekday' in row) return weekday.format(MONDAY + (row.weekday - 1) * DAY_MS)
  const name = row.name ?? words.unnamed
  return 'source' in row && row.source !== null ? `${name}, ${row.source}` : name
}

/** What was closed by hour, weekday, person, payment method or channel, beside the period before. */
export function SalesReport(props: ReportProps) {
  const { search, onChange } = props
  const by = KINDS.find((kind) => kind === search.by) ?? 'hours'
  const path = `sales/${by}`
  return (
    <>
      <ReportFilters {...props} name={words.names.sales} path={path} />
      <div className="toolbar">
        <NativeSelect
          aria-label={words.by}
          data={KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
          value={by}
          onChange={({ currentTarget }) => onChange({ by: currentTarget.value })}
        />
        <span className="quiet">{words.beforeLead}</span>
      </div>
      <ReportRowsOf<Row> key={path} search={search} path={path}>
        {({ data }) => (
          <>
            {by !== 'methods' && <Sums sums={sumsOf(data)} />}
            <CompareChart
              title={words.kinds[by]}
              isUpright={by === 'hours' || by === 'weekdays'}
              rows={(by === 'hours' || by === 'weekdays' ? data : data.slice(0, SHOWN)).map((row) => ({
                label: nameOf(row),
                total: row.total,
                before: row.before_total,
              }))}
            />
            <Rows
              caption={words.kinds[by]}
              columns={[{ name: words.kindColumn[by], wide: true, cell: strongName }, ...AMOUNTS]}
              rows={data}
              keyOf={nameOf}
            />
          </>
        )}
      </ReportRowsOf>
    </>
  )
}

const SHOWN = 10

function sumsOf(data: readonly Row[]): [string, string][] {
  const [total, before] = [added(data, (row) => row.total), added(data, (row) => row.before_total)]
  return [
    [words.columns.total, amount(total)],
    [words.columns.before_total, amount(before)],
    [words.columns.change, changeOf(total, before)],
    [words.columns.receipts, number(added(data, (row) => row.receipts))],
  ]
}

const changeOf = (total: number, before: number) => percent(total - before, before, true)

const strongName = (row: Row) => <span className="strong">{nameOf(row)}</span>
const AMOUNTS: Column<Row>[] = [
  { name: words.columns.receipts, number: true, cell: ({ receipts }) => number(receipts) },
  { name: words.columns.total, number: true, cell: ({ total }) => <span className="strong">{money(total)}</span> },
  { name: words.columns.before_receipts, number: true, cell: (row) => number(row.before_receipts) },
  { name: words.columns.before_total, number: true, cell: (row) => money(row.before_total) },
  { name: words.columns.change, number: true, cell: (row) => changeOf(row.total, row.before_total) },
]
