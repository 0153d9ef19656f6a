import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import type { TObject } from 'typebox'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { type Browser, offices } from '../../back-office/office-fixture.ts'
import { exported } from '../../cli/export.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { auditBooks } from '../books/audit.ts'
import { CARD, CASH, ROWS } from '../closing/closing-fixture.ts'
import { line } from './till-fixture.ts'

// P16: servers take ids in blocks, so what comes later may have a lower id. Here the second server always has the lower ones.

const HOUSE: Row[] = [
  ...ROWS,
  { kind: 'storage', id: 1, venue_id: 1, name: 'Kitchen', is_main: 1, status: 1 },
  { kind: 'storage', id: 2, venue_id: 1, name: 'Cellar', is_main: 0, status: 1 },
  { kind: 'storage', id: 3, venue_id: 2, name: 'Kitchen', is_main: 1, status: 1 },
  { kind: 'supplier', id: 1, name: 'Mill', status: 1 },
  // children before their parents
  { kind: 'category', id: 1, name: 'Cider', type: 'PRODUCT', status: 1, parent_id: 3 },
  { kind: 'category', id: 2, name: 'Sweet', type: 'PRODUCT', status: 1, parent_id: 1 },
  { kind: 'category', id: 3, name: 'Drinks', type: 'PRODUCT', status: 1 },
  { kind: 'finance_category', id: 90, name: 'Rent', type: 'EXPENSE', parent_id: 91, status: 1 },
  { kind: 'finance_category', id: 91, name: 'House', type: 'EXPENSE', status: 1 },
]
const CREPE = 10
const GALETTE = 1
const MINUTE_MS = 60_000

onEachEngine('two servers that take ids in turns', (make, engine) => {
  let installation: ReturnType<typeof make> | undefined
  const office = offices(() => {
    installation ??= make()
    return installation
  })
  let servers: Awaited<ReturnType<typeof office>>[]
  let first: Browser
  let second: Browser
  let brand_id: number
  let headers: Record<string, string>

  const done = async (browser: Browser, method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object = {}) => {
    const answer = await browser.ask(method, path, body)
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const open = async (browser: Browser, lines: object[], more: object = {}) =>
    (await done(browser, 'POST', '/receipts', { cid: randomUUID(), sale_type_id: 2, lines, ...more })).id as number
  const supply = (browser: Browser) =>
    done(browser, 'POST', '/operations', {
      type: 1,
      storage_id: 1,
      supplier_id: 1,
      items: [
        { product_id: 50, quantity: 10, cost: 1.2 },
        { product_id: 51, quantity: 20, cost: 0.3 },
      ],
    })
  const order = async ({ call }: (typeof servers)[0]) => {
    const body = { sale_type_id: 2, products: [{ product_id: CREPE, count: 1 }] }
    const answer = await call('/orders', { method: 'POST', headers, body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data as { id: number }
  }
  /** What the API answers, the same on both servers. */
  const read = async (path: string, sentHeaders = headers) => {
    const [one, other] = await Promise.all(servers.map(({ call }) => call(path, { headers: sentHeaders })))
    assert.equal(one!.status, 200, one!.text)
    assert.deepEqual(other!.body.data, one!.body.data)
    // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
    return one!.body.data as any
  }
  const later = (minutes: number) => {
    for (const { clock } of servers) clock.ms += minutes * MINUTE_MS
  }
  const isSound = async (brand = brand_id) =>
    assert.deepEqual((await auditBooks(servers[0]!.deps.db, brand)).findings, [])
  const linesOf = async (brand = brand_id) => {
    let text = ''
    for await (const page of exported(servers[0]!.deps.db, brand)) text += page
    return text.trimEnd().split('\n')
  }

  before(async () => {
    servers = [await office(), await office()]
    const [one, other] = servers as [(typeof servers)[0], (typeof servers)[0]]
    const brand = await one.brand('bistro', { rows: HOUSE, quota: 1e9 })
    brand_id = brand.id
    await other.deps.directory.refresh()
    first = await one.staffBrowser('bistro')
    second = other.browser()
    second.cookie = first.cookie
    headers = { 'x-token': await one.token(brand.credentials) }
    // The second server takes its blocks before the first.
    const id = await open(second, [line(CREPE)])
    await done(second, 'POST', `/receipts/${id}/close`, { payment_methods: [{ id: CASH, amount: 3.33 }] })
    await done(second, 'DELETE', `/operations/${(await supply(second)).id}`)
    await order(other)
    later(1)
  })

  test('a bill has its lines in the order in which they were added, and the first of them has the cent (P9)', async () => {
    const cids = [randomUUID(), randomUUID(), randomUUID()]
    const [one, two, three] = cids.map((cid) => line(CREPE, 1, { cid })) as [object, object, object]
    const id = await open(first, [one])
    later(1)
    await done(second, 'POST', `/receipts/${id}/lines`, { lines: [two, three] })
    await done(second, 'PATCH', `/receipts/${id}`, { discount: { discount_type: 2, discount_value: 1 } })
    const receipt = await read(`/receipts/${id}?include=details,receipt_products,calculation,costs`)
    const lines = receipt.receipt_products as { id: number; cid: string; receipt_discount: number }[]
    assert.ok(lines[0]!.id > lines[1]!.id, 'the later lines have the lower ids')
    const shown = lines.map(({ cid, receipt_discount }) => [cid, receipt_discount])
    assert.deepEqual(shown, [
      [cids[0], 0.34],
      [cids[1], 0.33],
      [cids[2], 0.33],
    ])
    const ids = lines.map((each) => each.id)
    const idsOf = (rows: { id: number }[]) => rows.map((each) => each.id)
    assert.deepEqual(idsOf(receipt.costs.receipt_products), ids)
    assert.deepEqual(idsOf(receipt.calculation.steps[4].lines), ids)

    const closed = await done(first, 'POST', `/receipts/${id}/close`, { payment_methods: [{ id: CARD, amount: 8.99 }] })
    assert.equal(closed.total, 8.99)
    const moved = await read(`/receipts/${id}/stock-operations?sort[0][0]=id&sort[0][1]=asc`)
    assert.deepEqual([...new Set(moved.map((each: { receipt_product_id: number }) => each.receipt_product_id))], ids)

    later(1)
    const part = await done(second, 'POST', `/receipts/${id}/refund`, { lines: [{ id: ids[0] }] })
    assert.ok(part.id < id, 'the refund has the lower id')
    const rest = await done(first, 'POST', `/receipts/${id}/refund`, {})
    assert.deepEqual([part.total, rest.total], [-2.99, -6])
    const back = (await read(`/receipts/${rest.id}?include=receipt_products`)).receipt_products
    assert.deepEqual(
      back.map(({ total }: { total: number }) => total),
      [-3, -3],
    )
    await isSound()
  })

  test('tickets stand in the order in which they were sent, their lines in that of the bill', async () => {
    const earlier = await open(first, [line(GALETTE, 1, { note: 'one' })])
    later(1)
    await done(second, 'POST', `/receipts/${earlier}/lines`, { lines: [line(GALETTE, 2, { note: 'two' })] })
    await done(first, 'POST', `/receipts/${earlier}/send`)
    later(24)
    const after = await open(second, [line(GALETTE)])
    await done(second, 'POST', `/receipts/${after}/send`)
    for (const browser of [first, second]) {
      const { data } = (await browser.ask('GET', '/tickets?station_id=1')).body
      assert.ok(data[0].id > data[1].id)
      assert.deepEqual(
        data.map(({ receipt_id }: { receipt_id: number }) => receipt_id),
        [earlier, after],
      )
      assert.deepEqual(
        data[0].lines.map(({ note }: { note: string }) => note),
        ['one', 'two'],
      )
    }
    await isSound()
  })

  test('lists of what happened have the newest first, whatever its id is', async () => {
    const document = (await supply(first)).id
    await done(first, 'POST', `/operations/${document}/publish`)
    later(1)
    const reversal = await done(second, 'POST', `/operations/${document}/reverse`)
    assert.ok(reversal.id < document, 'the reversal has the lower id')
    const earlier = await order(servers[0]!)
    later(1)
    const last = await order(servers[1]!)
    assert.ok(last.id < earlier.id)
    for (const [path, time] of [
      ['/receipts', 'created_at'],
      ['/orders', 'created_at'],
      ['/operations', 'created_at'],
      ['/stock-operations', 'operated_at'],
      ['/finance/transactions', 'operated_at'],
    ] as const) {
      const times = (await read(`${path}?limit=200`)).map((row: Record<string, string>) => row[time])
      assert.deepEqual(times, [...times].sort().reverse(), path)
    }
    assert.equal((await read('/operations'))[0].id, reversal.id)
    assert.equal((await read('/orders'))[0].id, last.id)
    await isSound()
  })

  test('an export names what is referred to first, and members in the schema’s order', async () => {
    const seen = new Set<string>()
    const OWN: Record<string, string> = {
      receipt: 'parent_id',
      operation: 'reverses_id',
      category: 'parent_id',
      finance_category: 'parent_id',
    }
    let pointed = 0
    for (const text of await linesOf()) {
      const { kind, ...row } = JSON.parse(text) as Row & { id: number }
      const to = row[OWN[kind] ?? ''] as number | undefined
      if (to !== undefined) {
        pointed++
        assert.ok(seen.has(`${kind} ${to}`), `${kind} ${row.id} comes before ${to}`)
      }
      seen.add(`${kind} ${row.id}`)
      const { line: schema } = RESOURCES.find((each) => each.kind === kind)!
      assert.equal(JSON.stringify(row), JSON.stringify(inOrder(schema, row)), kind)
    }
    assert.equal(pointed, 6)
  })

  test('what it exports can be imported, and shows and exports the same', async () => {
    const [{ deps, brand, token, staffBrowser }] = servers as [(typeof servers)[0]]
    const lines = await linesOf()
    const copy = await brand('copy', { rows: HOUSE.slice(0, 7), quota: 1e9 })
    await putRows(
      deps.db,
      copy.id,
      lines.map((text) => JSON.parse(text)),
    )
    await deps.directory.refresh()
    await servers[1]!.deps.directory.refresh()
    await isSound(copy.id)
    assert.deepEqual(await linesOf(copy.id), lines)
    const there = { 'x-token': await token(copy.credentials) }
    for (const path of [
      '/receipts?include=details,receipt_products,costs&limit=200',
      '/orders?limit=200',
      '/operations?include=items&limit=200',
      '/stock-operations?limit=200',
      '/finance/transactions?limit=200',
      '/customers?limit=200',
    ])
      assert.deepEqual(await read(path, there), await read(path), path)
    const tickets = async (browser: Browser) => (await browser.ask('GET', '/tickets')).body.data
    assert.deepEqual(await tickets(await staffBrowser('copy')), await tickets(first))
  })

  test('the same split at both servers at once is one split', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await open(first, [line(CREPE), line(CREPE, 2)])
      const [, { id: moved }] = (await read(`/receipts/${id}?include=receipt_products`)).receipt_products
      const parts = [{ cid: randomUUID(), lines: [{ id: moved }] }]
      const [one, other] = await Promise.all(
        [first, second].map((browser) => done(browser, 'POST', `/receipts/${id}/split`, { parts })),
      )
      const ids = (answer: { id: number }[]) => answer.map((receipt) => receipt.id)
      assert.deepEqual(ids(one), ids(other))
    }
    await isSound()
  })

  test('a tip by card that meets the end of its shift is kept, in that shift or in none', async () => {
    for (let round = 0; round < 3; round++) {
      const shift = await done(first, 'POST', '/shifts', { terminal_id: 1, opening_amount: 0 })
      const id = await open(first, [line(CREPE)], { terminal_id: 1 })
      await Promise.all([
        done(first, 'POST', `/shifts/${shift.id}/close`, { closing_amount: 0 }),
        done(second, 'POST', `/receipts/${id}/tips`, { payment_method_id: CARD, amount: 1 }),
      ])
      assert.equal((await read(`/receipts/${id}?include=details`)).tip, 1)
      const tips = await servers[0]!.deps.db.rows<{ cash_shift_id: string | null }>(
        'select cash_shift_id from transactions where brand_id = ? and receipt_id = ?',
        [brand_id, id],
      )
      assert.equal(new Set(tips.map(({ cash_shift_id }) => cash_shift_id)).size, 1)
    }
    await isSound()
  })

  test('tips that are paid out by card while their shift ends are in its report, or in no shift', async () => {
    if (engine === 'SQLite') return // one transaction at a time
    const shift = await done(first, 'POST', '/shifts', { terminal_id: 1, opening_amount: 0 })
    const id = await open(first, [line(CREPE)], { terminal_id: 1 })
    await done(first, 'POST', `/receipts/${id}/tips`, { payment_method_id: CARD, amount: 5, user_id: 1 })
    const { db } = servers[1]!.deps
    const { transaction } = db
    let isEnded = false
    // The shift ends when the payout has found it, and has not booked yet.
    db.transaction = (work, source) =>
      transaction((tx) => {
        const texts: typeof tx.texts = async (text, values) => {
          const found = await tx.texts(text, values)
          if (!isEnded && text.includes('from cash_shifts')) {
            isEnded = true
            await done(first, 'POST', `/shifts/${shift.id}/close`, { closing_amount: 0 })
          }
          return found
        }
        return work(new Proxy(tx, { get: (_, name) => (name === 'texts' ? texts : Reflect.get(tx, name)) }))
      }, source)
    try {
      await done(second, 'POST', '/tips/payout', { user_id: 1, payment_method_id: CARD, amount: 2 })
    } finally {
      db.transaction = transaction
    }
    assert.ok(isEnded)
    const { tips } = await read(`/finance/cash-shifts/${shift.id}/report`)
    const [booked] = await db.rows<{ amount: number }>(
      `select cast(coalesce(-sum(amount), 0) as bigint) as amount from transactions
       where brand_id = ? and cash_shift_id = ? and amount < 0`,
      [brand_id, shift.id],
    )
    assert.deepEqual([tips.paid_out, booked!.amount], [0, 0])
    await isSound()
  })
})

/** A value with the members of its objects in the order of their schema. */
function inOrder(schema: unknown, value: unknown): unknown {
  const { properties, items } = (schema ?? {}) as Partial<TObject> & { items?: unknown }
  if (Array.isArray(value)) return value.map((each) => inOrder(items, each))
  if (!properties || typeof value !== 'object' || value === null) return value
  const given = value as Record<string, unknown>
  const known = Object.keys(properties).filter((name) => name in given)
  return Object.fromEntries(known.map((name) => [name, inOrder(properties[name], given[name])]))
}
