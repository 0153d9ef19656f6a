import { EVENT_TYPES } from '../../server/src/events/catalogue.ts'
import { eventId } from '../../server/src/events/event-id.ts'
import type { Reply, Service } from '../harness/in-process.ts'
import type { ReportFailure } from '../harness/trial.ts'
import { ELSEWHERE, type Neighbour } from './neighbours.ts'
import { comparable, type Probe, prober } from './probe.ts'

/** A reader of the feed, by the API or in the back office. */
export interface Reader {
  who: string
  neighbour: Neighbour
  permissions: readonly string[]
  venues: readonly number[]
  ask(path: string, headers?: Record<string, string>): Promise<Reply>
}

interface StoredEvent {
  slug: string
  position: number
  nonce: number
  type: string
  venue_id: number | null
}

interface FeedProbe extends Probe {
  path: string
  headers?: Record<string, string>
}

/** The change feed: what it holds is exactly what one's own brand, venues and permissions give; of all else it says nothing. */
export async function probeFeed(
  { deps: { db } }: Service,
  reader: Reader,
  reportFailure: ReportFailure,
): Promise<number> {
  const { who, neighbour, permissions, venues } = reader
  const { own, others, hidden, foreign, elsewhere } = neighbour
  const feed = prober<FeedProbe>({
    who,
    foreign,
    reportFailure,
    send: ({ path, headers }) => reader.ask(path, headers),
    check: (_, { text }) =>
      venues.length === 1 && elsewhere.test(text) ? 'has something of another venue' : undefined,
  })
  const may = (permission: string) => permissions.includes('*') || permissions.includes(permission)
  const events = await db.rows<StoredEvent>(
    `select slug, position, nonce, type, venue_id from events join brands on brands.id = events.brand_id order by position`,
    [],
  )
  const owned = events.filter(({ slug }) => slug === own.slug)
  const strangers = others.map(({ slug }) => events.findLast((event) => event.slug === slug)!)
  const probeOf = (event: { position: number; nonce: number }): FeedProbe => ({ path: `/events/${eventId(event)}` })
  const refusedFor = ({ status, text }: Reply, permission: string) =>
    status === 403 && JSON.parse(text).details?.required === permission

  if (!may('events:read')) {
    for (const path of [
      '/events?after=oldest',
      '/events/types',
      probeOf(owned[0]!).path,
      probeOf(strangers[0]!).path,
    ]) {
      const reply = await feed.ask({ path })
      if (!refusedFor(reply, 'events:read')) reportFailure(`${who}, ${path}: not refused: ${comparable(reply)}`)
    }
    return feed.probes()
  }

  // Somebody of every venue also sees what happened at one that is gone.
  const isOpen = ({ venue_id }: StoredEvent) => venues.length > 1 || venue_id === null || venues.includes(venue_id)
  const permissionOf = ({ type }: StoredEvent) => EVENT_TYPES.find((each) => each.type === type)!.permission
  const expected = owned.filter((event) => isOpen(event) && may(permissionOf(event)))
  const read = await readAll(feed.ask)
  const last = owned.at(-1)!.position // others may write meanwhile
  const found = new Set(read.filter(({ position }) => position <= last).map(({ id }) => id))
  const missing = found.symmetricDifference(new Set(expected.map((event) => eventId(event))))
  if (missing.size > 0)
    reportFailure(`${who}: the feed has ${found.size} events, not ${expected.length}: ${[...missing][0]}`)

  const never = { position: strangers[0]!.position, nonce: 1 }
  const closed = owned.filter((event) => !isOpen(event)).slice(0, 1)
  const [absent] = await feed.same('an event that is not theirs', [never, ...strangers, ...closed].map(probeOf))
  if (absent!.status !== 404) reportFailure(`${who}, an event that there never was: ${comparable(absent!)}`)
  const shown = await feed.ask(probeOf(expected[0]!))
  if (shown.status !== 200 || !shown.text.includes(own.slug))
    reportFailure(`${who}, their own event: ${comparable(shown)}`)
  const untold = owned.find((event) => isOpen(event) && !may(permissionOf(event)))
  if (untold)
    for (const probe of [probeOf(untold), { path: `/events?after=oldest&types=${untold.type}` }]) {
      const reply = await feed.ask(probe)
      if (!refusedFor(reply, permissionOf(untold))) reportFailure(`${who}, ${probe.path}: ${comparable(reply)}`)
    }

  for (const event of [never, ...strangers]) {
    const reply = await feed.ask({ path: `/events?after=${eventId(event)}` })
    if (reply.status !== 410) reportFailure(`${who}, after an event of another feed: ${comparable(reply)}`)
  }
  const away = [...hidden.map(({ venue_id }) => venue_id), ELSEWHERE, own.venue_id]
  const [entered] = await feed.same(
    'events of a venue that cannot be entered',
    away.filter((id) => !venues.includes(id)).map((id) => ({ path: `/events?after=oldest&venues=${id}` })),
  )
  if (entered!.status !== 403) reportFailure(`${who}, events of a venue that there never was: ${comparable(entered!)}`)
  return feed.probes()
}

const LIVE_TRIES = 10

/** The stream of a venue: exactly the events of that venue and of none that one may read, from the first on. */
export async function probeLive(
  { deps: { db } }: Service,
  reader: Reader,
  reportFailure: ReportFailure,
): Promise<number> {
  const { who, neighbour, permissions, venues } = reader
  const { own, others, hidden, foreign } = neighbour
  const live = prober<Pick<FeedProbe, 'headers' | 'said'>>({
    who,
    foreign,
    reportFailure,
    send: ({ headers }) => reader.ask('/live', headers),
    check: () => undefined,
  })
  const may = (permission: string) => permissions.includes('*') || permissions.includes(permission)
  const [feed] = await db.rows<{ tail: number; tail_nonce: number }>(
    'select tail, tail_nonce from feeds join brands on brands.id = feeds.brand_id where slug = ?',
    [own.slug],
  )
  const events = await db.rows<StoredEvent>(
    `select slug, position, nonce, type, venue_id from events join brands on brands.id = events.brand_id order by position`,
    [],
  )
  const owned = events.filter(({ slug }) => slug === own.slug)
  const first = eventId({ position: feed!.tail, nonce: feed!.tail_nonce })
  const known = new Set(owned.map((event) => eventId(event))) // others may write meanwhile
  const readVenue = async (venue: number) => {
    const { status, text } = await live.ask({ headers: { 'last-event-id': first, 'x-venue': String(venue) } })
    const read = [...text.matchAll(/^id: (.*)\nevent: (.*)$/gm)].filter(([, , type]) => type !== 'ready')
    return { status, found: new Set(read.flatMap(([, id]) => (known.has(id!) ? [id!] : []))) }
  }
  for (const venue of venues.slice(0, 2)) {
    const expected = new Set(
      owned
        .filter(
          ({ type, venue_id }) =>
            (venue_id === null || venue_id === venue) &&
            may(EVENT_TYPES.find((each) => each.type === type)!.permission),
        )
        .map((event) => eventId(event)),
    )
    let { status, found } = await readVenue(venue)
    // A busy machine may be quiet for a moment before all is said.
    for (let tries = 1; tries < LIVE_TRIES && found.size < expected.size && found.isSubsetOf(expected); tries++)
      ({ status, found } = await readVenue(venue))
    const wrong = found.symmetricDifference(expected)
    if (status !== 200 || wrong.size > 0)
      reportFailure(
        `${who}, live in venue ${venue}: ${status}, ${found.size} events, not ${expected.size}: ${[...wrong][0]}`,
      )
  }
  for (const { slug } of others) {
    const strange = events.findLast((event) => event.slug === slug)!
    const { text } = await live.ask({ headers: { 'last-event-id': eventId(strange) } })
    if (!text.includes('event: resync'))
      reportFailure(`${who}, live after an event of another brand: ${text.slice(0, 200)}`)
  }
  const away = [...hidden.map(({ venue_id }) => venue_id), ELSEWHERE, own.venue_id]
  const [entered] = await live.same(
    'live in a venue that cannot be entered',
    away.filter((id) => !venues.includes(id)).map((id) => ({ headers: { 'x-venue': String(id) } })),
  )
  if (entered!.status !== 403) reportFailure(`${who}, live in a venue that there never was: ${comparable(entered!)}`)
  return live.probes()
}

async function readAll(ask: (probe: FeedProbe) => Promise<Reply>): Promise<{ id: string; position: number }[]> {
  const events: { id: string; position: number }[] = []
  for (let after = 'oldest', more = true; more; ) {
    const { text } = await ask({ path: `/events?after=${after}&limit=200&include=object` })
    const page = JSON.parse(text) as { data?: typeof events; next: string; more: boolean }
    events.push(...(page.data ?? []))
    after = page.next
    more = page.more === true
  }
  return events
}
