import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import { type Started, startPostgres, startRedis } from '../../scripts/services.ts'
import { type Bench, footprint, measure, mebibytesOf, wantedKinds } from '../bench.ts'
import { credentialsOf, demo, type Env, exported, fillByImport } from '../data.ts'
import { type Answer, ask, type Server } from '../processes.ts'
import type { Request } from '../request.ts'
import { REQUEST_KINDS, type RequestKind } from '../request-kinds.ts'
import { baselineRequest, startBaseline } from '../systems/baseline.ts'
import { directRequests, proxiedRequests, type Requests, startBehindProxy, startComptoir } from '../systems/comptoir.ts'
import { DIRECTUS, startDirectus } from '../systems/directus.ts'
import { rowsFile } from '../systems/rows.ts'
import { STRAPI, startStrapi } from '../systems/strapi.ts'

// Each system in turn serves the same kinds of requests.

/** An import on PostgreSQL takes about a second for a thousand rows; what is asked for here costs the same among more. */
const POSTGRES_SCALE = 5
const FEWER_ON_POSTGRES = 'On PostgreSQL Comptoir has a tenth of the rows that the others have.'
const IDLE_MS = 3_000 // what starting needed is given back by then

export const BASELINE = 'node:http, constant'
export const SQLITE = 'Comptoir, SQLite'
export const ONE_WORKER = 'Comptoir, PostgreSQL + Redis, 1 worker'
export const TWO_WORKERS = 'Comptoir, PostgreSQL + Redis, 2 workers'
export const DIRECTUS_SQLITE = `${DIRECTUS}, SQLite`
export const DIRECTUS_POSTGRES = `${DIRECTUS}, PostgreSQL`
export const STRAPI_SQLITE = `${STRAPI}, SQLite`

/** Comptoir on SQLite and the baseline, taking turns. */
export async function sqliteBesideBaseline(bench: Bench): Promise<void> {
  const data = await copyOfDemo(bench)
  await comptoir(bench, SQLITE, { COMPTOIR_DATA: data }, true)
}

/** The same on PostgreSQL and Redis with one worker and with two, then Directus on that PostgreSQL. */
export async function onPostgres(bench: Bench): Promise<void> {
  const kept = (service: Started) => {
    bench.services.add(service)
    return service
  }
  try {
    const postgres = kept(await startPostgres())
    bench.versions.PostgreSQL = await postgresVersion(postgres.url)
    if (bench.wants('postgres')) {
      const redis = kept(await startRedis())
      bench.versions.Redis = await redisVersion(redis.url)
      const data = join(bench.folder, 'postgres')
      const env = { COMPTOIR_DATA: data, DATABASE_URL: postgres.url, REDIS_URL: redis.url }
      bench.say('filling PostgreSQL …')
      if (bench.scale > POSTGRES_SCALE) bench.notes.push(FEWER_ON_POSTGRES)
      await fillByImport(env, await exported(Math.min(bench.scale, POSTGRES_SCALE)))
      await comptoir(bench, ONE_WORKER, env, false)
      await comptoir(bench, TWO_WORKERS, { ...env, COMPTOIR_WORKERS: '2' }, false)
    }
    if (bench.wants('directus')) {
      const url = await emptyDatabase(postgres.url, 'directus')
      await other(bench, DIRECTUS_POSTGRES, (folder, rows) => startDirectus(folder, rows, url))
    }
  } finally {
    for (const service of bench.services) await service.stop()
    bench.services.clear()
  }
}

/** What a user would pick instead. */
export async function others(bench: Bench): Promise<void> {
  if (bench.wants('directus')) await other(bench, DIRECTUS_SQLITE, startDirectus)
  if (bench.wants('strapi')) await other(bench, STRAPI_SQLITE, startStrapi)
}

/** All kinds of requests: first in the default configuration, then behind a proxy those that need many client addresses. */
async function comptoir(bench: Bench, system: string, env: Env, withBaseline: boolean): Promise<void> {
  bench.say(system)
  const log = join(bench.folder, 'comptoir.log')
  const credentials = credentialsOf(env.COMPTOIR_DATA!)
  const coldStartMs = await coldStart(bench, env, log)
  {
    await using server = await startComptoir(env, log)
    await sleep(IDLE_MS)
    const idleMiB = mebibytesOf(server)
    await compare(bench, system, server, await directRequests(server.url, credentials), withBaseline)
    footprint(bench, system, { coldStartMs, idleMiB }, server)
  }
  await using server = await startBehindProxy(env, log)
  await compare(bench, system, server, await proxiedRequests(server.url, credentials), withBaseline)
}

async function compare(bench: Bench, system: string, server: Server, all: Requests, withBaseline: boolean) {
  const kinds = wantedKinds(bench).filter((kind) => all[kind])
  if (kinds.length === 0) return
  const answers = new Map<RequestKind, Answer>()
  for (const kind of kinds) answers.set(kind, await answerTo(server, all[kind]!))
  await using baseline = withBaseline ? await startBaseline(answers, join(bench.folder, 'baseline.log')) : undefined
  for (const kind of kinds) {
    const request = all[kind]!
    const bytes = Buffer.byteLength(answers.get(kind)!.body)
    const entries = [{ system, url: server.url, request, bytes }]
    if (baseline)
      entries.unshift({ system: BASELINE, url: baseline.url, request: baselineRequest(kind, request), bytes })
    await measure(bench, REQUEST_KINDS[kind], entries)
  }
  if (baseline && !bench.footprints.some((known) => known.system === BASELINE))
    footprint(bench, BASELINE, baseline, baseline)
}

/** An address that is to have spent its failures has not yet: it is asked until it has. */
async function answerTo(server: Server, request: Request): Promise<Answer> {
  for (let tries = 0; tries < 1000; tries++) {
    const answer = await ask(server.url, request)
    if (answer.status === request.status) return answer
  }
  throw new Error(`${request.method} ${request.path} never answered ${request.status}`)
}

/** From the start of the process to its first good answer to an integrator. */
async function coldStart(bench: Bench, env: Env, log: string): Promise<number> {
  let receipt: Request
  {
    await using server = await startComptoir(env, log)
    receipt = (await directRequests(server.url, credentialsOf(env.COMPTOIR_DATA!))).receipt!
  }
  const starts: number[] = []
  while (starts.length < bench.rounds) {
    await using server = await startComptoir(env, log, receipt)
    starts.push(server.coldStartMs)
  }
  return starts.sort((a, b) => a - b)[Math.floor(starts.length / 2)]!
}

type Start = (folder: string, rows: string) => Promise<Server & { requests: Requests }>

async function other(bench: Bench, system: string, start: Start): Promise<void> {
  bench.say(system)
  const folder = join(bench.folder, system.replace(/\W+/g, '-'))
  mkdirSync(folder, { recursive: true })
  try {
    await using server = await start(folder, await rows(bench))
    await compare(bench, system, server, server.requests, false)
    footprint(bench, system, server, server)
  } catch (error) {
    bench.notes.push(`${system}: left out. ${(error as Error).message}`)
    bench.say(`  left out: ${(error as Error).message}`)
  }
}

async function rows(bench: Bench): Promise<string> {
  const data = await copyOfDemo(bench)
  await using server = await startComptoir({ COMPTOIR_DATA: data }, join(bench.folder, 'comptoir.log'))
  return await rowsFile(bench.scale, server.url, await directRequests(server.url, credentialsOf(data)))
}

export const copyOfDemo = async (bench: Bench) => copyOf(bench, await demo(bench.scale))

export function copyOf(bench: Bench, data: string): string {
  const copy = mkdtempSync(join(bench.folder, 'sqlite-'))
  cpSync(data, copy, { recursive: true })
  return copy
}

export async function emptyDatabase(server: string, name: string): Promise<string> {
  await query(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function query(url: string, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: answer } = await client.query(text)
  await client.end()
  return answer
}

const postgresVersion = async (url: string) => (await query(url, 'show server_version'))[0]!.server_version!

async function redisVersion(url: string): Promise<string> {
  const redis = new Redis(url)
  const version = /^(?:redis|valkey)_version:(\S+)/m.exec(await redis.info('server'))?.[1] ?? ''
  redis.disconnect()
  return version
}
