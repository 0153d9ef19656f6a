import './printers.css'
import { Alert, Button, Group, Menu, Switch, Title } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { PrinterQueue, PrintJob } from '../../../../server/src/printing/queue/schema.ts'
import { VIRTUAL_FAULTS } from '../../../../server/src/values/states.ts'
import { queries } from '../../api.ts'
import { Rows } from '../../components/data/rows.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { act, jobsOf, paperPath, papersOf, queuesOf } from '../../components/printing/printing-data.ts'
import { tellFailure } from '../../components/tell.ts'
import { Moment } from '../../components/when.tsx'
import { useVenue } from '../../live/use-venue.ts'
import { may } from '../../me.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { printerTexts as words } from '../../texts/printing/printers.ts'
import { stateOf } from './printers.tsx'
import { TestQuestion } from './test-question.tsx'

/** One printer: its state, its queue, and what came out. */
export function Printer() {
  const { printer: name } = useParams({ strict: false }) as { printer: string }
  const id = Number(name)
  const { venue } = useVenue()
  const query = useQuery(queuesOf(venue))
  const printer = query.data?.find((each) => each.id === id)
  return (
    <>
      <Link to="/printers" className="back-link">
        <IconChevronLeft size={16} aria-hidden />
        {words.back}
      </Link>
      <Page
        title={printer?.name ?? words.title}
        lead={printer ? `${words.kinds[printer.printer_kind]} · ${stateOf(printer)}` : ''}
      >
        <Loaded query={query}>
          {() =>
            printer ? <Shown venue={venue} printer={printer} /> : <Empty title={words.empty} lead={words.emptyLead} />
          }
        </Loaded>
      </Page>
    </>
  )
}

function Shown({ venue, printer }: { venue: number; printer: PrinterQueue }) {
  const { data: me } = useSuspenseQuery(queries.me)
  const mayUse = may(me, 'printers:use')
  const { send, isPending } = useSend(venue)
  const { id, printer_kind, status, state, faults } = printer
  const mayTest = mayUse && may(me, 'receipts:write') && status === 1 && printer_kind !== 'browser'
  return (
    <>
      {state === 'silent' && <Alert color="orange">{words.silentLead}</Alert>}
      <Group gap="md">
        {mayTest && (
          <Button
            variant="default"
            disabled={isPending}
            onClick={() => send(['POST', '/print', { document: 'test', printer_id: id }])}
          >
            {words.test}
          </Button>
        )}
        {printer_kind === 'virtual' && mayUse && (
          <fieldset className="printer-switches">
            <legend>{words.switches}</legend>
            {VIRTUAL_FAULTS.map((fault) => (
              <Switch
                key={fault}
                label={words.faults[fault]}
                checked={faults.includes(fault)}
                disabled={isPending}
                onChange={({ currentTarget: { checked } }) =>
                  send([
                    'PUT',
                    `/printers/${id}/faults`,
                    { faults: checked ? [...faults, fault] : faults.filter((each) => each !== fault) },
                  ])
                }
              />
            ))}
          </fieldset>
        )}
      </Group>
      {mayTest && may(me, 'settings:write') && <TestQuestion venue={venue} printer={id} />}
      {printer_kind === 'virtual' && <Papers venue={venue} printer={id} />}
      <Queue venue={venue} printer={printer} mayUse={mayUse} />
    </>
  )
}

type Sent = readonly [method: string, path: string, body: object]

function useSend(venue: number) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: ([method, path, body]: Sent) => act(method, path, body, venue),
    onError: tellFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ['printing', venue] }),
  })
  return { send: mutate as (sent: Sent) => void, isPending }
}

const nameOf = ({ kind, title }: PrintJob) => [words.documents[kind] ?? kind, title].filter(Boolean).join(' · ')

/** R17: what came out, as pictures of the paper. */
function Papers({ venue, printer }: { venue: number; printer: number }) {
  const query = useQuery(papersOf(venue, printer))
  return (
    <section className="printer-section">
      <Title order={2} size="h4" mb="xs">
        {words.papers}
      </Title>
      <Loaded query={query}>
        {(papers) =>
          papers.length === 0 ? (
            <Empty title={words.noPapers} lead={words.noPapersLead} />
          ) : (
            <>
              <p>{words.papersLead}</p>
              <ul className="papers">
                {papers.map((job) => (
                  <li key={job.id}>
                    <figure>
                      <figcaption>
                        {nameOf(job)} · <Moment at={job.done_at ?? job.created_at} />
                      </figcaption>
                      <img src={paperPath(venue, job)} alt={words.paperOf(nameOf(job))} loading="lazy" />
                    </figure>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Queue({ venue, printer, mayUse }: { venue: number; printer: PrinterQueue; mayUse: boolean }) {
  const query = useQuery(jobsOf(venue, printer.id))
  const printers = useQuery(queuesOf(venue)).data ?? []
  const others = printers.filter(
    ({ id, status, printer_kind }) => id !== printer.id && status === 1 && printer_kind !== 'browser',
  )
  const { send, isPending } = useSend(venue)
  const isOpen = ({ state }: PrintJob) => ['waiting', 'sending', 'unsure'].includes(state)
  const actions = (job: PrintJob) => (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {['cancelled', 'expired'].includes(job.state) && job.has_paper && (
        <Button
          size="xs"
          variant="default"
          disabled={isPending}
          onClick={() => send(['POST', `/print-jobs/${job.id}/retry`, {}])}
        >
          {words.retry}
        </Button>
      )}
      {isOpen(job) && job.has_paper && others.length > 0 && (
        <Menu>
          <Menu.Target>
            <Button size="xs" variant="default" disabled={isPending}>
              {words.move}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{words.moveTo}</Menu.Label>
            {others.map(({ id, name }) => (
              <Menu.Item key={id} onClick={() => send(['POST', `/print-jobs/${job.id}/move`, { printer_id: id }])}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {isOpen(job) && (
        <Button
          size="xs"
          variant="default"
          disabled={isPending}
          onClick={() => send(['POST', `/print-jobs/${job.id}/cancel`, {}])}
        >
          {words.cancel}
        </Button>
      )}
    </Group>
  )
  const said = (job: PrintJob) =>
    [words.jobStates[job.state], job.duplicate && words.duplicate, job.copy !== undefined && words.copy(job.copy)]
      .filter(Boolean)
      .join(', ')
  return (
    <section className="printer-section">
      <Title order={2} size="h4" mb="xs">
        {words.queue}
      </Title>
      <Loaded query={query}>
        {(jobs) =>
          jobs.length === 0 ? (
            <p>{words.queueEmpty}</p>
          ) : (
            <Rows
              caption={words.queue}
              rows={jobs}
              keyOf={({ id }) => id}
              columns={[
                { name: words.job, cell: nameOf },
                { name: words.state, cell: said },
                { name: words.at, cell: ({ created_at }) => <Moment at={created_at} /> },
                ...(mayUse ? [{ name: dataTexts.actions, actions: true as const, cell: actions }] : []),
              ]}
            />
          )
        }
      </Loaded>
    </section>
  )
}
