import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../scripts/services.ts'
import { type Bench, measure, median } from '../bench.ts'
import { credentialsOf, demo } from '../data.ts'
import type { Outcome } from '../load.ts'
import { ask, type Server, serve, start } from '../processes.ts'
import type { Request } from '../request.ts'
import { directRequests, signIn, startComptoir } from '../systems/comptoir.ts'
import { copyOf } from './comparison.ts'

// What endpoints cost a write, how fast deliveries leave, and how soon the first does.

export const HOOK_WRITE = 'POST a customer, endpoints'
export const NO_ENDPOINTS = 'none'
export const MANY_ENDPOINTS = '100'
export const DELIVERIES = 'deliveries to loopback'
export const SENDER = 'Comptoir'
export const BARE_HTTP = 'node:http, signed POSTs'
export const BARE_FETCH = 'fetch, signed POSTs'
export const IDLE = 'commit to first byte, idle'

const SCALE = 5 // its feed is long enough for a round
const ENDPOINTS = 100
const IN_FLIGHT = 8 // of an endpoint (W26)
const IDLE_WRITES = 100
const IDLE_PAUSE_MS = 100
const [LOOPBACK, OFF] = [{ COMPTOIR_WEBHOOK_ALLOW: '127.0.0.0/8' }, { COMPTOIR_WEBHOOKS: 'off' }]
const [RECEIVER, BARE] = ['receiver.ts', 'bare-sender.ts'].map((name) =>
  fileURLToPath(new URL(`../systems/${name}`, import.meta.url)),
) as [string, string]

export async function webhooks(bench: Bench): Promise<void> {
  bench.say('Webhooks')
  await writes(bench)
  const data = copyOf(bench, await demo(SCALE))
  const receiver = await startReceiver(bench)
  try {
    await deliveries(bench, data, receiver)
    await idle(bench, data, receiver)
  } finally {
    await receiver.stop()
  }
}

/** Two services take turns; neither sends. */
async function writes(bench: Bench): Promise<void> {
  const log = join(bench.folder, 'comptoir.log')
  const [one, other] = [copyOf(bench, await demo(SCALE)), copyOf(bench, await demo(SCALE))]
  await using without = await startComptoir({ COMPTOIR_DATA: one, ...OFF }, log)
  await using withMany = await startComptoir({ COMPTOIR_DATA: other, ...OFF }, log)
  await addEndpoint(withMany.url, await signIn(withMany.url, credentialsOf(other)), 'https://hooks.example.com/')
  multiplyEndpoint(other)
  const request = async (url: string, data: string) => (await directRequests(url, credentialsOf(data))).customer!
  await measure(
    bench,
    HOOK_WRITE,
    [
      { system: NO_ENDPOINTS, url: without.url, request: await request(without.url, one), bytes: 0 },
      { system: MANY_ENDPOINTS, url: withMany.url, request: await request(withMany.url, other), bytes: 0 },
    ],
    bench.rounds * 4 - 1,
  )
}

/** More than the service allows to be made; active, as if challenges had been answered. */
function multiplyEndpoint(data: string): void {
  using db = new DatabaseSync(join(data, 'comptoir.db'), { timeout: 5_000 })
  db.exec(`update webhook_endpoints set state = 'active'`)
  const row = db.prepare('select * from webhook_endpoints').get() as Record<string, SQLInputValue>
  const insert = db.prepare(
    `insert into webhook_endpoints (${Object.keys(row).join(', ')}) values (${Object.keys(row).map(() => '?')})`,
  )
  db.exec('begin')
  for (let number = 1; number < ENDPOINTS; number++)
    insert.run(...Object.values({ ...row, id: `we_${String(number).padStart(22, '0')}`, url: `${row.url}${number}` }))
  db.exec('commit')
}

/** The service and two bare loops take turns, to the same receiver, each with as many requests in flight. */
async function deliveries(bench: Bench, data: string, receiver: Receiver): Promise<void> {
  const log = join(bench.folder, 'comptoir.log')
  await using server = await startComptoir({ COMPTOIR_DATA: data, ...LOOPBACK }, log)
  const token = await signIn(server.url, credentialsOf(data))
  const { body } = await ask(server.url, call(token, 'GET', 'events?limit=1&after=oldest'))
  const event = JSON.stringify(JSON.parse(body).data[0])
  const bare = (way: string) => async () => {
    const { child, exited } = start({
      command: process.execPath,
      words: [BARE, way, receiver.hooks, event, String(IN_FLIGHT)],
      log,
    })
    try {
      return await receiver.rate(bench)
    } finally {
      child.kill()
      await exited
    }
  }
  const byService = async () => {
    const id = await addEndpoint(server.url, token, receiver.hooks, 'oldest')
    try {
      const rate = await receiver.rate(bench)
      const { body } = await ask(server.url, call(token, 'GET', `webhook-endpoints/${id}`))
      if (JSON.parse(body).data.lag.events === 0) throw new Error('the feed was too short for a round')
      return rate
    } finally {
      await ask(server.url, call(token, 'DELETE', `webhook-endpoints/${id}`))
      await sleep(500) // what is in flight
    }
  }
  const systems = [
    [BARE_HTTP, bare('http')],
    [BARE_FETCH, bare('fetch')],
    [SENDER, byService],
  ] as const
  const seen = new Map(systems.map(([system]) => [system, [] as Outcome[]]))
  for (let round = 0; round < bench.rounds * 2 - 1; round++)
    for (const [system, send] of systems)
      seen.get(system)!.push({ perSecond: await send(), p50Ms: 0, p99Ms: 0, generatorCpu: 0 })
  for (const [system, outcomes] of seen) {
    const result = { system, work: DELIVERIES, bytes: Buffer.byteLength(event), ...median(outcomes) }
    bench.results.push(result)
    bench.say(`  ${DELIVERIES}: ${system} ${result.perSecond.toFixed(0)}/s`)
  }
}

/** One write after the other, each after a pause. */
async function idle(bench: Bench, data: string, receiver: Receiver): Promise<void> {
  await using server = await startComptoir({ COMPTOIR_DATA: data, ...LOOPBACK }, join(bench.folder, 'comptoir.log'))
  const token = await signIn(server.url, credentialsOf(data))
  await addEndpoint(server.url, token, receiver.hooks)
  await sleep(2_000) // its challenge
  await receiver.look()
  for (let write = 0; write < IDLE_WRITES; write++) {
    await ask(server.url, { ...call(token, 'POST', 'customers'), body: '{"name":"Camille Bench"}' })
    await sleep(IDLE_PAUSE_MS)
  }
  await sleep(2_000)
  const { latencies } = await receiver.look()
  const sorted = latencies.toSorted((one, other) => one - other)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]!
  if (sorted.length < IDLE_WRITES) throw new Error(`${sorted.length} of ${IDLE_WRITES} came`)
  const [p50Ms, p95Ms, p99Ms] = [at(0.5), at(0.95), at(0.99)]
  bench.results.push({
    system: SENDER,
    work: IDLE,
    bytes: 0,
    perSecond: 1000 / p50Ms,
    p50Ms,
    p95Ms,
    p99Ms,
    generatorCpu: 0,
  })
  bench.say(`  ${IDLE}: p50 ${p50Ms} ms, p95 ${p95Ms} ms`)
}

interface Receiver extends Pick<Server, 'stop'> {
  hooks: string
  look(): Promise<{ count: number; at: number; latencies: number[] }>
  /** Deliveries a second, after a warm-up. */
  rate(bench: Bench): Promise<number>
}

async function startReceiver(bench: Bench): Promise<Receiver> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const get: Request = { method: 'GET', path: '/', headers: {}, status: 200 }
  const { stop } = await serve(
    { command: process.execPath, words: [RECEIVER, String(port)], log: join(bench.folder, 'receiver.log') },
    url,
    get,
  )
  const look = async () => JSON.parse((await ask(url, get)).body)
  return {
    hooks: `${url}/hooks`,
    stop,
    look,
    async rate({ warmUp, seconds }) {
      await sleep(warmUp * 1000)
      const before = await look()
      await sleep(seconds * 1000)
      const after = await look()
      return ((after.count - before.count) * 1000) / (after.at - before.at)
    },
  }
}

function call(token: string, method: Request['method'], path: string): Request {
  const headers = { 'x-token': token, 'content-type': 'application/json' }
  return { method, path: `/v2/${path}`, headers, status: 200 }
}

async function addEndpoint(url: string, token: string, target: string, from = 'latest'): Promise<string> {
  const body = JSON.stringify({ url: target, name: 'Bench', from })
  const answer = await ask(url, { ...call(token, 'POST', 'webhook-endpoints'), body })
  if (answer.status !== 200) throw new Error(`an endpoint: ${answer.body}`)
  return JSON.parse(answer.body).data.id
}
