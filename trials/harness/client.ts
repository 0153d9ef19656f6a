import { Agent, type IncomingHttpHeaders, request as open } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Answer {
  /** 0: there was none. */
  status: number
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
  ms: number
  /** Why there was no answer. */
  failure?: string
}

export interface Request {
  method?: string
  headers?: Record<string, string>
  /** Bytes are sent as they are, all else as JSON. */
  body?: unknown
  agent?: Agent
  /** After which there was no answer. */
  giveUpMs?: number
}

const GIVE_UP_MS = 60_000 // far beyond any deadline of the service: on a busy machine the clients are late too

/** One request on a connection of its own, unless an agent lends one. Never throws: what went wrong is part of the answer. */
export function call(
  url: string,
  { method = 'GET', headers = {}, body, agent, giveUpMs = GIVE_UP_MS }: Request = {},
): Promise<Answer> {
  const startedAt = performance.now()
  const text = body === undefined ? '' : body instanceof Buffer ? body : JSON.stringify(body)
  const type =
    text === ''
      ? {}
      : {
          'content-type': body instanceof Buffer ? 'application/octet-stream' : 'application/json',
          'content-length': String(Buffer.byteLength(text)),
        }
  return new Promise((resolve) => {
    const answer = (part: Omit<Answer, 'ms'>) => resolve({ ...part, ms: performance.now() - startedAt })
    const failed = ({ message }: Error) => answer({ status: 0, headers: {}, body: {}, failure: message })
    const request = open(
      url,
      { method, headers: { ...type, ...headers }, agent: agent ?? false, signal: AbortSignal.timeout(giveUpMs) },
      (response) => {
        let received = ''
        response.setEncoding('utf8').on('data', (piece) => (received += piece))
        response.once('error', failed)
        response.once('end', () => {
          const parsed = received.startsWith('{') ? JSON.parse(received) : {}
          answer({ status: response.statusCode!, headers: response.headers, body: parsed })
        })
      },
    )
    request.once('error', failed).end(text)
  })
}

export const keepAlive = (connections: number) => new Agent({ keepAlive: true, maxSockets: connections })

export async function inParallel<Result>(count: number, one: (index: number) => Promise<Result>, atOnce = count) {
  const results = new Array<Result>(count)
  let next = 0
  const sender = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await one(index)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, sender))
  return results
}

/** An open model: each request leaves at its time, whatever became of those before. */
export async function atRate(perSecond: number, during: Promise<unknown>, one: (index: number) => Promise<Answer>) {
  const answers: Promise<Answer>[] = []
  let over = false
  const stop = () => {
    over = true
  }
  during.then(stop, stop)
  const startedAt = performance.now()
  while (!over) {
    const due = ((performance.now() - startedAt) * perSecond) / 1000
    while (answers.length < due) answers.push(one(answers.length))
    await sleep(2)
  }
  await during
  return Promise.all(answers)
}

export interface Credentials {
  client_id: string
  client_secret: string
  brand: string
  integrator_id: string
}

export const signIn = (url: string, credentials: Credentials, address = freshAddress()): Promise<Answer> =>
  call(`${url}/v2/auth`, { method: 'POST', body: credentials, headers: forwardedFor(address) })

let addresses = 0
/** An address that no tier has counted yet: servers under test take it from x-forwarded-for. */
export const freshAddress = () => `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`
export const forwardedFor = (address: string) => ({ 'x-forwarded-for': address })

/** How often each status was answered: `200 × 300, 429 × 700`. */
export function tally(answers: readonly Answer[]): string {
  const counts = Object.entries(Object.groupBy(answers, ({ status }) => status))
  return counts.map(([status, answers]) => `${status === '0' ? 'no answer' : status} × ${answers!.length}`).join(', ')
}

export const countStatus = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

export const slowestMs = (answers: readonly Answer[]) => Math.max(...answers.map(({ ms }) => ms))
export const medianMs = (answers: readonly Answer[]) =>
  answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(answers.length / 2)]!

/** Asks until `good`, and says how long that took; fails after `withinMs`. */
export async function waitUntil(
  what: string,
  withinMs: number,
  good: () => Promise<boolean> | boolean,
): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    if (await good()) return performance.now() - startedAt
    if (performance.now() - startedAt > withinMs) throw new Error(`${what}: not within ${withinMs} ms`)
    await sleep(20)
  }
}
