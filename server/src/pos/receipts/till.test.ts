import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows } from '../../../test/database/store.ts'
import { type Browser, offices } from '../../back-office/office-fixture.ts'
import { auditBooks } from '../books/audit.ts'
import { line, RESTAURANT } from './till-fixture.ts'

onEachEngine('receipts at the till', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let owner: Browser
  let waiter: Browser
  let brand_id: number
  let headers: Record<string, string>

  before(async () => {
    built = await office()
    const brand = await built.brand('bistro', { rows: RESTAURANT, quota: 1e9 })
    brand_id = brand.id
    owner = await built.staffBrowser('bistro')
    waiter = await built.staffBrowser('bistro', 'waiter')
    headers = { 'x-token': await built.token(brand.credentials) }
  })

  const open = async (more: object = {}) => {
    const answer = await owner.ask('POST', '/receipts', { cid: randomUUID(), sale_type_id: 1, ...more })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.data.id as number
  }
  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
  const read = async (id: number): Promise<any> => {
    const { status, body } = await built.call(`/receipts/${id}?include=details,receipt_products`, { headers })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  const isSound = async () => assert.deepEqual((await auditBooks(built.deps.db, brand_id)).findings, [])
  const events = (id: number) =>
    built.deps.db.rows<{ type: string; data: string }>(
      `select type, data from events where brand_id = ? and subject = ? and type like 'receipt.%' order by position`,
      [brand_id, String(id)],
    )

  test('the first vector of P11, made with real lines, taxes and a group', async () => {
    const id = await open({
      customer_id: 7,
      table_id: 1,
      terminal_id: 1,
      guests: 2,
      lines: [line(1, 2, { modifiers: [{ modifier_id: 1 }] }), line(2), line(3)],
    })
    const receipt = await read(id)
    assert.deepEqual(
      [receipt.subtotal, receipt.total_discount, receipt.service_charge_value, receipt.total, receipt.remaining],
      [44.1, 4.41, 3.97, 43.66, 43.66],
    )
    assert.deepEqual([receipt.discount_type, receipt.discount_value, receipt.service_charge], [1, 10, 10])
    assert.deepEqual(
      receipt.taxes.map((tax: { id: number; amount: number }) => [tax.id, tax.amount]),
      [
        [1, 3.46],
        [2, 0.93],
      ],
    )
    const lines = receipt.receipt_products
    assert.deepEqual(
      lines.map((each: { receipt_discount: number }) => each.receipt_discount),
      [3.34, 0.45, 0.62],
    )
    assert.deepEqual(lines[0].modifiers, [{ id: 1, name: 'Egg', count: 1, price: 1.8, total: 3.6 }])
    assert.deepEqual(
      [receipt.source, receipt.order_status, receipt.version, receipt.shift_date],
      ['POS', 'NEW', 1, '2026-03-01'],
    )
    await isSound()
  })

  test('who sells learns the names of the staff, for the bill, and nothing else of them', async () => {
    const { status, body } = await waiter.ask('GET', '/sellers')
    assert.equal(status, 200)
    const { user_id } = await read(await open())
    const [owners] = body.data.filter(({ id }: { id: number }) => id === user_id)
    assert.deepEqual(Object.keys(owners), ['id', 'name', 'active'])
    assert.equal((await waiter.ask('GET', '/read/users')).status, 403)
  })

  test('a receipt is opened once for its cid; other content is a conflict', async () => {
    const input = { cid: randomUUID(), sale_type_id: 1, lines: [line(2)] }
    const answers = await Promise.all(Array.from({ length: 5 }, () => owner.ask('POST', '/receipts', input)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
    const other = await owner.ask('POST', '/receipts', { ...input, guests: 3 })
    assert.deepEqual([other.status, other.body.error], [409, 'duplicate_cid'])
  })

  test('numbers of a business day have no gaps, refused receipts included', async () => {
    const numbers: number[] = []
    for (const sale_type_id of [1, 3, 1]) {
      const { status, body } = await owner.ask('POST', '/receipts', { cid: randomUUID(), sale_type_id })
      if (status === 200) numbers.push((await read(body.data.id)).number)
      else assert.deepEqual([status, body.error], [400, 'validation_failed']) // not active at this venue
    }
    assert.equal(numbers[1]! - numbers[0]!, 1)
    const day = await built.call('/receipts?date[0]=2026-03-01&date[1]=2026-03-01&limit=200', { headers })
    assert.equal(day.body.total, (day.body.data as object[]).length, 'the day’s total is kept by each sale')
  })

  test('sales and imports beside each other wait for each other in one order, and every receipt is counted', async () => {
    const imports = Array.from({ length: 6 }, (_, index) =>
      putRows(built.deps.db, brand_id, [
        { kind: 'receipt', id: 800_000 + index, venue_id: 1, number: index, created_at: '2026-03-01T10:00:00.000Z' },
      ]),
    )
    await Promise.all([...imports, ...Array.from({ length: 12 }, () => open({ lines: [line(2)] }))])
    const rows = await built.deps.db.rows<{ venue_id: number }>(
      `select venue_id from receipts where brand_id = ? and venue_id = 1 and created_at like '2026-03-01%'`,
      [brand_id],
    )
    const day = await built.call('/receipts?date[0]=2026-03-01&date[1]=2026-03-01&limit=1', { headers })
    assert.equal(day.body.total, rows.length)
    assert.equal((await built.call('/receipts?limit=1', { headers })).body.total, rows.length)
  })

  test('a line that was imported is never replaced by a sale that took its id before', async () => {
    const id = await open({ lines: [line(2)] })
    const [{ id: last }] = (await read(id)).receipt_products // the next ids are held by this process
    await putRows(built.deps.db, brand_id, [
      {
        kind: 'receipt',
        id: 810_000,
        venue_id: 1,
        status: 2,
        total: 6,
        receipt_products: [2, 4].map((step) => ({
          id: last + step,
          product_id: 2,
          name: 'Cider',
          count: 1,
          price: 3,
          total: 3,
        })),
      },
    ])
    for (let count = 1; count <= 5; count++) {
      const added = await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(2)] })
      assert.equal(added.status, 200, JSON.stringify(added.body))
    }
    const idsOf = async (receipt: number) =>
      (await read(receipt)).receipt_products.map((each: { id: number }) => each.id)
    assert.deepEqual(await idsOf(810_000), [last + 2, last + 4])
    assert.equal((await idsOf(id)).length, 6)
    await isSound()
  })

  test('concurrent additions all survive, and each raises the version', async () => {
    const id = await open()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(2)] })),
    )
    for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body))
    const receipt = await read(id)
    assert.equal(receipt.receipt_products.length, 12)
    assert.equal(receipt.subtotal, 54)
    assert.equal(receipt.version, 13)
    assert.equal(new Set(answers.map((answer) => answer.headers.etag)).size, 12)
  })

  test('a line that is added twice with one cid is there once; with other content it is refused', async () => {
    const id = await open()
    const input = line(2, 2)
    await Promise.all([1, 2, 3].map(() => owner.ask('POST', `/receipts/${id}/lines`, { lines: [input] })))
    const receipt = await read(id)
    assert.equal(receipt.receipt_products.length, 1)
    assert.equal(receipt.version, 2, 'what changes nothing raises nothing')
    const other = await owner.ask('POST', `/receipts/${id}/lines`, { lines: [{ ...input, count: 3 }] })
    assert.deepEqual([other.status, other.body.error], [409, 'duplicate_cid'])
    await owner.ask('POST', `/receipts/${id}/lock`, {})
    const late = { lines: [{ ...input, cid: input.cid.toUpperCase() }] }
    assert.equal((await owner.ask('POST', `/receipts/${id}/lines`, late)).status, 200, 'also when it is late')
  })

  test('a stale If-Match is 412 with the version that the receipt has', async () => {
    const id = await open({ lines: [line(2)] })
    const add = (tag: string) => owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(2)] }, { 'if-match': tag })
    assert.deepEqual([(await add('"1"')).status, (await add('*')).status], [200, 200])
    for (const tag of ['"1"', 'W/"3"', '"x"']) {
      const { status, body } = await add(tag)
      assert.deepEqual([status, body.error, body.details], [412, 'version_mismatch', { version: 3 }])
    }
    assert.equal((await add('1')).status, 400)
    assert.equal((await add('"1", "3"')).status, 200)
  })

  test('what cannot be sold is refused by its path, and nothing of the request is kept', async () => {
    const id = await open()
    const cases: [object, field: string][] = [
      [line(999), 'product_id'],
      [line(50), 'product_id'],
      [line(5), 'product_id'],
      [line(2, 0.5), 'count'],
      [line(2, 10_001), 'count'],
      [line(4, 1, { discount_type: 1, discount_value: 10 }), 'discount_type'],
      [line(4, 1, { is_gift: true }), 'is_gift'],
      [line(2, 1, { discount_type: 1, discount_value: 101 }), 'discount_value'],
      [line(2, 1, { discount_type: 2, discount_value: 0.001 }), 'discount_value'],
      [line(1, 1, { modifiers: [{ modifier_id: 1, count: 3 }] }), 'modifiers[0].count'],
      [line(1, 1, { modifiers: [{ modifier_id: 2 }] }), 'modifiers[0].modifier_id'],
      [line(1, 1, { modifiers: [{ modifier_id: 9 }] }), 'modifiers[0].modifier_id'],
      [line(1, 1, { modificators: [9] }), 'modificators[0]'],
    ]
    for (const [wrong, field] of cases) {
      const { status, body } = await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(2), wrong] })
      assert.equal(status, 400, field)
      assert.equal(body.details.errors[0].field, `lines[1].${field}`, JSON.stringify(body))
    }
    assert.equal((await read(id)).receipt_products.length, 0)
  })

  test('a line copies what the menu said: a later price does not touch it', async () => {
    const id = await open({ lines: [line(4, 0.345), line(7)] })
    const before = await read(id)
    assert.deepEqual(
      before.receipt_products.map((each: { name: string; price: number; total: number }) => [each.price, each.total]),
      [
        [12.9, 4.45],
        [12, 12],
      ],
    )
    await putRows(
      built.deps.db,
      brand_id,
      RESTAURANT.filter(({ kind, id }) => kind === 'product' && id === 4).map((row) => ({ ...row, price: 99 })),
    )
    await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(4, 1)] })
    const prices = (await read(id)).receipt_products.map((each: { price: number }) => each.price)
    assert.deepEqual(prices, [12.9, 12, 99])
    await isSound()
  })

  test('a price list that holds here makes the price of a line, and so does another sale type’s', async () => {
    await putRows(built.deps.db, brand_id, [
      { kind: 'price_list', id: 1, name: 'Takeaway', status: true, scopes: [{ sale_type_id: 2 }] },
      { kind: 'price', id: 1, list_id: 1, product_id: 2, price: 4 },
    ])
    const id = await open({ lines: [line(2), line(2, 1, { price: 5 }), line(1)] })
    await owner.ask('PATCH', `/receipts/${id}`, { sale_type_id: 2 })
    const prices = (await read(id)).receipt_products.map((each: { price: number }) => each.price)
    assert.deepEqual(prices, [4, 4, 14.9], 'one that was given too: it was given for the other sale type')
    await isSound()
  })

  test('an unsent line is changed, a sent one only voided', async () => {
    const id = await open({ lines: [line(1, 1), line(3)] })
    const [galette, calvados] = (await read(id)).receipt_products
    const change = (body: object) => owner.ask('PATCH', `/receipts/${id}/lines/${galette.id}`, body)
    assert.equal((await change({ count: 3, note: 'no salt' })).status, 200)
    const changed = await read(id)
    assert.equal(changed.receipt_products[0].subtotal, 44.7)
    assert.equal((await change({ count: 3 })).headers.etag, `"${changed.version}"`, 'what is the same changes nothing')
    assert.equal((await change({})).status, 400)
    assert.equal((await owner.ask('DELETE', `/receipts/${id}/lines/${calvados.id}?waste=yes`)).status, 400)

    assert.equal((await owner.ask('POST', `/receipts/${id}/send`, {})).status, 200)
    const refused = await change({ count: 1 })
    assert.deepEqual([refused.status, refused.body.error], [409, 'receipt_in_kitchen'])
    for (const each of [galette, calvados])
      assert.equal((await owner.ask('DELETE', `/receipts/${id}/lines/${each.id}?waste=1`)).status, 200)
    const receipt = await read(id)
    assert.equal(receipt.total, 0)
    assert.deepEqual(
      receipt.receipt_products.map((each: { state: string; total: number }) => [each.state, each.total]),
      [
        ['VOID', 0],
        ['VOID', 0],
      ],
    )
    const wasted = await built.deps.db.texts('select copied from receipt_lines where brand_id = ? and receipt_id = ?', [
      brand_id,
      id,
    ])
    assert.deepEqual(
      wasted.map((copied) => JSON.parse(copied).waste),
      [true, true],
    )
    await isSound()
  })

  test('sending makes one ticket a station, and sending again none', async () => {
    const id = await open({ lines: [line(1), line(1), line(2), line(3)] })
    await Promise.all([1, 2, 3].map(() => owner.ask('POST', `/receipts/${id}/send`, {})))
    const tickets = await built.deps.db.rows<{ id: number; station_id: number; state: string }>(
      'select id, station_id, state from tickets where brand_id = ? and receipt_id = ? order by id',
      [brand_id, id],
    )
    assert.deepEqual(
      tickets.map(({ station_id, state }) => [station_id, state]),
      [
        [1, 'SENT'],
        [2, 'SENT'],
      ],
    )
    const states = async () => (await read(id)).receipt_products.map((each: { state: string }) => each.state)
    assert.deepEqual(await states(), ['SENT', 'SENT', 'SENT', 'READY'], 'nobody has to make a line without a station')

    await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(1)] })
    await owner.ask('POST', `/receipts/${id}/send`, {})
    assert.equal((await states()).filter((state: string) => state === 'SENT').length, 4)

    const step = (name: string, ticket = tickets[0]!.id) => owner.ask('POST', `/tickets/${ticket}/${name}`, {})
    assert.equal((await step('serve')).status, 409)
    assert.equal((await step('start')).status, 200)
    assert.equal((await read(id)).order_status, 'IN_PROGRESS')
    assert.equal((await step('ready')).status, 200)
    const { version } = await read(id)
    const again = await step('ready')
    assert.deepEqual([again.status, (await read(id)).version], [200, version], 'a step that was made already')
    assert.equal((await step('recall')).status, 200)
    assert.deepEqual((await states()).slice(0, 2), ['COOKING', 'COOKING'])
    assert.equal((await step('ready')).status, 200)
    assert.equal((await step('serve')).status, 200)
    assert.equal((await owner.ask('POST', '/tickets/999999/start', {})).status, 404)
  })

  test('lines of a ticket go through the kitchen one by one, and the ticket has the state of all of them', async () => {
    const id = await open({ lines: [line(1), line(1)] })
    await owner.ask('POST', `/receipts/${id}/send`, {})
    const [one, two] = (await read(id)).receipt_products.map((each: { id: number }) => each.id)
    const step = (name: string, lines?: number[]) =>
      owner
        .ask('POST', `/tickets/${one}/${name}`, lines ? { lines } : {})
        .then(({ status }: { status: number }) => status)
    const now = async () => {
      const [ticket] = await built.deps.db.rows<{ state: string }>(
        'select state from tickets where brand_id = ? and id = ?',
        [brand_id, one],
      )
      const { receipt_products } = await read(id)
      return [ticket!.state, ...receipt_products.map((each: { state: string }) => each.state)].join(' ')
    }

    assert.equal(await step('ready', [two]), 200)
    assert.equal(await now(), 'COOKING SENT READY', 'one has begun')
    assert.deepEqual(
      [await step('ready', [two]), await now()],
      [200, 'COOKING SENT READY'],
      'a step that was made already',
    )
    assert.equal(await step('start', [two]), 409, 'that line is further')
    assert.equal(await step('serve', [one]), 409, 'and that one is not so far')
    assert.equal(await step('ready', [two, 999_999]), 400)
    assert.equal(await step('serve', [two]), 200)
    assert.deepEqual([await step('ready'), await now()], [200, 'READY READY SERVED'], 'the rest of it')
    assert.equal(await step('recall', [one]), 200)
    assert.equal(await now(), 'COOKING COOKING SERVED')
    assert.equal(await step('ready'), 200)
    assert.deepEqual([await step('serve'), await now()], [200, 'SERVED SERVED SERVED'])
    assert.equal(await step('recall'), 409)
  })

  test('an inactive station gets no new tickets: its lines are READY when they are sent', async () => {
    const bar = RESTAURANT.filter(({ kind, id }) => kind === 'station' && id === 2)
    const id = await open({ lines: [line(1), line(2)] })
    await putRows(
      built.deps.db,
      brand_id,
      bar.map((row) => ({ ...row, status: 0 })),
    )
    await owner.ask('POST', `/receipts/${id}/send`, {})
    await putRows(built.deps.db, brand_id, bar)
    const states = (await read(id)).receipt_products.map((each: { state: string }) => each.state)
    assert.deepEqual(states, ['SENT', 'READY'])
  })

  test('a receipt whose lines are all ready is READY, and never goes back', async () => {
    const id = await open({ lines: [line(3)] })
    await owner.ask('POST', `/receipts/${id}/send`, {})
    assert.equal((await read(id)).order_status, 'READY')
    const back = await owner.ask('PATCH', `/receipts/${id}`, { order_status: 'IN_PROGRESS' })
    assert.deepEqual(
      [back.status, back.body.error, back.body.details],
      [409, 'order_status_behind', { order_status: 'READY' }],
    )
    const other = await open({ lines: [line(3), line(1)] })
    await owner.ask('POST', `/receipts/${other}/send`, {})
    const [, galette] = (await read(other)).receipt_products
    await owner.ask('DELETE', `/receipts/${other}/lines/${galette.id}`)
    assert.equal((await read(other)).order_status, 'READY', 'what was not ready is void')
  })

  test('what is ready without having been started has begun: the receipt is IN_PROGRESS', async () => {
    const id = await open({ lines: [line(1), line(2), line(3)] })
    await owner.ask('POST', `/receipts/${id}/send`, {})
    const receipt = await read(id)
    assert.equal(receipt.order_status, 'NEW', 'nobody makes the line that is ready at once')
    assert.equal((await owner.ask('POST', `/tickets/${receipt.receipt_products[0].id}/ready`, {})).status, 200)
    assert.equal((await read(id)).order_status, 'IN_PROGRESS')
    assert.equal((await owner.ask('POST', `/tickets/${receipt.receipt_products[1].id}/ready`, {})).status, 200)
    assert.equal((await read(id)).order_status, 'READY')
  })

  test('a locked receipt takes no lines, and is still sent', async () => {
    const id = await open({ lines: [line(2)] })
    assert.equal((await owner.ask('POST', `/receipts/${id}/lock`, {})).status, 200)
    const refused = await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(2)] })
    assert.deepEqual([refused.status, refused.body.error], [409, 'receipt_locked'])
    assert.equal((await owner.ask('PATCH', `/receipts/${id}`, { guests: 3 })).body.error, 'receipt_locked')
    assert.equal((await owner.ask('POST', `/receipts/${id}/send`, {})).status, 200)
    assert.equal((await owner.ask('POST', `/receipts/${id}/unlock`, {})).status, 200)
    assert.equal((await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(2)] })).status, 200)
  })

  test('a discount that is given stays; otherwise it is that of the customer’s group', async () => {
    const id = await open({ lines: [line(2, 2)] })
    const change = async (body: object) => {
      const answer = await owner.ask('PATCH', `/receipts/${id}`, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      const { discount_type, discount_value, total_discount, customer_id } = await read(id)
      return [customer_id, discount_type, discount_value, total_discount]
    }
    assert.deepEqual(await change({ customer_id: 7 }), [7, 1, 10, 0.9])
    assert.deepEqual(await change({ customer_id: 8 }), [8, 0, 0, 0])
    assert.deepEqual(await change({ discount: { discount_type: 2, discount_value: 50 } }), [8, 2, 50, 9])
    assert.deepEqual(await change({ customer_id: 7 }), [7, 2, 50, 9])
    assert.deepEqual(await change({ discount: { discount_type: 0 } }), [7, 0, 0, 0])
    assert.deepEqual(await change({ customer_id: 0 }), [undefined, 0, 0, 0])
  })

  test('a group that was deleted gives no discount', async () => {
    const group = { kind: 'customer_group', id: 3, name: 'Old', discount_type: 'percent', discount_value: 20 }
    await putRows(built.deps.db, brand_id, [group, { kind: 'customer', id: '9', name: 'Nigar', group_id: 3 }])
    assert.equal((await read(await open({ customer_id: 9 }))).discount_value, 20)
    await putRows(built.deps.db, brand_id, [{ ...group, deleted_at: '2026-02-01T00:00:00.000Z' }])
    const { discount_type, discount_value } = await read(await open({ customer_id: 9 }))
    assert.deepEqual([discount_type, discount_value], [0, 0])
  })

  test('a group’s amount with more places than the money is rounded, and the sums hold', async () => {
    const group = { kind: 'customer_group', id: 4, name: 'Odd', discount_type: 'amount', discount_value: 1.005 }
    await putRows(built.deps.db, brand_id, [group, { kind: 'customer', id: '10', name: 'Aydan', group_id: 4 }])
    const receipt = await read(await open({ sale_type_id: 2, customer_id: 10, lines: [line(1), line(2), line(3)] }))
    assert.deepEqual([receipt.discount_value, receipt.total_discount], [1.005, 1.01])
    await isSound()
  })

  test('another sale type prices and taxes the unsent lines again', async () => {
    const egg = { modifiers: [{ modifier_id: 1, price: 0 }] }
    const id = await open({ lines: [line(2, 1), line(2, 1, { price: 1 }), line(1, 1, egg)] })
    await owner.ask('PATCH', `/receipts/${id}`, { sale_type_id: 2 })
    const receipt = await read(id)
    assert.deepEqual([receipt.service_charge, receipt.service_charge_value, receipt.total], [0, 0, 24.7])
    assert.equal(receipt.receipt_products[2].modifiers[0].price, 1.8)
    await isSound()
  })

  test('no line becomes negative: not by another sale type, and not by what is taken off a timer', async () => {
    const modificator_groups = [{ id: 9, name: 'Less', modificators: [{ id: 90, name: 'Own cup', price: -2.5 }] }]
    const product = { kind: 'product', status: 1, modificator_groups }
    const setting = { interval: 60, prices: [{ from: 0, price: 2 }] }
    await putRows(built.deps.db, brand_id, [
      { ...product, id: 60, name: 'Punch', type: 'PRODUCT', price: 3 },
      { ...product, id: 61, name: 'Table', type: 'TIMER', price: 10, setting },
      { kind: 'price_list', id: 60, name: 'Away', status: true, scopes: [{ sale_type_id: 2 }] },
      { kind: 'price', id: 60, list_id: 60, product_id: 60, price: 2 },
    ])
    const ownCup = { modifiers: [{ modifier_id: 90 }] }
    const id = await open({ lines: [line(60, 1, ownCup), line(61, 61, ownCup)] })
    const before = await read(id)
    assert.deepEqual(
      before.receipt_products.map((each: { total: number }) => each.total),
      [0.5, 1.5],
    )
    const [, table] = before.receipt_products
    for (const [answer, field] of [
      [owner.ask('PATCH', `/receipts/${id}`, { sale_type_id: 2 }), 'sale_type_id'],
      [owner.ask('PATCH', `/receipts/${id}/lines/${table.id}`, { count: 60 }), 'count'],
      [owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(61, 60, ownCup)] }), 'lines[0].modifiers'],
    ] as const) {
      const { status, body } = await answer
      assert.deepEqual([status, body.details?.errors?.[0]?.field], [400, field], JSON.stringify(body))
    }
    assert.deepEqual(await read(id), before)
  })

  test('a cancelled receipt has status 3, void lines and no reservation, and nothing more is done to it', async () => {
    const input = line(2)
    const id = await open({ lines: [line(1, 2), input] })
    await owner.ask('POST', `/receipts/${id}/send`, {})
    assert.equal((await owner.ask('POST', `/receipts/${id}/cancel`, { waste: true })).status, 200)
    const receipt = await read(id)
    assert.deepEqual([receipt.status, receipt.order_status, receipt.total], [3, 'CANCELLED', 0])
    assert.ok(receipt.deleted_at)
    for (const each of receipt.receipt_products) assert.equal(each.state, 'VOID')
    assert.deepEqual(await reservations(id), [])
    const ticket = receipt.receipt_products[0].id
    assert.equal((await owner.ask('POST', `/tickets/${ticket}/start`, {})).body.error, 'receipt_cancelled')
    for (const [path, body] of [
      ['lines', { lines: [line(2)] }],
      ['lines', { lines: [input] }], // one that is there
      ['send', {}],
      ['lock', {}],
      ['cancel', {}],
    ] as const) {
      const refused = await owner.ask('POST', `/receipts/${id}/${path}`, body)
      assert.deepEqual([refused.status, refused.body.error], [409, 'receipt_cancelled'], path)
    }
    assert.deepEqual(
      (await events(id)).map(({ type }) => type),
      ['receipt.opened', 'receipt.updated', 'receipt.cancelled'],
    )
    await isSound()
  })

  test('imported history is not sent to the kitchen (P22)', async () => {
    const lines = [{ id: 820_100, product_id: 1, name: 'Galette', count: 1, price: 9, total: 9, station_id: 1 }]
    await putRows(built.deps.db, brand_id, [
      { kind: 'receipt', id: 820_000, venue_id: 1, status: 1, total: 9, receipt_products: lines },
    ])
    const before = await read(820_000)
    const refused = await owner.ask('POST', '/receipts/820000/send', {})
    assert.deepEqual([refused.status, refused.body.error], [409, 'receipt_locked'])
    assert.deepEqual(await read(820_000), before)
  })

  test('updated_at is the time at which it was a change’s turn, not that at which it was asked', async () => {
    const id = await open({ lines: [line(2)] })
    const { db } = built.deps
    const { transaction } = db
    const startMs = built.clock.ms
    Object.assign(db, {
      transaction(...given: Parameters<typeof transaction>) {
        built.clock.ms = startMs + 5 // it waits
        return transaction(...given)
      },
    })
    try {
      assert.equal((await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(2)] })).status, 200)
    } finally {
      Object.assign(db, { transaction })
    }
    assert.equal((await read(id)).updated_at, new Date(startMs + 5).toISOString())
  })

  test('what was paid of a cancelled receipt is paid back by the same methods', async () => {
    const paid = [
      { id: 1, name: 'Cash', amount: 3 },
      { id: 2, name: 'Card', amount: 4.5 },
    ]
    await putRows(built.deps.db, brand_id, [
      { kind: 'receipt', id: 700_001, venue_id: 1, status: 1, total: 9, payment_methods: paid },
    ])
    assert.equal((await owner.ask('POST', '/receipts/700001/lines', { lines: [line(2)] })).body.error, 'receipt_locked')
    assert.equal((await owner.ask('POST', '/receipts/700001/cancel', {})).status, 200)
    const receipt = await read(700_001)
    assert.deepEqual([receipt.status, receipt.total, receipt.paid, receipt.remaining], [3, 9, 0, 0])
    assert.deepEqual(
      receipt.payment_methods.map(({ id, amount }: { id: number; amount: number }) => [id, amount]),
      [
        [1, 3],
        [2, 4.5],
        [1, -3],
        [2, -4.5],
      ],
    )
    await isSound()
  })

  const reservations = async (id: number) => {
    const rows = await built.deps.db.rows<{ product_id: number; modificator_id: number; quantity: number }>(
      `select product_id, modificator_id, quantity from reservations where brand_id = ? and receipt_id = ?
       order by product_id, modificator_id`,
      [brand_id, id],
    )
    return rows.map((row) => ({ ...row }))
  }

  test('reservations are what the lines take (P20), while they are there', async () => {
    const id = await open({ lines: [line(1, 2, { modifiers: [{ modifier_id: 1, count: 2 }] }), line(2, 3)] })
    assert.deepEqual(await reservations(id), [
      { product_id: 2, modificator_id: 0, quantity: 30_000 },
      { product_id: 50, modificator_id: 0, quantity: 3_000 },
      { product_id: 51, modificator_id: 1, quantity: 40_000 },
    ])
    const [galette, cider] = (await read(id)).receipt_products
    await owner.ask('DELETE', `/receipts/${id}/lines/${galette.id}`)
    await owner.ask('PATCH', `/receipts/${id}/lines/${cider.id}`, { count: 1 })
    assert.deepEqual(await reservations(id), [{ product_id: 2, modificator_id: 0, quantity: 10_000 }])
    await isSound()
  })

  test('every change is in the feed; a kitchen step is a change of the lines', async () => {
    const id = await open({ lines: [line(1)] })
    await owner.ask('POST', `/receipts/${id}/send`, {})
    await owner.ask('PATCH', `/receipts/${id}`, { guests: 4 })
    await owner.ask('POST', `/receipts/${id}/send`, {}) // nothing to send
    const published = (await events(id)).map(({ type, data }) => ({
      type,
      changed: JSON.parse(data).changed as string[],
    }))
    assert.deepEqual(
      published.map(({ type }) => type),
      ['receipt.opened', 'receipt.updated', 'receipt.updated'],
    )
    assert.deepEqual(published[1]!.changed.includes('receipt_products'), true)
    assert.deepEqual(published[2]!.changed.includes('guests'), true)
  })

  test('ids of another venue are refused, and its receipts are not there', async () => {
    for (const ids of [{ terminal_id: 2 }, { table_id: 2 }, { customer_id: 99 }]) {
      const { status, body } = await owner.ask('POST', '/receipts', { cid: randomUUID(), sale_type_id: 1, ...ids })
      assert.deepEqual([status, body.error], [400, 'validation_failed'], JSON.stringify(ids))
    }
    const id = await open()
    const elsewhere = await owner.ask('POST', `/receipts/${id}/lock`, {}, { 'x-venue': '2' })
    assert.equal(elsewhere.status, 404)
  })

  test('each route names its permission; a discount needs one of its own', async () => {
    const id = await open({ lines: [line(2)] })
    const [cider] = (await read(id)).receipt_products
    const needed = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
      const answer = await waiter.ask(method, `/receipts/${id}${path}`, body)
      return answer.status === 403 ? answer.body.details.required : answer.status
    }
    assert.equal(await needed('POST', '/lines', { lines: [line(2)] }), 200)
    assert.equal(await needed('POST', '/lines', { lines: [line(2, 1, { is_gift: true })] }), 'receipts:discount')
    assert.equal(await needed('POST', '/lines', { lines: [line(2, 1, { price: 4.4 })] }), 'receipts:discount')
    assert.equal(await needed('POST', '/lines', { lines: [line(2, 1, { price: 4.6 })] }), 200)
    assert.equal(await needed('POST', '/lines', { lines: [line(2, 1, { portion_size: 0.5 })] }), 'receipts:discount')
    for (const input of [line(2, 1, { portion_size: 2 }), line(4, 1, { portion_size: 0.5 })])
      assert.equal(await needed('POST', '/lines', { lines: [input] }), 200)
    const named = (product_name: string) => ({ lines: [line(2, 1, { product_name })] })
    assert.equal(await needed('POST', '/lines', named('Water')), 'receipts:discount', 'cider under the name of water')
    assert.equal(await needed('POST', '/lines', named(cider.name)), 200)
    const egg = (modifier_name: string) => ({ lines: [line(1, 1, { modifiers: [{ modifier_id: 1, modifier_name }] })] })
    assert.equal(await needed('POST', '/lines', egg('Salt')), 'receipts:discount')
    assert.equal(await needed('POST', '/lines', egg('Egg')), 200)
    assert.equal((await owner.ask('POST', `/receipts/${id}/lines`, named('Cidre maison'))).status, 200)
    assert.equal(await needed('PATCH', `/lines/${cider.id}`, { discount_value: 50 }), 'receipts:discount')
    assert.equal(await needed('PATCH', '', { discount: { discount_type: 1, discount_value: 5 } }), 'receipts:discount')
    const [, mistaken] = (await read(id)).receipt_products
    assert.equal(await needed('DELETE', `/lines/${mistaken.id}`), 200, 'what was not sent is only taken off')
    assert.equal(await needed('POST', '/send', {}), 200)
    assert.equal(await needed('DELETE', `/lines/${cider.id}`), 'receipts:void')
    assert.equal(await needed('POST', '/cancel', {}), 'receipts:cancel')
    const ticket = await waiter.ask('POST', '/tickets/1/start', {})
    assert.equal(ticket.body.details.required, 'kitchen:use')
  })

  test('names and notes have no characters that control the direction of text', async () => {
    const id = await open({ lines: [line(2)] })
    const [cider] = (await read(id)).receipt_products
    const back = '\u202e'
    for (const [method, path, body, field] of [
      ['POST', '/lines', { lines: [line(2, 1, { product_name: `a${back}b` })] }, 'lines[0].product_name'],
      ['POST', '/lines', { lines: [line(2, 1, { note: `a${back}b` })] }, 'lines[0].note'],
      ['PATCH', `/lines/${cider.id}`, { note: `a${back}b` }, 'note'],
    ] as const) {
      const { status, body: answer } = await owner.ask(method, `/receipts/${id}${path}`, body)
      assert.deepEqual([status, answer.details?.errors[0].field], [400, field], JSON.stringify(body))
    }
  })

  test('a request with an Idempotency-Key is done once', async () => {
    const id = await open()
    const args = [{ lines: [line(2)] }, { 'idempotency-key': randomUUID() }] as const
    const first = await owner.ask('POST', `/receipts/${id}/lines`, ...args)
    const again = await owner.ask('POST', `/receipts/${id}/lines`, ...args)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal(again.headers.etag, first.headers.etag)
    assert.deepEqual(again.body, first.body)
  })

  test('other choices take the place of a line in one step, also of the last portion; refused, the line stays', async () => {
    const limit = async () =>
      (await owner.ask('GET', '/stop-list')).body.data.find(({ id }: { id: number }) => id === 1).limit as number
    assert.equal((await owner.ask('PUT', '/stop-list/1', { limit: 2 })).status, 200)
    const first = line(1, 2)
    const id = await open({ lines: [first] })
    assert.equal(await limit(), 0)
    const lines = async () => (await read(id)).receipt_products as { id: number; cid: string; state: string }[]
    const states = async () => (await lines()).map(({ cid, state }) => [cid === first.cid ? 'old' : 'new', state])
    const put = (input: object, replaces: string) =>
      owner.ask('POST', `/receipts/${id}/lines`, { lines: [input], replaces })

    const withGold = await put(line(1, 2, { modifiers: [{ modifier_id: 2 }] }), first.cid)
    assert.deepEqual([withGold.status, withGold.body.details.errors[0].rule], [400, 'active'])
    const more = await put(line(1, 3), first.cid)
    assert.deepEqual([more.status, more.body.error, await limit()], [409, 'sold_out', 0])
    assert.deepEqual(await states(), [['old', 'NEW']])
    assert.equal((await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(1, 2)] })).body.error, 'sold_out')

    const withEgg = line(1, 2, { modifiers: [{ modifier_id: 1 }] })
    for (const _ of ['sent', 'sent again']) assert.equal((await put(withEgg, first.cid.toUpperCase())).status, 200)
    const replaced = [
      ['old', 'VOID'],
      ['new', 'NEW'],
    ]
    assert.deepEqual([await states(), await limit()], [replaced, 0])
    const acts = (await owner.ask('GET', `/receipts/${id}/acts`)).body.data as { action: string }[]
    assert.deepEqual(
      acts.map(({ action }) => action),
      ['open', 'remove', 'add'],
    )

    const gone = await put(line(2), first.cid)
    assert.deepEqual([gone.status, gone.body.error, gone.body.details], [409, 'receipt_in_kitchen', { state: 'VOID' }])
    const nowhere = await put(line(2), randomUUID())
    assert.deepEqual([nowhere.status, nowhere.body.details.errors[0].field], [400, 'replaces'])
    await owner.ask('POST', `/receipts/${id}/send`, {})
    assert.equal((await put(line(2), withEgg.cid)).status, 409, 'the kitchen has it')
    assert.deepEqual(
      (await states()).map(([, state]) => state),
      ['VOID', 'SENT'],
    )
    assert.equal((await owner.ask('DELETE', '/stop-list/1')).status, 200)
    await isSound()
  })

  test('a receipt has at most 200 lines', async () => {
    const id = await open({ lines: Array.from({ length: 199 }, () => line(2)) })
    assert.equal((await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(2), line(2)] })).status, 400)
    assert.equal((await owner.ask('POST', `/receipts/${id}/lines`, { lines: [line(2)] })).status, 200)
  })
})
