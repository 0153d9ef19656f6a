import { connect } from 'node:net'
import fc from 'fast-check'
import { assertDescribed } from '../../server/test/answers/conformance.ts'
import { inParallel } from '../harness/client.ts'
import { makeDocument, takesDocument } from '../harness/documents.ts'
import { openService, type Sent, type Service, untilFree } from '../harness/in-process.ts'
import { type Credentials, type Engine, install } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import { cidOf, OPERATIONS } from '../harness/openapi.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { fuzzOffice } from './fuzz-office.ts'
import { type Apart, longestTurn } from './longest-turn.ts'
import { type Requests, requests } from './requests.ts'

const STALL_MS = 250
const BATCH = 500
const AT_ONCE = 10
const ANSWERED_MS = 200 // after which what is not answered is not a whole request
const DOCUMENTS = 20 // for each operation that takes one
const MAX_THROTTLED_SHARE = 0.03 // of the raw requests

/** Every response to any request is one that the OpenAPI document describes, and no other client waits for it. */
export async function fuzz(trial: Trial): Promise<void> {
  const { requestsOnSqlite, requestsOnPostgres } = trial.sizes
  await fuzzEngine(trial, 'SQLite', requestsOnSqlite)
  await fuzzEngine(trial, 'PostgreSQL', requestsOnPostgres)
  await fuzzOffice(trial)
}

async function fuzzEngine(trial: Trial, engine: Engine, count: number): Promise<void> {
  const installation = await install(trial, engine, menu('bistro'))
  const service = await openService(trial, installation)
  const { credentials } = installation
  const tokens = [await service.token(credentials), ...(await forged(service, credentials))]
  const { any, allowed } = requests(credentials, tokens, await valuesFound(service, tokens[0]!))
  const seen = new Map<string, number>()
  let longest = { workedMs: 0, clockMs: 0 }

  await trial.promise(`every answer is described, none is a 5xx, ${engine}`, async (reportFailure) => {
    let sent = 0
    longest = await longestTurn(async (apart) => {
      // Several arrive together: what is done with them together must not mix them up, nor one spoil it for the others.
      const group = fc.array(any, { minLength: 1, maxLength: AT_ONCE, size: 'max' })
      const answeredAll = fc.asyncProperty(group, async (several) => {
        sent += several.length
        await Promise.all(several.map((request) => answered(service, request, seen, apart)))
      })
      for (let batch = 0; sent < count; batch++) {
        const numRuns = Math.min(BATCH, Math.ceil((count - sent) / AT_ONCE))
        const verdict = await fc.check(answeredAll, { seed: trial.seed + batch, numRuns })
        if (!verdict.failed) continue
        reportFailure(`${JSON.stringify(verdict.counterexample)}: ${verdict.errorInstance}`)
        return
      }
    })
    if (trial.quick) sent += await reachAll(service, allowed, trial.seed, seen)
    checkReach(seen, trial.quick ? 0 : sent, reportFailure)
    return `${sent} requests, up to ${AT_ONCE} at once, ${statusesOf(seen)}`
  })
  await trial.promise(
    `no turn of the event loop works longer than ${STALL_MS} ms, ${engine}`,
    async (reportFailure) => {
      const [worked, clock] = [longest.workedMs, longest.clockMs].map(Math.round)
      if (worked! > STALL_MS) reportFailure(`one worked ${worked} ms`)
      return `the longest turn worked ${worked} ms and took ${clock} ms by the clock`
    },
  )
  if (engine === 'SQLite') await rawBytes(trial, service, tokens[0]!)
}

/** Ids that are no small numbers, and the one parameter that a list cannot be asked without. */
async function valuesFound({ call }: Service, token: string): Promise<Record<string, string[]>> {
  const documents: Record<string, string[]> = {}
  for (const operation of OPERATIONS.filter(takesDocument)) {
    const ids = Array.from({ length: DOCUMENTS }, () =>
      makeDocument(operation, (request) => call({ ...request, headers: { 'x-token': token } })),
    )
    documents[`${operation.name} id`] = (await Promise.all(ids)).map(String)
  }
  const { text } = await call({ method: 'GET', path: '/events?after=oldest', headers: { 'x-token': token } })
  const events = JSON.parse(text).data as { id: string }[]
  return {
    ...documents,
    'listEvents after': ['oldest'],
    'listEvents types': ['*', 'product.*'],
    'listEvents venues': ['1'],
    'listEvents wait': ['0'],
    'getEvent id': events.slice(0, 5).map(({ id }) => id),
    'getReceiptByCid cid': [1, 2, 3, 4, 5].map(cidOf),
    'getCashShift id': [1, 2, 3, 4, 5].map(cidOf),
    'getCashShiftReport id': [1, 2, 3, 4, 5].map(cidOf),
    'getCustomer id': ['1', '2', '3'],
    'changeReceipt id': ['1', '2', '3', '4', '5'],
    'closeReceipt id': ['1', '2', '3', '4', '5'],
  }
}

/** Tokens that are almost right: another signature, another algorithm, no signature, twice. */
async function forged({ token }: Service, credentials: Credentials): Promise<string[]> {
  const [head, payload, signature] = (await token(credentials)).split('.') as [string, string, string]
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
  return [
    `${head}.${payload}.${other}`,
    `${none}.${payload}.`,
    `${head}.${payload}`,
    `${head}.${payload}.${signature}, x`,
  ]
}

async function answered(
  service: Service,
  request: Sent,
  seen: Map<string, number>,
  apart: Apart = (own) => own(),
): Promise<void> {
  const { status, text } = await untilFree(() => service.call(request))
  service.lines.length = 0
  const name = `${operationOf(request)} ${status}`
  seen.set(name, (seen.get(name) ?? 0) + 1)
  if (status >= 500) throw new Error(`answered ${status} ${text}`)
  // The first of each kind compiles what the answer is held against.
  if (request.method !== 'HEAD') apart(() => assertDescribed(request.method, request.path, status, text))
}

/** Addresses that are written out go before patterns that they match too. */
const ROUTES = OPERATIONS.toSorted(
  (one, other) => Number(one.path.includes('{')) - Number(other.path.includes('{')),
).map(({ method, path, name }) => ({
  method,
  name,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

function operationOf({ method, path }: Sent): string {
  const [address] = path.split('?')
  return ROUTES.find((route) => route.method === method && route.pattern.test(address!))?.name ?? `${method} elsewhere`
}

const TRIES = 300

/** In the short form chance does not come to every operation: what it left out is asked in ways that the description allows. */
async function reachAll(service: Service, allowed: Requests['allowed'], seed: number, seen: Map<string, number>) {
  let sent = 0
  for (const [name, request] of allowed)
    for (const each of fc.sample(request, { seed, numRuns: TRIES })) {
      if (seen.has(`${name} 200`)) break
      await answered(service, each, seen)
      sent++
    }
  return sent
}

/** What these are for can be done once to each row, and of the rows there are few. */
const ONCE_A_ROW = ['closeReceipt', 'takeBackOrder', 'publishOperation', 'reverseOperation', 'deleteOperation']

/** A fuzzer that is always refused early tests nothing: each operation must have been reached, in full form often. */
function checkReach(seen: ReadonlyMap<string, number>, count: number, reportFailure: ReportFailure): void {
  const often = Math.max(1, count / (OPERATIONS.length * 60))
  for (const { name } of OPERATIONS) {
    const least = ONCE_A_ROW.includes(name) ? 1 : often
    const good = seen.get(`${name} 200`) ?? 0
    if (good < least) reportFailure(`only ${good} requests were answered ${name} 200`)
  }
}

/** How often each status was answered. */
function statusesOf(seen: ReadonlyMap<string, number>): string {
  const statuses = new Map<string, number>()
  for (const [name, times] of seen) {
    const status = name.split(' ').at(-1)!
    statuses.set(status, (statuses.get(status) ?? 0) + times)
  }
  return [...statuses].map(([status, times]) => `${status} × ${times}`).join(', ')
}

/** Bytes that are no request, or two that pretend to be one. */
function rawBytes(trial: Trial, { app }: Service, token: string): Promise<void> {
  const promise = 'bytes that are no request are refused or cut'
  return trial.promise(promise, async (reportFailure) => {
    const random = trial.random(promise)
    const { rawRequests } = trial.sizes
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const pieces = [
      '\r\n',
      '\n',
      '\0',
      ' ',
      '\t',
      ':',
      'Content-Length: 5\r\n',
      'Content-Length: -1\r\n',
      'Content-Length: 5, 6\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Transfer-Encoding: xchunked\r\n',
      'ffffffffffffffff\r\n',
      '5\r\nhello\r\n',
      'HTTP/9.9',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'GET http://other/ HTTP/1.1\r\n',
      `x-token: ${'a'.repeat(9_000)}\r\n`,
    ]
    const whole = (body: string) =>
      `POST /v2/customers HTTP/1.1\r\nHost: x\r\nx-token: ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
    const statuses = new Map<string, number>()
    const spoiled = () => {
      let bytes = whole('{"name":"Raw"}')
      for (let changes = random.between(0, 3); changes > 0; changes--) {
        const index = random.between(0, bytes.length)
        const cut = random.percent(50) ? random.between(0, 20) : 0
        bytes = bytes.slice(0, index) + random.pick(pieces) + bytes.slice(index + cut)
      }
      return bytes
    }
    const waiting = Array.from({ length: rawRequests }, spoiled)
    await inParallel(20, async () => {
      for (let bytes = waiting.pop(); bytes !== undefined; bytes = waiting.pop()) {
        for (const status of await exchange(port, bytes, loopback(waiting.length))) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (!/^(200|4\d\d|cut)$/.test(status)) reportFailure(`${status} for ${JSON.stringify(bytes)}`)
        }
      }
    })
    if (!statuses.has('200')) reportFailure('not one that was left whole was answered 200')
    // The bytes of a request that tier 2 refuses are not parsed.
    const throttled = statuses.get('429') ?? 0
    if (throttled > rawRequests * MAX_THROTTLED_SHARE) reportFailure(`${throttled} of ${rawRequests} were answered 429`)
    return `${rawRequests} requests, ${[...statuses].map(([status, times]) => `${status} × ${times}`).join(', ')}`
  })
}

/** An address of this machine for each connection; a forwarded one could be among the bytes that are spoiled. */
const loopback = (number: number) => `127.${1 + ((number >> 16) & 127)}.${(number >> 8) & 255}.${number & 255}`

/** The statuses that came back before the connection ended. */
function exchange(port: number, bytes: string, localAddress: string): Promise<string[]> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.setEncoding('latin1').on('data', (piece) => (received += piece))
    socket.on('error', () => {})
    socket.setTimeout(20_000, () => {
      received += 'HTTP/1.1 hang'
      socket.destroy()
    })
    // Node ends a connection whose client has ended its half and waits for the answer.
    const waiting = setTimeout(() => socket.end(), ANSWERED_MS)
    socket.once('close', () => {
      clearTimeout(waiting)
      const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}|hang)\b/g)].map((match) => match[1]!)
      resolve(statuses.length > 0 ? statuses : ['cut'])
    })
    socket.write(bytes, 'latin1')
  })
}
