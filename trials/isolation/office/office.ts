import type { Reply, Service } from '../../harness/in-process.ts'
import { API, askOffice, officeRoutes, sampleOf } from '../../harness/office/back-office.ts'
import type { ReportFailure } from '../../harness/trial.ts'
import { probeFeed, probeLive } from '../feed.ts'
import { isTurnOf } from '../lists.ts'
import { carries, ELSEWHERE, type Names, type Neighbour, OWN } from '../neighbours.ts'
import { comparable, isEmptyPage, type Probe, type Prober, prober } from '../probe.ts'
import { type About, type Page, staffPages } from './pages.ts'
import type { Person } from './people.ts'

// A brand's staff in the back office.

export interface ProbeRequest extends Probe {
  method: string
  url: string
  headers?: Record<string, string>
  body?: unknown
  needs?: string | undefined
  ofBrand?: true | undefined
}

/** Routes that are tried elsewhere: what a session may do to itself, what comes before a session, and the feed. */
const OTHERS = [
  'DELETE /session',
  'PUT /password',
  'PUT /language',
  'POST /session',
  'POST /operator/session',
  'POST /invitation',
  'GET /setup', // by a link that is good once: setup.test.ts
  'POST /setup',
  'GET /device', // what a device and a PIN can do is tried in devices.test.ts
  'POST /device/session',
  'PUT /pin',
  'PUT /people/:id/pin',
  'POST /approvals',
  'GET /events',
  'GET /live',
]
const isOperators = (url: string) => url.startsWith(`${API}/operator/`) && url !== `${API}/operator/session`

export function assertEveryRouteIsKnown(service: Service): void {
  const pages = staffPages(service)
  const unknown = officeRoutes(service).flatMap(({ method, url }) => {
    const name = `${method} ${url.slice(API.length)}`
    return name in pages || isOperators(url) || OTHERS.some((each) => name.startsWith(each)) ? [] : [name]
  })
  if (unknown.length > 0) throw new Error(`trials/isolation/office/pages.ts does not know ${unknown.join(', ')}`)
}

/** All that a member of the staff can ask about what is not theirs. Nothing of it may change anything. */
export async function probeOffice(
  service: Service,
  person: Person,
  neighbour: Neighbour,
  turn: number,
  reportFailure: ReportFailure,
): Promise<number> {
  const { own } = neighbour
  const send = askOffice(service)
  const who = `${person.username} of brand ${person.brand}`
  const office = prober<ProbeRequest>({
    who,
    foreign: neighbour.foreign,
    send: ({ method, url, body, headers }) => send(method, url, person.cookie, body, { headers }),
    check: (probe, reply) => wrongRefusal(person, probe, reply) ?? wrongVenue(person, neighbour, probe, reply),
    reportFailure,
  })
  for (const [index, [name, page]] of Object.entries(staffPages(service)).entries()) {
    // The owners share forms and the till; those who may less are asked about all of them.
    if (page.inVenue && person.username === 'owner' && !isTurnOf(person.brand, index, turn)) continue
    const asking = { name, page, person, neighbour, turn, office, reportFailure }
    if (page.plain) await shown(asking, page.plain(neighbour))
    if (page.about) await hidden(asking, page.about)
    if (page.inVenue && isAllowed(person, page.needs) && isTurnOf(person.brand, index, turn)) await inVenues(asking)
  }
  if (isAllowed(person, 'addons:manage')) {
    const chart = probeOf('GET /activity/chart', {}, own, { query: '?range=hour' })
    await countsOwn(service, own.slug, () => office.ask(chart), reportFailure)
  }
  if (['owner', 'nobody'].includes(person.username)) await operators(service, neighbour, turn, office)
  const ask = (path: string, headers = {}) => send('GET', `${API}${path}`, person.cookie, undefined, { headers })
  const reader = { ...person, who: `${who}, at a page`, neighbour, ask }
  return (
    office.probes() +
    (await probeFeed(service, reader, reportFailure)) +
    (await probeLive(service, reader, reportFailure))
  )
}

interface Asking {
  name: string
  turn: number
  page: Page
  person: Person
  neighbour: Neighbour
  office: Prober<ProbeRequest>
  reportFailure: ReportFailure
}

const isAllowed = ({ permissions }: Person, needs: string | undefined) =>
  needs === undefined || permissions.includes('*') || permissions.includes(needs)

function wrongRefusal(person: Person, { needs }: ProbeRequest, { status, text }: Reply): string | undefined {
  const required = status === 403 ? JSON.parse(text).details?.required : undefined
  // A 403 that requires no permission is about the staff user who was chosen: one with more rights than the person has.
  if (isAllowed(person, needs)) return required === undefined ? undefined : 'refused, though the role may'
  const isRefused = status === 403 && required === needs
  return isRefused ? undefined : `not refused for want of ${needs}`
}

/** Somebody of one venue sees nothing of the others. */
const wrongVenue = ({ venues }: Person, { elsewhere }: Neighbour, { ofBrand }: ProbeRequest, { text }: Reply) =>
  venues.length === 1 && !ofBrand && elsewhere.test(text) ? 'has something of another venue' : undefined

const probeOf = (name: string, page: Page, names: Names, { query = '', params, ...about }: About): ProbeRequest => {
  const [method, path] = name.split(' ') as [string, string]
  const named = path.replaceAll(/:(\w+)/g, (_, each: string) =>
    String(each === 'client_id' ? names.client_id : (params?.[each] ?? names.id)),
  )
  const { body, said } = about
  const { needs, ofBrand } = page
  return { method, url: `${API}${named}${query}`, body, said, needs, ofBrand }
}

/** The pages themselves, however they are turned: somebody's own is there, and nothing else. */
async function shown(
  { name, page, person, neighbour, turn, office, reportFailure }: Asking,
  queries: string[],
): Promise<void> {
  for (const [index, query] of queries.entries()) {
    if (page.long && index > 0 && !isTurnOf(neighbour.brand, index, turn)) continue
    const { status, text } = await office.ask(probeOf(name, page, neighbour.own, { query }))
    if (!isAllowed(person, page.needs)) return // asking further would be the same
    const isClosed = page.ofEveryVenue && person.venues.length === 1
    const isOwn = page.numbers || isClosed || carries([neighbour.brand]).test(text)
    if (index === 0 && !(status === (isClosed ? 403 : 200) && isOwn))
      reportFailure(`${name}, ${person.username}: their own, ${status} ${text}`)
  }
}

async function hidden(
  { name, page, person, neighbour, turn, office, reportFailure }: Asking,
  about: NonNullable<Page['about']>,
) {
  const names = page.remembers ? [neighbour.hidden[0]!, ...neighbour.others] : neighbour.hidden
  const isWrite = !name.startsWith('GET ') && !page.reads
  for (const [index, own] of about(neighbour.own, person).entries()) {
    if (page.long && !isTurnOf(person.brand, index, turn)) continue
    const probes = (all: readonly Names[]) => all.map((each) => probeOf(name, page, each, about(each, person)[index]!))
    const [first] = await office.same(
      `${name} about what is not theirs`,
      probes([...names, ...ownButClosed(person, neighbour, own, page)]),
    )
    if (!isAllowed(person, page.needs)) return
    if (own.absent && first!.status !== 404) reportFailure(`${name}: ${comparable(first!)}`)
    if (isList(name) && !isEmptyPage(first!)) reportFailure(`${name}: finds ${comparable(first!)}`)
    if (isWrite && first!.status < 400) reportFailure(`${name}: ${comparable(first!)}`)
    if (own.absent && page.inVenue && own.scope === 'venue' && person.venues.includes(ELSEWHERE))
      await office.same(
        `${name} about what is at another venue`,
        probes([neighbour.hidden[0]!, { ...neighbour.own, id: OWN }, neighbour.own]).map((each) => ({
          ...each,
          headers: AWAY,
        })),
      )
    if (isWrite || own.unknown || !person.permissions.includes('*')) continue
    const mine = await office.ask(probeOf(name, page, neighbour.own, own))
    const isFound = comparable(mine) !== comparable(first!)
    if (person.username === 'owner' && !isFound)
      reportFailure(`${name}: ${own.query} does not find their own: ${mine.text}`)
  }
}

const isList = (name: string) => /\/(data|read)\//.test(name) && !/:id$|\.csv$/.test(name)

const AWAY = { 'x-venue': String(ELSEWHERE) }

/** What their brand has, at venues where they are not, or may not be. */
function ownButClosed({ venues }: Person, { own }: Neighbour, { scope, absent }: About, { inVenue }: Page): Names[] {
  const ids = absent ? [ELSEWHERE, own.variant_id] : [own.variant_id] // one that is repeated has as many digits as others
  if (scope === 'venue') return inVenue || venues.length === 1 ? ids.map((id) => ({ ...own, id })) : []
  return scope === 'venues' && venues.length === 1 ? [{ ...own, venue_id: ELSEWHERE }, own] : []
}

/** A venue that they may not enter is one that there is not. */
async function inVenues({ name, page, person, neighbour, office, reportFailure }: Asking): Promise<void> {
  const [about = {}] = page.about?.(neighbour.own, person) ?? []
  const probe = probeOf(name, page, neighbour.own, about)
  const closed = [...neighbour.hidden.map(({ venue_id }) => venue_id), ELSEWHERE, neighbour.own.venue_id]
  const [refused] = await office.same(
    `${name} in a venue that cannot be entered`,
    closed.filter((id) => !person.venues.includes(id)).map((id) => ({ ...probe, headers: { 'x-venue': String(id) } })),
  )
  if (refused!.status !== 403) reportFailure(`${name} in a venue that there never was: ${comparable(refused!)}`)
}

/** To a brand's staff the operator's addresses do not exist, whatever brand they name. */
async function operators(service: Service, { brand, own, others }: Neighbour, turn: number, office: Asking['office']) {
  const routes = officeRoutes(service).filter(({ url }) => isOperators(url))
  for (const { method, url, body } of routes.filter((_, index) => (index + brand + turn) % 2 === 0)) {
    const sample = body && sampleOf(body, 'anything', 1)
    const requestTo = (address: string) => ({ method, url: address, ...(sample !== undefined && { body: sample }) })
    const named = (names: Names) =>
      url.replaceAll(/:(\w+)/g, (_, name: 'slug' | 'client_id' | 'integrator_id') => names[name])
    await office.same(`${method} ${url}, which is the operator's`, [
      requestTo(`${API}/nothing/of/the/kind`),
      ...[own, ...others].map((names) => requestTo(named(names))),
    ])
  }
}

/** A chart has no names to look for: it counts as many calls as the brand had, and no more. */
export async function countsOwn(
  { deps: { activity } }: Service,
  slug: string,
  ask: () => Promise<Reply>,
  reportFailure: ReportFailure,
): Promise<void> {
  const counted = async () => {
    const [row] = await activity.rows<{ calls: number }>(
      'select cast(coalesce(sum(calls), 0) as bigint) as calls from minute_counts where brand = ?',
      [slug],
    )
    return row!.calls
  }
  const least = await counted()
  const { slots } = JSON.parse((await ask()).text) as { slots: Record<string, number>[] }
  const shown = slots.reduce(
    (sum, slot) => sum + slot.ok! + slot.client_errors! + slot.rate_limited! + slot.server_errors!,
    0,
  )
  const most = await counted() // calls of a moment ago may be counted meanwhile
  if (shown < least || shown > most) reportFailure(`the chart of ${slug} counts ${shown} calls, not ${least}`)
}
