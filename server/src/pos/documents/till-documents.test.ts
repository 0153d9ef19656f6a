import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { offices } from '../../back-office/office-fixture.ts'
import { RESTAURANT } from '../receipts/till-fixture.ts'

onEachEngine('the documents’ routes of staff', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let brand_id: number

  before(async () => {
    built = await office()
    brand_id = (await built.brand('bistro', { rows: RESTAURANT })).id
  })

  test('a person writes, changes, publishes and reverses by the commands of the API', async () => {
    const owner = await built.staffBrowser('bistro')
    const [storage] = await built.deps.db.rows<{ id: number }>(
      'select id from storages where brand_id = ? and venue_id = 1 and is_main = 1',
      [brand_id],
    )
    const ask = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
      const answer = await owner.ask(method, path, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.data as { id: number; status: number; user_id: number; description?: string }
    }
    const supply = { type: 1, storage_id: storage!.id, items: [{ product_id: 50, quantity: 2, cost: 3 }] }
    const { id, user_id } = await ask('POST', '/operations', supply)
    assert.equal(user_id, 1)
    assert.equal((await ask('PATCH', `/operations/${id}`, { description: 'Monday' })).description, 'Monday')
    assert.equal((await ask('POST', `/operations/${id}/publish`, {})).status, 1)
    const quantity = async () =>
      (await built.deps.db.rows<{ quantity: number }>('select quantity from stocks where brand_id = ?', [brand_id]))[0]!
        .quantity
    assert.equal(await quantity(), 20_000)
    await ask('POST', `/operations/${id}/reverse`, {})
    assert.equal(await quantity(), 0)
    const draft = await ask('POST', '/operations', supply)
    await ask('DELETE', `/operations/${draft.id}`)
    const again = await owner.ask('POST', `/operations/${id}/reverse`, {})
    assert.deepEqual([again.status, again.body.error], [409, 'operation_published'])
  })
})
