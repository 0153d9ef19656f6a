import './kitchen.css'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { queries } from '../../api.ts'
import { Loaded } from '../../components/layout/states.tsx'
import { useOutbox } from '../../live/outbox/use-outbox.ts'
import { useUnsent } from '../../live/outbox/use-unsent.ts'
import { refetchLive, useLive } from '../../live/use-live.ts'
import { useNow } from '../../live/use-now.ts'
import { useVenue } from '../../live/use-venue.ts'
import { may } from '../../me.ts'
import { NewVersionHere } from '../../offline/new-version.tsx'
import { kitchenTexts } from '../../texts/screens/kitchen.ts'
import { texts } from '../../texts/texts.ts'
import { useStored } from '../../use-stored.ts'
import { Recall } from './recall.tsx'
import { stationsOf } from './stations.tsx'
import { Taps } from './taps.ts'
import { GoneCard, TicketCard } from './ticket-card.tsx'
import {
  byTable,
  isWaiting,
  lineName,
  type Move,
  moved,
  type NextCourse,
  nameOf,
  shown,
  type Ticket,
  takenBack,
  ticketsOf,
} from './tickets.ts'
import { type StopAct, ToMake } from './to-make.tsx'
import { useBell } from './use-bell.ts'

// Loaded after the screen: it is needed when a printer fails.
const PrintAlarms = lazy(() =>
  import('../../components/printing/alarm.tsx').then((module) => ({ default: module.PrintAlarms })),
)

const words = kitchenTexts

/** What an act of this screen is about. */
type About = ({ is: 'step'; ticket: number } & Move) | StopAct

/** The screen of a station. */
export function Kitchen() {
  const { station } = useParams({ from: '/screens/kitchen/$station' })
  const { venue } = useVenue()
  const id = station === 'all' ? undefined : Number(station)
  return <Station key={`${venue} ${station}`} venue={venue} station={id} />
}

function Station({ venue, station }: { venue: number; station: number | undefined }) {
  const { data: me } = useSuspenseQuery(queries.me)
  const client = useQueryClient()
  const { online } = useLive(venue)
  const query = useQuery(ticketsOf(venue, station))
  const { data: stations } = useQuery({ ...stationsOf(venue), enabled: may(me, 'stations:read') })
  const { outbox, acts } = useOutbox('kitchen', online, async ({ about, venue: at }) => {
    await refetchLive(client, at, (about as About).is === 'step' ? 'tickets' : 'stop-list')
    return {}
  })
  const unsent = useUnsent()
  const name =
    stations?.data.find(({ id }) => id === station)?.name ??
    (station === undefined ? words.every : words.station(String(station)))
  useEffect(() => {
    document.title = `${name} · ${texts.product}`
  }, [name])

  const [taps] = useState(() => new Taps())
  const move = (ticket: Ticket, { step, lines }: Move) => {
    // A line is tapped after another at once; a ticket has the id of one of its lines, and is no tap on that.
    if (taps.isDouble(lines ? lines[0]! : -ticket.id, ticket.id)) return
    if (!isWaiting(moved(ticket, [{ step, lines }]))) taps.left(ticket.id)
    const about: About = { is: 'step', ticket: ticket.id, step, lines }
    outbox.add({
      key: crypto.randomUUID(),
      venue,
      chain: `ticket ${ticket.id}`,
      method: 'POST',
      path: `/tickets/${ticket.id}/${step}`,
      body: lines ? { lines } : {},
      about,
    })
  }
  const stepsOf = ({ id }: Ticket) =>
    acts.flatMap((act) => {
      const about = act.about as About
      return about.is === 'step' && about.ticket === id ? [{ ...act, step: about.step, lines: about.lines }] : []
    })
  const read = query.data?.data
  const { gone, said, seen } = useTakenBack(read)
  const bell = useBell(`${venue}-${station ?? 'all'}`, read)
  const tickets = (read ?? []).map((ticket) => {
    const steps = stepsOf(ticket)
    const ahead = steps.filter(({ refused }) => !refused)
    return {
      ticket: moved(ticket, ahead),
      ahead,
      refused: steps.find((each) => each.refused),
    }
  })
  const ready = tickets.map(({ ticket }) => ticket).filter(({ state }) => state === 'READY')
  const [isByTable = false, setByTable] = useStored<boolean>('comptoir-kitchen-by-table', localStorage)
  const oldestFirst = tickets.filter(({ ticket }) => isWaiting(ticket))
  const groups =
    station === undefined && isByTable
      ? byTable(
          oldestFirst.map(({ ticket }) => ticket),
          ready,
        )
      : undefined
  const waiting = groups
    ? groups.flatMap((group) => oldestFirst.filter(({ ticket }) => group.tickets.includes(ticket)))
    : oldestFirst
  const stationName = (of: number) => stations?.data.find(({ id }) => id === of)?.name ?? words.station(String(of))
  useDigits((index) => {
    const ticket = waiting[index]?.ticket
    if (ticket) move(ticket, { step: ticket.state === 'SENT' ? 'start' : 'ready' })
  })
  const [size = 1, setSize] = useStored<Size>('comptoir-kitchen-size', localStorage)
  // By the server's clock: that of a tablet in a kitchen may be wrong.
  const now = useNow() + (query.data ? Date.parse(query.data.now) - query.dataUpdatedAt : 0)
  const cardOf = (id: number) => {
    const index = waiting.findIndex(({ ticket }) => ticket.id === id)
    const { ticket, ahead, refused } = waiting[index]!
    return (
      <TicketCard
        key={id}
        ticket={ticket}
        station={station === undefined ? stationName(ticket.station_id) : undefined}
        digit={index < KEYS ? index + 1 : undefined}
        now={now}
        isPending={ahead.length > 0}
        refusal={refused?.refused}
        onMove={(made) => move(ticket, made)}
        onDismiss={() => refused && outbox.dismiss(refused.key)}
      />
    )
  }
  return (
    <main className="kitchen screen" id="content" data-size={size}>
      <header className="kitchen-bar">
        <Link to="/kitchen" className="kitchen-button">
          {words.change}
        </Link>
        <h1>{name}</h1>
        <span className="kitchen-count">{words.waiting(shown(waiting.length))}</span>
        <button type="button" className="kitchen-button" aria-pressed={bell.isOn} onClick={bell.toggle}>
          {bell.isOn ? (bell.isMute ? words.bellMute : words.bellOn) : words.bellOff}
        </button>
        <button
          type="button"
          className="kitchen-button"
          aria-label={words.textSize(size)}
          onClick={() => setSize(((size % 3) + 1) as Size)}
        >
          {'A'.repeat(size)}
        </button>
        <NewVersionHere isBusy={false} className="kitchen-button" />
        {station === undefined && (
          <button
            type="button"
            className="kitchen-button"
            aria-pressed={isByTable}
            data-chosen={isByTable || undefined}
            onClick={() => setByTable(!isByTable)}
          >
            {words.byTable}
          </button>
        )}
        <Recall ready={ready} onStep={(ticket, step) => move(ticket, { step })} />
      </header>
      <Suspense>
        <PrintAlarms venue={venue} station={station} />
      </Suspense>
      <p className="kitchen-offline" role="status">
        {[!online && words.offline, unsent > 0 && texts.notSent(unsent)].filter((part) => part).join(' ')}
      </p>
      <div role="status" aria-live="assertive" className="kitchen-said">
        {said.map(({ id, sentence }) => (
          <p key={id}>{sentence}</p>
        ))}
      </div>
      <div className="kitchen-floor">
        <section className="tickets" data-grouped={groups && true} aria-label={words.tickets}>
          <Loaded query={query}>
            {() =>
              waiting.length + gone.length === 0 ? (
                <div className="kitchen-nothing">
                  <p>{words.nothing}</p>
                  <p>{words.nothingLead}</p>
                </div>
              ) : (
                <>
                  {gone.map((ticket) => (
                    <GoneCard
                      key={ticket.id}
                      ticket={ticket}
                      onSeen={() => {
                        taps.left(ticket.id)
                        seen(ticket)
                      }}
                    />
                  ))}
                  {groups
                    ? groups.map((group) => (
                        <section key={group.key} className="ticket-group" aria-label={nameOf(group.tickets[0]!)}>
                          {group.tickets.map(({ id }) => cardOf(id))}
                          {group.ready.map((ticket) => (
                            <p key={ticket.id}>
                              {stationName(ticket.station_id)}: {words.states.READY}
                            </p>
                          ))}
                        </section>
                      ))
                    : waiting.map(({ ticket }) => cardOf(ticket.id))}
                </>
              )
            }
          </Loaded>
          <Next courses={query.data?.next ?? []} />
        </section>
        <ToMake
          venue={venue}
          tickets={waiting.map(({ ticket }) => ticket)}
          acts={acts}
          onAct={(act) => outbox.add(act)}
          onDismiss={(key) => outbox.dismiss(key)}
        />
      </div>
    </main>
  )
}

/** What tables wait for: held until its course is fired, and nothing to make yet. */
function Next({ courses }: { courses: readonly NextCourse[] }) {
  if (courses.length === 0) return null
  return (
    <ul className="kitchen-next" aria-label={words.next}>
      {courses.map(({ receipt_id, table, course, course_id, count }) => (
        <li key={`${receipt_id} ${course_id}`}>
          {[table, course].filter((part) => part).join(' · ')}: {shown(count)}
        </li>
      ))}
    </ul>
  )
}

/** Tickets that the keys 1 to 9 take on. */
const KEYS = 9
/** Three sizes of what is read from afar. */
type Size = 1 | 2 | 3

/** A bump bar, or a keyboard: a digit takes on the ticket that shows it. */
function useDigits(press: (index: number) => void): void {
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]') || event.repeat || event.ctrlKey || event.metaKey || event.altKey)
        return
      if (/^[1-9]$/.test(event.key)) latest.current(Number(event.key) - 1)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

const SAID_MAX = 3
const SAID_MS = 30_000

/** Tickets and lines that were taken back while the screen was looking; a ticket stays until it was seen. */
function useTakenBack(tickets: readonly Ticket[] | undefined) {
  const before = useRef<readonly Ticket[]>(undefined)
  const [gone, setGone] = useState<readonly Ticket[]>([])
  const [said, setSaid] = useState<readonly { id: string; sentence: string }[]>([])
  useEffect(() => {
    if (said.length === 0) return
    const timer = setTimeout(() => setSaid([]), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  useEffect(() => {
    const was = before.current
    before.current = tickets
    if (!was || !tickets) return
    const back = takenBack(was, tickets)
    const sentences = [
      ...back.gone.map((ticket) => words.gone(nameOf(ticket))),
      ...back.lines.map(({ ticket, line }) => words.voided(lineName(line), nameOf(ticket))),
    ]
    if (sentences.length === 0) return
    setGone((others) => [...others, ...back.gone])
    // With an id of its own, the same sentence is announced again.
    const added = sentences.map((sentence) => ({ id: crypto.randomUUID() as string, sentence }))
    setSaid((others) => [...added, ...others].slice(0, SAID_MAX))
  }, [tickets])
  const seen = ({ id }: Ticket) => setGone((all) => all.filter((ticket) => ticket.id !== id))
  return { gone, said, seen }
}
