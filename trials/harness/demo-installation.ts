import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { type Started, startPostgres, startRedis } from '../../server/test/services.ts'
import { comptoir, type Env } from './comptoir.ts'
import { makeDemo } from './server.ts'

/** One promise, put to the test. */
export interface Row {
  promise: string
  tried: string
  seen: string
  ok: boolean
  seconds: number
}

/** Where an experiment takes place: what it starts here is stopped after it. */
export interface Stage {
  /** Whether the short form is wanted. */
  quick: boolean
  /** Tries a promise and writes down what was seen; a thrown error is what was seen, too. */
  promise(promise: string, tried: string, work: () => Promise<{ seen: string; ok: boolean }>): Promise<void>
  installation(): Promise<Installation>
  after(clean: () => Promise<unknown> | unknown): void
}

/** A database filled with the demo restaurant, whose own integrator has no quota to speak of; a Redis; and the environment for both. */
export interface Installation {
  env: Env
  redis: RedisServer
  sql<Result extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Result[]>
  /** A new integrator: with the demo's brand, a pair that tier 3 has not met. */
  integrator(): Promise<string>
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

export interface Theatre {
  /** The throw-away PostgreSQL that all installations share. */
  postgres: Started
  stage(quick: boolean, rows: Row[], say: (line: string) => void): Stage & { clear(): Promise<void> }
  close(): Promise<void>
}

/** A server that cannot be had on this machine, and why. */
export class Missing extends Error {}

/** Starts PostgreSQL and makes one demo restaurant, of which every installation is a copy. */
export async function openTheatre(): Promise<Theatre> {
  const had = (name: string, started: Promise<Started>) =>
    started.catch((error: Error) => Promise.reject(new Missing(`${name}: ${error.message}`, { cause: error })))
  await (await had('Redis', startRedis())).stop() // each installation starts its own
  const postgres = await had('PostgreSQL', startPostgres())
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-scale-'))
  const close = async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const template = { COMPTOIR_DATA: join(folder, 'template'), DATABASE_URL: database(postgres.url, 'template_demo') }
  try {
    await sqlOn(postgres.url, 'create database template_demo')
    await makeDemo(template)
    await comptoir(template, 'brand', 'set', 'demo', '--integrator', 'demo-integrator', '--quota', '1000000')
  } catch (error) {
    await close()
    throw error
  }
  let copies = 0

  async function installation(after: Stage['after']): Promise<Installation> {
    const name = `copy_${++copies}`
    await sqlOn(postgres.url, `create database ${name} template template_demo`)
    after(() => sqlOn(postgres.url, `drop database ${name} with (force)`))
    const redis = await redisServer()
    after(redis.stop)
    const data = join(folder, name)
    cpSync(template.COMPTOIR_DATA, data, { recursive: true })
    const env = {
      COMPTOIR_DATA: data,
      DATABASE_URL: database(postgres.url, name),
      REDIS_URL: redis.url,
      COMPTOIR_TRUSTED_PROXIES: '127.0.0.1/32',
      PORT: '0',
    }
    return {
      env,
      redis,
      sql: (text, values) => sqlOn(env.DATABASE_URL, text, values),
      command: (...words) => comptoir(env, ...words),
      integrator: async () => JSON.parse(await comptoir(env, 'integrator', 'add', 'Scale', '--json')).integrator_id,
    }
  }

  return {
    postgres,
    stage(quick, rows, tell) {
      const cleaning: Parameters<Stage['after']>[0][] = []
      const after: Stage['after'] = (clean) => void cleaning.push(clean)
      return {
        quick,
        after,
        installation: () => installation(after),
        async promise(promise, tried, work) {
          const startedAt = performance.now()
          const result = await work().catch((error: Error) => ({ seen: error.message, ok: false }))
          rows.push({ promise, tried, ...result, seconds: (performance.now() - startedAt) / 1000 })
          tell(`${result.ok ? 'ok' : 'NOT OK'}  ${promise}: ${result.seen}`)
        },
        async clear() {
          for (const clean of cleaning.splice(0).reverse()) await clean()
        },
      }
    },
    close,
  }
}

function database(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function sqlOn<Result extends pg.QueryResultRow>(url: string, text: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Result>(text, values)).rows
  } finally {
    await client.end()
  }
}

/**
 * On this machine dozens of processes share what a fleet has to itself. Where we may, Redis goes first, as it does on a machine of its own: it
 * needs little, and a worker that waits for it longer than its deadline counts alone, which is another experiment.
 */
async function redisServer(): Promise<RedisServer> {
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
