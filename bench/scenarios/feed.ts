import { join } from 'node:path'
import { startPostgres } from '../../scripts/services.ts'
import { type Bench, measure } from '../bench.ts'
import { credentialsOf, demo, type Env, fillDemo } from '../data.ts'
import { ask } from '../processes.ts'
import type { Request } from '../request.ts'
import { startBaseline } from '../systems/baseline.ts'
import { directRequests, signIn, startComptoir } from '../systems/comptoir.ts'
import { copyOf, emptyDatabase } from './comparison.ts'

// What the change feed costs: the same write with it and without, and a reader for whom there is nothing new.

export const FEED_WRITE = { SQLite: 'POST a customer, feed, SQLite', PostgreSQL: 'POST a customer, feed, PostgreSQL' }
export const FEED_READ = 'GET /events, nothing new'
export const FEED_ON = 'published'
export const FEED_OFF = 'not published'
export const FEED_READER = 'Comptoir'
export const FEED_BASELINE = 'node:http'

const SCALE = 1 // how much there is does not matter here

/** The service as it is, but for what it publishes, which goes nowhere. */
const WITHOUT = { NODE_OPTIONS: `--import ${new URL('../systems/without-feed.js', import.meta.url).href}` }

export async function feedOnSqlite(bench: Bench): Promise<void> {
  bench.say('The change feed, SQLite')
  const [on, off] = [copyOf(bench, await demo(SCALE)), copyOf(bench, await demo(SCALE))]
  await write(bench, FEED_WRITE.SQLite, { COMPTOIR_DATA: on }, { COMPTOIR_DATA: off })
  await read(bench, { COMPTOIR_DATA: on })
}

export async function feedOnPostgres(bench: Bench): Promise<void> {
  bench.say('The change feed, PostgreSQL')
  const postgres = await startPostgres()
  bench.services.add(postgres)
  try {
    const envs: Env[] = []
    for (const name of ['feed_on', 'feed_off']) {
      const env = {
        COMPTOIR_DATA: join(bench.folder, name),
        DATABASE_URL: await emptyDatabase(postgres.url, name),
      }
      await fillDemo(env, SCALE)
      envs.push(env)
    }
    await write(bench, FEED_WRITE.PostgreSQL, envs[0]!, envs[1]!)
  } finally {
    await postgres.stop()
    bench.services.delete(postgres)
  }
}

/** Two services take turns. */
async function write(bench: Bench, work: string, on: Env, off: Env): Promise<void> {
  const log = join(bench.folder, 'comptoir.log')
  await using published = await startComptoir(on, log)
  await using unpublished = await startComptoir({ ...off, ...WITHOUT }, log)
  const request = async (url: string, env: Env) =>
    (await directRequests(url, credentialsOf(env.COMPTOIR_DATA!))).customer!
  await measure(
    bench,
    work,
    [
      { system: FEED_ON, url: published.url, request: await request(published.url, on), bytes: 0 },
      { system: FEED_OFF, url: unpublished.url, request: await request(unpublished.url, off), bytes: 0 },
    ],
    bench.rounds * 4 - 1,
  )
}

async function read(bench: Bench, env: Env): Promise<void> {
  const log = join(bench.folder, 'comptoir.log')
  await using server = await startComptoir(env, log)
  const headers = { 'x-token': await signIn(server.url, credentialsOf(env.COMPTOIR_DATA!)) }
  const eventsAfter = (after: string): Request => ({
    method: 'GET',
    path: `/v2/events?after=${after}`,
    headers,
    status: 200,
  })
  const { next } = JSON.parse((await ask(server.url, eventsAfter('latest'))).body) as { next: string }
  const answer = await ask(server.url, eventsAfter(next))
  const bytes = Buffer.byteLength(answer.body)
  await using baseline = await startBaseline(new Map([['events', answer]]), join(bench.folder, 'baseline.log'))
  await measure(bench, FEED_READ, [
    { system: FEED_BASELINE, url: baseline.url, request: { ...eventsAfter(next), path: '/events' }, bytes },
    { system: FEED_READER, url: server.url, request: eventsAfter(next), bytes },
  ])
}
