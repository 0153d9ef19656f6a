import { after } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { tokens } from '../src/auth/token.ts'
import { passwordQueue } from '../src/back-office/people/password-queue.ts'
import { closeDeps, type Deps, openDeps } from '../src/deps.ts'
import { createCredential } from '../src/directory/credentials.ts'
import { addBrand, addIntegrator, setQuota } from '../src/directory/registry.ts'
import { MERGE_RULES } from '../src/events/merge.ts'
import { redisWindows } from '../src/limits/redis-window.ts'
import { memoryWindows, type Windows } from '../src/limits/window.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openDatabase } from '../src/storage/open.ts'
import { assertDescribed } from './answers/conformance.ts'
import { holdToDeclaredEvents } from './answers/declared-events.ts'
import type { Installation } from './database/engines.ts'
import { putRows, type Row, staff } from './database/store.ts'
import { overTheWire } from './over-the-wire.ts'

/** A clock that only the test moves, in milliseconds. */
export interface Clock {
  ms: number
}

export interface Answer {
  status: number
  body: Record<string, unknown>
  text: string
  headers: Record<string, string | undefined>
}

export interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  headers?: Record<string, string>
  body?: unknown
  address?: string
}

/** What it takes to make or check a password in a test: at full cost it is 200 ms of a core. */
export const QUICK_PASSWORDS = { memory: 8, passes: 1, parallelism: 1 }

/** A test does its own work in the same process, on a machine that others use too. */
export const LATE_MS = 30_000

/**
 * Builds services for a suite, on a clock of their own, and closes them after it. Webhooks are sent, and printers
 * served, where a setting says so. `hasDeadlines`: with the timeouts of production, for
 * tests of those; otherwise a busy machine fails no request.
 */
export function services(make: () => Promise<Installation>, { hasDeadlines = false } = {}) {
  const open: (() => Promise<void>)[] = []
  after(async () => {
    for (const close of open) await close()
  })

  return async (settings: Partial<Installation['config']> = {}, given?: Windows) => {
    const installation = await make()
    const clock: Clock = { ms: Date.parse('2026-03-01T12:00:00.000Z') }
    const lines: string[] = []
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
    const migrated = await openDatabase(installation.config, 'command', MERGE_RULES)
    await migrate(migrated)
    await migrated.close()
    const opened = await openDeps({ ...installation.config, ...settings }, log, hasDeadlines ? 'request' : 'patient')
    const now = () => clock.ms
    const windows = given ?? (await windowsOf(installation, now))
    const deps: Deps = {
      ...opened,
      db: hasDeadlines ? opened.db : { ...opened.db, withDeadline: (_deadline, work) => work() },
      now,
      hashing: passwordQueue(QUICK_PASSWORDS),
      tokens: tokens(opened.keys, opened.config.COMPTOIR_TOKEN_TTL, now),
      windows,
    }
    const app = buildApp(deps, {
      lateMs: LATE_MS,
      sends: settings.COMPTOIR_WEBHOOKS === 'inside',
      prints: settings.COMPTOIR_PRINT_NETWORKS !== undefined,
    })
    holdToDeclaredEvents(app, deps.db)
    open.push(async () => {
      await app.close()
      await windows.close()
      await closeDeps(opened)
    })

    /** One request as it would come over the wire. */
    async function call(
      path: string,
      { method = 'GET', headers = {}, body, address = '192.0.2.1' }: Request = {},
    ): Promise<Answer> {
      const payload = body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await overTheWire(app, {
        method,
        url: `/v2${path}`,
        headers: { ...type, ...headers },
        remoteAddress: address,
        ...payload,
      })
      const text = answer.body
      assertDescribed(method, path, answer.statusCode, text)
      return {
        status: answer.statusCode,
        text,
        body: text.startsWith('{') ? JSON.parse(text) : {},
        headers: answer.headers as Answer['headers'],
      }
    }

    /** A brand with staff, and credentials for its owner; its integrator is of its own mode unless given. */
    async function brand(
      slug: string,
      { integrator = `${slug}-hub`, test = false, rows = staff(), quota }: BrandOptions = {},
    ) {
      const { id } = await addBrand(deps.db, 'test', { slug, test })
      await putRows(deps.db, id, rows)
      if (!(await deps.directory.integrator(integrator)))
        await addIntegrator(deps.db, 'test', { name: integrator, id: integrator, test })
      const credential = await createCredential(deps.db, deps.keys, 'test', { brand: slug, username: 'owner' })
      if (quota !== undefined) await setQuota(deps.db, 'test', slug, integrator, quota)
      await deps.directory.refresh()
      const credentials = { ...credential, brand: slug, integrator_id: integrator }
      return { id, slug, integrator, credentials, client_id: credential.client_id }
    }

    const signIn = (credentials: object, address?: string) =>
      call('/auth', { method: 'POST', body: credentials, ...(address && { address }) })
    const token = async (credentials: object, address?: string) =>
      String((await signIn(credentials, address)).body.token)

    return { installation, deps, app, clock, lines, call, brand, signIn, token }
  }
}

/**
 * On SQLite the limits are counted in memory, by the test's clock. On PostgreSQL they are counted in Redis, by Redis's own, as they are
 * where more than one process serves; services on one database share them.
 */
async function windowsOf({ config }: Installation, now: () => number): Promise<Windows> {
  const { REDIS_URL } = process.env
  if (config.DATABASE_URL === undefined || !REDIS_URL) return memoryWindows({ now })
  const url = new URL(REDIS_URL)
  url.searchParams.set('keyPrefix', new URL(config.DATABASE_URL).pathname)
  return redisWindows({ url: url.href, fleet: 1, deadlineMs: 5_000 }) // tests are not about a busy machine
}

interface BrandOptions {
  integrator?: string
  test?: boolean
  rows?: Row[]
  quota?: number
}
