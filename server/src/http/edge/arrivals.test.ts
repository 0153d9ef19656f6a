import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { InjectOptions } from 'light-my-request'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row, staff } from '../../../test/database/store.ts'
import { overTheWire } from '../../../test/over-the-wire.ts'
import { services } from '../../../test/service.ts'
import { buildApp } from '../../app.ts'
import { MERGE_RULES } from '../../events/merge.ts'

const rows: Row[] = [...staff(), { kind: 'receipt', id: 1, venue_id: 1, total: 0.3 }]

const receiptOf = (name: string, id: number): Row => ({
  kind: 'receipt',
  id,
  venue_id: 1,
  order_number: `${name}-${id}`,
})

onEachEngine('arrivals', (make) => {
  const service = services(make)

  async function bistro(options: Parameters<Awaited<ReturnType<typeof service>>['brand']>[1] = { rows }) {
    const built = await service()
    const client = await built.brand('bistro', options)
    const token = await built.token(client.credentials)
    return { ...built, client, token }
  }

  test('a hook added to the authenticated scope runs for a GET and for a POST', async () => {
    const { deps, token } = await bistro()
    const seen: string[] = []
    const app = buildApp(deps, {
      authenticated: (scope) =>
        scope.addHook('onRequest', async ({ method, call }) => void seen.push(`${method} ${call.caller.brand}`)),
    })
    for (const request of [
      { url: '/v2/receipts/1' },
      { method: 'POST', url: '/v2/customers', payload: { name: 'Aysel' } },
    ])
      assert.equal(
        (await overTheWire(app, { ...request, headers: { 'x-token': token } } as InjectOptions)).statusCode,
        200,
      )
    await app.close()
    assert.deepEqual(seen, ['GET bistro', 'POST bistro'])
  })

  test('many at once, of two brands with the same ids, each get their own', async () => {
    const { app, call, brand, signIn } = await bistro({ rows, quota: 1_000 })
    const tokens = new Map<string, string>()
    for (const name of ['one', 'two']) {
      const made = [...staff(), ...Array.from({ length: 50 }, (_, n) => receiptOf(name, n + 1))]
      const { credentials } = await brand(name, { rows: made, quota: 1_000 })
      tokens.set(name, String((await signIn(credentials)).body.token))
    }
    const requests = Array.from({ length: 200 }, (_, n) => ({ name: n % 2 ? 'one' : 'two', id: (n % 60) + 1 }))
    await app.ready()
    const got = await Promise.all(
      requests.map(({ name, id }) => call(`/receipts/${id}`, { headers: { 'x-token': tokens.get(name)! } })),
    )
    for (const [index, { name, id }] of requests.entries()) {
      const { status, body } = got[index]!
      assert.equal(status, id > 50 ? 404 : 200)
      if (status === 200) assert.equal((body.data as { order_number: string }).order_number, `${name}-${id}`)
    }
  })

  test('a change by any client is seen by the next request, also on the same connection', async () => {
    const { app, token, client, installation, deps } = await bistro()
    const { openDatabase } = await import('../../storage/open.ts')
    const other = await openDatabase(installation.config, 'command', MERGE_RULES)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    const get = async () => {
      socket.write(`GET /v2/receipts/1 HTTP/1.1\r\nHost: x\r\nX-Token: ${token}\r\n\r\n`)
      const [bytes] = await once(socket, 'data')
      return JSON.parse(String(bytes).split('\r\n\r\n')[1]!).data.total
    }
    for (let total = 1; total <= 40; total++) {
      await putRows(total % 2 ? other : deps.db, client.id, [{ kind: 'receipt', id: 1, venue_id: 1, total }])
      assert.equal(await get(), total)
    }
    socket.destroy()
    await other.close()
  })

  test('a write that announces no body is answered at once, though it names a type', async () => {
    const { app, token } = await bistro()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    const post = async (path: string) => {
      const head = `POST /v2${path} HTTP/1.1\r\nHost: x\r\nX-Token: ${token}\r\nContent-Type: application/json\r\n\r\n`
      socket.write(head)
      const [bytes] = await once(socket, 'data')
      return Number(/^HTTP\/1\.1 (\d+)/.exec(String(bytes))?.[1])
    }
    assert.deepEqual([await post('/auth'), await post('/customers'), await post('/auth')], [400, 400, 400])
    socket.destroy()
  })

  test('requests sent in one piece are answered in their order', async () => {
    const { app, token } = await bistro()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    const paths = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? '/nowhere' : `/receipts/${(n % 2) + 1}`))
    socket.write(paths.map((path) => `GET /v2${path} HTTP/1.1\r\nHost: x\r\nX-Token: ${token}\r\n\r\n`).join(''))
    let text = ''
    while (text.split('HTTP/1.1 ').length <= paths.length) text += String((await once(socket, 'data'))[0])
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    assert.deepEqual(
      statuses,
      paths.map((path) => (path === '/receipts/1' ? 200 : 404)),
    )
    socket.destroy()
  })
})
