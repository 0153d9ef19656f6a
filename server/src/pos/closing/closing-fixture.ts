import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Installation } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { offices } from '../../back-office/office-fixture.ts'
import type { Caller } from '../../http/call.ts'
import { runCommand } from '../../resource/write/commands.ts'
import { idBlocks } from '../../resource/write/id-blocks.ts'
import { auditBooks } from '../books/audit.ts'
import { line, RESTAURANT } from '../receipts/till-fixture.ts'
import { type Movement, moveStock } from '../stock/move.ts'

export const scaled = (amount: number) => Math.round(amount * 10_000)
export const SHIFT = 'a5b0a1de-7b7e-4f4e-9d0e-3a8f0b6f4c11'
export const AT = '2026-03-01T12:00:00.000Z'

const method = (id: number, name: string, payment_kind: string, more: object = {}): Row => ({
  kind: 'payment_method',
  id,
  name,
  payment_kind,
  status: {},
  customer_required: 0,
  position: id,
  ...more,
})
const product = (id: number, name: string, more: object): Row => ({ kind: 'product', id, name, status: 1, ...more })

export const CASH = 1
export const CARD = 2
export const BALANCE = 3
export const CASHBACK = 4
export const OFF = 5

/** The restaurant with what closing needs: payment methods, a customer with money, and a dish of three ingredients. */
export const ROWS: Row[] = [
  ...RESTAURANT,
  method(CASH, 'Cash', 'CASH'),
  method(CARD, 'Card', 'CARD'),
  method(BALANCE, 'Balance', 'CUSTOMER'),
  method(CASHBACK, 'Cashback', 'CASHBACK'),
  method(OFF, 'Voucher', 'OTHER', { status: { 1: 0 } }),
  product(52, 'Butter', { type: 'INGREDIENT', price: 1 }),
  // 3 × 0.333 and the like leave something to round
  product(10, 'Crêpe', {
    type: 'DISH',
    price: 3.33,
    taxes: [{ id: 1, name: 'VAT 10 %', rate: 10 }],
    recipe: [
      { id: 50, pivot: { gross: '0.150' } },
      { id: 51, pivot: { gross: '1.000' } },
      { id: 52, pivot: { gross: '0.333' } },
    ],
  }),
  { kind: 'customer', id: '20', name: 'Rich', balance: { id: 900, amount: 50, type: 'CUSTOMER' } },
  { kind: 'customer_group', id: 3, name: 'Gold', system_type: 'custom', total_amount: 20, discount_type: null },
]

/** The same with a drawer that is open, and needed. */
export const WITH_SHIFT: Row[] = [
  ...ROWS.map((row) => (row.kind === 'venue' && row.id === 1 ? { ...row, cash_shift: 1 } : row)),
  {
    kind: 'cash_shift',
    id: SHIFT,
    venue_id: 1,
    terminal_id: 1,
    number: 1,
    status: 'OPEN',
    receipts: 0,
    opened_at: AT,
    opened_by: 1,
    opening_amount: 100,
    expected_amount: 100,
    shift_date: '2026-03-01',
  },
]

/** Where others use the machine too, some are not answered in time: they ask again, as a 503 says. */
export async function patiently<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
  }
}

/** A till with stock, and what a test asks of the books behind it. Each is a brand of its own; one service is there for all of a suite. */
export function tills(make: () => Promise<Installation>, settings: Parameters<ReturnType<typeof offices>>[0] = {}) {
  const office = offices(make)
  let service: ReturnType<typeof office> | undefined
  let opened = 0
  return async (rows: Row[] = ROWS) => {
    service ??= office(settings)
    const built = await service
    built.clock.ms = Date.parse(AT)
    const slug = `bistro-${++opened}`
    const brand = await built.brand(slug, { rows, quota: 1e9 })
    const owner = await built.staffBrowser(slug)
    const headers = { 'x-token': await built.token(brand.credentials, `198.51.100.${opened % 250}`) }
    const brand_id = brand.id
    const { db } = built.deps

    const open = async (lines: object[], more: object = {}) => {
      const input = { cid: randomUUID(), sale_type_id: 2, lines, ...more }
      const { status, body } = await patiently(() => owner.ask('POST', '/receipts', input))
      assert.equal(status, 200, JSON.stringify(body))
      return body.data.id as number
    }
    return {
      built,
      db,
      brand_id,
      slug,
      owner,
      headers,
      open,
      line,
      // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
      async read(id: number, include = 'details,receipt_products'): Promise<any> {
        const { status, body } = await built.call(`/receipts/${id}?include=${include}`, { headers })
        assert.equal(status, 200, JSON.stringify(body))
        return body.data
      },
      pay: (id: number, payments: [number, number | string][], more: object = {}) =>
        owner.ask('POST', `/receipts/${id}/close`, {
          payment_methods: payments.map(([method_id, amount]) => ({ id: method_id, amount })),
          ...more,
        }),
      async isSound() {
        assert.deepEqual((await auditBooks(db, brand_id)).findings, [])
      },
      /** Puts goods on the shelves. */
      async supply(movements: Movement[]) {
        const ids = await idBlocks(db).reserve(brand_id, { stock_operation_id: movements.length })
        const caller = { brand_id, venue_id: 1, user: { username: 'owner' } } as Caller
        await db.transaction((tx) =>
          runCommand({ tx, caller, now: AT, ids }, (context) => moveStock(context, movements)),
        )
      },
      movements: (id: number) =>
        db.rows<{ id: number; product_id: number; quantity: number; total_cost: number; receipt_product_id: number }>(
          `select id, product_id, quantity, total_cost, receipt_product_id from stock_operations
           where brand_id = ? and receipt_id = ? order by product_id, id`,
          [brand_id, id],
        ),
      stocks: () =>
        db.rows<{ product_id: number; quantity: number; value: number }>(
          'select product_id, quantity, value from stocks where brand_id = ? order by product_id',
          [brand_id],
        ),
      /** The amounts of all balances that moved. */
      balances: () =>
        db.rows<{ id: number; type: string; amount: number }>(
          'select id, type, amount from balances where brand_id = ? order by id',
          [brand_id],
        ),
      amountOf: async (type: string) => {
        const [row] = await db.rows<{ amount: number }>(
          'select coalesce(sum(amount), 0) as amount from balances where brand_id = ? and type = ?',
          [brand_id, type],
        )
        return Number(row!.amount) / 10_000
      },
      async shift() {
        const body = await db.text('select body from cash_shifts where brand_id = ? and id = ?', [brand_id, SHIFT])
        return JSON.parse(body!) as { expected_amount: number; receipts: number }
      },
      async customer(id: string) {
        const { body } = await built.call(`/customers/${id}?include=details`, { headers })
        return body.data as Record<string, unknown> & { cashback_balance: { amount: number } }
      },
      events: (subject: number | string) =>
        db.rows<{ type: string; data: string }>(
          `select type, data from events where brand_id = ? and subject = ? and type like 'receipt.%' order by position`,
          [brand_id, String(subject)],
        ),
    }
  }
}

/** Full shelves: what a crêpe needs. */
export const SUPPLIES: Movement[] = [
  { product_id: 50, quantity: scaled(10), cost: scaled(1.2) },
  { product_id: 51, quantity: scaled(20), cost: scaled(0.3333) },
  { product_id: 52, quantity: scaled(7), value: scaled(59.9999) },
]
