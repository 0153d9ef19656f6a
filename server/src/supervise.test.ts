import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../../scripts/services.ts'
import { type Serving, serving } from '../test/command.ts'
import { onEachEngine } from '../test/database/engines.ts'

const WORKERS = 2
const { REDIS_URL } = process.env

/** Process ids that the log names with this message. */
const pidsOf = (server: Serving, msg: string) =>
  [...server.logged().matchAll(/^\{.*\}$/gm)]
    .map(([line]) => JSON.parse(line) as { msg: string; pid: number; worker?: number })
    .filter((line) => line.msg === msg)
    .map(({ pid, worker }) => worker ?? pid)

onEachEngine('a supervisor', (make, engine) => {
  const skip = (engine === 'SQLite' || !REDIS_URL) && 'several workers need PostgreSQL and Redis'

  test('whose workers are all asked to stop at once replaces them, and every connection is answered', {
    skip,
    timeout: 120_000,
  }, async () => {
    const { env } = await make()
    const server = await serving({ env: { ...env, REDIS_URL: REDIS_URL!, COMPTOIR_WORKERS: String(WORKERS) } })
    const pids = (msg: string) => pidsOf(server, msg)
    while (pids('ready').length < WORKERS) await sleep(50)
    const first = pids('ready')
    const outcomes = new Map<string, number>()
    const ask = async () => {
      const outcome = await fetch(`${server.url}/health/live`, { headers: { connection: 'close' } }).then(
        ({ status }) => String(status),
        (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message,
      )
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    let isOver = false
    const clients = Array.from({ length: 4 }, async () => {
      while (!isOver) await ask()
    })
    for (const pid of first) process.kill(pid, 'SIGTERM')
    while (pids('worker left').length < WORKERS) await sleep(50)
    isOver = true
    await Promise.all(clients)
    assert.deepEqual([...outcomes.keys()], ['200'])
    assert.deepEqual(pids('worker left').sort(), first.sort())
    assert.equal(new Set(pids('ready')).size, 2 * WORKERS, 'one successor each')
    assert.equal(await server.stop(), 0)
  })

  test('keeps its healthy workers while PostgreSQL is away, and one that crashed comes back with it', {
    skip,
    timeout: 120_000,
  }, async () => {
    const { env } = await make()
    const postgres = await startPostgres()
    try {
      const server = await serving({
        env: { ...env, DATABASE_URL: postgres.url, REDIS_URL: REDIS_URL!, COMPTOIR_WORKERS: String(WORKERS) },
      })
      const pids = (msg: string) => pidsOf(server, msg)
      const statusOf = async (path: string) => {
        const response = await fetch(server.url + path, { headers: { connection: 'close' } })
        await response.body?.cancel()
        return response.status
      }
      while (pids('ready').length < WORKERS) await sleep(50)
      const [crashing, healthy] = pids('ready')
      await postgres.halt()
      process.kill(crashing!, 'SIGKILL')
      while (pids('worker crashed').length === 0) await sleep(50)
      // Without the wait its successors end after 0.1, 0.2, 0.4 and 0.8 s, and with the fifth everything stops.
      const until = performance.now() + 8_000
      while (performance.now() < until) {
        assert.equal(await statusOf('/health/live'), 200)
        await sleep(100)
      }
      assert.equal(await statusOf('/health/ready'), 503)
      assert.deepEqual(pids('worker crashed'), [crashing])
      assert.equal(pids('waiting for the store').length, 1)
      await postgres.resume()
      while (pids('ready').length < WORKERS + 1) await sleep(50)
      while ((await statusOf('/health/ready')) !== 200) await sleep(50)
      process.kill(healthy!, 0) // it never left
      assert.equal(await server.stop(), 0)
    } finally {
      await postgres.stop()
    }
  })
})
