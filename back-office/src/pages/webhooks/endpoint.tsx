import './webhooks.css'
import { Alert, Button, Group, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft, IconInfoCircle } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Delivery, Endpoint } from '../../../../server/src/webhooks/schema.ts'
import { api, queries } from '../../api.ts'
import { Facts } from '../../components/data/details.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Loaded } from '../../components/layout/states.tsx'
import { tell, tellFailure } from '../../components/tell.ts'
import { shownInstant, When } from '../../components/when.tsx'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'
import { Deliveries } from './deliveries.tsx'
import type { Dialog } from './endpoint-dialog.tsx'
import { Held } from './held.tsx'
import { Replays } from './replays.tsx'
import { State } from './state.tsx'
import { endpointOf, everyWebhook, shownCount, shownFailure, shownLag, shownRate, shownReason } from './webhook-data.ts'

type Open = (dialog: Dialog | undefined) => void

// Loaded with the first that is opened.
const OpenDialog = lazy(() =>
  import('./endpoint-dialog.tsx').then(({ EndpointDialog }) => ({ default: EndpointDialog })),
)

const Timeline = lazy(() => import('./timeline.tsx').then(({ Timeline: component }) => ({ default: component }))) // with the charts

/** One endpoint: how it is doing, what it could not deliver, what was sent. */
export function WebhookEndpoint() {
  const { endpoint: id } = useParams({ strict: false }) as { endpoint: string }
  const query = useQuery(endpointOf(id))
  const [dialog, open] = useState<Dialog>()
  return (
    <Page title={query.data?.name ?? words.title} lead={query.data?.url ?? ''}>
      <Link to="/webhooks" className="back-link">
        <IconArrowLeft size={16} aria-hidden />
        {words.back}
      </Link>
      <Loaded query={query}>
        {(endpoint) => (
          <div className="endpoint">
            <Notice endpoint={endpoint} />
            <Actions endpoint={endpoint} open={open} />
            <Figures endpoint={endpoint} />
            <Settings endpoint={endpoint} />
            <Suspense>
              <Timeline id={id} />
            </Suspense>
            <Held id={id} />
            <Replays endpoint={endpoint} onNew={() => open({ is: 'replay' })} />
            <Deliveries id={id} />
            {dialog && (
              <Suspense>
                <OpenDialog dialog={dialog} open={open} endpoint={endpoint} />
              </Suspense>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const ALARMING = ['failing', 'disabled']

/** Why nothing is sent, or not as it should be (W19). */
function Notice({ endpoint }: { endpoint: Endpoint }) {
  const { state, state_since } = endpoint
  if (state === 'active') return null
  const isAlarming = ALARMING.includes(state)
  const reason = shownReason(endpoint)
  return (
    <Alert
      color={state === 'disabled' ? 'red' : isAlarming ? 'yellow' : 'gray'}
      icon={isAlarming ? <IconAlertTriangle /> : <IconInfoCircle />}
      title={words.noticeTitle(words.states[state] ?? state, shownInstant(state_since))}
    >
      {reason && (
        <Text size="sm" fw={600}>
          {reason}
        </Text>
      )}
      <Text size="sm">{words.notices[state]}</Text>
    </Alert>
  )
}

/** Something that needs no question first. */
function useDo<Data>(work: () => Promise<{ data: Data }>, said: (data: Data) => string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: work,
    onSuccess({ data }) {
      tell(said(data))
      return client.invalidateQueries(everyWebhook)
    },
    onError: tellFailure,
  })
}

function Actions({ endpoint: { id, state }, open }: { endpoint: Endpoint; open: Open }) {
  const test = useDo(
    () => api.webhook<Delivery>('POST', `/${id}/test`),
    ({ class: failure, status, ...others }) =>
      failure === undefined
        ? words.testPassed(String(status))
        : words.testFailed(shownFailure({ ...others, class: failure, ...(status !== undefined && { status }) })),
  )
  const verify = useDo(
    () => api.webhook<Endpoint>('POST', `/${id}/verify`),
    (after) => (after.state === 'pending' ? words.notVerified : words.verified),
  )
  const pause = useDo(
    () => api.webhook<Endpoint>('POST', `/${id}/pause`),
    () => words.paused,
  )
  const isStopped = state === 'paused' || state === 'disabled'
  return (
    <Group gap="sm">
      {isStopped ? (
        <Button onClick={() => open({ is: 'resume' })}>{words.resume}</Button>
      ) : (
        <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate()}>
          {words.pause}
        </Button>
      )}
      {state === 'pending' && (
        <>
          <Button loading={verify.isPending} onClick={() => verify.mutate()}>
            {words.verify}
          </Button>
          <Button variant="default" onClick={() => open({ is: 'activate' })}>
            {words.activate}
          </Button>
        </>
      )}
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {words.test}
      </Button>
      <Button variant="default" onClick={() => open({ is: 'edit' })}>
        {words.edit}
      </Button>
      <Button variant="default" onClick={() => open({ is: 'rotate' })}>
        {words.rotate}
      </Button>
      <Button variant="default" onClick={() => open({ is: 'remove' })}>
        {words.remove}
      </Button>
    </Group>
  )
}

function Figures({ endpoint }: { endpoint: Endpoint }) {
  const { lag, held, p95_ms } = endpoint
  const figures = [
    [words.columns.state, <State key="state" state={endpoint.state} />],
    [words.figures.behind, shownLag(lag)],
    [words.figures.success, shownRate(endpoint)],
    [words.figures.p95, p95_ms === undefined ? words.noFigure : words.ms(shownCount(p95_ms))],
    [words.figures.held, words.heldCounts(shownCount(held.waiting), shownCount(held.failed), shownCount(held.refused))],
  ] as const
  return (
    <dl className="card endpoint-figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Settings({ endpoint }: { endpoint: Endpoint }) {
  const { data: forms } = useQuery(queries.forms)
  const nameOf = (venue: number) => forms?.data.venues.find(({ id }) => id === venue)?.name ?? String(venue)
  const { last_failure, last_success_at } = endpoint
  const facts = [
    [
      words.facts.types,
      <span key="types" className="mono">
        {endpoint.types.join(' ')}
      </span>,
    ],
    [words.facts.venues, endpoint.venues?.map(nameOf).join(', ') ?? words.everyVenue],
    [words.facts.payload, words.payloads[endpoint.payload]],
    [words.facts.skipOwn, endpoint.skip_own ? words.skipped : words.sent],
    [
      words.facts.credential,
      <span key="client" className="mono">
        {endpoint.client_id}
      </span>,
    ],
    [
      words.facts.integrator,
      <span key="integrator" className="mono">
        {endpoint.integrator_id}
      </span>,
    ],
    [words.facts.lastSuccess, <When key="success" at={last_success_at ?? null} />],
    [
      words.facts.lastFailure,
      last_failure && (
        <>
          <When at={last_failure.at} /> · {shownFailure(last_failure)}
        </>
      ),
    ],
    [words.facts.created, <When key="created" at={endpoint.created_at} date />],
  ] as const
  return (
    <section aria-label={words.settings}>
      <Title order={2} size="h3" mb="sm">
        {words.settings}
      </Title>
      <div className="card panel">
        <Facts facts={facts} />
      </div>
    </section>
  )
}
