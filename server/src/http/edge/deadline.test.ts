import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Installation, onEachEngine } from '../../../test/database/engines.ts'
import { type FaultProxy, faultProxy } from '../../../test/fault-proxy.ts'
import { services } from '../../../test/service.ts'
import { setQuota } from '../../directory/registry.ts'

const MAX_MS = 4_000
const NOISE_MS = 10_000 // a slow machine's own; that the request is refused shows its deadline

onEachEngine('a request to a slow database', (make, engine) => {
  const skip = engine === 'SQLite' && 'nothing is between a process and its file'
  let proxy: FaultProxy
  let installation: Promise<Installation> | undefined
  const behindProxy = async () => {
    const { env, config } = await make()
    proxy = await faultProxy(config.DATABASE_URL!)
    return { env, config: { ...config, DATABASE_URL: proxy.url } }
  }
  const sameInstallation = () => {
    installation ??= behindProxy()
    return installation
  }
  const service = services(sameInstallation, { hasDeadlines: true })
  after(() => proxy?.close())

  type Service = Awaited<ReturnType<typeof service>>

  /** Each call of a request is in time, which is 2.5 s, and all of them together are not. */
  async function whileSlow({ deps }: Service, delayMs: number, call: () => Promise<unknown[]>): Promise<void> {
    await Promise.all(Array.from({ length: 10 }, (_, i) => deps.db.rows(`select ${i}`, []))) // so that nobody waits for a new connection
    proxy.slow(delayMs / 2)
    const startedAt = performance.now()
    const told = await call()
    const ms = performance.now() - startedAt
    await proxy.heal()
    assert.deepEqual(told, [503, '5'])
    assert.ok(ms <= MAX_MS + NOISE_MS, `${ms} ms`)
  }

  /** Creates a customer over a socket, with a body that comes later. */
  async function createSlowly({ app }: Service, headers: Record<string, string>, bodyAfterMs: number) {
    const { port } = app.server.address() as AddressInfo
    const post = request(`http://127.0.0.1:${port}/v2/customers`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    })
    post.flushHeaders()
    await sleep(bodyAfterMs)
    post.end(JSON.stringify({ name: 'Aysel' }))
    const [answer] = (await once(post, 'response')) as [IncomingMessage]
    answer.resume()
    return [answer.statusCode, answer.headers['retry-after']]
  }

  test('is answered within 4 s by a process that knows nothing yet: four calls of 1.8 s', { skip }, async () => {
    const [known, cold] = [await service(), await service()]
    const { credentials } = await known.brand('bistro')
    const headers = { 'x-token': await known.token(credentials) }

    await whileSlow(cold, 1_800, async () => {
      const answer = await cold.call('/receipts/1', { headers })
      return [answer.status, answer.headers['retry-after']]
    })

    assert.equal((await cold.call('/receipts/1', { headers })).status, 404, 'well again')
  })

  test('is answered within 4 s when it writes once it was let in: calls of 1.2 s', { skip }, async () => {
    const known = await service()
    await known.app.listen({ port: 0, host: '127.0.0.1' })
    const { credentials, integrator } = await known.brand('brasserie')
    const headers = { 'x-token': await known.token(credentials) }
    assert.deepEqual(await createSlowly(known, headers, 0), [200, undefined])
    await setQuota(known.deps.db, 'test', 'brasserie', integrator, 1_000)
    await known.deps.directory.refresh() // which forgets the brand

    await whileSlow(known, 1_200, () => createSlowly(known, headers, 2_600))

    assert.deepEqual(await createSlowly(known, headers, MAX_MS), [200, undefined], 'the time of its body is its own')
  })
})
