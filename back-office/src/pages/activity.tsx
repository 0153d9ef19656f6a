import { SegmentedControl, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Chart, ChartRange, Uses } from '../../../server/src/back-office/activity/schema.ts'
import { queries, type Side } from '../api.ts'
import { CallsChart, LatencyChart, OUTCOMES, type Outcome } from '../components/activity/activity-charts.tsx'
import { ActivityPage, BrandSelect } from '../components/activity/activity-page.tsx'
import { BudgetGauge } from '../components/activity/budget-gauge.tsx'
import { type Column, Named, Rows } from '../components/data/rows.tsx'
import { Empty, Failure, Loaded } from '../components/layout/states.tsx'
import { Status } from '../components/status.tsx'
import { When } from '../components/when.tsx'
import { activityTexts, requestTexts } from '../texts/integrations/activity.ts'
import { LOCALE } from '../texts/texts.ts'

export const BrandActivity = () => <Activity side="" />
export const OperatorActivity = () => <Activity side="/operator" />

const RANGES: ChartRange[] = ['hour', 'day', 'week']

function Activity({ side }: { side: Side }) {
  const [range, setRange] = useState<ChartRange>('hour')
  const [brand, setBrand] = useState<string | null>(null)
  const chart = useQuery({ ...queries.chart(side, range, brand), placeholderData: keepPreviousData })
  const budgets = useQuery(queries.budgets(side))
  const uses = useQuery(queries.uses(side))
  const ofBrand = (row: { brand: string }) => brand === null || row.brand === brand
  return (
    <ActivityPage side={side} lead={side === '' ? activityTexts.lead : activityTexts.leadOperator}>
      <div className="toolbar">
        <SegmentedControl
          className="ranges"
          aria-label={activityTexts.range}
          data={RANGES.map((value) => ({ value, label: activityTexts.ranges[value] }))}
          value={range}
          onChange={(value) => setRange(value as ChartRange)}
        />
        {side !== '' && <BrandSelect value={brand} onChange={setBrand} />}
      </div>
      {((chart.data && chart.error) ?? budgets.error) ? <Failure error={(chart.error ?? budgets.error)!} /> : null}
      <Loaded query={chart}>
        {(data) => (
          <>
            <Outcomes chart={data} />
            <div className="charts">
              <Section title={activityTexts.calls} card>
                <CallsChart chart={data} range={range} />
              </Section>
              <Section title={activityTexts.latency} card>
                {data.slots.some(({ p50_ms }) => p50_ms !== null) ? (
                  <LatencyChart chart={data} range={range} />
                ) : (
                  <Text size="sm" className="quiet nothing">
                    {activityTexts.quietLead(activityTexts.spans[range])}
                  </Text>
                )}
              </Section>
            </div>
          </>
        )}
      </Loaded>
      <Section title={activityTexts.budgets} lead={activityTexts.budgetsLead}>
        <Loaded query={budgets}>
          {(data) => {
            const shown = data.budgets.filter(ofBrand)
            return shown.length === 0 ? (
              <Empty
                title={side === '' ? activityTexts.budgetsEmpty : activityTexts.budgetsEmptyOperator}
                lead={activityTexts.budgetsEmptyLead}
              />
            ) : (
              <div className="gauges">
                {shown.map((budget) => (
                  <BudgetGauge
                    key={`${budget.brand} ${budget.integrator_id}`}
                    budget={budget}
                    withBrand={side !== ''}
                  />
                ))}
              </div>
            )
          }}
        </Loaded>
      </Section>
      <div className="charts">
        <Section title={activityTexts.errors}>
          <Loaded query={chart}>
            {({ errors }) =>
              errors.length === 0 ? (
                <Empty
                  title={activityTexts.errorsEmpty}
                  lead={activityTexts.errorsEmptyLead(activityTexts.spans[range])}
                />
              ) : (
                <Rows
                  caption={activityTexts.errors}
                  columns={columnsOfErrors(side)}
                  rows={errors}
                  keyOf={({ error, status }) => `${status} ${error}`}
                />
              )
            }
          </Loaded>
        </Section>
        <Section title={activityTexts.uses}>
          <Loaded query={uses}>
            {(data) => {
              const shown = data.uses.filter(ofBrand)
              return shown.length === 0 ? (
                <Empty title={activityTexts.usesEmpty} lead={activityTexts.usesEmptyLead} />
              ) : (
                <Rows
                  caption={activityTexts.uses}
                  columns={columnsOfUses(side)}
                  rows={shown}
                  keyOf={({ brand: of, client_id, integrator_id }) => `${of} ${client_id} ${integrator_id}`}
                />
              )
            }}
          </Loaded>
        </Section>
      </div>
    </ActivityPage>
  )
}

function Section({ title, lead, card, children }: { title: string; lead?: string; card?: true; children: ReactNode }) {
  return (
    <section className={card ? 'card panel' : undefined}>
      <Title order={2} size="h4" mb={lead ? 4 : 'sm'}>
        {title}
      </Title>
      {lead && (
        <Text size="sm" className="quiet" mb="sm">
          {lead}
        </Text>
      )}
      {children}
    </section>
  )
}

/** The sums of what the chart shows, and what its colours mean. */
function Outcomes({ chart: { slots } }: { chart: Chart }) {
  const sums = OUTCOMES.map((outcome) => slots.reduce((sum, slot) => sum + slot[outcome], 0))
  const all = sums.reduce((sum, calls) => sum + calls, 0)
  return (
    <dl className="outcomes">
      {OUTCOMES.map((outcome, index) => (
        <OutcomeSum key={outcome} outcome={outcome} calls={sums[index]!} of={all} />
      ))}
    </dl>
  )
}

function OutcomeSum({ outcome, calls, of }: { outcome: Outcome; calls: number; of: number }) {
  return (
    <div className="card metric" data-sum={outcome}>
      <dt>
        <span className="swatch" data-outcome={outcome.replace('_', '-')} aria-hidden />
        {activityTexts.outcomes[outcome]}
      </dt>
      <dd>
        <span className="figure">{calls.toLocaleString(LOCALE)}</span>
        <span className="quiet">
          {of > 0 && (calls / of).toLocaleString(LOCALE, { style: 'percent', maximumFractionDigits: 1 })}
        </span>
      </dd>
    </div>
  )
}

type TopError = Chart['errors'][number]

const columnsOfErrors = (side: Side): Column<TopError>[] => [
  {
    name: activityTexts.errorColumns.error,
    wide: true,
    cell: ({ error, status }) => (
      <Link
        className="plain-link"
        to={side === '' ? '/activity/requests' : '/operator/activity/requests'}
        search={{ status: status === 429 ? '429' : status >= 500 ? '5xx' : status >= 400 ? '4xx' : '2xx' }}
        aria-label={activityTexts.seeRequests(error)}
      >
        {error}
      </Link>
    ),
  },
  { name: requestTexts.columns.status, cell: ({ status, error }) => <Status status={status} error={error} bare /> },
  { name: activityTexts.errorColumns.calls, cell: ({ calls }) => calls.toLocaleString(LOCALE) },
]

const columnsOfUses = (side: Side): Column<Uses['uses'][number]>[] => [
  {
    name: activityTexts.useColumns.credential,
    cell: ({ credential, client_id }) => <Named name={credential} id={client_id} />,
  },
  { name: activityTexts.useColumns.integrator, cell: ({ integrator }) => integrator },
  ...(side === ''
    ? []
    : [
        {
          name: activityTexts.useColumns.brand,
          cell: ({ brand }: Uses['uses'][number]) => <span className="mono">{brand}</span>,
        },
      ]),
  { name: activityTexts.useColumns.used, cell: ({ used_at }) => <When at={used_at} /> },
]
