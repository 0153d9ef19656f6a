import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serving } from '../test/command.ts'
import { onEachEngine } from '../test/database/engines.ts'

const WORKERS = 2
const { REDIS_URL } = process.env

onEachEngine('a supervisor', (make, engine) => {
  const skip = (engine === 'SQLite' || !REDIS_URL) && 'several workers need PostgreSQL and Redis'

  test('whose workers are all asked to stop at once replaces them, and every connection is answered', {
    skip,
    timeout: 120_000,
  }, async () => {
    const { env } = await make()
    const server = await serving({ env: { ...env, REDIS_URL: REDIS_URL!, COMPTOIR_WORKERS: String(WORKERS) } })
    const pids = (msg: string) =>
      [...server.logged().matchAll(/^\{.*\}$/gm)]
        .map(([line]) => JSON.parse(line) as { msg: string; pid: number; worker?: number })
        .filter((line) => line.msg === msg)
        .map(({ pid, worker }) => worker ?? pid)
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
})
