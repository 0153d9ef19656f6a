import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../../../test/database/engines.ts'
import { holdWrites } from '../../../test/database/write-lock.ts'
import { services } from '../../../test/service.ts'

const MAX_MS = 4_000
const NOISE_MS = 2_000
const WRITES = 600 // on SQLite three commits

onEachEngine('writes beside one that takes long', (make) => {
  const service = services(make, { hasDeadlines: true })

  test('are refused in time, and what is refused is not made', async () => {
    const { brand, token, call, deps, installation } = await service()
    const { id, credentials } = await brand('bistro', { quota: 10_000 })
    const headers = { 'x-token': await token(credentials) }
    let addresses = 0
    const create = async (name: string) => {
      const address = `10.0.${addresses >> 8}.${addresses++ & 255}` // failures are counted by address
      const startedAt = performance.now()
      const { status, body } = await call('/customers', { method: 'POST', headers, body: { name }, address })
      return { status, error: body.error, ms: performance.now() - startedAt }
    }
    assert.equal((await create('first')).status, 200)

    const begun = performance.now()
    await Promise.all(Array.from({ length: WRITES }, () => create('healthy')))
    const ownMs = performance.now() - begun // what as many take this machine when nothing is held

    const release = await holdWrites(installation, 'customers')
    const early = Array.from({ length: WRITES }, (_, i) => create(`early ${i}`))
    await sleep(1_500)
    const late = Array.from({ length: 20 }, (_, i) => create(`late ${i}`))
    const refused = await Promise.all([...early, ...late])
    await release()

    assert.deepEqual([...new Set(refused.map(({ status, error }) => `${status} ${error}`))], ['503 unavailable'])
    const slowest = Math.max(...refused.map(({ ms }) => ms))
    assert.ok(slowest < MAX_MS + NOISE_MS + 2 * ownMs, `${slowest} ms; ${ownMs} ms when nothing is held`)
    assert.equal((await create('last')).status, 200)
    await sleep(300) // for whatever would be made all the same
    const made = await deps.db.texts(
      "select name from customers where brand_id = ? and name <> 'healthy' order by id",
      [id],
    )
    assert.deepEqual(made, ['first', 'last'])
  })
})
