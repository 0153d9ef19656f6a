import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { until } from '../../../test/until.ts'
import { movingStock, ROWS, scaled } from '../stock/stock-fixture.ts'

const KITCHEN: Row[] = [
  ...ROWS,
  { kind: 'supplier', id: 5, name: 'Mill', status: 1 },
  {
    kind: 'product',
    id: 60,
    name: 'Dough',
    type: 'PREPARATION',
    recipe: [
      { id: 51, pivot: { gross: '0.500' } },
      { id: 52, pivot: { gross: '0.100' } },
    ],
  },
]

type Data = Record<string, unknown> & { id: number }

onEachEngine('documents', (make, engine) => {
  const brand = movingStock(make)

  async function kitchen() {
    const built = await brand(KITCHEN)
    const { client, db, brand_id, clock } = built
    const send = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, key?: string) =>
      client.send(method, path, body, key === undefined ? {} : { 'idempotency-key': key })
    const created = async (body: object) => {
      const answer = await send('POST', '/operations', body)
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data as Data
    }
    const done = async (id: number, what: 'publish' | 'reverse') => {
      const answer = await send('POST', `/operations/${id}/${what}`, {})
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data as Data
    }
    const published = async (body: object) => done((await created(body)).id, 'publish')
    /** Quantity, value and cost of a product in a storage. */
    const stock = async (product_id: number, storage_id = 1) => {
      const [row] = await db.rows<{ quantity: number; value: number; cost: number }>(
        'select quantity, value, cost from stocks where brand_id = ? and storage_id = ? and product_id = ?',
        [brand_id, storage_id, product_id],
      )
      return row && [row.quantity, row.value, row.cost].map((scaledValue) => scaledValue / 10_000)
    }
    const items = async (id: number) => (await client.get(`/operations/${id}/items`)).body.data as Data[]
    const supplier = async () => {
      const { spent, balance } = (await client.get('/suppliers/5')).body.data as {
        spent: number
        balance: { amount: number }
      }
      return { spent, owed: balance.amount }
    }
    const events = async () => {
      const rows = await db.rows<{ type: string; subject: string }>(
        `select type, subject from events where brand_id = ? and type like 'operation.%' order by position`,
        [brand_id],
      )
      return rows.map(({ type, subject }) => `${type} ${subject}`)
    }
    return { ...built, clock, send, created, done, published, stock, items, supplier, events }
  }

  const supply = (quantity: number, cost: number, more: object = {}) => ({
    type: 1,
    storage_id: 1,
    items: [{ product_id: 51, quantity, cost: String(cost) }],
    ...more,
  })

  test('a document has 1 to 500 products; one that is too long takes no number and no ids', async () => {
    const { send, created, db } = await kitchen()
    const items = (count: number) => Array.from({ length: count }, () => ({ product_id: 51, quantity: 1 }))
    const counters = () => db.rows('select * from counters order by brand_id, name', [])
    const before = await counters()
    for (const [count, said] of [
      [501, { message: 'items must have at most 500 entries.', maximum: 500 }],
      [0, { message: 'items must have at least 1 entry.' }],
    ] as const) {
      const { status, body } = await send('POST', '/operations', supply(1, 1, { items: items(count) }))
      assert.deepEqual([status, body.error], [400, 'validation_failed'])
      assert.deepEqual((body.details as { errors: object[] }).errors, [{ field: 'items', rule: 'length', ...said }])
    }
    assert.deepEqual(await counters(), before)
    const { number, items_count } = await created(supply(1, 1, { items: items(500) }))
    assert.deepEqual([number, items_count], [1, 500])
  })

  test('a draft moves nothing; it is changed, and deleted', async () => {
    const { client, send, created, stock, events, items } = await kitchen()
    const draft = await created(supply(2, 3, { supplier_id: 5, description: ' From the mill ' }))
    const { id, created_at, updated_at, document_date, ...rest } = draft
    assert.deepEqual(rest, {
      venue_id: 1,
      type: 1,
      type_name: 'Supply',
      status: 2,
      number: 1,
      storage_id: 1,
      supplier_id: 5,
      user_id: 1,
      items_count: 1,
      total_cost: 6,
      description: 'From the mill',
    })
    assert.deepEqual((await client.get(`/operations/${id}`)).body.data, draft)
    assert.equal(await stock(51), undefined)
    const changed = await send('PATCH', `/operations/${id}`, {
      items: [
        { product_id: 51, quantity: 1, cost: 3 },
        { product_id: 52, quantity: 4, cost: 0.25 },
      ],
      document_date: '2026-02-01T00:00:00Z',
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(
      (await items(id)).map(({ product_id, quantity, cost, total_cost }) => [product_id, quantity, cost, total_cost]),
      [
        [51, 1, 3, 3],
        [52, 4, 0.25, 1],
      ],
    )
    const listed = async (query: string) => (await client.get(`/operations?${query}`)).body.total
    assert.equal(await listed('date[0]=2026-02-01&date[1]=2026-02-01'), 1, 'its day is another one')
    assert.equal(await listed(''), 1)
    assert.equal((await client.get('/operation-items')).body.total, 2)
    const included = (await client.get(`/operations/${id}?include=items,supplier,storage`)).body.data as Data
    assert.deepEqual(
      [(included.items as Data[]).length, (included.supplier as Data).name, (included.storage as Data).name],
      [2, 'Mill', 'Shelves'],
    )
    assert.equal((await send('DELETE', `/operations/${id}`)).status, 200)
    assert.equal((await client.get(`/operations/${id}`)).status, 404)
    assert.deepEqual([await listed(''), (await client.get('/operation-items')).body.total], [0, 0])
    assert.deepEqual(await events(), [`operation.created ${id}`, `operation.updated ${id}`, `operation.deleted ${id}`])
  })

  test('a supply raises the average cost, what is owed to the supplier and what was spent there', async () => {
    const { published, stock, supplier, client } = await kitchen()
    await published(supply(2, 3, { supplier_id: 5 }))
    const second = await published(supply(1, 4, { supplier_id: 5 }))
    assert.deepEqual(await stock(51), [3, 10, 3.3333])
    assert.deepEqual(await supplier(), { spent: 10, owed: 10 })
    assert.deepEqual([second.status, second.total_cost, second.number], [1, 4, 2])
    assert.match(String(second.published_at), /^2026-/)
    const { data } = (await client.get(`/stock-operations?filters=[["operation_id",${second.id}]]`)).body
    assert.equal((data as Data[]).length, 1)
    const back = await published({ ...supply(1, 3.5), type: 10, supplier_id: 5 })
    assert.deepEqual([back.total_cost, (await stock(51))![0]], [3.5, 2])
    assert.deepEqual(await supplier(), { spent: 6.5, owed: 6.5 })
  })

  test('a published document stays as it is, and its key books it once', async () => {
    const { created, send, stock, done } = await kitchen()
    const { id } = await created(supply(2, 3))
    const publish = () => send('POST', `/operations/${id}/publish`, {}, 'one key')
    const [first, again] = [await publish(), await publish()]
    assert.equal(again.text, first.text)
    assert.deepEqual(await stock(51), [2, 6, 3])
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/publish'],
    ] as const) {
      const body = method === 'PATCH' ? { description: 'x' } : method === 'POST' ? {} : undefined
      const { status, body: refused } = await send(method, `/operations/${id}${path}`, body)
      assert.deepEqual([status, refused.error], [409, 'operation_published'], method)
    }
    await done(id, 'reverse')
    const { status, body } = await send('POST', `/operations/${id}/reverse`, {})
    assert.deepEqual([status, body.error], [409, 'operation_published'], 'a second reversal')
    assert.deepEqual(await stock(51), [0, 0, 3])
  })

  test('racing publications book once, and racing reversals undo once', async () => {
    const { created, send, stock } = await kitchen()
    const { id } = await created(supply(2, 3))
    for (const [what, left] of [
      ['publish', 2],
      ['reverse', 0],
    ] as const) {
      const answers = await Promise.all([...Array(8).keys()].map(() => send('POST', `/operations/${id}/${what}`, {})))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
      assert.equal((await stock(51))![0], left)
    }
  })

  test('counted 7 at 10:00 while 2 were sold by 10:05, published at 10:10: on hand 5', async () => {
    const { clock, created, done, move, stock, items } = await kitchen()
    const instantOf = (time: string) => `2026-03-01T${time}:00.000Z`
    await move([{ product_id: 51, quantity: scaled(10), cost: scaled(2) }], { now: instantOf('09:00') })
    clock.ms = Date.parse(instantOf('10:06'))
    const { id } = await created({
      type: 9,
      storage_id: 1,
      items: [
        { product_id: 51, counted: 7, counted_at: instantOf('10:00') },
        { product_id: 52, counted: 1 },
        { product_id: 53, counted: 0 },
      ],
    })
    await move([{ product_id: 51, quantity: scaled(-2) }], { now: instantOf('10:05') })
    clock.ms = Date.parse(instantOf('10:10'))
    const document = await done(id, 'publish')
    assert.deepEqual(await stock(51), [5, 10, 2])
    assert.deepEqual((await stock(52))![0], 1)
    assert.equal(document.total_cost, -6)
    assert.deepEqual(
      (await items(id)).map(({ quantity, counted, total_cost }) => [quantity, counted, total_cost]),
      [
        [-3, 7, -6],
        [1, 1, 0],
        [0, 0, 0],
      ],
    )
    await done(id, 'reverse')
    assert.deepEqual(await stock(51), [8, 16, 2])
  })

  test('two counts of one moment book a loss once, also where the first was reversed (S6)', async () => {
    const { clock, created, done, move, stock } = await kitchen()
    const instantOf = (time: string) => `2026-03-01T${time}:00.000Z`
    await move([{ product_id: 51, quantity: scaled(10), cost: scaled(2) }], { now: instantOf('09:00') })
    const count = (time: string) => {
      clock.ms = Date.parse(instantOf(time))
      return created({
        type: 9,
        storage_id: 1,
        items: [{ product_id: 51, counted: 7, counted_at: instantOf('10:00') }],
      })
    }
    const [first, second, third] = [await count('10:01'), await count('10:02'), await count('10:03')]
    await move([{ product_id: 51, quantity: scaled(-2) }], { now: instantOf('10:05') })
    const left: unknown[] = []
    for (const [time, id, what] of [
      ['10:10', first.id, 'publish'],
      ['10:11', second.id, 'publish'],
      ['10:12', first.id, 'reverse'],
      ['10:13', third.id, 'publish'],
    ] as const) {
      clock.ms = Date.parse(instantOf(time))
      await done(id, what)
      left.push((await stock(51))![0])
    }
    assert.deepEqual(left, [5, 5, 8, 5])
  })

  test('what a transfer or a production brings onto negative stock is worth what came in (P21)', async () => {
    const { published, move, stock } = await kitchen()
    await move([{ product_id: 51, storage_id: 2, quantity: scaled(1), cost: scaled(40) }])
    await move([{ product_id: 51, storage_id: 2, quantity: scaled(-10) }])
    assert.deepEqual(await stock(51, 2), [-9, -360, 40])
    await published(supply(10, 73))
    await published({ type: 3, storage_id: 1, to_storage_id: 2, items: [{ product_id: 51, quantity: 10 }] })
    assert.deepEqual(await stock(51, 2), [1, 73, 73])
    await move([{ product_id: 60, quantity: scaled(1), cost: scaled(40) }])
    await move([{ product_id: 60, quantity: scaled(-10) }])
    await published(supply(5, 146))
    await published({ type: 7, storage_id: 1, items: [{ product_id: 60, quantity: 10 }] })
    assert.deepEqual(await stock(60), [1, 73, 73])
  })

  test('a transfer conserves the sum of quantities and of values, and so does its reversal', async () => {
    const { published, done, stock } = await kitchen()
    await published(supply(3, 3.3333))
    await published({ ...supply(2, 7), storage_id: 2 })
    const sums = async () => {
      const [one, other] = [(await stock(51))!, (await stock(51, 2))!]
      return [one[0]! + other[0]!, scaled(one[1]!) + scaled(other[1]!)]
    }
    const before = await sums()
    const transfer = { type: 3, storage_id: 1, to_storage_id: 2, items: [{ product_id: 51, quantity: 2 }] }
    const { id, total_cost } = await published(transfer)
    assert.deepEqual(await sums(), before)
    assert.deepEqual([(await stock(51))![0], (await stock(51, 2))![0], total_cost], [1, 4, 6.6666])
    await done(id, 'reverse')
    assert.deepEqual(await sums(), before)
    assert.deepEqual([(await stock(51))![0], (await stock(51, 2))![0]], [3, 2])
  })

  test('a production takes the recipe, and what is made is worth what it took', async () => {
    const { published, done, stock, client } = await kitchen()
    await published({
      ...supply(10, 2),
      items: [
        { product_id: 51, quantity: 10, cost: 2 },
        { product_id: 52, quantity: 1, cost: 5 },
      ],
    })
    const made = await published({ type: 7, storage_id: 1, items: [{ product_id: 60, quantity: 4 }] })
    assert.deepEqual(
      [await stock(51), await stock(52), await stock(60)],
      [
        [8, 16, 2],
        [0.6, 3, 5],
        [4, 6, 1.5],
      ],
    )
    assert.equal(made.total_cost, 6)
    const { total } = (await client.get(`/stock-operations?filters=[["operation_id",${made.id}]]`)).body
    assert.equal(total, 3)
    await done(made.id, 'reverse')
    assert.deepEqual(
      [await stock(51), await stock(52), await stock(60)],
      [
        [10, 20, 2],
        [1, 5, 5],
        [0, 0, 1.5],
      ],
    )
  })

  test('a reversed document restores quantities and what is owed, by a document of its own', async () => {
    const { published, done, stock, supplier, client, events } = await kitchen()
    const supplied = await published(supply(4, 3, { supplier_id: 5 }))
    const waste = await published({ type: 4, storage_id: 1, items: [{ product_id: 51, quantity: 1 }] })
    assert.deepEqual([waste.total_cost, await stock(51)], [3, [3, 9, 3]])
    const undone = await done(waste.id, 'reverse')
    assert.deepEqual([undone.reverses_id, undone.status, undone.type, undone.total_cost], [waste.id, 1, 4, -3])
    assert.deepEqual(await stock(51), [4, 12, 3])
    await done(supplied.id, 'reverse')
    assert.deepEqual([await stock(51), await supplier()], [[0, 0, 3], { spent: 0, owed: 0 }])
    const [movement] = (await client.get(`/stock-operations?filters=[["operation_id",${undone.id}]]`)).body
      .data as Data[]
    assert.ok(Number(movement!.parent_id) > 0)
    assert.deepEqual((await events()).slice(-5, -2), [
      `operation.published ${waste.id}`,
      `operation.reversed ${waste.id}`,
      `operation.published ${undone.id}`,
    ])
    const again = await client.send('POST', `/operations/${undone.id}/reverse`, {})
    assert.deepEqual([again.status, again.body.error], [409, 'operation_published'], 'a reversal is not undone')
  })

  if (engine === 'PostgreSQL')
    test('a reversal that waits for the supplier’s balance keeps nobody waiting for a number (P16)', async () => {
      const { db, brand_id, created, published, done } = await kitchen()
      const { id } = await published(supply(2, 3, { supplier_id: 5 }))
      const [locked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const holder = db.transaction(async (tx) => {
        await tx.rows(`select id from balances where brand_id = ? and supplier_id = 5${tx.dialect.lockRows}`, [
          brand_id,
        ])
        locked.resolve()
        await goOn.promise
      })
      await locked.promise
      const reversed = done(id, 'reverse')
      await until(async () => {
        const waiting = await db.rows(
          `select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          [],
        )
        return waiting.length > 0
      })
      const draft = created(supply(1, 1)).then(({ number }) => number)
      const number = await Promise.race([draft, setTimeout(2_000, 'late', { ref: false })])
      goOn.resolve()
      await holder
      assert.deepEqual([number, (await reversed).number], [2, 3])
    })

  test('what a document may not say is 400 and names the member', async () => {
    const { send, client } = await kitchen()
    const refused = async (body: object) => {
      const { status, body: answer } = await send('POST', '/operations', body)
      assert.equal(status, 400, JSON.stringify(body))
      return (answer.details as { errors: { field: string }[] }).errors.map(({ field }) => field)
    }
    const item = { product_id: 51, quantity: 1 }
    const documentOf = (type: number, more: object = {}) => ({ type, storage_id: 1, items: [item], ...more })
    assert.deepEqual(await refused(documentOf(1, { storage_id: 3 })), ['storage_id'], 'of another venue')
    assert.deepEqual(await refused(documentOf(3)), ['to_storage_id'])
    assert.deepEqual(await refused(documentOf(3, { to_storage_id: 1 })), ['to_storage_id'])
    assert.deepEqual(await refused(documentOf(3, { to_storage_id: 3 })), ['to_storage_id'])
    assert.deepEqual(await refused(documentOf(4, { to_storage_id: 2, supplier_id: 5 })), [
      'to_storage_id',
      'supplier_id',
    ])
    assert.deepEqual(await refused(documentOf(10)), ['supplier_id'])
    assert.deepEqual(await refused(documentOf(1, { supplier_id: 6 })), ['supplier_id'])
    assert.deepEqual(await refused(documentOf(2)), ['type'])
    assert.deepEqual(await refused(documentOf(7)), ['items[0].product_id'], 'it has no recipe')
    assert.deepEqual(await refused(documentOf(1, { items: [] })), ['items'])
    assert.deepEqual(await refused(documentOf(1, { items: [{ ...item, product_id: 99 }] })), ['items[0].product_id'])
    assert.deepEqual(await refused(documentOf(1, { items: [item, { ...item, quantity: 0 }] })), ['items[1].quantity'])
    assert.deepEqual(await refused(documentOf(1, { items: [{ ...item, cost: -1 }] })), ['items[0].cost'])
    assert.deepEqual(await refused(documentOf(1, { items: [{ ...item, quantity: 1e9, cost: 1e9 }] })), [
      'items[0].cost',
    ])
    assert.deepEqual(
      await refused(documentOf(1, { items: [1, 2].map(() => ({ ...item, cost: 9e10 })) })),
      ['body'],
      'together',
    )
    assert.deepEqual(await refused(documentOf(1, { items: [{ ...item, counted: 1 }] })), ['items[0].counted'])
    const count = (counted: object) => refused({ type: 9, storage_id: 1, items: [{ product_id: 51, ...counted }] })
    assert.deepEqual(await count({ quantity: 1 }), ['items[0].quantity', 'items[0].counted'])
    assert.deepEqual(await count({ counted: -1 }), ['items[0].counted'])
    assert.deepEqual(await count({ counted: 1, counted_at: '2099-01-01T00:00:00Z' }), ['items[0].counted_at'])
    const twice = { type: 9, storage_id: 1, items: [1, 2].map((counted) => ({ product_id: 51, counted })) }
    assert.deepEqual(await refused(twice), ['items[1].product_id'])
    assert.deepEqual((await client.get('/operations')).body.total, 0)
  })

  test('documents are of their venue, and need their permissions', async () => {
    const { created, client, send } = await kitchen()
    const { id } = await created(supply(1, 1))
    const elsewhere = { 'x-venue': '2' }
    assert.equal((await client.get(`/operations/${id}`, elsewhere)).status, 404)
    assert.equal((await client.get(`/operations/${id}/items`, elsewhere)).status, 404)
    assert.equal((await client.send('POST', `/operations/${id}/publish`, {}, elsewhere)).status, 404)
    assert.equal((await send('POST', '/operations/99/publish', {})).status, 404)
    assert.deepEqual((await client.get('/operations/statuses')).body, {
      success: true,
      data: [
        { id: 2, name: 'draft' },
        { id: 1, name: 'published' },
      ],
      total: 2,
    })
    assert.deepEqual((await client.get('/operations/total')).body.data, { count: 1, total_cost: 1 })
    assert.deepEqual((await client.get('/operation-items/total')).body.data, { count: 1, quantity: 1, total_cost: 1 })
    const reader = await brand(KITCHEN, ['operations:read'])
    const { status, body } = await reader.client.send('POST', '/operations', supply(1, 1))
    assert.deepEqual([status, body.details], [403, { required: 'operations:write' }])
  })
})
