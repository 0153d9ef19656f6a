import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import { auditBooks } from './audit.ts'
import { AT, isNotStored, ROWS } from './books-fixture.ts'

onEachEngine('the books: venues (I13)', (make) => {
  const { brand, running } = api(make)
  const found = async (brand: number) =>
    (await auditBooks((await running()).deps.db, brand)).findings
      .filter(isNotStored)
      .map(({ invariant, subject }) => `${invariant} ${subject}`)
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

  test('and so is a cash shift at a terminal, or a payment account with a balance, of another venue', async () => {
    const shift = '0d6ef8c6-6f0e-4f59-9d3b-0c1a2f6a0001'
    const { id } = await brand({
      rows: [
        ...ROWS,
        { kind: 'terminal', id: 7, venue_id: 1, name: 'Till', status: 1 },
        {
          kind: 'payment_method',
          id: 1,
          name: 'Cash',
          payment_kind: 'CASH',
          status: {},
          customer_required: 0,
          position: 1,
        },
        {
          kind: 'cash_shift',
          id: shift,
          venue_id: 1,
          terminal_id: 7,
          number: 1,
          status: 'OPEN',
          opened_at: AT,
          opening_amount: 0,
          expected_amount: 0,
          receipts: 0,
          shift_date: '2026-02-01',
        },
      ],
    })
    assert.deepEqual(await found(id), [])
    await change('update cash_shifts set terminal_id = 8 where brand_id = ?', [id])
    assert.deepEqual(await found(id), [`I13 cash shift ${shift}`])
    await change('update cash_shifts set terminal_id = 7 where brand_id = ?', [id])
    await change(
      `update payment_accounts set balance_id = (select its.balance_id from payment_accounts as its
         where its.brand_id = ? and its.venue_id = 2) where brand_id = ? and venue_id = 1`,
      [id, id],
    )
    assert.deepEqual(await found(id), ['I13 payment account of method 1'])
  })
})
