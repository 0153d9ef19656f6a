import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type pg from 'pg'
import { type Started, startRedis } from '../../scripts/services.ts'
import { call, forwardedFor, freshAddress, type Request, signIn } from './client.ts'
import { type Credentials, databaseUrl, sqlOn } from './installation.ts'
import { comptoir, type Env } from './server.ts'
import type { Trial } from './trial.ts'

// For experiments with a fleet: the demo restaurant on PostgreSQL, with a Redis of its own.

export const RECEIPT = '/v2/receipts/1'

/** A database with the demo restaurant, whose own integrator has no quota to speak of; a Redis; and the environment for both. */
export interface DemoInstallation {
  env: Env
  credentials: Credentials
  redis: RedisServer
  sql<Result extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Result[]>
  /** The same credentials with a new integrator: a pair that tier 3 has not counted yet. */
  newIntegrator(): Promise<Credentials>
  command(...words: string[]): Promise<string>
}

export interface RedisServer {
  url: string
  tell(...words: [string, ...string[]]): Promise<void>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  stop(): Promise<void>
  /** On the same port, with nothing in it. */
  startAgain(): Promise<void>
}

interface Template {
  data: string
  credentials: Credentials
}

const TEMPLATE = 'template_demo'
const templates = new WeakMap<Started, Promise<Template>>()
let copies = 0

export async function demoInstallation(trial: Trial): Promise<DemoInstallation> {
  const postgres = await trial.postgres()
  if (!templates.has(postgres)) templates.set(postgres, makeTemplate(trial, postgres.url))
  const { data, credentials } = await templates.get(postgres)!

  const name = `demo_${++copies}`
  await sqlOn(postgres.url, `create database ${name} template ${TEMPLATE}`)
  trial.after(() => sqlOn(postgres.url, `drop database ${name} with (force)`))
  const redis = await redisServer()
  trial.after(redis.stop)
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-demo-'))
  trial.after(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(data, folder, { recursive: true })
  const env = {
    COMPTOIR_DATA: folder,
    DATABASE_URL: databaseUrl(postgres.url, name),
    REDIS_URL: redis.url,
    COMPTOIR_TRUSTED_PROXIES: '127.0.0.1/32',
    PORT: '0',
  }
  return {
    env,
    credentials,
    redis,
    sql: (text, values) => sqlOn(env.DATABASE_URL, text, values),
    command: (...words) => comptoir(env, ...words),
    async newIntegrator() {
      const { integrator_id } = JSON.parse(await comptoir(env, 'integrator', 'add', 'Fleet', '--json'))
      return { ...credentials, integrator_id }
    },
  }
}

/** Made once: each installation is a copy of it. */
async function makeTemplate(trial: Trial, postgresUrl: string): Promise<Template> {
  const data = mkdtempSync(join(tmpdir(), 'comptoir-demo-template-'))
  trial.atEnd(() => rmSync(data, { recursive: true, force: true }))
  const env = { COMPTOIR_DATA: data, DATABASE_URL: databaseUrl(postgresUrl, TEMPLATE) }
  await sqlOn(postgresUrl, `create database ${TEMPLATE}`)
  await comptoir(env, 'demo')
  // The published secret works on loopback only, and these clients say that they speak for others.
  const rotated = await comptoir(env, 'credentials', 'rotate', 'demo-client', '--json')
  await comptoir(env, 'brand', 'set', 'demo', '--integrator', 'demo-integrator', '--quota', '1000000')
  const { client_secret } = JSON.parse(rotated) as { client_secret: string }
  return {
    data,
    credentials: { client_id: 'demo-client', client_secret, brand: 'demo', integrator_id: 'demo-integrator' },
  }
}

/** A client with a token. Each call has a connection of its own, so that a fleet shares them out, and an address of its own. */
export async function demoClient(url: string, credentials: Credentials) {
  const { status, body } = await signIn(url, credentials)
  if (status !== 200) throw new Error(`POST /auth answered ${status}: ${JSON.stringify(body)}`)
  const token = { 'x-token': String(body.token) }
  return {
    call: (path = RECEIPT, { headers, ...request }: Request = {}) =>
      call(url + path, { ...request, headers: { ...token, ...forwardedFor(freshAddress()), ...headers } }),
  }
}

export type DemoClient = Awaited<ReturnType<typeof demoClient>>

/**
 * On this machine dozens of processes share what a fleet has to itself. Where we may, Redis goes first, as it does on a machine of its own: it
 * needs little, and a worker that waits for it longer than its deadline counts alone, which is another experiment.
 */
export async function redisServer(): Promise<RedisServer> {
  const started = async (port?: number) => {
    const redis = await startRedis(port)
    if (process.getuid?.() === 0) setPriority(redis.pid, -20)
    return redis
  }
  let server = await started()
  const { url } = server
  return {
    url,
    async tell(name, ...words) {
      const redis = new Redis(url)
      await redis.call(name, ...words).finally(() => redis.disconnect())
    },
    signal: (signal) => void process.kill(server.pid, signal),
    stop: () => server.stop(),
    async startAgain() {
      server = await started(Number(new URL(url).port))
    },
  }
}
