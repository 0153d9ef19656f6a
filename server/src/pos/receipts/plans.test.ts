import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { onEmbeddedEngine } from '../../../test/database/engines.ts'
import { CARD, CASH, tills, WITH_SHIFT } from '../closing/closing-fixture.ts'
import { line } from './till-fixture.ts'

/** Tables with as many rows as a brand has sold, bought, booked or printed: nothing that staff do may walk one of a whole brand or venue. */
const GROWING = [
  'receipts',
  'receipt_lines',
  'reservations',
  'tickets',
  'orders',
  'portion_moves',
  'recent_orders',
  'waiter_calls',
  'stocks',
  'stock_operations',
  'operations',
  'operation_items',
  'products',
  'prices',
  'cash_shifts',
  'transactions',
  'balances',
  'customers',
  'day_totals',
  'venue_days',
  'tax_days',
  'events',
  'idempotency_keys',
]

const SPICES = Array.from({ length: 12 }, (_, index) => 60 + index)

onEmbeddedEngine('how the store finds what a sale needs', (make) => {
  const till = tills(make)
  let fixture: Awaited<ReturnType<typeof till>>
  const statements = new Set<string>()
  const { prepare } = DatabaseSync.prototype

  before(async () => {
    fixture = await till([
      ...WITH_SHIFT,
      ...SPICES.map((id) => ({ kind: 'product', id, name: `Spice ${id}`, type: 'INGREDIENT' })),
    ])
    DatabaseSync.prototype.prepare = function (...given) {
      statements.add(given[0])
      return prepare.apply(this, given)
    }
  })
  after(() => {
    DatabaseSync.prototype.prepare = prepare
  })

  test('no step of an evening walks a table of the whole brand or venue', async () => {
    const done = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body: object = {}) => {
      const answer = await fixture.owner.ask(method, path, body)
      assert.equal(answer.status, 200, `${method} ${path} ${JSON.stringify(answer.body)}`)
      return answer.body.data
    }
    const call = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) => {
      const headers = { ...fixture.headers, 'idempotency-key': randomUUID() }
      const answer = await fixture.built.call(path, { method, body, headers })
      assert.equal(answer.status, 200, `${method} ${path} ${JSON.stringify(answer.body)}`)
      return answer.body.data as { id: number; receipt_id?: number }
    }
    await done('PUT', '/stop-list/1', { limit: 50 })
    const id = await fixture.open([line(10, 3), line(1)], { terminal_id: 1, customer_id: 20, table_id: 1 })
    const { receipt_products } = await fixture.read(id)
    await done('POST', `/receipts/${id}/lines`, { lines: [line(2)] })
    await done('PATCH', `/receipts/${id}/lines/${receipt_products[0].id}`, { count: 2 })
    await done('PATCH', `/receipts/${id}`, { guests: 2, discount: { discount_type: 1, discount_value: 10 } })
    await done('POST', `/receipts/${id}/send`)
    await done('DELETE', `/receipts/${id}/lines/${receipt_products[0].id}`)
    await done('POST', `/receipts/${id}/payments`, { payment_methods: [{ id: CARD, amount: 1 }] })
    const { remaining } = await fixture.read(id)
    await done('POST', `/receipts/${id}/close`, { payment_methods: [{ id: CASH, amount: remaining }] })
    await done('POST', `/receipts/${id}/refund`)
    await done('POST', `/receipts/${await fixture.open([line(10)])}/cancel`)
    const order = await call('POST', '/orders', {
      sale_type_id: 2,
      integration_uuid: randomUUID(),
      products: [{ product_id: 1, count: 1 }],
    })
    await done('POST', `/orders/${order.id}/accept`)
    const other = await call('POST', '/orders', { sale_type_id: 2, products: [{ product_id: 1, count: 1 }] })
    await done('POST', `/orders/${other.id}/refuse`, { reason: 'No oven' })
    const items = SPICES.map((product_id) => ({ product_id, quantity: 2, cost: 1.1 }))
    const document = await call('POST', '/operations', { type: 1, storage_id: 1, items })
    await call('POST', `/operations/${document.id}/publish`, {})
    await done('POST', '/customers/20/balance', { amount: 5, payment_method_id: CASH })

    assert.ok(statements.size > 50, `${statements.size} statements were seen`)
    const db = new DatabaseSync(`${fixture.built.deps.config.COMPTOIR_DATA}/comptoir.db`, { readOnly: true })
    const partial = new Set(
      prepare
        .call(db, `select name from sqlite_schema where type = 'index' and sql like '% where %'`)
        .all()
        .map(({ name }) => String(name)),
    )
    const walks: string[] = []
    for (const text of statements) {
      if (!/^\s*(with|select|insert|update|delete)/i.test(text)) continue
      for (const { detail } of prepare.call(db, `explain query plan ${text}`).all() as { detail: string }[])
        if (isWalk(detail, partial)) walks.push(`${detail}: ${text.replace(/\s+/g, ' ')}`)
    }
    db.close()
    assert.deepEqual(walks, [])
  })

  test('reports add up lines from their index alone', async () => {
    const plan = await fixture.db.rows<{ detail: string }>(
      `explain query plan select product_id, sum(count), sum(subtotal), sum(total), sum(tax) from receipt_lines
       where brand_id = ? and receipt_id = ? group by product_id`,
      [fixture.brand_id, 1],
    )
    assert.match(plan[0]!.detail, /USING COVERING INDEX receipt_lines_receipt_id/)
  })
})

/** Every row of a table, or of a brand or venue in it. A partial index has few of a venue: those that are open, or wait. */
function isWalk(detail: string, partial: ReadonlySet<string>): boolean {
  const [, how, table, rest] = /^(SCAN|SEARCH) (\w+)(.*)/.exec(detail) ?? []
  if (!GROWING.includes(table ?? '')) return false
  if (how === 'SCAN' || rest!.endsWith('(brand_id=?)')) return true
  return rest!.endsWith('(brand_id=? AND venue_id=?)') && !partial.has(/ INDEX (\w+)/.exec(rest!)?.[1] ?? '')
}
