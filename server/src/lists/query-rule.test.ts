import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../test/api.ts'
import { onEachEngine } from '../../test/database/engines.ts'

onEachEngine('a query string', (make) => {
  const { brand, running } = api(make)

  test('is refused where the endpoint takes none, naming the parameter', async () => {
    const { id, get, post } = await brand({
      rows: [
        { kind: 'receipt', id: 1, venue_id: 1 },
        { kind: 'stock_operation', id: 1, venue_id: 1 },
      ],
    })
    for (const path of ['/receipts/1', '/stock-operations/1', '/whoami']) {
      assert.equal((await get(path)).status, 200, path)
      assert.equal((await get(`${path}?&`)).status, 200, path)
      for (const [query, parameter] of [
        ['fields=id', 'fields'],
        ['x', 'x'],
        ['&a%5B0%5D=1&b=2', 'a[0]'],
        ['%zz=1', '%zz'],
      ]) {
        const { status, body } = await get(`${path}?${query}`)
        assert.equal(status, 400, `${path}?${query}`)
        assert.equal(body.error, 'invalid_parameter')
        assert.equal((body.details as { parameter: string }).parameter, parameter)
      }
    }
    const { status, body } = await post('/customers?x=1', { name: 'Aysel' })
    assert.equal(status, 400)
    assert.deepEqual([body.error, body.details], ['invalid_parameter', { parameter: 'x', unknown: 'x', known: [] }])
    const { db } = (await running()).deps
    assert.deepEqual(await db.texts('select id from customers where brand_id = ?', [id]), [])
  })

  test('is refused after identity, venue and permission, and before the row is looked for', async () => {
    const { get, credentials } = await brand({ permissions: ['receipts:read'] })
    assert.equal((await get('/stock-operations/1?x=1')).status, 403)
    assert.equal((await get('/receipts/1?x=1', { 'x-venue': '9' })).status, 403)
    assert.equal((await get('/receipts/1?x=1', { 'x-token': 'x' })).status, 401)
    assert.equal((await get('/receipts/99?x=1')).status, 400)
    assert.equal((await get('/nothing?x=1')).status, 404)
    const { call } = await running()
    const auth = (path: string) => call(path, { method: 'POST', body: credentials })
    const { status, body } = await auth('/auth?x=1')
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body), ['success', 'error', 'message'])
    assert.deepEqual([body.success, body.error], [false, 'invalid_parameter'])
    assert.equal((await auth('/auth?')).status, 200)
  })
})
