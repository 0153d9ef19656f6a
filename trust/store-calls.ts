import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Directory, openDirectory } from '../server/src/auth/directory.ts'
import { addIntegrator, createCredential } from '../server/src/auth/registry.ts'
import type { Database } from '../server/src/storage/database.ts'
import { assertDescribed } from '../server/test/conformance.ts'
import { staff } from '../server/test/store.ts'
import { OPERATIONS, plainRequest } from './description.ts'
import { faultyAside, faultyDatabase, faultyWindows, type Plan, underFault, WAYS, wasHit } from './faults.ts'
import { addTenant, ENGINES, type Engine, install } from './installation.ts'
import { type Office, openOffice, sampleOf } from './office.ts'
import { openService, type Reply, type Route, type Service } from './service.ts'
import { menu } from './tenants.ts'
import type { Broke, Trial } from './trial.ts'

const HANG_MS = 10_000
const MOST_CALLS = 100

/** F27: for each route, each of its calls to a store goes wrong in each way: a documented answer, no hang, no half of a change. */
export async function storeCalls(trial: Trial): Promise<void> {
  for (const engine of ENGINES)
    await trial.promise(`each store call of each route may fail, ${engine}`, (broke) => failAll(trial, engine, broke))
}

/** One request that can be made again and again; `turn` is another number each time. */
interface Request {
  name: string
  /** Prepared before the fault, asked under it. Where it is strict, preparing changes nothing. */
  prepare(turn: number): Promise<() => Promise<Reply>>
  /** Fails where the answer is not one that is documented. */
  check(reply: Reply): void
  /** Whether `unavailable` says that nothing was done. */
  strict: boolean
}

async function failAll(trial: Trial, engine: Engine, broke: Broke): Promise<string> {
  const installation = await install(trial, engine, menu('bistro'))
  const { db, keys, credentials } = installation
  await addTenant(db, keys, 'annex', 'annex-hub', [...staff(), ...menu('annex')])
  await addIntegrator(db, 'trust', { name: 'Spare', id: 'spare', test: false })
  const { client_id } = await createCredential(db, keys, 'trust', { brand: 'bistro', username: 'owner' })

  // Emptied for each request, so that what it asks the database is asked each time.
  let directory: Directory
  const directoryOf = async (faulty: Database) => {
    directory?.close()
    // Nobody else changes anything, so it need not watch.
    directory = await openDirectory({ ...faulty, watch: () => () => {} }, { keysRotated() {}, failed() {} })
  }
  let faulty: Database
  const service = await openService(trial, installation, async (deps) => {
    faulty = faultyDatabase(deps.db)
    await directoryOf(faulty)
    return {
      db: faulty,
      aside: faultyAside(deps.aside),
      windows: faultyWindows(deps.windows),
      directory: {
        brand: (slug) => directory.brand(slug),
        integrator: (id) => directory.integrator(id),
        refresh: () => directory.refresh(),
        staleMs: () => directory.staleMs(),
        close: () => directory.close(),
      },
    }
  })
  trial.after(() => directory.close())

  const office = await openOffice(service, 'bistro', 'a long and quiet afternoon')
  const known = { slug: 'annex', integrator_id: 'spare', client_id }
  const requests = [
    ...(await apiRequests(service, await service.token(credentials))),
    ...(trial.sizes.officeRoutes > 0 ? officeRequests(office, known) : []),
  ]
  let [runs, hits, turn] = [0, 0, 0]
  let last: Census | undefined
  for (const request of requests) {
    const attempt = async (plan: Plan): Promise<{ reply: Reply | undefined; change: string }> => {
      await directoryOf(faulty)
      const ask = await request.prepare(++turn)
      const before = (request.strict && last) || (await census(db))
      const reply = await Promise.race([underFault(plan, ask), sleep(HANG_MS, undefined)])
      runs++
      last = await census(db)
      return { reply, change: changeBetween(before, last) }
    }
    const none = (): Plan => ({ way: 'fails', call: Number.POSITIVE_INFINITY, made: 0 })
    await attempt(none()) // so that what is done once is done
    const whole = await attempt(none())
    if (!whole.reply || whole.reply.status >= 500) broke(`${request.name}: ${whole.reply?.status} without any fault`)
    for (const way of WAYS)
      for (let call = 1; call <= MOST_CALLS; call++) {
        const plan: Plan = { way, call, made: 0 }
        const { reply, change } = await attempt(plan)
        if (!wasHit(plan)) {
          if (call === 1) broke(`${request.name}: none of its calls to a store ${way}, so nothing was tried`)
          break
        }
        hits++
        const told = `${request.name}, call ${call} ${way}: ${reply ? `${reply.status} ${reply.text.slice(0, 200)}` : 'no answer'}`
        if (!reply) broke(told)
        else judge(request, reply, change, whole.change, told, broke)
      }
    const again = await attempt(none())
    if (again.reply?.status !== whole.reply?.status) broke(`${request.name}: ${again.reply?.status} afterwards`)
  }
  return `${requests.length} requests, ${runs} runs, ${hits} faults hit`
}

function judge({ check, strict }: Request, reply: Reply, change: string, whole: string, told: string, broke: Broke) {
  try {
    check(reply)
  } catch (error) {
    broke(`${told}: ${(error as Error).message}`)
  }
  if (change !== '' && change !== whole) broke(`${told}: changed ${change}, not ${whole}`)
  if (reply.status < 300 && change !== whole) broke(`${told}: changed ${change || 'nothing'}, not ${whole}`)
  if (strict && reply.text.includes('"unavailable"') && change !== '') broke(`${told}: changed ${change}`)
}

async function apiRequests({ call }: Service, token: string): Promise<Request[]> {
  const variants = OPERATIONS.flatMap((operation) => {
    const plain = { operation, query: '', key: false }
    const has = (name: string) => operation.parameters.some((each) => each.name === name)
    return [
      plain,
      ...(has('filters') ? [{ ...plain, query: '?filters=[["name","like","a"]]&fields=name' }] : []),
      ...(has('include') ? [{ ...plain, query: '?include=prices' }] : []),
      ...(has('idempotency-key') ? [{ ...plain, key: true }] : []),
    ]
  })
  return variants.map(({ operation, query, key }) => ({
    name: `${operation.method} ${operation.path}${query}${key ? ' with a key' : ''}`,
    strict: true,
    async prepare(turn) {
      const request = plainRequest(operation)
      const body = operation.closed && operation.example && { ...operation.example, phone: `+${turn}` }
      const headers = {
        ...(operation.closed && { 'x-token': token }),
        ...(key && { 'idempotency-key': `key ${turn}` }),
      }
      return () =>
        call({ ...request, path: request.path + query, headers, ...(body && { body: JSON.stringify(body) }) })
    },
    check: ({ status, text }) =>
      assertDescribed(operation.method, operation.path.replaceAll(/\{\w+\}/g, '1'), status, text),
  }))
}

const officeRequests = (office: Office, known: Record<string, string>): Request[] =>
  office.routes.map((route) => ({
    name: `${route.method} ${route.url}`,
    strict: false, // what was done may be followed by a look at it, which fails
    async prepare(turn) {
      const cookie = await office.cookieFor(route)
      const url = route.url.replaceAll(/:(\w+)/g, (_, name) => known[name] ?? '1')
      const ask = (which: number) => office.ask(route.method, url, cookie, bodyOf(route, office, which))
      if (route.method === 'PATCH') await ask(turn + 1) // so that there is something to change
      return () => ask(turn)
    },
    check({ status, text }) {
      if (status < 400) return
      const { error, message } = JSON.parse(text)
      if (typeof error !== 'string' || typeof message !== 'string') throw new Error('not an error body')
    },
  }))

function bodyOf({ body }: Route, { secrets }: Office, turn: number): unknown {
  if (!body) return undefined
  const sample = sampleOf(body, `name-${turn}`, turn) as Record<string, unknown>
  // What has a form of its own would otherwise be refused before any store is asked.
  const formed = { password: secrets.password, token: secrets.invitation, code: '123456' }
  return { ...sample, ...Object.fromEntries(Object.entries(formed).filter(([name]) => name in sample)) }
}

// What is written beside a request, when there is time, says nothing about it.
const BESIDE = ['workers', 'request_log', 'minute_counts', 'credential_uses', 'sign_ins', 'sessions']

/** The number of rows of each table, and a digest of what they hold. */
async function census(db: Database): Promise<Map<string, { rows: number; digest: string }>> {
  const tables = (await db.rows<{ name: string }>(db.dialect.tableNames, [])).map(({ name }) => name)
  const watched = tables.filter((name) => !BESIDE.includes(name)).sort()
  const counted = watched.map(async (table) => {
    const rows = (await db.rows(`select * from ${table}`, [])).map((row) => JSON.stringify(row)).sort()
    const digest = createHash('sha256').update(rows.join('\n')).digest('hex')
    return [table, { rows: rows.length, digest }] as const
  })
  return new Map(await Promise.all(counted))
}

type Census = Awaited<ReturnType<typeof census>>

/** Which tables are not as they were, and by how many rows. */
const changeBetween = (before: Census, after: Census) =>
  [...after]
    .filter(([table, { digest }]) => digest !== before.get(table)?.digest)
    .map(([table, { rows }]) => `${table} ${rows - (before.get(table)?.rows ?? 0)}`)
    .join(', ')
