import { API, askOffice, officeRoutes, sampleOf } from '../harness/back-office.ts'
import type { Reply, Service } from '../harness/in-process.ts'
import type { Broke } from '../harness/trial.ts'
import { searches } from './lists.ts'
import { BRANDS, carries, type Names, type Neighbour } from './neighbours.ts'
import { type Person, passwordOf } from './people.ts'
import { alike, isEmptyPage, type Probe, type Prober, prober } from './probe.ts'

// A brand's staff in the back office: what each address of its pages needs, and what can be asked there about somebody else's things.

export interface Asked extends Probe {
  method: string
  url: string
  body?: unknown
  needs?: string | undefined
}
type About = Pick<Asked, 'body' | 'said'> & { query?: string }

interface Page {
  needs?: string
  /** What shows the brand's own; `numbers` where it shows no name. */
  plain?: (of: Neighbour) => string[]
  numbers?: true
  /** What can be asked about the things that carry these names. */
  about?: (of: Names, person: Person) => About[]
  /** Whether there is so much to ask that the brands share it, and change places each turn. */
  long?: true
  /** Whether it goes on telling of what is gone. */
  remembers?: true
}

const paged = (list: string, needs: string): Page => ({
  needs,
  plain: () => ['', '?limit=1&page=2', '?sort[0][0]=id&sort[0][1]=desc', '?fields=id'],
  about: (of) => searches(list, of).map((query) => ({ query })),
  long: true,
})
const addons = 'addons:manage'

const PAGES: Readonly<Record<string, Page>> = {
  'GET /me': { plain: () => [''] },
  'GET /credentials': { needs: addons, plain: () => [''] },
  'GET /staff': { needs: addons, plain: () => [''] },
  'POST /credentials': {
    needs: addons,
    about: ({ user_id, venue_id }) => [
      { body: { name: 'New', user_id, venue_id: 1 } },
      { body: { name: 'New', user_id: 1, venue_id }, said: String(venue_id) },
    ],
  },
  'PATCH /credentials/:client_id': {
    needs: addons,
    about: ({ client_id }) => [true, false].map((enabled) => ({ body: { enabled }, said: client_id })),
  },
  'POST /credentials/:client_id/secret': {
    needs: addons,
    about: ({ client_id }, { brand }) => [{ body: { password: passwordOf(brand) }, said: client_id }],
  },
  'GET /audit': {
    needs: addons,
    plain: () => ['', '?before=30'],
    about: ({ slug, username, client_id }) => [slug, username, client_id].map((text) => ({ query: `?search=${text}` })),
    remembers: true,
  },
  'GET /audit/verification': { needs: addons, plain: () => [''], numbers: true },
  'GET /activity/calls': {
    needs: addons,
    plain: ({ others }) => ['', '?status=2xx', '?route=/auth', ...others.map(({ slug }) => `?brand=${slug}`)],
    about: ({ request_id, integrator_id }) => [
      { query: `?request_id=${request_id}` },
      { query: `?request_id=${request_id.slice(0, 24)}` },
      { query: `?integrator_id=${integrator_id}` },
      { query: `?integrator_id=${integrator_id}&status=2xx&route=/whoami` },
    ],
  },
  'GET /activity/chart': {
    needs: addons,
    plain: ({ others }) => ['?range=hour', '?range=day', ...others.map(({ slug }) => `?range=hour&brand=${slug}`)],
    numbers: true,
  },
  'GET /activity/budgets': { needs: addons, plain: () => [''] },
  'GET /activity/uses': { needs: addons, plain: () => [''] },
  'GET /data/customers': paged('customers', 'customers:read'),
  'GET /data/receipts': paged('receipts', 'receipts:read'),
  'GET /data/stock-operations': paged('stock-operations', 'stock-operations:read'),
  'GET /data/products': paged('products', 'products:read'),
  'GET /data/price-lists': paged('price-lists', 'price-lists:read'),
}

export const STAFF_PAGES = Object.keys(PAGES)

/** Those that are tried elsewhere: with what one's own session may do, and before there is a session. */
const OTHERS = ['DELETE /session', 'PUT /password', 'POST /session', 'POST /operator/session', 'POST /invitation']
const isOperators = (url: string) => url.startsWith(`${API}/operator/`) && url !== `${API}/operator/session`

export function assertEveryRouteIsKnown(service: Service): void {
  for (const { method, url } of officeRoutes(service)) {
    const name = `${method} ${url.slice(API.length)}`
    const isKnown = name in PAGES || isOperators(url) || OTHERS.some((each) => name.startsWith(each))
    if (!isKnown) throw new Error(`trials/isolation/office.ts does not know ${name}`)
  }
}

/** All that a member of the staff can ask about what is not theirs. Nothing of it may change anything. */
export async function probeOffice(
  service: Service,
  person: Person,
  of: Neighbour,
  turn: number,
  broke: Broke,
): Promise<number> {
  const { own } = of
  const send = askOffice(service)
  const office = prober<Asked>({
    who: `${person.username} of brand ${person.brand}`,
    foreign: of.foreign,
    send: ({ method, url, body }) => send(method, url, person.cookie, body),
    judge: ({ needs }, reply) => wrongRefusal(person, needs, reply),
    broke,
  })
  for (const [name, page] of Object.entries(PAGES)) {
    const asking = { name, page, person, of, turn, office, broke }
    if (page.plain) await shown(asking, page.plain(of))
    if (page.about) await hidden(asking, page.about)
  }
  if (isAllowed(person, addons)) {
    const chart = at('GET /activity/chart', {}, own, { query: '?range=hour' })
    await countsOwn(service, own.slug, () => office.ask(chart), broke)
  }
  if (['owner', 'nobody'].includes(person.username)) await operators(service, of, turn, office)
  return office.probes()
}

interface Asking {
  name: string
  turn: number
  page: Page
  person: Person
  of: Neighbour
  office: Prober<Asked>
  broke: Broke
}

const isAllowed = ({ permissions }: Person, needs: string | undefined) =>
  needs === undefined || permissions.includes('*') || permissions.includes(needs)

function wrongRefusal(person: Person, needs: string | undefined, { status, text }: Reply): string | undefined {
  const required = status === 403 ? JSON.parse(text).details?.required : undefined
  // A 403 that requires no permission is about the staff user who was chosen: one with more rights than the person has.
  if (isAllowed(person, needs)) return required === undefined ? undefined : 'refused, though the role may'
  const isRefused = status === 403 && required === needs
  return isRefused ? undefined : `not refused for want of ${needs}`
}

const at = (name: string, page: Page, names: Names, { query = '', ...about }: About): Asked => {
  const [method, path] = name.split(' ') as [string, string]
  const url = `${API}${path.replaceAll(':client_id', names.client_id)}${query}`
  return { method, url, ...about, needs: page.needs }
}

/** The pages themselves, however they are turned: somebody's own is there, and nothing else. */
async function shown({ name, page, person, of, office, broke }: Asking, queries: string[]): Promise<void> {
  for (const [index, query] of queries.entries()) {
    const { status, text } = await office.ask(at(name, page, of.own, { query }))
    if (!isAllowed(person, page.needs)) return // asking further would be the same
    const isOwn = page.numbers || carries([of.brand]).test(text)
    if (index === 0 && !(status === 200 && isOwn)) broke(`${name}, ${person.username}: their own, ${status} ${text}`)
  }
}

async function hidden({ name, page, person, of, turn, office, broke }: Asking, about: NonNullable<Page['about']>) {
  const names = page.remembers ? [of.hidden[0]!, ...of.others] : of.hidden
  const isWrite = !name.startsWith('GET ')
  for (const [index, own] of about(of.own, person).entries()) {
    if (page.long && (index + person.brand + turn) % BRANDS.length !== 0) continue // another brand's turn, or the next one
    const [first] = await office.same(
      `${name} about what is not theirs`,
      names.map((each) => at(name, page, each, about(each, person)[index]!)),
    )
    if (!isAllowed(person, page.needs)) return
    if (name.includes('/data/') && !isEmptyPage(first!)) broke(`${name}: finds ${alike(first!)}`)
    if (isWrite && first!.status < 400) broke(`${name}: ${alike(first!)}`)
    if (isWrite || person.username !== 'owner') continue
    const mine = await office.ask(at(name, page, of.own, own))
    if (alike(mine) === alike(first!)) broke(`${name}: ${own.query} does not find their own: ${mine.text}`)
  }
}

/** To a brand's staff the operator's addresses are such as do not exist, whomever they name. */
async function operators(service: Service, { brand, own, others }: Neighbour, turn: number, office: Asking['office']) {
  const routes = officeRoutes(service).filter(({ url }) => isOperators(url))
  for (const { method, url, body } of routes.filter((_, index) => (index + brand + turn) % 2 === 0)) {
    const sample = body && sampleOf(body, 'anything', 1)
    const asked = (address: string) => ({ method, url: address, ...(sample !== undefined && { body: sample }) })
    const named = (names: Names) =>
      url.replaceAll(/:(\w+)/g, (_, name: 'slug' | 'client_id' | 'integrator_id') => names[name])
    await office.same(`${method} ${url}, which is the operator's`, [
      asked(`${API}/nothing/of/the/kind`),
      ...[own, ...others].map((names) => asked(named(names))),
    ])
  }
}

/** A chart has no names to look for: it counts as many calls as the brand had, and no more. */
export async function countsOwn(
  { deps: { activity } }: Service,
  slug: string,
  ask: () => Promise<Reply>,
  broke: Broke,
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
  if (shown < least || shown > most) broke(`the chart of ${slug} counts ${shown} calls, not ${least}`)
}
