import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../server/src/app.ts'
import { closeDeps, type Deps, openDeps } from '../../server/src/deps.ts'
import type { Windows } from '../../server/src/limits/window.ts'
import { overTheWire } from '../../server/test/over-the-wire.ts'
import type { Credentials, Installation } from './installation.ts'
import type { Schema } from './openapi.ts'
import type { Trial } from './trial.ts'

/** The service in this process, where its stores, clock and log can be seen and replaced. */
export interface Service {
  app: FastifyInstance
  deps: Deps
  /** What it logged. */
  lines: string[]
  /** Every route that its parts register, those of the back office included. */
  routes: Route[]
  call(request: Sent): Promise<Reply>
  token(credentials: Credentials): Promise<string>
}

export interface Route {
  method: string
  url: string
  body: Schema | undefined
  query: Schema | undefined
}

/** A request as it goes over the wire; `path` is beneath the base path. */
export interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  /** As it is sent. */
  body?: string
  /** Address that the request comes from; by default each has its own, so that tiers 1 and 2 are not in the way. */
  address?: string
}

export interface Reply {
  status: number
  text: string
  headers: Record<string, unknown>
}

/** A trial does its own work in the same process, on a machine that others use too; shedding is tried with servers of their own. */
const LATE_MS = 30_000

export async function openService(
  trial: Trial,
  { config }: Pick<Installation, 'config'>,
  replaced: (deps: Deps) => Partial<Deps> | Promise<Partial<Deps>> = () => ({}),
  options: { sends?: boolean; prints?: boolean } = {},
): Promise<Service> {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const opened = await openDeps(config, log)
  const deps = { ...opened, windows: withoutPersons(opened.windows), ...(await replaced(opened)) }
  const app = buildApp(deps, { lateMs: LATE_MS, ...options })
  const routes: Route[] = []
  app.addHook('onRoute', ({ method, url, schema }) => {
    const [body, query] = [schema?.body, schema?.querystring] as (Schema | undefined)[]
    for (const each of [method].flat()) routes.push({ method: each, url, body, query })
  })
  trial.after(async () => {
    await app.close()
    await closeDeps(opened)
  })
  await app.ready()

  let addresses = 0
  async function call({ method, path, headers = {}, body, address }: Sent): Promise<Reply> {
    addresses++
    const answer = await overTheWire(app, {
      method: method as NonNullable<InjectOptions['method']>,
      url: `/v2${path}`,
      remoteAddress: address ?? `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { payload: body }),
    })
    return { status: answer.statusCode, text: answer.body, headers: answer.headers }
  }

  return {
    app,
    deps,
    lines,
    routes,
    call,
    async token(credentials) {
      const { text } = await untilFree(() => call({ method: 'POST', path: '/auth', body: JSON.stringify(credentials) }))
      return String(JSON.parse(text).token)
    },
  }
}

/** A trial asks for more, as one person, than many people do. */
const withoutPersons = ({ take, ...windows }: Windows): Windows => ({
  ...windows,
  take: (tier, key, limit, wait) => take(tier, key, String(key).startsWith('person:') ? 1e9 : limit, wait),
})

const MAX_TRIES = 100

/** The answer once there is one: on a busy machine a store may miss its deadline, which is 503 and nobody's fault. */
export async function untilFree(ask: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await ask()
    if (reply.status !== 503 || tries === MAX_TRIES) return reply
    await sleep(50)
  }
}
