import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { RESTAURANT } from '../../pos/receipts/till-fixture.ts'
import { type Browser, offices } from '../office-fixture.ts'

const ROWS = [
  ...RESTAURANT,
  { kind: 'payment_method', id: 2, name: 'Card', payment_kind: 'CARD', status: {}, customer_required: 0, position: 1 },
  { kind: 'unit', id: 1, name: 'Kilogram', symbol: 'kg' },
  { kind: 'product', id: 61, name: 'No status', type: 'INGREDIENT' }, // which counts as active
  { kind: 'product', id: 62, name: 'Given up', type: 'INGREDIENT', status: 0 },
  { kind: 'product', id: 60, name: 'Butter', type: 'INGREDIENT', status: 1, unit_id: 1, low_stock: 5 },
]

onEachEngine('what the stock room and the page of customers read and write', (make) => {
  const office = offices(make)
  let owner: Browser
  let waiter: Browser

  before(async () => {
    const built = await office()
    await built.brand('bistro', { rows: ROWS, quota: 1e9 })
    owner = await built.staffBrowser('bistro')
    waiter = await built.staffBrowser('bistro', 'waiter')
  })

  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
  const done = async (answer: ReturnType<Browser['ask']>): Promise<any> => {
    const { status, body } = await answer
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  const find = async (search: string): Promise<string[]> => {
    const found = await done(owner.ask('GET', `/customer-search?${new URLSearchParams({ search })}`))
    return found.map(({ name }: { name: string }) => name)
  }

  test('what runs low comes first, by name', async () => {
    const storages = await done(owner.ask('GET', '/read/storages'))
    const supply = {
      type: 1,
      storage_id: storages[0].id,
      items: [
        { product_id: 50, quantity: 10, cost: '1.20' },
        { product_id: 60, quantity: 4, cost: '8.00' },
      ],
    }
    const { id } = await done(owner.ask('POST', '/operations', supply))
    await done(owner.ask('POST', `/operations/${id}/publish`, {}))
    const rows = await done(owner.ask('GET', '/stock-room'))
    assert.deepEqual(
      rows.map(({ name, unit, quantity, low_stock, is_low }: Record<string, unknown>) => [
        name,
        unit,
        quantity,
        low_stock,
        is_low,
      ]),
      [
        ['Butter', 'kg', 4, 5, true],
        ['Flour', undefined, 10, undefined, false],
      ],
    )
    const products = await done(owner.ask('GET', '/stock-room/products'))
    const names = products.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('Butter') && names.includes('Cider') && !names.includes('Pizza'), names.join())
    assert.ok(names.includes('No status') && !names.includes('Given up'), names.join())
    assert.equal((await waiter.ask('GET', '/stock-room')).status, 403)
    assert.equal((await done(owner.ask('GET', '/stock-room', undefined, { 'x-venue': '2' }))).length, 0)
  })

  test('a customer is created once for a key, found without accents and by phone, and changed', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const input = { name: 'Łukasz Müller-Çelik', phone: '+33 6 12 34 56 78', email: 'l@example.org' }
    const made = await done(owner.ask('POST', '/customers', input, key))
    const again = await done(owner.ask('POST', '/customers', input, key))
    assert.equal(again.id, made.id)
    for (const search of ['lukasz', 'MULLER', 'çelik', 'celik', '12345678', '06 12'])
      assert.deepEqual(await find(search), search === '06 12' ? [] : [input.name], search)
    assert.ok((await find('')).includes(input.name))
    assert.deepEqual(await find('nobody'), [])

    const changed = await done(
      owner.ask('PUT', `/customers/${made.id}`, { name: 'Lukas Müller', phone: input.phone, code: 'L-1' }),
    )
    assert.deepEqual([changed.name, changed.email, changed.group_id], ['Lukas Müller', undefined, made.group_id])
    assert.deepEqual(await find('L-1'), ['Lukas Müller'])
    assert.deepEqual(await find('celik'), [])
  })

  test('a change of a customer that somebody else changed is refused; a sale or a top-up is no such change', async () => {
    const { id } = await done(owner.ask('POST', '/customers', { name: 'Mina', phone: '555 0100' }))
    const read = () => done(owner.ask('GET', `/customers/${id}`))
    const change = (body: object, version: string) =>
      owner.ask('PUT', `/customers/${id}`, body, { 'if-match': `"${version}"` })
    const { version } = await read()
    await done(owner.ask('POST', `/customers/${id}/balance`, { amount: '9.00', payment_method_id: 2 }))
    assert.equal((await read()).version, version)
    assert.equal((await change({ name: 'Mina', phone: '555 0101' }, version)).status, 200)
    const stale = await change({ name: 'Minna', phone: '555 0100' }, version)
    assert.deepEqual([stale.status, stale.body.error], [412, 'version_mismatch'])
    const now = await read()
    assert.deepEqual([now.name, now.phone, now.balance.amount], ['Mina', '555 0101', 9])
    assert.equal(stale.body.details.version, now.version)
    assert.equal((await change({ name: 'Mina' }, 'no version of ours!')).status, 412)
    const malformed = owner.ask('PUT', `/customers/${id}`, { name: 'Mina' }, { 'if-match': version })
    assert.equal((await malformed).status, 400)
    assert.equal((await waiter.ask('GET', `/customers/${id}`)).status, 403)
  })

  test('who created and changed a customer is on record, without what is known of them', async () => {
    const { id } = await done(owner.ask('POST', '/customers', { name: 'Secretive', phone: '555 0200' }))
    const key = { 'idempotency-key': randomUUID() }
    for (let times = 0; times < 2; times++)
      await done(owner.ask('PUT', `/customers/${id}`, { name: 'Secretive', email: 's@example.org' }, key))
    await done(owner.ask('PUT', `/customers/${id}`, { name: 'Secretive', email: 's@example.org' })) // nothing new
    const { body } = await owner.ask('GET', `/audit?search=${id}`)
    const rows = body.rows.filter(({ subject }: { subject: string }) => subject === id)
    assert.deepEqual(
      rows.map(({ action, actor, after }: Record<string, unknown>) => [action, actor, after]),
      [
        ['customer.change', 'user:bistro/owner', { changed: ['email', 'phone'] }],
        ['customer.create', 'user:bistro/owner', null],
      ],
    )
    assert.doesNotMatch(JSON.stringify(rows), /Secretive|555|example/)
  })

  test('how the balance of a customer moved, newest first', async () => {
    const { id } = await done(owner.ask('POST', '/customers', { name: 'Noor' }))
    assert.deepEqual(await done(owner.ask('GET', `/customers/${id}/balance`)), [])
    for (const amount of ['20.00', '5.50'])
      await done(owner.ask('POST', `/customers/${id}/balance`, { amount, payment_method_id: 2 }))
    const moves = await done(owner.ask('GET', `/customers/${id}/balance`))
    assert.deepEqual(
      moves.map(({ type, amount, after_amount }: Record<string, unknown>) => [type, amount, after_amount]),
      [
        ['CUSTOMER', 5.5, 25.5],
        ['CUSTOMER', 20, 20],
      ],
    )
    assert.equal((await waiter.ask('GET', `/customers/${id}/balance`)).status, 403)
    assert.equal((await owner.ask('GET', '/customers/999999/balance')).status, 404)
  })

  test('a phone number that somebody has is refused by its name, and so is whom nobody knows', async () => {
    const made = await done(owner.ask('POST', '/customers', { name: 'Ann', phone: '555 0001' }))
    const same = await owner.ask('POST', '/customers', { name: 'Bea', phone: '5550001' })
    assert.deepEqual([same.status, same.body.error], [409, 'duplicate_phone'])
    const other = await done(owner.ask('POST', '/customers', { name: 'Bea' }))
    const taken = await owner.ask('PUT', `/customers/${other.id}`, { name: 'Bea', phone: '555-0001' })
    assert.deepEqual([taken.status, taken.body.error], [409, 'duplicate_phone'])
    assert.equal((await owner.ask('PUT', '/customers/999999', { name: 'Bea' })).status, 404)
    assert.equal((await owner.ask('PUT', `/customers/${other.id}`, { name: 'Bea', group_id: 99 })).status, 400)
    assert.equal((await waiter.ask('POST', '/customers', { name: 'Cid' })).status, 403)
    assert.equal((await waiter.ask('GET', '/customer-search')).status, 403)
    assert.ok(made.id)
  })
})
