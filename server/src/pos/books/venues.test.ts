import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/engines.ts'
import { auditBooks } from './audit.ts'
import { ROWS } from './books-fixture.ts'

onEachEngine('the books: venues (I13)', (make) => {
  const { brand, running } = api(make)
  const found = async (of: number) =>
    (await auditBooks((await running()).deps.db, of)).findings.map(
      ({ invariant, subject }) => `${invariant} ${subject}`,
    )
  const change = async (text: string, values: (string | number)[]) =>
    (await running()).deps.db.transaction((tx) => tx.run(text, values))

  test('a row that points to another venue is named (I13)', async () => {
    const { id } = await brand({ rows: ROWS })
    await change('update receipts set terminal_id = 8 where brand_id = ? and id = 2', [id])
    await change('update receipt_lines set venue_id = 2 where brand_id = ? and id = 11', [id])
    assert.deepEqual(await found(id), ['I13 receipt 2', 'I13 receipt line 11'])
    await change('update receipt_lines set venue_id = 1 where brand_id = ? and id = 11', [id])
    await change('update reservations set venue_id = 2 where brand_id = ? and line_id = 12', [id])
    await change('update tickets set venue_id = 2 where brand_id = ? and id = 21', [id])
    assert.deepEqual(await found(id), ['I13 receipt 2', 'I13 ticket 21', 'I13 reservation of line 12'])
  })
})
