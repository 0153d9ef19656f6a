import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { type Browser, offices } from '../../back-office/office-fixture.ts'
import { seeded } from '../../demo/random.ts'
import { auditBooks } from '../books/audit.ts'
import { CARD, ROWS } from '../closing/closing-fixture.ts'
import { line } from '../receipts/till-fixture.ts'

// T9 under races: four people do what comes to mind to a few tables at once. What was ordered is sold or void in the end, each piece once.

const PEOPLE = 4
const STEPS = 40
const REFUSED = new Set([400, 404, 409, 412])

onEachEngine('tables in a rush', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let brand_id: number
  let owner: Browser

  before(async () => {
    built = await office()
    brand_id = (await built.brand('bistro', { rows: ROWS, quota: 1e9 })).id
    owner = await built.staffBrowser('bistro')
  })

  test('nothing is cooked twice, lost or sold twice', async (context) => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    context.diagnostic(`seed ${seed}`)
    const { fraction: random, between, pick: one } = seeded(`tables ${seed}`)
    const pick = <Value>(values: readonly Value[]): Value | undefined => (values.length > 0 ? one(values) : undefined)
    const ordered = new Map<number, number>()
    const limit = await owner.ask('PUT', '/stop-list/3', { limit: 10_000 })
    assert.equal(limit.status, 200)
    const done: Record<string, number> = {}

    const ask = async (name: string, method: 'POST' | 'DELETE', path: string, body?: object) => {
      const answer = await owner.ask(method, path, body)
      assert.ok(
        answer.status === 200 || REFUSED.has(answer.status),
        `${name}: ${answer.status} ${JSON.stringify(answer.body)}`,
      )
      if (answer.status === 200) done[name] = (done[name] ?? 0) + 1
      return answer
    }
    const openReceipts = async () => {
      const rows = await built.deps.db.rows<{ id: number }>(
        'select id from receipts where brand_id = ? and status = 1',
        [brand_id],
      )
      return rows.map(({ id }) => id)
    }
    const linesOf = (id: number) =>
      built.deps.db.rows<{ id: number; count: number; state: string; ticket_id: number | null }>(
        `select id, count, state, ticket_id from receipt_lines where brand_id = ? and receipt_id = ? and state <> 'VOID'`,
        [brand_id, id],
      )
    const order = async () => {
      const products = [1, 2, 3].filter(() => random() < 0.7)
      const lines = products.map((id) => line(id, between(1, 4)))
      const { status } = await ask('open', 'POST', '/receipts', {
        cid: randomUUID(),
        sale_type_id: 1,
        table_id: 1,
        lines,
      })
      if (status === 200)
        for (const { product_id, count } of lines) ordered.set(product_id, (ordered.get(product_id) ?? 0) + count)
    }
    const some = async (id: number) =>
      (await linesOf(id))
        .filter(() => random() < 0.4)
        .map((each) => ({ id: each.id, ...(random() < 0.3 && each.count > 10_000 && { count: 1 }) }))
    const steps: ((id: number, other: number) => Promise<unknown>)[] = [
      order,
      (id) => ask('send', 'POST', `/receipts/${id}/send`, {}),
      async (id) =>
        ask('split', 'POST', `/receipts/${id}/split`, { parts: [{ cid: randomUUID(), lines: await some(id) }] }),
      async (id, other) => ask('move', 'POST', `/receipts/${id}/move`, { receipt_id: other, lines: await some(id) }),
      (id, other) => ask('merge', 'POST', `/receipts/${id}/merge`, { receipt_id: other }),
      async (id) => {
        const ticket = pick((await linesOf(id)).flatMap(({ ticket_id }) => ticket_id ?? []))
        if (ticket) await ask('kitchen', 'POST', `/tickets/${ticket}/${pick(['start', 'ready', 'serve'])}`, {})
      },
      async (id) => {
        const gone = pick(await linesOf(id))
        if (gone) await ask('void', 'DELETE', `/receipts/${id}/lines/${gone.id}${random() < 0.5 ? '?waste=1' : ''}`)
      },
      (id) => ask('pay', 'POST', `/receipts/${id}/payments`, { payment_methods: [{ id: CARD, amount: 1 }] }),
    ]
    for (let index = 0; index < 6; index++) await order()
    const person = async () => {
      for (let index = 0; index < STEPS; index++) {
        const open = await openReceipts()
        const [id, other] = [pick(open), pick(open)]
        if (id === undefined || other === undefined) await order()
        else await pick(steps)!(id, other)
      }
    }
    await Promise.all(Array.from({ length: PEOPLE }, person))
    context.diagnostic(JSON.stringify(done))

    assert.deepEqual((await auditBooks(built.deps.db, brand_id)).findings, [])
    const rows = await built.deps.db.rows<{ body: string }>('select body from receipt_lines where brand_id = ?', [
      brand_id,
    ])
    const found = new Map<number, number>()
    for (const { product_id, count } of rows.map(
      ({ body }) => JSON.parse(body) as { product_id: number; count: number },
    ))
      found.set(product_id, (found.get(product_id) ?? 0) + count)
    const sorted = (counts: ReadonlyMap<number, number>) => [...counts].sort(([one], [two]) => one - two)
    assert.deepEqual(sorted(found), sorted(ordered))
    for (const name of ['split', 'move', 'merge']) assert.ok((done[name] ?? 0) > 0, `${name} was done`)
  })
})
