import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { type Started, startPostgres, startRedis } from '../../server/test/services.ts'
import { type Bench, footprint, measure, wantedWorks } from '../bench.ts'
import { directWorks, proxiedWorks, startBehindProxy, startComptoir, type Works } from '../contestants/comptoir.ts'
import { DIRECTUS, startDirectus } from '../contestants/directus.ts'
import { limitRequest, startLimit } from '../contestants/limit.ts'
import { rowsFile } from '../contestants/rows.ts'
import { STRAPI, startStrapi } from '../contestants/strapi.ts'
import { credentialsOf, demo, type Env, fillDemo } from '../data.ts'
import type { Request } from '../load.ts'
import { type Answer, ask, type Server } from '../processes.ts'
import { WORKS, type Work } from '../works.ts'

// The contestants, each in turn, at the same work.

export const LIMIT = 'node:http, constant'
export const SQLITE = 'Comptoir, SQLite'
export const ONE_WORKER = 'Comptoir, PostgreSQL + Redis, 1 worker'
export const TWO_WORKERS = 'Comptoir, PostgreSQL + Redis, 2 workers'
export const DIRECTUS_SQLITE = `${DIRECTUS}, SQLite`
export const DIRECTUS_POSTGRES = `${DIRECTUS}, PostgreSQL`
export const STRAPI_SQLITE = `${STRAPI}, SQLite`

/** Comptoir on SQLite and the limit, taking turns. */
export async function sqliteBesideLimit(bench: Bench): Promise<void> {
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
      await fillDemo(env, bench.scale)
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

/** All work: first in the default configuration, then what needs many addresses. */
async function comptoir(bench: Bench, contestant: string, env: Env, withLimit: boolean): Promise<void> {
  bench.say(contestant)
  const log = join(bench.folder, 'comptoir.log')
  const credentials = credentialsOf(env.COMPTOIR_DATA!)
  const coldStartMs = await coldStart(bench, env, log)
  {
    await using server = await startComptoir(env, log)
    await compete(bench, contestant, server, await directWorks(server.url, credentials), withLimit)
    footprint(bench, contestant, coldStartMs, server)
  }
  await using server = await startBehindProxy(env, log)
  await compete(bench, contestant, server, await proxiedWorks(server.url, credentials), withLimit)
}

async function compete(bench: Bench, contestant: string, server: Server, all: Works, withLimit: boolean) {
  const works = wantedWorks(bench).filter((work) => all[work])
  if (works.length === 0) return
  const answers = new Map<Work, Answer>()
  for (const work of works) answers.set(work, await answerTo(server, all[work]!))
  await using limit = withLimit ? await startLimit(answers, join(bench.folder, 'limit.log')) : undefined
  for (const work of works) {
    const request = all[work]!
    const bytes = Buffer.byteLength(answers.get(work)!.body)
    const entries = [{ contestant, url: server.url, request, bytes }]
    if (limit) entries.unshift({ contestant: LIMIT, url: limit.url, request: limitRequest(work, request), bytes })
    await measure(bench, WORKS[work], entries)
  }
  if (limit && !bench.footprints.some((known) => known.contestant === LIMIT))
    footprint(bench, LIMIT, limit.coldStartMs, limit)
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
    receipt = (await directWorks(server.url, credentialsOf(env.COMPTOIR_DATA!))).receipt!
  }
  const starts: number[] = []
  while (starts.length < bench.rounds) {
    await using server = await startComptoir(env, log, receipt)
    starts.push(server.coldStartMs)
  }
  return starts.sort((a, b) => a - b)[Math.floor(starts.length / 2)]!
}

type Start = (folder: string, rows: string) => Promise<Server & { works: Works }>

async function other(bench: Bench, contestant: string, start: Start): Promise<void> {
  bench.say(contestant)
  const folder = join(bench.folder, contestant.replace(/\W+/g, '-'))
  mkdirSync(folder, { recursive: true })
  try {
    await using server = await start(folder, await rows(bench))
    await compete(bench, contestant, server, server.works, false)
    footprint(bench, contestant, server.coldStartMs, server)
  } catch (error) {
    bench.notes.push(`${contestant}: left out. ${(error as Error).message}`)
    bench.say(`  left out: ${(error as Error).message}`)
  }
}

async function rows(bench: Bench): Promise<string> {
  const data = await copyOfDemo(bench)
  await using server = await startComptoir({ COMPTOIR_DATA: data }, join(bench.folder, 'comptoir.log'))
  return await rowsFile(bench.scale, server.url, await directWorks(server.url, credentialsOf(data)))
}

export const copyOfDemo = async (bench: Bench) => copyOf(bench, await demo(bench.scale))

export function copyOf(bench: Bench, data: string): string {
  const copy = mkdtempSync(join(bench.folder, 'sqlite-'))
  cpSync(data, copy, { recursive: true })
  return copy
}

async function emptyDatabase(server: string, name: string): Promise<string> {
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
