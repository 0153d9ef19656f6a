import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Delivery, Replay, Signed } from '../../../../server/src/webhooks/schema.ts'
import { api, queries } from '../../api.ts'
import { CopyBlock } from '../../components/copy.tsx'
import { Details, Facts, OpenDetails } from '../../components/data/details.tsx'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { tell, tellFailure } from '../../components/tell.ts'
import { Moment, shownInstant } from '../../components/when.tsx'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'
import { FilterSelect, Older, Section } from './section.tsx'
import { deliveriesOf, everyWebhook, type Filter, shownCount, shownFailure } from './webhook-data.ts'

/** W18 */
export function Deliveries({ id }: { id: string }) {
  const [filter, setFilter] = useState<Filter>({})
  const filters = { filter, setFilter }
  const [opened, open] = useState<Delivery>()
  const query = useInfiniteQuery({ ...deliveriesOf(id, filter), placeholderData: keepPreviousData })
  return (
    <Section title={words.log} lead={words.logLead}>
      <search className="card filters" aria-label={words.log}>
        <FilterSelect name="cause" label={words.cause} choices={words.causes} {...filters} />
        <FilterSelect name="class" label={words.failure} choices={words.classes} {...filters} />
      </search>
      <Loaded query={query}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <Empty title={words.logNone} lead={words.logNoneLead} />
          ) : (
            <>
              <Rows caption={words.log} columns={columns(open)} rows={deliveries} keyOf={({ id: line }) => line} />
              <Older query={query} />
            </>
          )
        }
      </Loaded>
      <Details title={opened?.type} onClose={() => open(undefined)}>
        {opened && <DeliveryDetails endpoint={id} delivery={opened} />}
      </Details>
    </Section>
  )
}

const Outcome = ({ delivery }: { delivery: Delivery }) => (
  <span className="status">
    <span className="swatch" data-outcome={delivery.class === undefined ? 'ok' : 'server-errors'} aria-hidden />
    {delivery.class === undefined ? words.withStatus(words.delivered, String(delivery.status)) : shownFailure(delivery)}
  </span>
)

const columns = (open: (delivery: Delivery) => void): Column<Delivery>[] => [
  {
    name: words.logColumns.event,
    cell: ({ type, event }) => (
      <>
        <span className="strong">{type}</span>
        <span className="mono quiet block">{event}</span>
      </>
    ),
  },
  { name: words.logColumns.outcome, cell: (delivery) => <Outcome delivery={delivery} /> },
  {
    name: words.logColumns.cause,
    cell: ({ cause, attempt }) => (
      <>
        {words.causes[cause]}
        {attempt > 1 && <div className="sub">{words.attempt(shownCount(attempt))}</div>}
      </>
    ),
  },
  { name: words.logColumns.took, number: true, cell: ({ ms }) => words.ms(shownCount(ms)) },
  { name: words.logColumns.when, cell: ({ at }) => <Moment at={at} /> },
  {
    name: words.logColumns.actions,
    actions: true,
    cell: (delivery) => (
      <OpenDetails label={words.detailsOf(delivery.type, delivery.event)} onClick={() => open(delivery)} />
    ),
  },
]

/** Inert text, as it came. */
const Block = ({ label, text }: { label: string; text: string }) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {label}
    </Text>
    <pre className="code-block">{text}</pre>
  </div>
)

/** Events have such ids; challenges and tests are not in the feed. */
const isOfFeed = ({ event }: Delivery) => event.startsWith('evt_')

function DeliveryDetails({ endpoint, delivery }: { endpoint: string; delivery: Delivery }) {
  const client = useQueryClient()
  const { event, cause, attempt, at, ms, answer, clock_off_s } = delivery
  const body = useQuery({ ...queries.event(event), enabled: isOfFeed(delivery), retry: false })
  const resend = useMutation({
    mutationFn: () => api.webhook<Replay>('POST', `/${endpoint}/replays`, { event }),
    onSuccess() {
      tell(words.replayStarted)
      return client.invalidateQueries(everyWebhook)
    },
    onError: tellFailure,
  })
  const signed = useMutation({
    mutationFn: () => api.webhook<Signed>('GET', `/${endpoint}/signed?event=${event}`),
    onError: tellFailure,
  })
  const facts = [
    [words.logColumns.when, shownInstant(at)],
    [words.logColumns.outcome, <Outcome key="outcome" delivery={delivery} />],
    [words.logColumns.cause, words.causes[cause]],
    [words.heldColumns.attempts, shownCount(attempt)],
    [words.logColumns.took, words.ms(shownCount(ms))],
    [
      words.logColumns.event,
      <span key="event" className="mono">
        {event}
      </span>,
    ],
  ] as const
  return (
    <Stack>
      <Facts facts={facts} />
      {clock_off_s !== undefined && <Alert color="yellow">{words.clockOff(shownCount(clock_off_s))}</Alert>}
      {answer && <Block label={words.answer} text={answer} />}
      {isOfFeed(delivery) && (
        <>
          {body.data && <Block label={words.body} text={JSON.stringify(body.data, null, 2)} />}
          {body.isError && (
            <Text size="sm" className="quiet">
              {words.bodyGone}
            </Text>
          )}
          <Group>
            <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
              {words.resend}
            </Button>
            <Button variant="default" loading={signed.isPending} onClick={() => signed.mutate()}>
              {words.curl}
            </Button>
          </Group>
          {signed.data && (
            <div>
              <CopyBlock label={words.curl} text={curlOf(signed.data.data)} />
              <Text size="sm" className="quiet">
                {words.curlHint}
              </Text>
            </div>
          )}
        </>
      )}
    </Stack>
  )
}

/** A line for a shell, whatever the event says. */
function curlOf({ url, headers, body }: Signed): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  return ['curl -i', quoted(url), ...given, `--data-binary ${quoted(body)}`].join(' \\\n  ')
}
