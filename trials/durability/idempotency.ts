import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultProxy } from '../../server/test/fault-proxy.ts'
import { type Answer, freshAddress, inParallel, tally } from '../harness/client.ts'
import {
  type Client,
  client,
  ENGINES,
  type Engine,
  type Installation,
  install,
  retryWhileBusy,
} from '../harness/installation.ts'
import { serve } from '../harness/server.ts'
import type { Trial } from '../harness/trial.ts'

const AT_ONCE = 64
const FREED_WITHIN_MS = 30_000

/** A write with a key is done once, however its answers are lost, raced for or cut off by a crash. */
export async function idempotency(trial: Trial): Promise<void> {
  for (const engine of ENGINES) {
    const installation = await install(trial, engine)
    // On PostgreSQL by several workers, which know of each other only what the database tells them.
    const shared = engine === 'PostgreSQL' ? { COMPTOIR_WORKERS: '2', REDIS_URL: (await trial.redis()).url } : {}
    const server = await serve(trial, installation, shared)
    const caller = await client(trial, server.url, installation.credentials)
    await cutAnswers(trial, engine, installation, server.url, caller)
    await races(trial, engine, installation, caller)
    await server.stop()
    if (engine === 'PostgreSQL') await cutCommits(trial, installation)
  }
}

const create = (caller: Client, key: string, name = key) =>
  caller.ask('/customers', { method: 'POST', body: { name }, headers: { 'idempotency-key': key } })

const rowsNamed = async ({ db, brand_id }: Installation, name: string) =>
  (await db.texts('select id from customers where brand_id = ? and name = ?', [brand_id, name])).length

function cutAnswers(trial: Trial, engine: Engine, installation: Installation, url: string, caller: Client) {
  const promise = `a write whose answer was cut is done once by its retry, ${engine}`
  return trial.promise(promise, async (reportFailure) => {
    const { cutAnswers: cuts } = trial.sizes
    let replayed = 0
    const unfinished = Array.from({ length: cuts }, (_, index) => ({ key: `cut ${index}`, when: index % 4 }))
    await inParallel(8, async () => {
      for (let next = unfinished.pop(); next; next = unfinished.pop()) {
        await cutCall(url, caller.token, next.key, next.when)
        const answer = await afterTheFirst(() => create(caller, next.key))
        if (answer.headers['idempotency-replayed'] === 'true') replayed++
        const again = await retryWhileBusy(() => create(caller, next.key))
        const rows = await rowsNamed(installation, next.key)
        if (answer.status !== 200 || rows !== 1) reportFailure(`${next.key}: ${answer.status}, ${rows} rows`)
        if (again.status !== 200 || JSON.stringify(again.body) !== JSON.stringify(answer.body))
          reportFailure(`${next.key}: another answer, ${again.status}`)
      }
    })
    // Half of them were cut at the first byte of the answer, so the write was done by then, unless a busy machine refused it (503).
    if (replayed < cuts / 10) reportFailure(`only ${replayed} of ${cuts} were done when their answer was cut`)
    return `${cuts} answers cut and asked for again, ${replayed} of them to a write that was done`
  })
}

/** Sends a write and hangs up: as soon as it is sent, some milliseconds later, or at the first byte of the answer. */
async function cutCall(url: string, token: string, key: string, when: number): Promise<void> {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify({ name: key })
  const headers = [
    `host: ${hostname}`,
    `x-token: ${token}`,
    `x-forwarded-for: ${freshAddress()}`,
    `idempotency-key: ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.once('data', () => socket.resetAndDestroy())
    socket.write(`POST /v2/customers HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`, () => {
      if (when === 0) socket.resetAndDestroy()
      if (when === 1) setTimeout(() => socket.resetAndDestroy(), 3)
    })
  })
}

/** The answer once the first request with the key is over: until then it is 409 `idempotency_in_progress`. */
async function afterTheFirst(ask: () => Promise<Answer>): Promise<Answer> {
  const startedAt = performance.now()
  for (;;) {
    const answer = await ask()
    if (!isInProgress(answer) && answer.status !== 503) return answer
    if (performance.now() - startedAt > FREED_WITHIN_MS)
      throw new Error(`a key was not free within ${FREED_WITHIN_MS} ms: ${answer.status} ${answer.body.error}`)
    await sleep(10)
  }
}

function races(trial: Trial, engine: Engine, installation: Installation, caller: Client) {
  return trial.promise(`${AT_ONCE} at once with one key are one write, ${engine}`, async (reportFailure) => {
    const { races: keys } = trial.sizes
    let replayed = 0
    for (let race = 0; race < keys; race++) {
      const key = `race ${race}`
      const answers = await inParallel(AT_ONCE, () => create(caller, key))
      const done = answers.filter(({ status }) => status === 200)
      const refused = answers.filter((answer) => isInProgress(answer) || answer.status === 503)
      if (done.length === 0) done.push(await afterTheFirst(() => create(caller, key)))
      const rows = await rowsNamed(installation, key)
      if (done.length + refused.length < AT_ONCE) reportFailure(`${key}: ${tally(answers)}`)
      if (new Set(done.map(({ body }) => JSON.stringify(body))).size > 1) reportFailure(`${key}: two answers`)
      if (rows !== 1) reportFailure(`${key}: ${rows} rows`)
      if ((await retryWhileBusy(() => create(caller, key, 'another body'))).status !== 422)
        reportFailure(`${key}: another body was taken`)
      replayed += done.length - 1
    }
    return `${keys} keys, ${keys * AT_ONCE} writes, ${replayed} answered again`
  })
}

const isInProgress = ({ status, body }: Answer) => status === 409 && body.error === 'idempotency_in_progress'

/** The connection to PostgreSQL breaks between the key and the commit, or just after the commit was sent. */
async function cutCommits(trial: Trial, installation: Installation): Promise<void> {
  const proxy = await faultProxy(installation.env.DATABASE_URL!)
  trial.after(proxy.close)
  const server = await serve(trial, installation, { DATABASE_URL: proxy.url })
  const caller = await client(trial, server.url, installation.credentials)
  await trial.promise('a crash between key and commit leaves the key free, PostgreSQL', async (reportFailure) => {
    const { races: cuts } = trial.sizes
    for (let cut = 0; cut < cuts; cut++)
      for (const when of ['before', 'after'] as const) {
        const key = `cut ${when} the end, ${cut}`
        proxy.cut(key, 'commit', when) // the connection on which this key was stored
        const first = await create(caller, key)
        if (first.status !== 503 || first.body.error !== 'outcome_unknown')
          reportFailure(`${key}: ${first.status} ${first.body.error}`)
        const second = await afterTheFirst(() => create(caller, key))
        const replayed = second.headers['idempotency-replayed'] === 'true'
        const rows = await rowsNamed(installation, key)
        if (second.status !== 200 || rows !== 1) reportFailure(`${key}, again: ${second.status}, ${rows} rows`)
        if (when === 'before' && replayed) reportFailure(`${key}: an answer without a write`)
        if (when === 'after' && !replayed) reportFailure(`${key}: the write was done, and not answered from store`)
      }
    return `${cuts * 2} connections cut at the commit`
  })
}
