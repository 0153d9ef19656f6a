import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { importer } from '../../resource/files/import.ts'
import { CATALOGUE } from '../../resources/venue-pointers.ts'
import type { Customer } from './customer-schema.ts'

const DELETED = '2026-02-01T00:00:00.000Z'
const group = (id: number, system_type: string, deleted_at: string | null = null): Row => ({
  kind: 'customer_group',
  id,
  name: `Group ${id}`,
  system_type,
  deleted_at,
})

onEachEngine('the group of a new customer', (make) => {
  const { brand, patiently } = api(make)

  test('is no deleted one, even when the request names it', async () => {
    const { post } = await brand({ rows: [group(2, 'custom', DELETED), group(3, 'custom')] })
    const { status, body } = await post('/customers', { name: 'Aysel', group_id: 2 })
    assert.equal(status, 400)
    assert.equal(body.error, 'validation_failed')
    const { errors } = body.details as { errors: { field: string; rule: string }[] }
    assert.deepEqual(
      errors.map(({ field, rule }) => [field, rule]),
      [['group_id', 'exists']],
    )
    assert.equal((await post('/customers', { name: 'Aysel', group_id: 3 })).status, 200)
  })

  test('is the default group that is not deleted, and no other', async () => {
    const { post, put } = await brand({ rows: [group(1, 'default', DELETED), group(4, 'custom'), group(7, 'default')] })
    const groupOfNew = async () => {
      const { data } = (await post('/customers', { name: 'Aysel' })).body as { data: Customer }
      assert.equal(data.group.id, data.group_id)
      assert.equal(data.group.deleted_at, null)
      return data.group_id
    }
    assert.equal(await groupOfNew(), 7)
    await put(group(7, 'default', DELETED))
    const { status, body } = await post('/customers', { name: 'Aysel' })
    assert.equal(status, 400)
    assert.match(String(body.message), /this brand has no default customer group that is not deleted/)
    assert.equal((await post('/customers', { name: 'Aysel', group_id: 4 })).status, 200)
    await put(group(1, 'default'))
    assert.equal(await groupOfNew(), 1)
  })

  test('in an import: a line may name a deleted group, one without a group never gets it', async () => {
    const { id, put } = await brand({ rows: [group(1, 'default', DELETED), group(2, 'default'), group(3, 'employee')] })
    await put({ kind: 'customer', id: '1', name: 'Leyla', group_id: 1 }, { kind: 'customer', id: '2', name: 'Aysel' })
    const db = await patiently()
    const customers = await db.rows<{ id: string; group_id: number }>(
      'select id, group_id from customers where brand_id = ? order by id',
      [id],
    )
    assert.deepEqual(
      customers.map((customer) => customer.group_id),
      [1, 2],
    )
    await put(group(2, 'default', DELETED))
    const imported = db.transaction(async (tx) => {
      const into = importer({ tx, brand_id: id, actor: 'test', now: DELETED }, CATALOGUE)
      await into.add({ kind: 'customer', id: '3', name: 'Nigar', group_id: 1 }, 1)
      await into.add({ kind: 'customer', id: '4', name: 'Farid' }, 2)
      await into.finish()
    })
    await assert.rejects(imported, { line: 2, message: /this brand has no default customer group that is not deleted/ })
  })
})
