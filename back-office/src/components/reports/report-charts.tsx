import '@mantine/charts/styles.css'
import '../activity/activity.css'
import './reports.css'
import { BarChart } from '@mantine/charts'
import { Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { reportTexts } from '../../texts/office/reports.ts'
import { money, shortDay } from './figures.ts'

const axis = { tickLine: 'none', strokeDasharray: '3 4', valueFormatter: money } as const
const HEIGHT = 240
const BAR = 34
const ROOM = 56
/** Names take two lines at most. */
const NAME = { wide: { width: 230, letters: 44 }, narrow: { width: 124, letters: 26 } }

interface Series {
  name: string
  label: string
  color: string
}

/** A bar for each day; several series stand on one another. */
export function DayChart<Row extends { shift_date: string }>({
  title,
  rows,
  series,
}: {
  title: string
  rows: readonly Row[]
  series: Series[]
}) {
  return (
    <section className="card panel">
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <figure className="chart" aria-label={title}>
        <BarChart
          {...axis}
          h={HEIGHT}
          type="stacked"
          gridAxis="x"
          dataKey="label"
          data={rows.map((row) => ({ ...row, label: shortDay(row.shift_date) }))}
          series={series}
          xAxisProps={{ minTickGap: 28 }}
          yAxisProps={{ width: 64 }}
          barChartProps={{ barCategoryGap: '12%', stackOffset: 'sign' }}
          {...(series.length > 1 && { withLegend: true, legendProps: { verticalAlign: 'top', height: 36 } })}
        />
      </figure>
    </section>
  )
}

/** The first few, each with its name beside its bar. */
export function TopChart({
  title,
  rows,
  series,
}: {
  title: string
  rows: readonly { label: string; value: number }[]
  series: Omit<Series, 'name'>
}) {
  const { width, letters } = useMediaQuery('(max-width: 56em)') ? NAME.narrow : NAME.wide
  return (
    <section className="card panel">
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <figure className="chart" aria-label={title}>
        <BarChart
          {...axis}
          h={rows.length * BAR + ROOM}
          orientation="vertical"
          gridAxis="y"
          dataKey="label"
          data={rows.map(({ label, value }) => ({ label, value }))}
          series={[{ name: 'value', ...series }]}
          yAxisProps={{ width, interval: 0, tickFormatter: (name: string) => shortened(name, letters) }}
          barChartProps={{ barCategoryGap: '20%' }}
        />
      </figure>
    </section>
  )
}

/** Two bars for each: now and before. */
export function CompareChart({
  title,
  rows,
  isUpright,
}: {
  title: string
  rows: readonly { label: string; total: number; before: number }[]
  isUpright: boolean
}) {
  const { width, letters } = useMediaQuery('(max-width: 56em)') ? NAME.narrow : NAME.wide
  const series = [
    { name: 'total', label: reportTexts.columns.total, color: 'var(--report-total)' },
    { name: 'before', label: reportTexts.columns.before_total, color: 'var(--report-before)' },
  ]
  const shape = isUpright
    ? { h: HEIGHT, gridAxis: 'x' as const, xAxisProps: { minTickGap: 12 }, yAxisProps: { width: 64 } }
    : {
        h: rows.length * 1.6 * BAR + ROOM,
        gridAxis: 'y' as const,
        orientation: 'vertical' as const,
        yAxisProps: { width, interval: 0, tickFormatter: (name: string) => shortened(name, letters) },
      }
  return (
    <section className="card panel">
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <figure className="chart" aria-label={title}>
        <BarChart
          {...axis}
          {...shape}
          dataKey="label"
          data={[...rows]}
          series={series}
          withLegend
          legendProps={{ verticalAlign: 'top', height: 36 }}
        />
      </figure>
    </section>
  )
}

const shortened = (name: string, letters: number) =>
  name.length > letters ? `${name.slice(0, letters - 1).trimEnd()}…` : name
