import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { api, type Client } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import { type Row, staff } from '../../../test/database/store.ts'
import { rotateCredential, setCredentialEnabled } from '../../directory/credentials.ts'
import { setBrandMode, setQuota } from '../../directory/registry.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { products } from '../../resources/menu/products.ts'
import { CATALOGUE } from '../../resources/venue-pointers.ts'
import { importer } from '../files/import.ts'

const group = {
  kind: 'customer_group',
  id: 2,
  name: 'Friends',
  discount_type: null,
  total_amount: null,
  deleted_at: null,
}
const tea = {
  kind: 'product',
  id: 10,
  name: 'Tea',
  type: 'PRODUCT',
  price: 3,
  modifications: [{ id: 11, name: 'Large', barcode: '1' }],
}
const MENU: Row[] = [
  group,
  { kind: 'customer', id: 'c1', name: 'Aysel', phone: '+994 50 1' },
  tea,
  { kind: 'price_list', id: 1, name: 'Delivery' },
  { kind: 'price', id: 1, list_id: 1, product_id: 10, price: 4 },
  { kind: 'price', id: 2, list_id: 1, product_id: 11, price: 5 },
  ...[1, 2, 3].map((status) => ({ kind: 'receipt', id: status, venue_id: 1, status, total: 3 })),
  ...[5, 6].map((id) => ({ kind: 'stock_operation', id, venue_id: 1, receipt_id: 2, product_id: 10, quantity: -1 })),
]

onEachEngine('what writes publish', (make) => {
  const { brand, running, patiently } = api(make)

  /** What was published since the last call, as `type subject`, with its data. */
  async function follow({ id }: Client) {
    const { db } = (await running()).deps
    let after = 0
    return async () => {
      const rows = await db.rows<{
        position: number
        type: string
        venue_id: number | null
        source: string
        data: string
      }>(
        'select position, type, venue_id, source, data from events where brand_id = ? and position > ? order by position',
        [id, after],
      )
      after = rows.at(-1)?.position ?? after
      return rows.map(({ type, venue_id, source, data }) => ({ type, venue_id, source, data: JSON.parse(data) }))
    }
  }
  const brief = (events: Awaited<ReturnType<Awaited<ReturnType<typeof follow>>>>) =>
    events.map(({ type, data }) => `${type} ${data.id ?? ''} ${data.changed ?? ''}`.trim())

  test('an import publishes each object that it made, and last that it is complete', async () => {
    const client = await brand()
    const news = await follow(client)
    await news()
    await client.put(...MENU)
    const published = await news()
    assert.deepEqual(
      brief(published).map((text) => text.split(' ').slice(0, 2).join(' ')),
      [
        'customer_group.created 2',
        'customer.created c1',
        'product.created 10', // its variant is its own
        'price_list.created 1',
        'price_list.prices_changed 1',
        'receipt.opened 1',
        'receipt.closed 2',
        'receipt.cancelled 3',
        'stock.moved',
        'import.completed',
      ],
    )
    assert.deepEqual(new Set(published.map(({ source }) => source)), new Set(['import']))
    const dataOf = (type: string) => published.find((event) => event.type === type)!.data
    assert.deepEqual(dataOf('price_list.prices_changed'), { id: 1, product_ids: [10, 11] })
    assert.deepEqual(dataOf('stock.moved'), { first_id: 5, last_id: 6, count: 2, receipt_id: 2 })
    assert.deepEqual(dataOf('receipt.closed').status, { to: 2 })
    assert.deepEqual(dataOf('import.completed').kinds, {
      customer_group: 1,
      customer: 1,
      product: 1,
      price_list: 1,
      price: 2,
      receipt: 3,
      stock_operation: 2,
    })
    for (const { type, venue_id } of published) assert.equal(venue_id, /^(receipt|stock)\./.test(type) ? 1 : null, type)
    assert.ok(!JSON.stringify(published).includes('Aysel') && !JSON.stringify(published).includes('994'))
  })

  test('the same file again publishes only that it is complete, and leaves every row as it was', async () => {
    const client = await brand({ rows: MENU })
    const { db } = (await running()).deps
    const stored = async () =>
      Promise.all(
        ['customers', 'customer_groups', 'products', 'price_lists', 'prices', 'receipts', 'stock_operations'].map(
          (name) => db.rows(`select * from ${name} where brand_id = ? order by id`, [client.id]),
        ),
      )
    const [news, before] = [await follow(client), await stored()]
    await news()
    const again = await patiently()
    await again.transaction(async (tx) => {
      const into = importer({ tx, brand_id: client.id, actor: 'test', now: '2026-02-02T00:00:00.000Z' }, CATALOGUE)
      for (const [line, row] of [...staff(), ...MENU].entries()) await into.add(row, line)
      await into.finish()
    })
    assert.deepEqual(brief(await news()), ['import.completed'])
    assert.deepEqual(await stored(), before)
  })

  test('lines that change alone change their receipt, and the same lines nothing', async () => {
    const receipt = (count: number, status = 2) => ({
      kind: 'receipt',
      id: 9,
      venue_id: 1,
      status,
      total: 3,
      receipt_products: [{ id: 4, product_id: 10, name: 'Tea', count, price: 3, total: 3 }],
    })
    const client = await brand({ rows: [...MENU, receipt(1, 1)] })
    const news = await follow(client)
    await news()
    const imported = async (row: Row) => {
      await client.put(row)
      return brief(await news()).filter((text) => text !== 'import.completed')
    }
    assert.deepEqual(await imported(receipt(1, 1)), [])
    assert.deepEqual(await imported(receipt(2, 1)), ['receipt.updated 9 receipt_products'])
    assert.deepEqual(await imported(receipt(3, 2)), ['receipt.closed 9 status,receipt_products'])
    assert.deepEqual(await imported(receipt(3, 2)), [])
  })

  test('a change names the members that are now different', async () => {
    const client = await brand({ rows: MENU })
    const news = await follow(client)
    await news()
    await client.put(
      {
        kind: 'customer',
        id: 'c1',
        name: 'Leyla',
        phone: '+994 50 1',
        code: 'L',
        balance: { id: 1, amount: 5, type: 'CUSTOMER' },
      },
      { ...tea, price: 3.5, modifications: [{ id: 11, name: 'Huge', barcode: '1' }] },
      { kind: 'receipt', id: 1, venue_id: 1, status: 2, total: 3 },
      { kind: 'receipt', id: 2, venue_id: 1, status: 2, total: 4 },
      { kind: 'price', id: 2, list_id: 1, product_id: 11, price: 6 },
      { ...staff()[0], name: 'Salon' } as Row,
    )
    const published = await news()
    assert.deepEqual(brief(published), [
      'customer.updated c1 name,code,balance',
      'customer.balance_changed c1',
      'product.updated 10 price,modifications',
      'receipt.closed 1 status',
      'receipt.updated 2 total,remaining',
      'price_list.prices_changed 1',
      'venue.updated 1 name',
      'finance_category.created 1 name,type,system_type,status,created_at,updated_at', // what opens the balance is booked under it
      'import.completed',
    ])
    assert.deepEqual(published[1]!.data.balance, { type: 'CUSTOMER', from: 0, to: 5 })
    assert.deepEqual(published[3]!.data.status, { from: 1, to: 2 })
  })

  test('a row that moves to another venue publishes an event in both', async () => {
    const table = { kind: 'table', id: 4, name: 'Window', venue_id: 1, status: 1 }
    const receipt = { kind: 'receipt', id: 1, venue_id: 1, status: 1, total: 3 }
    const client = await brand({ rows: [{ kind: 'venue', id: 2, name: 'Second' }, table, receipt] })
    const news = await follow(client)
    await news()
    await client.put({ ...table, venue_id: 2 }, { ...receipt, venue_id: 2 })
    assert.deepEqual(
      (await news()).map(({ type, venue_id, data }) => [type, venue_id, data.changed]),
      [
        ['table.updated', 1, ['venue_id']],
        ['table.updated', 2, ['venue_id']],
        ['receipt.updated', 1, ['venue_id']],
        ['receipt.updated', 2, ['venue_id']],
        ['import.completed', null, undefined],
      ],
    )
  })

  test('a group that gets the time of its deletion was deleted, and one that loses it was changed', async () => {
    const client = await brand({ rows: [group] })
    const news = await follow(client)
    await news()
    const deleted = { ...group, deleted_at: '2026-02-01T00:00:00.000Z' }
    const imported = async (...rows: Row[]) => {
      await client.put(...rows)
      return brief(await news()).filter((text) => text !== 'import.completed')
    }
    assert.deepEqual(await imported(deleted), ['customer_group.deleted 2 deleted_at'])
    assert.deepEqual(await imported({ ...deleted, name: 'Old friends' }), ['customer_group.updated 2 name'])
    assert.deepEqual(await imported({ ...group, name: 'Old friends' }), ['customer_group.updated 2 deleted_at'])
    const [created] = await imported({ ...deleted, id: 3 })
    assert.match(created!, /^customer_group\.created 3 /)
  })

  test('changed names members that the object shows, and besides only those that the documentation lists', async () => {
    const client = await brand({ rows: MENU })
    const news = await follow(client)
    await client.put(
      { kind: 'role', id: 2, name: 'Cook', permissions: [] },
      { kind: 'venue', id: 2, name: 'Second', hours: {}, paused_until: '2026-05-01T00:00:00Z', accept: 'always' },
      { ...staff()[2]!, name: 'Aysel', role_id: 2, venue_ids: [1], active: false } as Row,
      { kind: 'price_list', id: 1, name: 'Delivery', scopes: [{ venue_id: 1 }] },
      { ...group, id: 2, name: 'Friends of friends' },
      {
        kind: 'customer',
        id: 'c1',
        name: 'Leyla',
        code: 'L',
        gender: 2,
        balance: { id: 1, amount: 5, type: 'CUSTOMER' },
      },
    )
    const documented = new Set(
      (await readFile(new URL('../../../../docs/events.md', import.meta.url), 'utf8'))
        .split('### Members that only staff see')[1]!
        .split('\n## ')[0]!
        .split('\n')
        .flatMap((line) => {
          const [, kind, members] = /^\| (\w+) \| (.*) \|$/.exec(line) ?? []
          return [...(members ?? '').matchAll(/`(\w+)`/g)].map(([, member]) => `${kind}.${member}`)
        }),
    )
    const shown = new Set(
      RESOURCES.flatMap(({ kind, item }) => Object.keys(item.properties).map((member) => `${kind}.${member}`)),
    )
    const told = (await news()).flatMap(({ type, data }) =>
      (data.changed ?? []).map((member: string) => `${type.split('.')[0]}.${member}`),
    )
    assert.ok(told.includes('user.status') && told.includes('user.role_id') && told.includes('price_list.scopes'))
    const hidden = new Set(told.filter((name) => !shown.has(name)))
    assert.deepEqual(
      [...hidden].filter((name) => !documented.has(name)),
      [],
    )
  })

  test('more changes than an import may publish are one event that says what to read again', async () => {
    const client = await brand()
    const news = await follow(client)
    await news()
    const db = await patiently()
    await db.transaction(async (tx) => {
      const into = importer({ tx, brand_id: client.id, actor: 'test', now: '2026-02-02T00:00:00.000Z' }, CATALOGUE, 3)
      for (const [line, row] of MENU.entries()) await into.add(row, line)
      await into.finish()
    })
    const published = await news()
    assert.deepEqual(brief(published), ['feed.resync', 'import.completed'])
    assert.deepEqual(published[0]!.data.kinds.slice(0, 2), ['customer_group', 'customer'])
  })

  test('a call of the API publishes in the name of its integrator', async () => {
    const client = await brand()
    const news = await follow(client)
    await news()
    const { body } = await client.post('/customers', { name: 'Aysel' }, { 'idempotency-key': 'k' })
    await client.post('/customers', { name: 'Aysel' }, { 'idempotency-key': 'k' })
    const published = await news()
    assert.equal(published.length, 1, 'a stored answer is no change')
    const [{ type, source, data }] = published as [(typeof published)[0]]
    assert.deepEqual([type, source], ['customer.created', `api:${client.credentials.integrator_id}`])
    assert.equal(data.id, (body.data as { id: string }).id)
    assert.ok(data.changed.includes('name'))
  })

  test('a row that is written unchanged publishes nothing, and a changed one what changed', async () => {
    const client = await brand({ rows: MENU })
    const { db } = (await running()).deps
    const news = await follow(client)
    await news()
    const { kind: _, ...product } = tea
    const write = (now: string, name: string) =>
      db.transaction((tx) =>
        products.write({ tx, brand_id: client.id, actor: 'test', now, counted: [] }, [{ ...product, name } as never]),
      )
    await write('2026-03-01T00:00:00.000Z', 'Tea')
    assert.deepEqual(await news(), [])
    await write('2026-03-02T00:00:00.000Z', 'Green tea')
    assert.deepEqual(brief(await news()), ['product.updated 10 name'])
    const [row] = await db.rows<{ created_at: string; updated_at: string }>(
      'select created_at, updated_at from products where brand_id = ? and id = 10',
      [client.id],
    )
    assert.deepEqual({ ...row }, { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-03-02T00:00:00.000Z' })
  })

  test('rows that change because another did are written, published and put on record themselves', async () => {
    const client = await brand({ permissions: ['users:read'] })
    const { db } = (await running()).deps
    const news = await follow(client)
    const recorded = () => db.texts('select action from audit where brand_id = ? order by id desc limit 2', [client.id])
    await news()
    await client.put({ kind: 'role', id: 1, name: 'Owner', permissions: ['*'] })
    assert.deepEqual(brief(await news()), ['role.updated 1 permissions', 'user.updated 1 owner', 'import.completed'])
    assert.deepEqual(await recorded(), ['user.import', 'role.import'])
    await client.put({ kind: 'role', id: 1, name: 'Boss', permissions: ['*'] })
    assert.deepEqual(brief(await news()), ['role.updated 1 name', 'import.completed'])
    await client.put({ kind: 'venue', id: 2, name: 'Second', is_main: true })
    assert.deepEqual(await recorded(), ['venue.import', 'venue.import'])
  })

  test('changes of the directory are published, a credential without its secret', async () => {
    const client = await brand()
    const { deps } = await running()
    const { brand: slug, client_id, integrator_id } = client.credentials as Record<string, string>
    const news = await follow(client)
    const first = brief(await news())
    for (const text of ['venue.created 1', 'role.created 1', 'user.created 1', `credential.created ${client_id}`])
      assert.ok(
        first.some((each) => each.startsWith(text)),
        text,
      )
    const [db, actor] = [deps.db, `user:${slug}/owner`]
    await setBrandMode(db, actor, slug!, true)
    await setBrandMode(db, actor, slug!, true)
    await setQuota(db, actor, slug!, integrator_id!, 77)
    await setCredentialEnabled(db, actor, client_id!, false)
    await setCredentialEnabled(db, actor, client_id!, true)
    const { client_secret } = await rotateCredential(db, deps.keys, actor, client_id!, 0)
    await client.put({ kind: 'venue', id: 2, name: 'Second', is_main: true })
    await client.put({ ...staff()[2]!, active: false } as Row)
    const published = await news()
    assert.deepEqual(brief(published), [
      `brand.updated ${slug} test`,
      `brand.updated ${slug} quotas`,
      ...['disabled', 'enabled', 'rotated'].map((happened) => `credential.${happened} ${client_id}`),
      'venue.updated 1 is_main',
      'venue.created 2 name,is_main,time_zone,day_starts_at,accept,order_expiry_s,cash_shift,print_receipt,alarm_s,ticket_max_minutes,reason_for,own_receipts,lock_s,ask_guests,tips,idle_minutes',
      'storage.created 2 venue_id,name,is_main,status,created_at,updated_at',
      'import.completed',
      'user.deactivated 1 status',
      'import.completed',
    ])
    assert.deepEqual(
      published.slice(0, 5).map(({ source }) => source),
      Array(5).fill('staff'),
    )
    assert.ok(!JSON.stringify(published).includes(client_secret))
  })
})
