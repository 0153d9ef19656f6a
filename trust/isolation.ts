import { addBrand, addIntegrator, createCredential, setQuota } from '../server/src/auth/registry.ts'
import { putRows, type Row } from '../server/test/store.ts'
import { OPERATIONS, type Operation, plainRequest } from './description.ts'
import { ENGINES, type Engine, type Installation, install } from './installation.ts'
import { openService, type Reply, type Sent, type Service } from './service.ts'
import type { Broke, Trial } from './trial.ts'

// P10: every operation × 3 brands × 2 integrators × 4 roles × ids that are foreign, absent, deleted or of another venue.

const BRANDS = [0, 1, 2]
const INTEGRATORS = ['north', 'south']
const ROLES: readonly { username: string; permissions: string[]; venue_ids?: number[] }[] = [
  { username: 'owner', permissions: ['*'] },
  { username: 'nobody', permissions: [] },
  { username: 'reader', permissions: ['products:read', 'price-lists:read', 'receipts:read'] },
  { username: 'waiter', permissions: ['*'], venue_ids: [1] }, // at one venue only
]

// What each operation asks for, said here once more: a route that declares the wrong one is then seen. `undefined`: anyone may.
const NEEDS: Readonly<Record<string, string | undefined>> = {
  whoAmI: undefined,
  createCustomer: 'customers:write',
  listProducts: 'products:read',
  listPriceLists: 'price-lists:read',
  getReceipt: 'receipts:read',
  getStockOperation: 'stock-operations:read',
}

const OWN = 1 // in every brand
const ELSEWHERE = 2 // in every brand, at its second venue
const DELETED = 3 // was in every brand
const ABSENT = 999
const VENUE_OF = (brand: number) => 20 + brand // of that brand alone
const ONLY = (brand: number) => 100 + brand // in that brand alone
const GROUP_OF = (brand: number) => 50 + brand
const marker = (brand: number) => `marker-${brand}-`
const numberOf = (brand: number) => 770_077 + brand // where a row has no text
const isIn = (text: string, brand: number) => text.includes(marker(brand)) || text.includes(String(numberOf(brand)))

/** What brands have under the same ids, and what each has alone; every text of it carries the brand's marker. */
const rowsOf = (brand: number): Row[] => [
  ...[1, 2, VENUE_OF(brand)].map((id) => ({ kind: 'venue', id, name: `${marker(brand)}venue`, is_main: id === 1 })),
  ...ROLES.flatMap(({ username, permissions, venue_ids }, index): Row[] => [
    { kind: 'role', id: index + 1, name: `${marker(brand)}${username}`, permissions },
    { kind: 'user', id: index + 1, username, role_id: index + 1, ...(venue_ids && { venue_ids }) },
  ]),
  { kind: 'customer_group', id: GROUP_OF(brand), name: `${marker(brand)}group` },
  ...[OWN, ONLY(brand)].flatMap((id): Row[] => [
    { kind: 'product', id, name: `${marker(brand)}product`, type: 'PRODUCT', price: 1 },
    { kind: 'price_list', id, name: `${marker(brand)}list` },
    { kind: 'price', id, list_id: id, product_id: id, price: numberOf(brand) },
  ]),
  ...[OWN, ELSEWHERE, DELETED, ONLY(brand)].flatMap((id): Row[] => {
    const venue_id = id === ELSEWHERE ? 2 : 1
    return [
      { kind: 'receipt', id, venue_id, cid: `${marker(brand)}receipt` },
      { kind: 'stock_operation', id, venue_id, quantity: numberOf(brand) },
    ]
  }),
]

export async function isolation(trial: Trial): Promise<void> {
  for (const engine of ENGINES)
    await trial.promise(`no brand, venue or role learns anything of another, ${engine}`, (broke) =>
      probeAll(trial, engine, broke),
    )
}

async function probeAll(trial: Trial, engine: Engine, broke: Broke): Promise<string> {
  const installation = await install(trial, engine)
  await settle(installation)
  const service = await openService(trial, installation)
  const tokens = await Promise.all(
    (await credentialsOf(installation)).map(async ({ credentials, ...who }) => ({
      ...who,
      token: await service.token(credentials),
    })),
  )
  const random = trial.random(`isolation ${engine}`)
  let probes = 0
  for (let round = 0; round < trial.sizes.isolationRounds; round++) {
    // All at once, in another order each time: whatever is kept between requests is then somebody else's.
    const shuffled = tokens.map((token) => ({ token, at: random.fraction() })).sort((a, b) => a.at - b.at)
    const counts = await Promise.all(shuffled.map(({ token }) => probe(service, token, `${round}`, broke)))
    probes += counts.reduce((sum, count) => sum + count, 0)
  }
  return `${probes} probes, ${OPERATIONS.length} operations, ${tokens.length} tokens`
}

async function settle({ db }: Installation): Promise<void> {
  for (const id of INTEGRATORS) await addIntegrator(db, 'trust', { name: id, id, test: false })
  for (const brand of BRANDS) {
    const slug = `${marker(brand)}brand`
    const { id } = await addBrand(db, 'trust', { slug, name: slug, test: false })
    await putRows(db, id, rowsOf(brand))
    for (const integrator of INTEGRATORS) await setQuota(db, 'trust', slug, integrator, 1e9)
    for (const table of ['stock_operations', 'receipts'])
      await db.transaction((tx) => tx.run(`delete from ${table} where brand_id = ? and id = ?`, [id, DELETED]))
  }
}

async function credentialsOf({ db, keys }: Installation) {
  const all = []
  for (const brand of BRANDS)
    for (const { username, permissions, venue_ids } of ROLES) {
      const slug = `${marker(brand)}brand`
      const credential = await createCredential(db, keys, 'trust', { brand: slug, username })
      for (const integrator_id of INTEGRATORS)
        all.push({
          brand,
          integrator_id,
          username,
          permissions,
          venues: venue_ids ?? [1, 2, VENUE_OF(brand)],
          credentials: { ...credential, brand: slug, integrator_id },
        })
    }
  return all
}

interface Token {
  brand: number
  integrator_id: string
  username: string
  permissions: string[]
  /** Where this user may go. */
  venues: number[]
  token: string
}

/** What an answer may not differ in from another that must be alike: everything but which request it was, and when. */
function alike({ status, text, headers }: Reply): string {
  const { 'x-request-id': _, date: __, ...kept } = headers
  for (const name of Object.keys(kept)) if (name.startsWith('ratelimit-')) delete kept[name]
  return JSON.stringify([status, text, kept])
}

async function probe(service: Service, who: Token, round: string, broke: Broke): Promise<number> {
  const others = BRANDS.filter((brand) => brand !== who.brand)
  let probes = 0
  for (const operation of OPERATIONS.filter(({ closed }) => closed)) {
    const ask: Ask = async (request) => {
      probes++
      const answer = await service.call({ ...request, headers: { 'x-token': who.token, ...request.headers } })
      const told = `${who.username} of brand ${who.brand}, ${request.method} ${request.path}`
      const wrong = leakIn(answer, others) ?? wrongRefusal(operation, who, request, answer)
      if (wrong) broke(`${told}: ${wrong}: ${answer.status} ${answer.text}`)
      if (answer.status >= 500) broke(`${told}: ${answer.status} ${answer.text}`)
      return answer
    }
    /** All of these must look like the first. */
    const same: Same = async (what, requests) => {
      const answers = await Promise.all(requests.map(ask))
      for (const [index, answer] of answers.entries())
        if (alike(answer) !== alike(answers[0]!))
          broke(
            `${what}, ${who.username} of brand ${who.brand}: ${requests[index]!.path} ${JSON.stringify(requests[index])} ${alike(answer)} is not ${alike(answers[0]!)}`,
          )
    }
    const plain = plainRequest(operation, OWN)
    await same(`${operation.name} at a venue that cannot be entered`, [
      { ...plain, headers: { 'x-venue': String(ABSENT) } },
      ...others.map((other) => ({ ...plain, headers: { 'x-venue': String(VENUE_OF(other)) } })),
      ...[2, VENUE_OF(who.brand)]
        .filter((venue) => !who.venues.includes(venue))
        .map((venue) => ({ ...plain, headers: { 'x-venue': String(venue) } })),
    ])
    if (operation.path.includes('{')) await byId(operation, who, others, same, ask, broke)
    else if (operation.body) await written(operation, who, others, round, same, ask, broke)
    else await listed(operation, who, others, ask, broke)
  }
  return probes
}

type Ask = (request: Sent) => Promise<Reply>
type Same = (what: string, requests: Sent[]) => Promise<void>

function leakIn({ text }: Reply, others: number[]): string | undefined {
  const leak = others.find((other) => isIn(text, other))
  return leak === undefined ? undefined : `has something of brand ${leak}`
}

function isAllowed({ name }: Operation, { permissions }: Token): boolean {
  if (!(name in NEEDS)) throw new Error(`trust/isolation.ts does not know which permission ${name} needs`)
  const needed = NEEDS[name]
  return needed === undefined || permissions.includes('*') || permissions.includes(needed)
}

/** A role without the permission is refused whatever it asks, one with it never; the venue is looked at before either. */
function wrongRefusal(operation: Operation, who: Token, { headers }: Sent, { status, text }: Reply) {
  const venue = headers?.['x-venue']
  if (venue !== undefined && !who.venues.includes(Number(venue)))
    return status === 403 ? undefined : 'entered a venue that is not theirs'
  if (isAllowed(operation, who)) return status === 403 ? 'refused, though the role may' : undefined
  const isRefused = status === 403 && JSON.parse(text).details?.required === NEEDS[operation.name]
  return isRefused ? undefined : `not refused for want of ${NEEDS[operation.name]}`
}

async function byId(operation: Operation, who: Token, others: number[], same: Same, ask: Ask, broke: Broke) {
  const hidden = [ABSENT, DELETED, ELSEWHERE, ...others.map(ONLY)]
  await same(
    `${operation.name} of what is not theirs`,
    hidden.map((id) => plainRequest(operation, id)),
  )
  if (who.venues.includes(2))
    await same(`${operation.name} of what is at another venue`, [
      { ...plainRequest(operation, ABSENT), headers: { 'x-venue': '2' } },
      { ...plainRequest(operation, OWN), headers: { 'x-venue': '2' } },
      { ...plainRequest(operation, ONLY(who.brand)), headers: { 'x-venue': '2' } },
    ])
  const { status, text } = await ask(plainRequest(operation, OWN))
  if (isAllowed(operation, who) && !(status === 200 && isIn(text, who.brand)))
    broke(`${operation.name}: their own, ${status} ${text}`)
}

/** A body that points at something of another brand, and keys that another brand or integrator has used. */
async function written(
  operation: Operation,
  who: Token,
  others: number[],
  round: string,
  same: Same,
  ask: Ask,
  broke: Broke,
) {
  const references = Object.keys(operation.body?.properties ?? {}).filter((name) => name.endsWith('_id'))
  for (const name of references)
    await same(
      `${operation.name} with a ${name} that is not theirs`,
      [ABSENT, ...others.map(GROUP_OF)].map((id) => ({
        ...plainRequest(operation),
        body: JSON.stringify({ name: 'Aysel', [name]: id }),
      })),
    )
  const name = `${marker(who.brand)}${who.integrator_id} ${who.username} ${round}`
  const request = {
    ...plainRequest(operation),
    body: JSON.stringify({ name }),
    headers: { 'idempotency-key': `${who.username} ${round}` }, // the same in every brand and for every integrator
  }
  for (const answer of [await ask(request), await ask(request)])
    if (isAllowed(operation, who) && !(answer.status === 200 && JSON.parse(answer.text).data.name === name))
      broke(`${operation.name} with another's key: ${answer.status} ${answer.text}`)
}

/** Lists, however they are asked for; what they must not hold is looked for in every answer. */
async function listed(operation: Operation, who: Token, others: number[], ask: Ask, broke: Broke): Promise<void> {
  const has = (name: string) => operation.parameters.some((each) => each.name === name)
  const queries = ['']
  if (has('filters'))
    for (const other of others)
      queries.push(
        ...[
          ['id', ONLY(other)],
          ['id', 'in', [OWN, ONLY(other)]],
          ['name', 'like', marker(other).slice(0, 7)],
        ].map((filter) => `?filters=${encodeURIComponent(JSON.stringify([filter]))}`),
      )
  if (has('include')) queries.push('?include=prices', '?include=prices&limit=1&page=2')
  if (has('page')) queries.push('?limit=1&page=2', '?sort[0][0]=name&sort[0][1]=desc', '?fields=id,name')
  for (const query of queries) {
    const { status, text } = await ask({ ...plainRequest(operation), path: `${operation.path}${query}` })
    if (isAllowed(operation, who) && status !== 200) broke(`${operation.name}${query}: ${status} ${text}`)
  }
}
