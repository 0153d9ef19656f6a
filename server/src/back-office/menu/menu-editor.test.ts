import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { type Browser, offices } from '../office-fixture.ts'

const milk = {
  id: 1,
  name: 'Milk',
  type: 1,
  min_select: 1,
  modificators: [
    { id: 1, name: 'Whole', price: 0 },
    { id: 2, name: 'Oat', price: 0.5 },
  ],
}
const dish = (id: number, name: string, more: object = {}): Row => ({
  kind: 'product',
  id,
  name,
  type: 'DISH',
  status: 1,
  price: 4,
  ...more,
})
const rows: Row[] = [
  { kind: 'venue', id: 1, name: 'Main', is_main: true, time_zone: 'Europe/Paris' },
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'role', id: 2, name: 'Waiter', permissions: ['products:read'] },
  { kind: 'user', id: 1, username: 'owner', role_id: 1 },
  { kind: 'user', id: 2, username: 'waiter', role_id: 2 },
  { kind: 'sale_type', id: 1, name: 'Table', system_type: 'IN', channel: 'IN', status: {}, position: 0 },
  { kind: 'category', id: 1, name: 'Drinks', type: 'PRODUCT', status: 1, position: 1 },
  { kind: 'category', id: 2, name: 'Food', type: 'PRODUCT', status: 1, position: 2 },
  { kind: 'product', id: 10, name: 'Oat milk', type: 'INGREDIENT', status: 1, cost_price: 2 },
  dish(1, 'Latte', {
    modificator_groups: [milk],
    category_id: 1,
    takes: [{ product_id: 10, gross: 0.2, modificator_id: 2 }],
  }),
  dish(2, 'Mocha', { modificator_groups: [milk], takes: [{ product_id: 10, gross: 0.2, modificator_id: 2 }] }),
  dish(3, 'Cortado', {
    modificator_groups: [{ ...milk, modificators: [{ id: 1, name: 'Whole', price: 9 }] }],
  }),
  dish(4, 'Toast', { category_id: 2 }),
  { kind: 'price_list', id: 1, name: 'Always', scopes: [{ priority: 1 }], status: true },
  {
    kind: 'price_list',
    id: 2,
    name: 'Friday evening',
    scopes: [{ venue_id: 1, priority: 2, windows: [{ days: ['fri'], from: '17:00', to: '19:00' }] }],
    status: true,
  },
  { kind: 'price', id: 1, list_id: 1, product_id: 4, price: 5 },
  { kind: 'price', id: 2, list_id: 2, product_id: 4, price: 3 },
]

onEachEngine('the menu editor', (make) => {
  const office = offices(make)
  let opened: Promise<{ owner: Browser; waiter: Browser }> | undefined
  const bistro = () =>
    (opened ??= (async () => {
      const { brand, staffBrowser } = await office()
      await brand('bistro', { rows })
      const owner = await staffBrowser('bistro')
      return {
        owner,
        waiter: await staffBrowser('bistro', 'waiter'),
      }
    })())
  const choices = async (id: number) => {
    const { body } = await (await bistro()).owner.ask('GET', `/menu-editor/products/${id}/choices`)
    return body.data
  }

  test('a choice is there once, and an id as high as they go leaves room for new ones', async () => {
    const { brand, staffBrowser } = await office()
    await brand('counted', { rows })
    const owner = await staffBrowser('counted')
    const put = (...groups: object[]) => owner.ask('PUT', '/menu-editor/products/4/choices', { groups })
    const most = Number.MAX_SAFE_INTEGER
    const bread = { id: most, name: 'Bread', choices: [{ id: most, name: 'Rye' }] }
    assert.equal((await put(bread)).status, 200)
    assert.equal((await put(bread, { name: 'Spread', choices: [{ name: 'Jam' }] })).status, 200)
    for (const groups of [[bread, bread], [{ ...bread, choices: [...bread.choices, { id: most, name: 'Oat' }] }]]) {
      const { status, body } = await put(...groups)
      assert.deepEqual([status, body.details?.errors[0].rule], [400, 'unique'])
    }
  })

  test('a group is written to all products that have the same one, and to others only where they are ticked', async () => {
    const { owner, waiter } = await bistro()
    const { groups, shared, version } = await choices(1)
    assert.deepEqual(shared[0].same, [{ id: 2, name: 'Mocha' }])
    assert.deepEqual(
      shared[0].different.map(({ name }: { name: string }) => name),
      ['Cortado'],
    )
    assert.deepEqual(groups[0].choices[1].uses, [{ product_id: 10, gross: 0.2 }])
    groups[0].choices[1].price = 0.7
    groups[0].choices[1].uses[0].gross = 0.25
    groups[0].choices.push({ name: 'Soy' })
    const put = (also: object[], ifMatch = version) =>
      owner.ask('PUT', '/menu-editor/products/1/choices', { groups, also }, { 'if-match': `"${ifMatch}"` })
    assert.equal((await waiter.ask('PUT', '/menu-editor/products/1/choices', { groups })).status, 403)
    const { status, body } = await put([])
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.data.written, [{ id: 2, name: 'Mocha' }])
    const [latte, mocha, cortado] = [await choices(1), await choices(2), await choices(3)]
    assert.equal(latte.groups[0].choices[2].id, 3) // no modifier of the brand has it
    assert.deepEqual(mocha.groups, latte.groups)
    assert.equal(cortado.groups[0].choices[0].price, 9)
    assert.equal((await put([])).status, 412)

    latte.groups[0].name = 'Which milk'
    const ticked = await owner.ask('PUT', '/menu-editor/products/1/choices', {
      groups: latte.groups,
      also: [{ group_id: 1, product_ids: [3] }],
    })
    assert.deepEqual(
      ticked.body.data.written.map(({ id }: { id: number }) => id),
      [2, 3],
    )
    assert.deepEqual((await choices(3)).groups, (await choices(1)).groups)
    const { body: audit } = await owner.ask('GET', '/audit')
    assert.deepEqual(
      audit.rows.slice(0, 3).map(({ action, subject }: { action: string; subject: string }) => `${action} ${subject}`),
      ['product.change 3 Cortado', 'product.change 2 Mocha', 'product.change 1 Latte'],
    )
  })

  test('a dish takes a group that others have, and one of its own gets a new id', async () => {
    const { owner } = await bistro()
    const { elsewhere } = await choices(4)
    assert.equal(elsewhere[0].group.id, 1)
    const groups = [
      elsewhere[0].group,
      { name: 'Bread', type: 1, choices: [{ name: 'White' }, { name: 'Rye', price: 0.2 }] },
    ]
    const { body } = await owner.ask('PUT', '/menu-editor/products/4/choices', { groups })
    assert.deepEqual(body.data.written, [])
    const toast = await choices(4)
    assert.deepEqual(
      toast.groups.map(({ id }: { id: number }) => id),
      [1, 2],
    )
    assert.equal(toast.shared[0].same.length, 3)
  })

  test('new sizes, tags and packages get ids, recipes the names of what they use, and a recipe cannot lead to itself', async () => {
    const { owner } = await bistro()
    const change = (id: number, body: object) => owner.ask('PATCH', `/edit/products/${id}`, body)
    const { status, body } = await change(4, {
      modifications: [
        { name: 'small', price: 2 },
        { name: 'large', price: 3, barcode: '4006381333931' },
      ],
      recipe: [{ id: 10, pivot: { gross: '0.050' } }],
      packages: [{ name: 'box', equal: 12 }],
      tags: [{ name: 'new' }],
      setting: null,
    })
    assert.equal(status, 200, JSON.stringify(body))
    const { values } = (await owner.ask('GET', '/edit/products/4')).body.data
    assert.deepEqual(
      values.modifications.map(({ id }: { id: number }) => id),
      [11, 12],
    )
    assert.deepEqual(values.recipe, [{ id: 10, name: 'Oat milk', cost_price: 2, pivot: { gross: '0.050' } }])
    assert.deepEqual([values.packages[0].id, values.tags[0].id], [1, 1])
    const listed = (await owner.ask('GET', '/read/products/4')).body.data
    assert.equal(listed.has_modifications, true)

    assert.equal((await change(10, { recipe: [{ id: 4, pivot: { gross: '1.000' } }] })).status, 400)
    const own = await change(4, { recipe: [{ id: 4, pivot: { gross: '1.000' } }] })
    const [{ field, rule, message }] = own.body.details.errors
    assert.deepEqual([field, rule], ['recipe[0]', 'circle'])
    assert.match(message, /made of this product itself/)
    // A dish's choices are changed where those of other dishes are changed with them.
    assert.equal((await change(4, { modificator_groups: [] })).status, 400)
    await change(4, { modifications: [], takes: [] })
  })

  test('prices of a list are set and taken off it, all or none', async () => {
    const { owner, waiter } = await bistro()
    const { body } = await owner.ask('GET', '/price-lists/1/prices')
    const { version, products } = body.data
    assert.deepEqual(
      products.find(({ id }: { id: number }) => id === 4),
      { id: 4, name: 'Toast', own: 4, price: 5 },
    )
    const put = (prices: object[], headers = {}) => owner.ask('PUT', '/price-lists/1/prices', { prices }, headers)
    assert.equal((await waiter.ask('PUT', '/price-lists/1/prices', { prices: [] })).status, 403)
    const wrong = await put([
      { product_id: 4, price: 6 },
      { product_id: 999, price: 1 },
    ])
    assert.equal(wrong.body.details.errors[0].field, 'prices[1].product_id')
    assert.equal((await put([{ product_id: 4, price: -1 }])).status, 400)
    const saved = await put(
      [
        { product_id: 4, price: 6 },
        { product_id: 1, price: 4.5 },
        { product_id: 2, price: null },
      ],
      { 'if-match': `"${version}"` },
    )
    assert.equal(saved.body.data.changed, 2)
    assert.equal((await put([{ product_id: 4, price: 7 }], { 'if-match': `"${version}"` })).status, 412)
    // The page of a product knows one price of the list, not its version.
    assert.equal((await put([{ product_id: 4, price: 7, seen: { price: 5 } }])).status, 412)
    assert.equal((await put([{ product_id: 1, price: 3, seen: { price: null } }])).status, 412)
    assert.equal(
      (await put([{ product_id: 4, price: 6, seen: { price: 5 } }])).body.data.changed,
      0,
      'its own answer was lost',
    )
    assert.equal((await put([{ product_id: 1, price: null, seen: { price: 4.5 } }])).body.data.changed, 1)
    const after = (await owner.ask('GET', '/price-lists/1/prices')).body.data.products
    assert.deepEqual(
      after.filter(({ price }: { price: number | null }) => price !== null).map(({ id, price }: Row) => [id, price]),
      [[4, 6]],
    )
  })

  test('what a guest pays names the list and the time by which it holds', async () => {
    const { owner } = await bistro()
    const paid = async (at: string) =>
      (await owner.ask('GET', `/menu-editor/guest-prices?sale_type_id=1&at=${at}`)).body.data.products.find(
        ({ id }: { id: number }) => id === 4,
      )
    const friday = await paid('2026-11-20T16:30:00.000Z')
    assert.deepEqual([friday.price, friday.list_id, friday.window.from], [3, 2, '17:00'])
    const after = await paid('2026-11-20T18:00:00.000Z')
    assert.deepEqual([after.price, after.list_id, after.window, after.own], [6, 1, null, 4])
    const { body } = await owner.ask('GET', '/menu-editor/products/4/prices')
    assert.deepEqual(
      body.data.lists.map(({ prices }: { prices: object }) => prices),
      [{ 4: 6 }, { 4: 3 }],
    )
    assert.equal(body.data.now[0].paid[0].id, 4)
    const till = (await owner.ask('GET', '/till-menu?sale_type_id=1')).body.data
    assert.deepEqual(till.timed[4], {
      price: 6,
      price_windows: [{ days: ['fri'], from: '17:00', to: '19:00', price: 3 }],
    })
    assert.deepEqual([till.time_zone, till.popular, till.images], ['Europe/Paris', [], {}])
  })

  test('of an open price no guest knows: neither its own nor a list’s is paid', async () => {
    const { owner } = await bistro()
    const { body } = await owner.ask('PATCH', '/edit/products/4', { open_price: true })
    assert.deepEqual(body.data.changed, [{ member: 'open_price', to: true }])
    const at = '2026-11-20T18:00:00.000Z'
    const { products } = (await owner.ask('GET', `/menu-editor/guest-prices?sale_type_id=1&at=${at}`)).body.data
    const { open, price, list_id, own } = products.find(({ id }: { id: number }) => id === 4)
    assert.deepEqual([open, price, list_id, own], [true, null, null, 4])
    const { now, sellables } = (await owner.ask('GET', '/menu-editor/products/4/prices')).body.data
    assert.deepEqual([sellables[0].open, now[0].paid[0].price], [true, null])
    const listed = (await owner.ask('GET', '/menu-editor')).body.data.products
    assert.equal(listed.find(({ id }: { id: number }) => id === 4).open_price, true)
    const { values, version } = (await owner.ask('GET', '/edit/products/4')).body.data
    assert.equal(values.open_price, true)
    const back = await owner.ask('PATCH', '/edit/products/4', { open_price: null }, { 'if-match': `"${version}"` })
    assert.deepEqual(back.body.data.changed, [{ member: 'open_price', from: true }])
  })

  test('categories and products are moved in one transaction, and never below themselves', async () => {
    const { owner } = await bistro()
    const order = (body: object) => owner.ask('PUT', '/menu-editor/order', body)
    const moved = await order({
      categories: [{ id: 1, parent_id: 2, position: 3 }],
      products: [{ id: 4, category_id: 1, position: 7 }],
    })
    assert.deepEqual([moved.status, moved.body.data.changed], [200, 2])
    const { categories, products, choices: named } = (await owner.ask('GET', '/menu-editor')).body.data
    assert.deepEqual(named['modifier-2'], { name: 'Oat', product_id: 1 })
    assert.deepEqual(
      categories.find(({ id }: { id: number }) => id === 1),
      { id: 1, name: 'Drinks', type: 'PRODUCT', status: 1, hidden: false, position: 3, parent_id: 2 },
    )
    assert.deepEqual(
      products.find(({ id }: { id: number }) => id === 4),
      {
        id: 4,
        name: 'Toast',
        type: 'DISH',
        category_id: 1,
        position: 7,
        price: 4,
        active: true,
        hidden: false,
        sizes: [],
      },
    )
    const circle = await order({ categories: [{ id: 2, parent_id: 1, position: 1 }], products: [] })
    assert.match(circle.body.details.errors[0].message, /leads back to itself/)
    assert.equal((await order({ products: [{ id: 4, category_id: 99, position: 1 }] })).status, 400)
    const place = { id: 1, parent_id: null, position: 1 }
    const twice = await order({ categories: [place, { ...place, position: 2 }] })
    const [{ field, rule }] = twice.body.details.errors
    assert.deepEqual([twice.status, field, rule], [400, 'categories[1].id', 'unique'])
  })
})
