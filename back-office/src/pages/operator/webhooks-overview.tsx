import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WebhooksOverview } from '../../../../server/src/back-office/schema.ts'
import { queries } from '../../api.ts'
import { type Column, Named, Rows } from '../../components/data/rows.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { Moment } from '../../components/when.tsx'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'
import { State } from '../webhooks/state.tsx'
import { shownCount, shownLag, shownReason } from '../webhooks/webhook-data.ts'

type Row = WebhooksOverview['endpoints'][number]

/** W20: endpoints of all brands, those that need somebody first. */
export function OperatorWebhooks() {
  const query = useQuery(queries.operatorWebhooks)
  return (
    <Page title={words.title} lead={words.operator.lead}>
      <Loaded query={query}>
        {({ states, backlog, endpoints }) =>
          endpoints.length === 0 ? (
            <Empty title={words.empty} lead={words.operator.emptyLead} />
          ) : (
            <Stack gap="xl">
              <div className="metrics">
                <Figure
                  name={words.operator.backlog}
                  value={shownLag({ events: backlog.events, seconds: backlog.oldest_seconds })}
                />
                <Figure name={words.heldStates.waiting!} value={shownCount(backlog.waiting)} />
                {Object.entries(states).map(([state, count]) => (
                  <Figure key={state} name={words.states[state] ?? state} value={shownCount(count)} />
                ))}
              </div>
              <Rows
                caption={words.title}
                columns={columns}
                rows={endpoints}
                keyOf={({ brand, id }) => `${brand} ${id}`}
              />
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className="card metric">
    <Text size="sm" className="quiet">
      {name}
    </Text>
    <Text fw={600}>{value}</Text>
  </div>
)

const columns: Column<Row>[] = [
  { name: words.columns.name, wide: true, cell: ({ name, brand, id }) => <Named name={`${brand}: ${name}`} id={id} /> },
  {
    name: words.columns.state,
    cell: ({ state, reason, state_since }) => (
      <>
        <State state={state} />
        {reason !== null && <div className="sub">{shownReason({ reason })}</div>}
        <div className="sub">
          <Moment at={state_since} />
        </div>
      </>
    ),
  },
  {
    name: words.operator.nextProbe,
    cell: ({ next_probe_at }) => (next_probe_at === null ? words.noFigure : <Moment at={next_probe_at} />),
  },
  { name: words.columns.behind, cell: ({ behind }) => shownLag(behind) },
  { name: words.heldStates.waiting!, number: true, cell: ({ waiting }) => shownCount(waiting) },
  {
    name: words.operator.lease,
    cell: ({ lease }) =>
      lease === null ? (
        words.operator.noLease
      ) : (
        <>
          <span className="mono">{lease.holder}</span>
          <div className="sub">
            <Moment at={lease.until} />
          </div>
        </>
      ),
  },
]
