import '@mantine/charts/styles.css'
import '../../components/activity/activity.css'
import { BarChart } from '@mantine/charts'
import { useQuery } from '@tanstack/react-query'
import type { Hour } from '../../../../server/src/webhooks/schema.ts'
import { inZone } from '../../texts/clock.ts'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'
import { Section } from './section.tsx'
import { hoursOf, shownCount } from './webhook-data.ts'

const HOUR_MS = 3_600_000
const time = inZone({ timeStyle: 'short' })
const SERIES = [
  { name: 'delivered', label: words.delivered, color: 'var(--outcome-ok)' },
  { name: 'failed', label: words.timelineFailed, color: 'var(--outcome-server-errors)' },
]

/** What came of the attempts of the last day, by the hour. */
export function Timeline({ id }: { id: string }) {
  const { data: hours } = useQuery(hoursOf(id))
  if (!hours || hours.length === 0) return null
  return (
    <Section title={words.timeline} lead={words.timelineLead}>
      <figure className="card panel chart" aria-label={words.timeline}>
        <BarChart
          h={180}
          type="stacked"
          dataKey="label"
          data={everyHour(hours, Date.now()).map(({ at, ...counts }) => ({ label: time(at), ...counts }))}
          series={SERIES}
          tickLine="none"
          gridAxis="x"
          strokeDasharray="3 4"
          xAxisProps={{ minTickGap: 28 }}
          yAxisProps={{ width: 44, allowDecimals: false }}
          valueFormatter={shownCount}
        />
      </figure>
    </Section>
  )
}

/** The last day with the hours in which nothing was sent. */
function everyHour(hours: readonly Hour[], nowMs: number): Hour[] {
  const known = new Map(hours.map((hour) => [Date.parse(hour.at), hour]))
  const last = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  return Array.from({ length: 24 }, (_, index) => {
    const ms = last - (23 - index) * HOUR_MS
    return known.get(ms) ?? { at: new Date(ms).toISOString(), delivered: 0, failed: 0 }
  })
}
