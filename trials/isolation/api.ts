import type { Reply, Sent, Service } from '../harness/in-process.ts'
import { OPERATIONS, type Operation, plainRequest } from '../harness/openapi.ts'
import type { Broke } from '../harness/trial.ts'
import { searches } from './lists.ts'
import { ELSEWHERE, INTEGRATORS, type Neighbour, OWN } from './neighbours.ts'
import { isEmptyPage, type Probe, type Prober, prober } from './probe.ts'

// What each operation asks for, said here once more: a route that declares the wrong one is then seen. `undefined`: anyone may.
const NEEDS: Readonly<Record<string, string | undefined>> = {
  whoAmI: undefined,
  createCustomer: 'customers:write',
  listProducts: 'products:read',
  listPriceLists: 'price-lists:read',
  getReceipt: 'receipts:read',
  getStockOperation: 'stock-operations:read',
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

interface Asked extends Sent, Probe {
  /** The operation's. */
  name: string
}

interface Asking {
  turn: number
  operation: Operation
  who: Token
  api: Prober<Asked>
  plain: Asked
  broke: Broke
}

/** Every operation, with what is foreign, gone, elsewhere or was never there. */
export async function probeApi(service: Service, who: Token, turn: number, broke: Broke): Promise<number> {
  const { neighbour, username, token } = who
  const api = prober<Asked>({
    who: `${username} of brand ${neighbour.brand}`,
    foreign: neighbour.foreign,
    send: ({ name: _, ...sent }) => service.call({ ...sent, headers: { 'x-token': token, ...sent.headers } }),
    judge: (asked, reply) => wrongRefusal(asked, who, reply),
    broke,
  })
  for (const operation of OPERATIONS.filter(({ closed }) => closed)) {
    const asking = {
      turn,
      operation,
      who,
      api,
      plain: { name: operation.name, ...plainRequest(operation, OWN) },
      broke,
    }
    await atVenues(asking)
    if (operation.path.includes('{')) await byId(asking)
    else if (operation.body) await written(asking)
    else await listed(asking)
  }
  return api.probes()
}

const isAllowed = ({ name }: { name: string }, { permissions }: Token): boolean => {
  if (!(name in NEEDS)) throw new Error(`trials/isolation/api.ts does not know which permission ${name} needs`)
  const needed = NEEDS[name]
  return needed === undefined || permissions.includes('*') || permissions.includes(needed)
}

/** A role without the permission is refused whatever it asks, one with it never; the venue is looked at before either. */
function wrongRefusal({ name, headers }: Asked, who: Token, { status, text }: Reply): string | undefined {
  const venue = headers?.['x-venue']
  if (venue !== undefined && !who.venues.includes(Number(venue)))
    return status === 403 ? undefined : 'entered a venue that is not theirs'
  if (isAllowed({ name }, who)) return status === 403 ? 'refused, though the role may' : undefined
  const isRefused = status === 403 && JSON.parse(text).details?.required === NEEDS[name]
  return isRefused ? undefined : `not refused for want of ${NEEDS[name]}`
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

async function byId({ operation, who, api, plain, broke }: Asking): Promise<void> {
  const { hidden, own } = who.neighbour
  const at = (id: number) => ({ name: operation.name, ...plainRequest(operation, id) })
  await api.same(
    `${operation.name} of what is not theirs`,
    [...hidden.map(({ id }) => id), ELSEWHERE].map((id) => at(id)),
  )
  if (who.venues.includes(ELSEWHERE))
    await api.same(
      `${operation.name} of what is at another venue`,
      [hidden[0]!.id, OWN, own.id].map((id) => ({ ...at(id), headers: { 'x-venue': String(ELSEWHERE) } })),
    )
  const { status, text } = await api.ask(plain)
  const isOwn = text.includes(own.name) || text.includes(String(own.number))
  if (isAllowed(operation, who) && !(status === 200 && isOwn)) broke(`${operation.name}: their own, ${status} ${text}`)
}

/** A body that points at something of another brand, and a key that other brands and integrators use. */
async function written({ turn, operation, who, api, plain, broke }: Asking): Promise<void> {
  const { hidden, own } = who.neighbour
  const references = Object.keys(operation.body?.properties ?? {}).filter((name) => name.endsWith('_id'))
  for (const name of references)
    await api.same(
      `${operation.name} with a ${name} that is not theirs`,
      hidden.map(({ group_id }) => ({ ...plain, body: JSON.stringify({ name: 'Aysel', [name]: group_id }) })),
    )
  const name = `${own.name} ${who.integrator_id} ${who.username} ${turn}`
  const request = {
    ...plain,
    body: JSON.stringify({ name }),
    headers: { 'idempotency-key': `${who.username} ${turn}` },
  }
  for (const { status, text } of [await api.ask(request), await api.ask(request)])
    if (isAllowed(operation, who) && !(status === 200 && JSON.parse(text).data.name === name))
      broke(`${operation.name} with another's key: ${status} ${text}`)
}

/** Lists, however they are asked for: a filter that only another brand's rows would match finds what one without a match does. */
async function listed({ turn, operation, who, api, plain, broke }: Asking): Promise<void> {
  const { own, hidden } = who.neighbour
  const has = (name: string) => operation.parameters.some((each) => each.name === name)
  const at = (query: string) => ({ ...plain, path: `${operation.path}${query}` })
  const queries = ['']
  const related = operation.parameters.find(({ name }) => name === 'include')?.example
  if (related) queries.push(`?include=${related}`, `?include=${related}&limit=1&page=2`)
  if (has('page')) queries.push('?limit=1&page=2', '?sort[0][0]=name&sort[0][1]=desc', '?fields=id,name')
  for (const query of queries) {
    const { status, text } = await api.ask(at(query))
    if (isAllowed(operation, who) && status !== 200) broke(`${operation.name}${query}: ${status} ${text}`)
  }
  if (!has('filters')) return
  const list = operation.path.slice(1)
  const found = hidden.map((names) => searches(list, names))
  const half = (turn + INTEGRATORS.indexOf(who.integrator_id)) % 2 // the other half is the other integrator's, or the next turn's
  for (const [index, query] of searches(list, own).entries()) {
    if (index % 2 !== half) continue
    const what = `${operation.name} filtered by what is not theirs`
    const [first] = await api.same(
      what,
      found.map((all) => at(all[index]!)),
    )
    if (!isAllowed(operation, who)) return // asking further would be the same
    if (!isEmptyPage(first!)) broke(`${what}: ${found[0]![index]} finds ${first!.text}`)
    const mine = await api.ask(at(query))
    if (isEmptyPage(mine)) broke(`${operation.name}: ${query} does not find their own`)
  }
}
