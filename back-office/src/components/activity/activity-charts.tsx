import '@mantine/charts/styles.css'
import './activity.css'
import { BarChart, LineChart } from '@mantine/charts'
import type { Chart, ChartRange } from '../../../../server/src/back-office/activity/schema.ts'
import { inZone } from '../../texts/clock.ts'
import { activityTexts } from '../../texts/integrations/activity.ts'
import { LOCALE } from '../../texts/texts.ts'

export const OUTCOMES = ['ok', 'client_errors', 'rate_limited', 'server_errors'] as const
export type Outcome = (typeof OUTCOMES)[number]
const colorOf = (outcome: Outcome) => `var(--outcome-${outcome.replace('_', '-')})`

const time = inZone({ timeStyle: 'short' })
const dayAndTime = inZone({ weekday: 'short', hour: '2-digit', minute: '2-digit' })
const labelOf = (at: string, range: ChartRange) => (range === 'week' ? dayAndTime : time)(at)

const number = (value: number) => value.toLocaleString(LOCALE, { maximumFractionDigits: 2 })
const HEIGHT = 240
const axis = {
  h: HEIGHT,
  tickLine: 'none',
  gridAxis: 'x',
  strokeDasharray: '3 4',
  xAxisProps: { minTickGap: 28 },
} as const

/** One bar for each step, its height in calls a minute whatever the step is. */
export function CallsChart({ chart: { slots, step_s }, range }: { chart: Chart; range: ChartRange }) {
  const perMinute = (calls: number) => Math.round((calls * 6000) / step_s) / 100
  return (
    <figure className="chart" aria-label={activityTexts.callsOf(activityTexts.spans[range])}>
      <BarChart
        {...axis}
        type="stacked"
        dataKey="label"
        data={slots.map((slot) => ({
          label: labelOf(slot.at, range),
          ...Object.fromEntries(OUTCOMES.map((outcome) => [outcome, perMinute(slot[outcome])])),
        }))}
        series={OUTCOMES.map((outcome) => ({
          name: outcome,
          label: activityTexts.outcomes[outcome],
          color: colorOf(outcome),
        }))}
        valueFormatter={number}
        yAxisProps={{ width: 44, allowDecimals: false }}
        barChartProps={{ barCategoryGap: '12%' }}
      />
    </figure>
  )
}

/** How long calls took; a step without calls leaves a gap. */
export function LatencyChart({ chart: { slots }, range }: { chart: Chart; range: ChartRange }) {
  return (
    <figure className="chart" aria-label={activityTexts.latencyOf(activityTexts.spans[range])}>
      <LineChart
        {...axis}
        dataKey="label"
        data={slots.map(({ at, p50_ms, p95_ms }) => ({ label: labelOf(at, range), p50_ms, p95_ms }))}
        series={[
          { name: 'p50_ms', label: activityTexts.p50, color: 'var(--latency-p50)' },
          { name: 'p95_ms', label: activityTexts.p95, color: 'var(--latency-p95)', strokeDasharray: '5 3' },
        ]}
        valueFormatter={(ms) => activityTexts.ms(number(ms))}
        yAxisProps={{ width: 60 }}
        connectNulls={false}
        curveType="monotone"
        dotProps={{ r: 2, strokeWidth: 1 }}
        activeDotProps={{ r: 4 }}
        withLegend
        legendProps={{ verticalAlign: 'top', height: 36 }}
      />
    </figure>
  )
}
