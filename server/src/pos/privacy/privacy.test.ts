import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Installation, onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { exported } from '../../cli/export.ts'
import type { Deps } from '../../deps.ts'
import { createCredential } from '../../directory/credentials.ts'
import type { Database } from '../../storage/database.ts'
import { auditBooks } from '../books/audit.ts'
import { CARD, ROWS, tills } from '../closing/closing-fixture.ts'
import { keepForSomeTime } from './retention.ts'
import { settleDue } from './settle.ts'

const DAY_MS = 86_400_000

onEachEngine('what is forgotten', (make) => {
  const till = tills(make)
  const PENDING_VENUE = ROWS.map((row) => (row.kind === 'venue' && row.id === 1 ? { ...row, accept: 'client' } : row))

  async function shop(rows: Row[] = PENDING_VENUE) {
    const fixture = await till(rows)
    const { built, headers, owner } = fixture
    const post = async (path: string, body: object, more: object = {}) => {
      const answer = await built.call(path, { method: 'POST', body, headers: { ...headers, ...more } })
      assert.equal(answer.status, 200, answer.text)
      // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
      return answer.body.data as any
    }
    const ask = async (method: 'POST' | 'PUT', path: string, body: object, more = {}) => {
      const answer = await owner.ask(method, path, body, more)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    }
    const order = (customer: object, more: object = {}) =>
      post(
        '/orders',
        {
          sale_type_id: 2,
          products: [{ product_id: 1, count: 2, note: `${JSON.stringify(customer)} note` }],
          customer,
          comment: `${JSON.stringify(customer)} comment`,
          auto_order_accept: true,
          ...more,
        },
        { 'idempotency-key': randomUUID() },
      )
    const close = (receipt: number, total: number) =>
      ask('POST', `/receipts/${receipt}/close`, { payment_methods: [{ id: CARD, amount: total }] })
    const settle = async () => {
      built.clock.ms += 20_000
      await settleDue(built.deps, built.clock.ms)
    }
    /** A reader may hold the log of SQLite back: then the files are due again. */
    const settleWholly = async () => {
      for (let turn = 0; turn < 5; turn++) {
        built.clock.ms += 31_000
        await settleDue(built.deps, built.clock.ms)
        const left = await fixture.db.rows('select * from erasures where brand_id = ?', [fixture.brand_id])
        if (left.length === 0) return
      }
    }
    const erase = (id: string, body: object = {}) => owner.ask('POST', `/customers/${id}/erase`, body)
    return { ...fixture, post, ask, order, close, settle, settleWholly, erase }
  }

  /** Personal data of a customer, each member with a word to search the database for. */
  const person = (canary: string) => ({
    name: `${canary} name`,
    phone: `+33 (0) ${canary}-phone`,
    email: `${canary}@example.com`,
    code: `${canary}-code`,
    cid: randomUUID(),
    description: `${canary} description`,
    date_of_birth: '1931-07-04',
    gender: 1,
  })

  test('an erased customer is in no table and no file, and the sums stay', async () => {
    const { built, post, ask, order, close, erase, settleWholly, db, brand_id, read, owner, headers } = await shop()
    const [canary, other] = ['canary417', 'canary902']
    const given = person(canary)
    const { id } = await post('/customers', given, { 'idempotency-key': `${canary}-key`.slice(0, 4) })
    const { id: neighbour } = await post('/customers', { ...person(other), date_of_birth: '1950-01-01' })
    const form = { ...given, description: `${canary} changed`, cid: undefined }
    await ask('PUT', `/customers/${id}`, JSON.parse(JSON.stringify(form)), { 'idempotency-key': 'changed' })
    const contact = { name: given.name, phone: given.phone, address: `${canary} street` }
    const own = await order({ id: Number(id), ...contact }, { integration_uuid: randomUUID() })
    const guests = await order({ ...contact, phone: `+330${canary} phone` })
    const others = await order({ id: Number(neighbour), name: `${other} name`, address: `${other} street` })
    const refused = await order({ id: Number(id), ...contact }, { auto_order_accept: false })
    await ask('POST', `/orders/${refused.id}/refuse`, { reason: 'closed' })
    for (const placed of [own, guests, others]) await close(placed.receipt_id, placed.total)
    await ask('POST', `/receipts/${own.receipt_id}/refund`, {})
    await logAnswer(built.deps, brand_id, `400: ${canary} is unknown`)
    const before = await read(own.receipt_id)

    const { status, body } = await erase(id, { with_balance: false })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.data.name, body.data.phone, body.message], ['Erased', undefined, 'Customer erased.'])
    await settleWholly()

    const after = await read(own.receipt_id)
    assert.equal(after.customer_id, Number(id), 'the sale keeps its customer')
    for (const name of ['total', 'total_tax', 'taxes', 'number', 'payment_methods'] as const)
      assert.deepEqual(after[name], before[name], name)
    assert.deepEqual([after.version, after.address, after.description], [before.version + 1, undefined, undefined])
    assert.deepEqual(await auditBooks(db, brand_id), { findings: [], receipts: 4 })
    await notFound([canary, canary.toUpperCase(), given.date_of_birth, given.cid], built)
    const found = await everything(built)
    for (const place of ['customers', 'orders', 'receipts', 'idempotency_keys'])
      assert.ok(found.get(place)?.includes(other), `${place} knows the neighbour still`)

    const events = await built.call('/events?after=oldest&limit=1000&types=customer.*', { headers })
    const ofCustomer = (events.body.data as { type: string; data: { id: string } }[]).filter((e) => e.data.id === id)
    assert.deepEqual(ofCustomer.at(-1), { ...ofCustomer.at(-1), type: 'customer.erased', data: { id } })
    const { rows } = (await owner.ask('GET', '/audit?search=customer.erase')).body
    assert.deepEqual([rows[0].subject, rows[0].before, rows[0].after], [id, null, null])
    assert.equal((await post('/customers', given)).name, given.name, 'phone, code and cid are free')
  })

  test('an erased customer buys nothing, is not changed, and is not brought back by an import', async () => {
    const { post, order, close, erase, settleWholly, owner, db, brand_id, built, headers } = await shop()
    const given = person('canary55')
    const { id } = await post('/customers', given)
    const placed = await order({ id: Number(id), name: given.name, phone: given.phone, address: 'canary55 street' })
    await close(placed.receipt_id, placed.total)
    const rows: Row[] = []
    for await (const text of exported(db, brand_id))
      rows.push(
        ...text
          .trim()
          .split('\n')
          .map((row) => JSON.parse(row)),
      )
    assert.equal((await erase(id)).status, 200)
    const refusals = [
      await owner.ask('PUT', `/customers/${id}`, { name: 'Back' }),
      await owner.ask('POST', `/customers/${id}/balance`, { amount: 5, payment_method_id: CARD }),
      await owner.ask('POST', '/receipts', { cid: randomUUID(), sale_type_id: 2, customer_id: Number(id) }),
    ]
    assert.deepEqual(
      refusals.map(({ body }) => body.error),
      ['customer_erased', 'customer_erased', 'validation_failed'],
    )
    const again = await built.call('/orders', {
      method: 'POST',
      headers,
      body: { sale_type_id: 2, products: [{ product_id: 1, count: 1 }], customer: { id: Number(id) } },
    })
    assert.deepEqual([again.status, again.body.error], [400, 'validation_failed'])
    assert.deepEqual((await owner.ask('GET', '/customer-search?search=erased')).body.data, [])
    const repeated = await erase(id)
    assert.deepEqual([repeated.status, repeated.body.message], [200, 'Nothing changed.'])

    const [line] = rows.filter((row) => row.kind === 'customer' && row.id === id)
    await assert.rejects(putRows(db, brand_id, [line!]), /was erased, and does not come back/)
    const address = 'canary55 street'
    const history = { kind: 'receipt', id: 900, venue_id: 1, status: 2, total: 3, customer_id: Number(id), address }
    await putRows(db, brand_id, [history])
    await settleWholly()
    await notFound(['canary55'], built)
  })

  test('what is under way and money that is left are said first', async () => {
    const { post, order, close, ask, erase, settleWholly, db, brand_id, built } = await shop()
    const { id } = await post('/customers', person('canary66'))
    const waiting = await order({ id: Number(id), name: 'canary66' }, { auto_order_accept: false })
    const open = await order({ id: Number(id), name: 'canary66', address: 'canary66 street' })
    const busy = await erase(id)
    assert.deepEqual(
      [busy.status, busy.body.error, busy.body.details],
      [409, 'customer_busy', { orders: [waiting.id], receipts: [open.receipt_id] }],
    )
    await ask('POST', `/orders/${waiting.id}/refuse`, { reason: 'closed' })
    await close(open.receipt_id, open.total)
    await ask('POST', `/customers/${id}/balance`, { amount: 12.5, payment_method_id: CARD })
    const rich = await erase(id)
    assert.deepEqual(
      [rich.status, rich.body.error, rich.body.details],
      [409, 'balance_left', { balance: 12.5, cashback_balance: 0 }],
    )
    const [known] = await db.texts('select name from customers where brand_id = ? and id = ?', [brand_id, id])
    assert.equal(known, 'canary66 name', 'nothing of it was done')
    const done = await erase(id, { with_balance: true })
    assert.deepEqual([done.status, done.body.data.balance.amount], [200, 12.5])
    await settleWholly()
    await notFound(['canary66'], built)
    assert.deepEqual((await auditBooks(db, brand_id)).findings, [])
  })

  test('what a request wrote meanwhile is found by the second look, and an open receipt keeps its address until it closes', async () => {
    const { post, order, close, erase, settle, settleWholly, db, brand_id, built } = await shop()
    const { id } = await post('/customers', person('canary77'))
    const { id: stand } = await post('/customers', { name: 'stand-in' })
    const placed = await order({ id: Number(stand), name: 'canary77', address: 'canary77 street' })
    assert.equal((await erase(id)).status, 200)
    // As a request leaves it that read the customer before and commits after: only by hand can this be had each time.
    await db.transaction(async (tx) => {
      await tx.run('update orders set customer_id = ? where brand_id = ? and id = ?', [id, brand_id, placed.id])
      await tx.run('update receipts set customer_id = ? where brand_id = ? and id = ?', [
        id,
        brand_id,
        placed.receipt_id,
      ])
    })
    await putPaper(db, brand_id, placed.receipt_id, 'canary77')
    await settle()
    assert.ok((await everything(built)).get('orders')?.includes('canary77'), 'the driver needs it')
    assert.ok((await everything(built)).get('print_jobs')?.includes('canary77'), 'and so does a printer')
    await db.transaction((tx) =>
      tx.run('update receipts set customer_id = ? where brand_id = ? and id = ?', [stand, brand_id, placed.receipt_id]),
    )
    await close(placed.receipt_id, placed.total)
    built.clock.ms += 11 * 60_000
    await settleWholly()
    await notFound(['canary77'], built)
    assert.deepEqual(await db.rows('select * from erasures where brand_id = ?', [brand_id]), [])
  })

  test('each night one worker forgets whom old orders were for, old calls and old answers', async () => {
    const { order, close, db, brand_id, built, slug, headers } = await shop()
    const { deps, clock } = built
    await db.transaction((tx) =>
      tx.run('update brands set contact_days = 30, request_log_days = 2 where id = ?', [brand_id]),
    )
    await keepForSomeTime(deps, clock.ms) // of this night
    const old = await order({ name: 'canary88', phone: '+33 canary88', address: 'canary88 street' })
    const open = await order({ name: 'canary89', address: 'canary89 street' })
    await close(old.receipt_id, old.total)
    clock.ms += 29 * DAY_MS
    const credential = await createCredential(db, deps.keys, 'test', { brand: slug, username: 'owner' })
    await deps.directory.refresh()
    headers['x-token'] = await built.token({ ...credential, brand: slug, integrator_id: `${slug}-hub` })
    const fresh = await order({ name: 'canary90', address: 'canary90 street' }, { auto_order_accept: false })
    const ignored = { method: 'PUT', headers, body: { status: 'IGNORE' } } as const
    assert.equal((await built.call(`/orders/${fresh.id}`, ignored)).status, 200)
    const call = (request_id: string, at: number) =>
      deps.activity.run(
        `insert into request_log (request_id, at, method, route, status, micros, brand, integrator_id, client_id, tier, budget, remaining, error)
         values (?, ?, 'GET', '/x', 200, 1, ?, '', '', 3, 1, 1, '')`,
        [`${slug} ${request_id}`, at, slug],
      )
    await call('old', clock.ms - 3 * DAY_MS)
    await call('fresh', clock.ms - DAY_MS)
    await keepForSomeTime(deps, clock.ms)
    const has = async (canary: string, table: string) => (await everything(built)).get(table)?.includes(canary)
    assert.ok(await has('canary88', 'orders'), 'not yet')
    assert.deepEqual(
      [await has(`${slug} old`, 'request_log'), await has(`${slug} fresh`, 'request_log')],
      [false, true],
    )
    clock.ms += 2 * DAY_MS
    await Promise.all([1, 2, 3].map(() => keepForSomeTime(deps, clock.ms)))
    await notFound(['canary88'], built)
    assert.deepEqual([await has('canary89', 'orders'), await has('canary90', 'orders')], [true, true], open.id)
    assert.deepEqual(await db.texts('select key from idempotency_keys where brand_id = ?', [brand_id]), [])
    assert.deepEqual((await auditBooks(db, brand_id)).findings, [])
  })
})

type Built = { deps: Deps; installation: Installation }

/** A receiver may quote what it was sent. */
const logAnswer = ({ activity }: Deps, brand_id: number, answer: string) =>
  activity.run(
    `insert into webhook_log (id, at, brand_id, endpoint_id, event, type, attempt, cause, status, ms, answer)
     values (?, 1, ?, 'we_1', 'evt_1', 'customer.created', 1, 'live', 400, 1, ?)`,
    [randomUUID(), brand_id, answer],
  )

const PRINTER = {
  ...{ kind: 'printer', id: 1, venue_id: 1, name: 'Counter', printer_kind: 'virtual', command: 'escpos', paper: 80 },
  ...{ dots: 576, code_page: 'multilingual', mode: 'auto', ack: 1, cut: 1, drawer: 0, status: 1 },
}

/** What a request that prints leaves, which read the customer before they were erased. */
const putPaper = (db: Database, brand_id: number, receipt_id: number, text: string) =>
  putRows(db, brand_id, [PRINTER]).then(() =>
    db.transaction((tx) =>
      tx.run(
        `insert into print_jobs (brand_id, printer_id, seq, venue_id, kind, state, receipt_id, copies, document, attempt, begun, duplicate, created_at)
         values (?, ?, 1, 1, 'bill', 'printed', ?, 1, ?, 1, 1, 0, '2026-01-01T00:00:00.000Z')`,
        [brand_id, PRINTER.id, receipt_id, JSON.stringify({ customer: text })],
      ),
    ),
  )

/** Each table of both stores as one text. */
async function everything({ deps: { db, activity } }: Built): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const store of [db, activity])
    for (const { name } of await store.rows<{ name: string }>(store.dialect.tableNames, []))
      found.set(name, `${found.get(name) ?? ''}${JSON.stringify(await store.rows(`select * from ${name}`, []))}`)
  return found
}

/** In no table, and in no byte of the data folder. */
async function notFound(words: readonly string[], built: Built & { lines?: string[] }): Promise<void> {
  for (const [table, text] of await everything(built))
    for (const word of words) assert.ok(!text.includes(word), `${table} has ${word}: ${around(text, word)}`)
  for (const word of words) assert.ok(!built.lines?.join('').includes(word), `the log has ${word}`)
  const folder = built.installation.config.COMPTOIR_DATA
  for (const file of globSync('**/*', { cwd: folder, withFileTypes: true })) {
    if (!file.isFile()) continue
    const bytes = readFileSync(`${file.parentPath}/${file.name}`, 'latin1')
    for (const word of words) assert.ok(!bytes.includes(word), `${file.name} has ${word}: ${around(bytes, word)}`)
  }
}

const around = (text: string, word: string) => text.slice(Math.max(0, text.indexOf(word) - 80), text.indexOf(word) + 40)
