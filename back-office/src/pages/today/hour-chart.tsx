import '@mantine/charts/styles.css'
import '../../components/activity/activity.css'
import '../../components/reports/reports.css'
import { BarChart } from '@mantine/charts'
import type { Today } from '../../../../server/src/back-office/today/schema.ts'
import { todayTexts } from '../../texts/office/today.ts'
import type { Money } from '../till/money.ts'

const HEIGHT = 260

/** A bar for each hour of today, beside that of last week; hours at both ends in which nothing was ever sold are left out. */
export function HourChart({
  hours,
  weekday,
  money: { money, note },
}: {
  hours: NonNullable<Today['sales']>['hours']
  weekday: string
  money: Money
}) {
  const isSold = ({ total, before }: (typeof hours)[number]) => total !== 0 || before !== 0
  const shown = hours.slice(hours.findIndex(isSold), hours.findLastIndex(isSold) + 1)
  return (
    <figure className="chart" aria-label={todayTexts.hoursOf(weekday)}>
      <BarChart
        h={HEIGHT}
        tickLine="none"
        gridAxis="x"
        strokeDasharray="3 4"
        dataKey="label"
        data={shown.map(({ hour, ...row }) => ({ label: `${String(hour).padStart(2, '0')}:00`, ...row }))}
        series={[
          { name: 'before', label: weekday, color: 'var(--today-before)' },
          { name: 'total', label: todayTexts.today, color: 'var(--report-total)' },
        ]}
        valueFormatter={money}
        xAxisProps={{ minTickGap: 16 }}
        yAxisProps={{ width: 64, tickFormatter: note }}
        barChartProps={{ barCategoryGap: '16%' }}
        withLegend
        legendProps={{ verticalAlign: 'top', height: 36 }}
      />
    </figure>
  )
}
