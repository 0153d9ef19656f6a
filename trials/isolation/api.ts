import type { Resource } from '../../server/src/resource/resource.ts'
import { RESOURCES } from '../../server/src/resources/catalogue.ts'
import { makeDocument, takesDocument } from '../harness/documents.ts'
import type { Reply, Sent, Service } from '../harness/in-process.ts'
import { OPERATIONS, type Operation, plainRequest } from '../harness/openapi.ts'
import type { ReportFailure } from '../harness/trial.ts'
import { probeFeed } from './feed.ts'
import { isTurnOf, searches } from './lists.ts'
import { carries, ELSEWHERE, INTEGRATORS, idOf, type Names, type Neighbour, OWN } from './neighbours.ts'
import { isEmptyPage, type Probe, type Prober, prober } from './probe.ts'

/** Where the permission of an operation is not that of reading what its path names. `undefined`: none. */
const PERMISSION_OF: Readonly<Record<string, string | undefined>> = {
  whoAmI: undefined,
  listRoles: 'users:read',
  listCustomerGroups: 'customers:read',
  createCustomer: 'customers:write',
  listUnits: 'venues:read',
  listTerminals: 'venues:read',
  listTables: 'venues:read',
  listHalls: 'venues:read',
  listCourses: 'venues:read',
  listReasons: 'receipts:read',
  listPrintRoutes: 'printers:read',
  listMenuEntries: 'products:read',
  getMenu: 'products:read',
  listMenuProblems: 'products:read',
  listPrices: 'price-lists:read',
  listStopList: 'products:read',
  listOperationItems: 'operations:read',
  getOperationItemsTotal: 'operations:read',
  createOperation: 'operations:write',
  changeOperation: 'operations:write',
  deleteOperation: 'operations:write',
  publishOperation: 'operations:write',
  reverseOperation: 'operations:write',
  changeReceipt: 'receipts:write',
  closeReceipt: 'receipts:close',
  placeOrder: 'orders:write',
  takeBackOrder: 'orders:write',
  callWaiter: 'waiter-calls:write',
  getReceiptByCid: 'receipts:read',
  listEventTypes: 'events:read',
}

/** Lists whose sums and other views are read by the same permission. */
const VIEWED = ['/finance/balances', '/finance/taxes', '/operations', '/stock', '/stock-operations', '/suppliers']

// The permissions are said here a second time, so that a route that declares the wrong one fails.
function permissionOf({ name, path }: Operation): string | undefined {
  if (name in PERMISSION_OF) return PERMISSION_OF[name]
  const list = VIEWED.find((each) => path.startsWith(`${each}/`)) ?? path.replace(/\/\{.*/, '')
  return `${list.slice(1).replaceAll('/', '-')}:read`
}

/** A token, and who stands behind it. */
export interface Token {
  neighbour: Neighbour
  integrator_id: string
  username: string
  permissions: string[]
  /** Where this user may go. */
  venues: number[]
  token: string
}

interface ProbeRequest extends Sent, Probe {
  /** The operation's. */
  name: string
}

interface Asking {
  turn: number
  operation: Operation
  who: Token
  api: Prober<ProbeRequest>
  plain: ProbeRequest
  reportFailure: ReportFailure
}

/** Every operation, with what is foreign, gone, elsewhere or was never there. */
export async function probeApi(
  service: Service,
  who: Token,
  turn: number,
  reportFailure: ReportFailure,
): Promise<number> {
  const { neighbour, username, token } = who
  const person = `${username} of brand ${neighbour.brand}`
  const api = prober<ProbeRequest>({
    who: person,
    foreign: neighbour.foreign,
    send: ({ name: _, ...sent }) => service.call({ ...sent, headers: { 'x-token': token, ...sent.headers } }),
    check: (probe, reply) => {
      const operation = OPERATIONS.find(({ name }) => name === probe.name)!
      return wrongRefusal(operation, probe, who, reply) ?? wrongVenue(operation, probe, who, reply)
    },
    reportFailure,
  })
  for (const [index, operation] of OPERATIONS.entries()) {
    if (!operation.closed) continue
    const plain = { name: operation.name, ...plainRequest(operation, OWN) }
    const asking = { turn, operation, who, api, plain, reportFailure }
    if (isTurnOf(neighbour.brand, index, turn)) await atVenues(asking)
    if (operation.path.startsWith('/events')) continue // see feed.ts
    // An owner's two integrators share the rest.
    const isOthers = (index + INTEGRATORS.indexOf(who.integrator_id) + turn) % INTEGRATORS.length !== 0
    if (who.username === 'owner' && isOthers) continue
    if (operation.path.includes('{')) await byId(asking)
    else if (operation.body) await written(asking)
    else await listed(asking)
  }
  const ask = (path: string, headers: Record<string, string> = {}) =>
    service.call({ method: 'GET', path, headers: { 'x-token': token, ...headers } })
  return api.probes() + (await probeFeed(service, { ...who, who: person, ask }, reportFailure))
}

const isAllowed = (operation: Operation, { permissions }: Token): boolean => {
  const needed = permissionOf(operation)
  return needed === undefined || permissions.includes('*') || permissions.includes(needed)
}

/** Which resource an operation is about. */
function resourceOf({ path }: Operation): Resource | undefined {
  const [longest] = RESOURCES.filter((each) => `${path}/`.startsWith(`/${each.path}/`)).sort(
    (one, other) => other.path.length - one.path.length,
  )
  return longest
}

/** A role without the permission is refused whatever it asks, one with it never; the venue is looked at before either. */
function wrongRefusal(
  operation: Operation,
  { headers, body }: ProbeRequest,
  who: Token,
  { status, text }: Reply,
): string | undefined {
  const venue = headers?.['x-venue']
  if (venue !== undefined && !who.venues.includes(Number(venue)))
    return status === 403 ? undefined : 'entered a venue that is not theirs'
  const entered = operation.name === 'placeOrder' ? JSON.parse(body!).venue_id : undefined // counts as x-venue
  if (isAllowed(operation, who) && entered !== undefined && !who.venues.includes(entered))
    return status === 403 ? undefined : 'entered a venue that is not theirs'
  if (isAllowed(operation, who)) return status === 403 ? 'refused, though the role may' : undefined
  const needed = permissionOf(operation)
  const isRefused = status === 403 && JSON.parse(text).details?.required === needed
  return isRefused ? undefined : `not refused for want of ${needed}`
}

/** What belongs to another venue shows there, and where rows of all venues are asked for; to somebody of one venue never. */
function wrongVenue(
  operation: Operation,
  { path, headers }: ProbeRequest,
  who: Token,
  { text }: Reply,
): string | undefined {
  const isRequested =
    headers?.['x-venue'] !== undefined ||
    path.includes('venue=all') ||
    ['/venues', '/whoami', '/events'].some((each) => operation.path.startsWith(each))
  const mayShow = isRequested && who.venues.length > 1
  return !mayShow && who.neighbour.elsewhere.test(text) ? 'has something of another venue' : undefined
}

async function atVenues({ operation, who, api, plain }: Asking): Promise<void> {
  const { hidden, own } = who.neighbour
  const closed = [...hidden.map(({ venue_id }) => venue_id), ELSEWHERE, own.venue_id]
  await api.same(
    `${operation.name} at a venue that cannot be entered`,
    closed
      .filter((venue) => !who.venues.includes(venue))
      .map((venue) => ({ ...plain, headers: { 'x-venue': String(venue) } })),
  )
}

/** What makes something that others are about. */
const MAKES: Readonly<Record<string, string>> = { '/operations': 'createOperation', '/orders': 'placeOrder' }

async function byId({ operation, who, api, plain, reportFailure }: Asking): Promise<void> {
  const { hidden, own, brand } = who.neighbour
  const resource = resourceOf(operation)!
  const isOfVenue = resource.scope === 'venue'
  const requestFor = (id: number) => ({ name: operation.name, ...plainRequest(operation, id) })
  const [absent] = await api.same(
    `${operation.name} of what is not theirs`,
    [...hidden.map((names) => idOf(resource, names)), ...(isOfVenue ? [ELSEWHERE, own.variant_id] : [])].map(
      requestFor,
    ),
  )
  if (isAllowed(operation, who) && absent!.status !== 404)
    reportFailure(`${operation.name}: ${absent!.status} ${absent!.text}`)
  const venue = { 'x-venue': String(ELSEWHERE) }
  if (isOfVenue && who.venues.includes(ELSEWHERE))
    await api.same(
      `${operation.name} of what is at another venue`,
      [hidden[0]!.id, OWN, own.id].map((id) => ({ ...requestFor(id), headers: venue })),
    )
  const related = [...(resource.list?.include ?? [])]
  if (takesDocument(operation)) {
    const send = ({ headers: _, ...sent }: Sent) => api.ask({ name: MAKES[sent.path] ?? 'publishOperation', ...sent })
    const mine = isAllowed(operation, who) ? requestFor(await makeDocument(operation, send)) : plain
    const { status, text } = await api.ask(mine)
    if (isAllowed(operation, who) && status !== 200) reportFailure(`${operation.name}: their own, ${status} ${text}`)
    return
  }
  const isRead = operation.parameters.some(({ name }) => name === 'include') && related.length > 0
  for (const query of isRead ? ['', `?include=${related.join(',')}`] : ['']) {
    const { status, text } = await api.ask({ ...plain, path: `${plain.path}${query}` })
    // Nobody pays the receipt, so it stays open: to be told what remains of it is to find it.
    const isFound = status === 200 ? carries([brand]).test(text) : operation.name === 'closeReceipt' && status === 400
    if (isAllowed(operation, who) && !isFound) reportFailure(`${operation.name}${query}: their own, ${status} ${text}`)
  }
}

/** What a body may be called, so that it can be told from others; a call of a guest has no name, and one that waits is the answer. */
const LABELS: Readonly<Record<string, string>> = {
  createCustomer: 'name',
  createOperation: 'description',
  placeOrder: 'comment',
}

/** A body that points at something of another brand, and a key that other brands and integrators use. */
async function written({ turn, operation, who, api, plain, reportFailure }: Asking): Promise<void> {
  const { hidden, own } = who.neighbour
  const body = operation.name === 'createCustomer' ? { name: 'Aysel' } : operation.example!
  for (const [name, pointing] of pointersOf(operation)) {
    const refused = await api.same(
      `${operation.name} with a ${name} that is not theirs`,
      hidden.map((names) => ({
        ...plain,
        body: JSON.stringify({ ...body, ...pointing(names) }),
        said: saidOf(name, names),
      })),
    )
    if (refused.some(({ status }) => status < 400))
      reportFailure(`${operation.name} with a ${name} that is not theirs: done`)
  }
  const name = `${own.name} ${who.integrator_id} ${who.username} ${turn}`
  const label = LABELS[operation.name]
  const request = {
    ...plain,
    body: JSON.stringify({ ...body, ...(label && { [label]: name }) }),
    headers: { 'idempotency-key': `${operation.name} ${who.username} ${turn}` },
  }
  for (const { status, text } of [await api.ask(request), await api.ask(request)])
    if (isAllowed(operation, who) && !(status === 200 && (!label || JSON.parse(text).data[label] === name)))
      reportFailure(`${operation.name} with another's key: ${status} ${text}`)
}

/** What a refusal may repeat. */
const saidOf = (member: string, { id, venue_id }: Names) => String(member === 'venue_id' ? venue_id : id)

/** The members of a body that point at something, and what makes them point at what has these names. */
function pointersOf({ name, body }: Operation): [member: string, pointing: (names: Names) => object][] {
  const members = Object.keys(body?.properties ?? {}).filter((each) => each.endsWith('_id'))
  return [
    ...members.map((member): [string, (names: Names) => object] => [
      member,
      ({ id, venue_id }) => ({ [member]: member === 'venue_id' ? venue_id : id }),
    ]),
    ...(name === 'placeOrder' ? IN_ORDERS : []),
  ]
}

const IN_ORDERS: [string, (names: Names) => object][] = [
  ['customer.id', ({ id }) => ({ customer: { id } })],
  ['product_id', ({ id }) => ({ products: [{ product_id: id, count: 1 }] })],
  ['payments.id', ({ id }) => ({ payments: [{ id, amount: 1 }] })],
]

/** Views of how things stood on the requested days, also where nothing happened. */
const BY_DAY = ['listBalanceMovements', 'listBalanceDateStates']
/** Views that leave out rows of their list: other people's balances, and movements of long ago. */
const PARTIAL = ['listCustomerBalances', 'listBalanceDateStates', 'listStockOperationsByProduct']

/** Where somebody's walk through a list stood, by operation: what others may try to go on from. */
const cursors = new Map<string, string>()

/** Lists, with any query: a filter that only another brand's rows would match finds what one without a match does. */
async function listed({ turn, operation, who, api, plain, reportFailure }: Asking): Promise<void> {
  const { own, hidden } = who.neighbour
  const { name, parameters } = operation
  const has = (parameter: string) => parameters.some((each) => each.name === parameter)
  const every = has('venue') ? 'venue=all' : ''
  const search = (query: string) => ({ ...plain, path: `${operation.path}${query}` })
  const resource = resourceOf(operation)
  const list = resource?.list
  const isWhole = operation.path === `/${resource?.path}`
  const queries = has('sale_type_id') ? ['?sale_type_id=1'] : ['', ...(every ? [`?${every}`] : [])]
  const related = [...(list?.include ?? [])].join(',')
  if (has('include')) queries.push(`?include=${related}`, `?include=${related}&limit=1&page=2`)
  if (has('page')) queries.push('?limit=1&page=2')
  if (has('page') && isWhole) queries.push('?sort[0][0]=id&sort[0][1]=desc', '?fields=id')
  if (has('after')) queries.push('?limit=1&after=', ...(cursors.has(name) ? [`?after=${cursors.get(name)}`] : []))
  for (const [index, query] of queries.entries()) {
    if (index > 1 && !isTurnOf(who.neighbour.brand, index, turn)) continue
    const { status, text } = await api.ask(search(query))
    if (!isAllowed(operation, who)) break // asking further would be the same
    if (status !== 200) reportFailure(`${name}${query}: ${status} ${text}`)
    else if (query.endsWith('after=')) cursors.set(name, JSON.parse(text).pagination.next ?? '')
  }
  if (!has('filters')) return
  const found = hidden.map((names) => searches(resource!, names))
  for (const [index, { query, venue_id }] of searches(resource!, own).entries()) {
    if (!isTurnOf(who.neighbour.brand, index, turn)) continue
    if (query.startsWith('?date') && (!has('date[0]') || BY_DAY.includes(name))) continue
    const mayEnter = venue_id === undefined || who.venues.includes(venue_id)
    const queries = [...found.map((all) => all[index]!.query), ...(mayEnter ? [] : [query])]
    const what = `${name} filtered by what is not theirs`
    const more = every && `&${every}`
    const [first] = await api.same(
      what,
      queries.map((each) => search(each + more)),
    )
    if (!isAllowed(operation, who)) return
    if (!isEmptyPage(first!) && name !== 'listBalanceDateStates')
      reportFailure(`${what}: ${queries[0]} finds ${first!.text}`)
    if (mayEnter && !PARTIAL.includes(name) && isEmptyPage(await api.ask(search(query + more))))
      reportFailure(`${name}: ${query} does not find their own`)
  }
}
