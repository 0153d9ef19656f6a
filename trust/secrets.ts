import { OPERATIONS, plainRequest } from './description.ts'
import { ENGINES, type Engine, type Installation, install } from './installation.ts'
import { type Office, openOffice, sampleOf } from './office.ts'
import { openService, type Reply, type Service } from './service.ts'
import { menu } from './tenants.ts'
import type { Broke, Trial } from './trial.ts'

/** P21: what is secret or personal goes in by every route, and comes out nowhere that people and programs look at. */
export async function secrets(trial: Trial): Promise<void> {
  for (const engine of ENGINES)
    await trial.promise(`no secret and no personal data where it does not belong, ${engine}`, (broke) =>
      release(trial, engine, broke),
    )
}

// Where a person's data is meant to be, and a name that an operator or a brand owner gave to something.
const PERSONAL = ['customers', 'idempotency_keys']

async function release(trial: Trial, engine: Engine, broke: Broke): Promise<string> {
  const installation = await install(trial, engine, menu('bistro'))
  const service = await openService(trial, installation)
  const { credentials } = installation
  const office = await openOffice(service, 'bistro', 'canary password of an afternoon')
  const token = await service.token(credentials)
  const random = trial.random(`canaries ${engine}`)
  const canaries: string[] = []
  const canary = () => {
    const bird = `canary${random.between(1e8, 1e9 - 1)}`
    canaries.push(bird)
    return bird
  }
  const { client_secret } = credentials
  const hidden = { client_secret, token, ...office.secrets }
  const cookies: string[] = []
  let sent = 0
  const check = (name: string, { status, text }: Reply) => {
    sent++
    if (status >= 500) broke(`${name}: ${status} ${text}`)
    if (status >= 400 && Object.values(hidden).some((secret) => text.includes(secret))) broke(`${name}: ${text}`)
    if (status === 409 && name.includes('/customers') && canaries.some((bird) => text.includes(bird)))
      broke(`${name}: ${text}`)
  }
  for (let round = 0; round < trial.sizes.canaries; round++) {
    await throughTheApi(service, installation, token, canary, check)
    // Hashing passwords takes its time: in the short form once is enough.
    if (engine === 'SQLite' || trial.sizes.officeRoutes > 0) await throughTheOffice(office, canary, cookies, check)
  }
  await service.app.close() // what is written late is written now
  await look(service, installation, [...Object.values(hidden), ...cookies], canaries, broke)
  return `${canaries.length + cookies.length + Object.keys(hidden).length} canaries in ${sent} requests`
}

type Check = (name: string, reply: Reply) => void

async function throughTheApi(
  { call }: Service,
  { credentials }: Installation,
  token: string,
  canary: () => string,
  check: Check,
): Promise<void> {
  const tokens: (() => Record<string, string>)[] = [
    () => ({ 'x-token': token }),
    () => ({ 'x-token': canary() }),
    () => ({ 'x-token': `${token.slice(0, -4)}AAAA` }),
    () => ({ 'x-token': token, 'x-venue': canary(), 'x-request-id': 'not a canary' }),
    () => ({ cookie: `sid=${canary()}`, authorization: `Bearer ${canary()}`, 'x-api-key': canary() }),
  ]
  for (const operation of OPERATIONS) {
    const bodies: (() => string | undefined)[] = operation.body
      ? [
          () => JSON.stringify({ ...operation.example, ...(operation.closed ? personOf(canary) : {}) }),
          () => JSON.stringify(sampleOf(operation.body!, canary(), 1)),
          () => JSON.stringify({ ...operation.example, [canary()]: canary() }),
          () => `{"phone":"${canary()}`,
        ]
      : [() => undefined]
    const queries = [
      '',
      `?${canary()}=1`,
      `?filters=[["name","${canary()}"]]`,
      `?page=${canary()}`,
      `?fields=${canary()}`,
    ]
    for (const body of bodies)
      for (const query of queries)
        for (const headers of tokens) {
          const request = plainRequest(operation, query === '' ? 1 : canary())
          const text = body()
          const key = { 'idempotency-key': canary() }
          const { body: _, ...rest } = request
          const answer = await call({
            ...rest,
            path: request.path + query,
            headers: { ...headers(), ...key },
            ...(text !== undefined && { body: text }),
          })
          check(`${operation.method} ${operation.path}`, answer)
        }
  }
  for (const name of Object.keys(credentials)) {
    const body = JSON.stringify({ ...credentials, [name]: canary() })
    check(`POST /auth, another ${name}`, await call({ method: 'POST', path: '/auth', body }))
  }
  check('an unknown address', await call({ method: 'GET', path: `/${canary()}?phone=${canary()}` }))
}

const personOf = (canary: () => string) => ({
  name: canary(),
  phone: `+99450${canary()}`,
  email: `${canary()}@example.com`,
  description: canary(),
})

async function throughTheOffice(office: Office, canary: () => string, cookies: string[], check: Check): Promise<void> {
  const { password } = office.secrets
  for (const route of office.routes) {
    const name = `${route.method} ${route.url}`
    const fresh = async () => {
      const cookie = await office.cookieFor(route)
      cookies.push(cookie.slice(cookie.indexOf('=') + 1))
      return cookie
    }
    const url = (value: string) => route.url.replaceAll(/:\w+/g, value)
    const sample = route.body && (sampleOf(route.body, canary(), 1) as Record<string, unknown>)
    const plain = (member: string) => sample && member in sample && { [member]: 'no-canary' } // a name is no secret
    const named = sample && { ...sample, ...plain('name'), ...plain('slug') }
    const right = named && { ...named, ...('password' in named && { password }) }
    check(name, await office.ask(route.method, url('1'), await fresh(), right))
    check(name, await office.ask(route.method, url(canary()), await fresh(), named))
    check(name, await office.ask(route.method, `${url('1')}?${canary()}=${canary()}`, `sid=${canary()}`, named))
    if (route.body) check(name, await office.ask(route.method, url('1'), await fresh(), `{"password":"${canary()}`))
  }
}

/** Everything that was written down: the log, the metrics, and every table of both stores. */
async function look(
  { lines, deps }: Service,
  { db, brand_id }: Installation,
  hidden: readonly string[],
  canaries: readonly string[],
  broke: Broke,
): Promise<void> {
  const texts = new Map([
    ['the log', lines.join('')],
    ['the metrics', await deps.metrics.registry.metrics()],
  ])
  const tablesOf = async (store: Pick<typeof db, 'rows' | 'dialect'>) =>
    (await store.rows<{ name: string }>(store.dialect.tableNames, [])).map(({ name }) => name)
  for (const store of [db, deps.aside])
    for (const table of await tablesOf(store))
      texts.set(`table ${table}`, JSON.stringify(await store.rows(`select * from ${table}`, [])))
  for (const [where, text] of texts) {
    for (const secret of hidden) if (text.includes(secret)) broke(`${where} has a secret: ${around(text, secret)}`)
    if (PERSONAL.some((table) => where === `table ${table}`)) continue
    for (const bird of canaries) if (text.includes(bird)) broke(`${where} has a canary: ${around(text, bird)}`)
  }
  const held = await db.texts('select name from customers where brand_id = ?', [brand_id])
  if (!held.some((name) => name.startsWith('canary'))) broke('no canary was ever stored: nothing was tried')
  if (lines.length === 0) broke('nothing was logged: nothing was tried')
}

const around = (text: string, found: string) => {
  const at = text.indexOf(found)
  return text.slice(Math.max(0, at - 120), at + found.length + 40)
}
