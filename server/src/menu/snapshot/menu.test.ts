import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { api, type Client } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import { imageRow } from '../../../test/database/pictures.ts'
import type { Row } from '../../../test/database/store.ts'
import { setBrandTerms } from '../../directory/brand-terms.ts'
import { endStops } from '../timed.ts'
import { menuCache } from './cache.ts'
import { announceFormat, MENU_FORMAT } from './format.ts'
import type { Menu } from './schema.ts'

const hash = imageRow(1).id
const images = [{ small: hash, medium: hash, large: hash, width: 16, height: 16 }]
const product = (id: number, name: string, more: object = {}): Row => ({
  kind: 'product',
  id,
  name,
  type: 'PRODUCT',
  status: 1,
  ...more,
})
const category = (id: number, more: object = {}): Row => ({
  kind: 'category',
  id,
  name: `C${id}`,
  type: 'PRODUCT',
  status: 1,
  ...more,
})
const extras = (id: number, min: number, status = true) => ({
  id,
  name: 'Extras',
  type: 0,
  min_select: min,
  max_select: 0,
  modificators: [
    { id: 10 * id, name: 'Egg', price: 1.5, max_count: 2, status: true },
    { id: 10 * id + 1, name: 'Ham', price: 2, status },
  ],
})

const ROWS: Row[] = [
  {
    kind: 'venue',
    id: 1,
    name: 'Main',
    is_main: true,
    time_zone: 'Europe/Paris',
    hours: { fri: [{ from: '10:00', to: '22:00' }] },
    paused_until: '2026-03-01T13:00:00.000Z',
  },
  { kind: 'venue', id: 2, name: 'Other', time_zone: 'Europe/Lisbon' },
  ...(['IN', 'DELIVERY'] as const).map((channel, index) => ({
    kind: 'sale_type',
    id: index + 1,
    name: channel,
    system_type: channel,
    channel,
    status: { 2: 1 - index },
    position: index,
    ...(index === 0 && { service_charge_rate: 10 }),
  })),
  { kind: 'tax', id: 1, name: 'VAT', rate: 10, included: true, sale_type_ids: [], is_default: 1, status: 1 },
  { kind: 'tax', id: 2, name: 'To go', rate: 5, included: true, sale_type_ids: [2], is_default: 0, status: 1 },
  { kind: 'unit', id: 1, name: 'Kilogram', symbol: 'kg' },
  category(1, { color: '#aa0000', position: 3 }),
  category(2, { parent_id: 1 }),
  category(3, { status: 0 }),
  category(4, { parent_id: 3 }),
  category(5, { hidden: true }),
  category(6, { type: 'INGREDIENT' }),
  category(7, { type: 'INGREDIENT' }),
  product(1, 'Tea', { price: 3, category_id: 2, taxes: [{ id: 1 }, { id: 2 }], barcode: '4006381333931', position: 2 }),
  product(2, 'Pizza', {
    type: 'DISH',
    cooking_time: 12,
    description: 'Hot',
    taxes: [{ id: 9, name: 'Old', rate: 7 }],
    modifications: [
      { id: 20, name: 'small', price: 8, barcode: '96385074' },
      { id: 21, name: 'large', price: 12, status: 0 },
    ],
    modificator_groups: [extras(1, 1), extras(2, 2, false), { id: 3, name: 'Nothing', modificators: [] }],
  }),
  product(3, 'Billiards', { type: 'TIMER', setting: { interval: 15, prices: [{ price: 5, from: 0 }] } }),
  product(4, 'Cheese', { price: 20, unit_id: 1, sold_by_weight: true, category_id: 6 }),
  product(5, 'Off', { price: 1, status: 0 }),
  product(6, 'Hidden', { price: 1, hidden: true }),
  product(7, 'Below off', { price: 1, category_id: 4 }),
  product(8, 'In hidden', { price: 1, category_id: 5 }),
  product(9, 'Gone', { price: 1, deleted_at: '2026-01-01T00:00:00.000Z' }),
  product(10, 'Flour', { type: 'INGREDIENT', price: 1 }),
  product(11, 'No size', { modifications: [{ id: 22, name: 'none', status: 0 }] }),
  product(12, 'Unpriced'),
  {
    kind: 'price_list',
    id: 1,
    name: 'Happy',
    status: true,
    scopes: [
      {
        sale_type_id: 1,
        priority: 2,
        windows: [
          { days: ['fri'], from: '17:00', to: '19:00' },
          { from: '02:00', to: '03:00' },
        ],
      },
    ],
  },
  { kind: 'price_list', id: 2, name: 'Terrace', status: true, scopes: [{ venue_id: 1, priority: 1 }] },
  { kind: 'price_list', id: 3, name: 'Never', status: false, scopes: [{ priority: 9 }] },
  { kind: 'price', id: 1, list_id: 1, product_id: 1, price: 2 },
  { kind: 'price', id: 2, list_id: 2, product_id: 1, price: 3.5 },
  { kind: 'price', id: 3, list_id: 3, product_id: 1, price: 99 },
  { kind: 'price', id: 4, list_id: 1, product_id: 20, price: 6 },
  imageRow(1),
  {
    kind: 'menu_entry',
    id: 'product-1',
    translations: { az: { name: 'Çay', description: 'İsti' }, fr: { name: 'Thé' } },
    allergens: { contains: [], may_contain: [] },
    images,
  },
  {
    kind: 'menu_entry',
    id: 'modifier-10',
    translations: { fr: { name: 'Œuf' } },
    allergens: { contains: ['eggs'], may_contain: [] },
  },
]

/** The body of these rows, by the format in which it is written. */
const WRITTEN = { 1: 'KEjQKSb_R63W' }

onEachEngine('GET /menu', (make) => {
  const { brand, running, patiently } = api(make)
  const restaurant = async (languages = ['en', 'az']) => {
    const client = await brand({ rows: ROWS })
    const [row] = await (await patiently()).rows<{ slug: string }>('select slug from brands where id = ?', [client.id])
    const slug = row!.slug
    const speak = async (tags: string[]) => setBrandTerms(await patiently(), 'test', slug, { languages: tags })
    await speak(languages)
    return { client, speak }
  }
  const menuOf = async (client: Client, query = 'sale_type_id=1', headers = {}) => {
    const { status, body, headers: answered, text } = await client.get(`/menu?${query}`, headers)
    assert.equal(status, 200, text)
    return { menu: body.data as Menu, etag: answered.etag!, text }
  }

  test('M1 to M4: what is sold here by this sale type, as the same rows say', async () => {
    const { client } = await restaurant()
    const { menu, etag } = await menuOf(client)
    assert.deepEqual(menu.venue, {
      id: 1,
      name: 'Main',
      time_zone: 'Europe/Paris',
      currency: 'EUR',
      money_places: 2,
      hours: { fri: [{ from: '10:00', to: '22:00' }] },
      paused_until: '2026-03-01T13:00:00.000Z',
    })
    assert.deepEqual(menu.sale_type, { id: 1, name: 'IN', system_type: 'IN', service_charge_rate: 10 })
    assert.deepEqual(menu.languages, ['en', 'az'])
    assert.deepEqual(menu.categories, {
      1: { name: 'C1', position: 3, color: '#aa0000' },
      2: { name: 'C2', parent_id: 1 },
      6: { name: 'C6' },
    })
    assert.deepEqual(menu.taxes, {
      1: { name: 'VAT', rate: 10, included: true },
      9: { name: 'Old', rate: 7, included: true },
    })
    assert.deepEqual(menu.products, {
      1: {
        name: 'Tea',
        type: 'PRODUCT',
        category_id: 2,
        position: 2,
        barcode: '4006381333931',
        sold_by_weight: false,
        price: 3.5,
        price_windows: [
          { days: ['fri'], from: '17:00', to: '19:00', price: 2 },
          { from: '02:00', to: '03:00', price: 2 },
        ],
        taxes: [1],
        orderable: true,
      },
      2: {
        name: 'Pizza',
        type: 'DISH',
        description: 'Hot',
        sold_by_weight: false,
        cooking_time: 12,
        taxes: [9],
        orderable: false,
        variants: [
          {
            id: 20,
            name: 'small',
            barcode: '96385074',
            price: 8,
            price_windows: [
              { days: ['fri'], from: '17:00', to: '19:00', price: 6 },
              { from: '02:00', to: '03:00', price: 6 },
            ],
          },
        ],
        groups: [
          {
            id: 1,
            name: 'Extras',
            min: 1,
            max: null,
            modifiers: [
              { id: 10, name: 'Egg', price: 1.5, max_count: 2 },
              { id: 11, name: 'Ham', price: 2 },
            ],
          },
          { id: 2, name: 'Extras', min: 2, max: null, modifiers: [{ id: 20, name: 'Egg', price: 1.5, max_count: 2 }] },
        ],
      },
      3: {
        name: 'Billiards',
        type: 'TIMER',
        sold_by_weight: false,
        price: 0,
        setting: { interval: 15, prices: [{ price: 5, from: 0 }] },
        taxes: [],
        orderable: true,
      },
      4: {
        name: 'Cheese',
        type: 'PRODUCT',
        category_id: 6,
        unit: 'kg',
        sold_by_weight: true,
        price: 20,
        taxes: [],
        orderable: true,
      },
      12: { name: 'Unpriced', type: 'PRODUCT', sold_by_weight: false, taxes: [], orderable: true },
    })
    assert.deepEqual(menu.entries, {
      'modifier-10': { id: 'modifier-10', allergens: { contains: ['eggs'], may_contain: [] } },
      'product-1': {
        id: 'product-1',
        translations: { az: { name: 'Çay', description: 'İsti' } },
        allergens: { contains: [], may_contain: [] },
        images,
      },
    })
    assert.equal(etag, `W/"${menu.version}.1.1."`)
    const { body: feed } = await client.get(`/events?after=${menu.version}`)
    assert.deepEqual(feed.data, [], 'the version is a cursor, and nothing came after it')
  })

  test('M6: a release that writes the body in another way has another format, and says so once to every brand', async () => {
    const { client } = await restaurant()
    const before = await menuOf(client)
    const bytes = before.text.replace(before.menu.version, '')
    assert.deepEqual(
      { [MENU_FORMAT]: createHash('sha256').update(bytes).digest('base64url').slice(0, 12) },
      WRITTEN,
      'where the same rows make other bytes, raise MENU_FORMAT and put the new hash here',
    )
    const db = await patiently()
    await announceFormat(db)
    assert.equal((await menuOf(client)).etag, before.etag, 'this release is known already')
    await Promise.all([announceFormat(db, MENU_FORMAT + 1), announceFormat(db, MENU_FORMAT + 1)])
    const { body: feed } = await client.get(`/events?after=${before.menu.version}&types=feed.resync`)
    const [told, ...others] = feed.data as Row[]
    assert.deepEqual([told!.data, others], [{ kinds: ['menu'] }, []])
    assert.equal((await menuOf(client, undefined, { 'if-none-match': before.etag })).menu.version, told!.id)
    await announceFormat(db)
  })

  test('with lang entries have their words in it; a venue and a sale type have their own prices', async () => {
    const { client } = await restaurant(['en', 'az', 'fr'])
    const { menu, etag } = await menuOf(client, 'sale_type_id=2&lang=fr')
    assert.deepEqual(menu.entries['product-1'], {
      id: 'product-1',
      name: 'Thé',
      allergens: { contains: [], may_contain: [] },
      images,
    })
    assert.equal(menu.entries['modifier-10']!.name, 'Œuf')
    assert.equal(etag, `W/"${menu.version}.1.2.fr"`)
    assert.deepEqual([menu.products[1]!.price, menu.products[1]!.price_windows], [3.5, undefined])
    assert.deepEqual(menu.products[1]!.taxes, [1, 2])
    const other = await menuOf(client, 'sale_type_id=1', { 'x-venue': '2' })
    assert.equal(other.menu.products[1]!.price, 3)
    assert.equal(other.menu.venue.time_zone, 'Europe/Lisbon')
  })

  test('a sale type that is not active at the venue, a language that is none of the brand’s and unknown parameters are 400', async () => {
    const { client } = await restaurant()
    for (const [query, parameter] of [
      ['', 'sale_type_id'],
      ['sale_type_id=x', 'sale_type_id'],
      ['sale_type_id=7', 'sale_type_id'],
      ['sale_type_id=1&lang=fr', 'lang'],
      ['sale_type_id=1&venue_id=2', 'venue_id'],
      ['sale_type_id=1&sale_type_id=1', 'sale_type_id'],
    ]) {
      const { status, body } = await client.get(`/menu?${query}`)
      assert.deepEqual([status, (body.details as { parameter: string }).parameter], [400, parameter], query)
    }
    assert.equal((await client.get('/menu?sale_type_id=2', { 'x-venue': '2' })).status, 400)
    assert.equal((await client.get('/menu?sale_type_id=2')).status, 200)
  })

  test('M5, M6: 304 until something that shows changes; a stop elsewhere is none; languages that leave keep their texts', async () => {
    const { client, speak } = await restaurant()
    const here = await menuOf(client)
    const there = await menuOf(client, 'sale_type_id=1', { 'x-venue': '2' })
    const same = async (etag: string, headers = {}) =>
      (await client.get('/menu?sale_type_id=1', { 'if-none-match': etag, ...headers })).status === 304
    assert.ok(await same(here.etag))
    assert.ok(await same(`"other", ${here.etag.slice(2)}`))
    assert.ok(!(await same(there.etag)))
    await client.put({ kind: 'customer', id: '1', name: 'Aysel' })
    assert.ok(await same(here.etag), 'a customer is not on the menu')

    await client.put({ kind: 'stop_list_entry', id: 1, venue_id: 1, limit: 0, until: '2026-03-01T12:30:00.000Z' })
    assert.ok(!(await same(here.etag)))
    assert.ok(await same(there.etag, { 'x-venue': '2' }), 'a stop at another venue')
    const stopped = await menuOf(client)
    assert.deepEqual(stopped.menu.products[1]!.stop, { sold_out: true, until: '2026-03-01T12:30:00.000Z' })
    assert.deepEqual((await menuOf(client, 'sale_type_id=1', { 'x-venue': '2' })).text, there.text)

    await speak(['en'])
    const alone = await menuOf(client)
    assert.deepEqual(alone.menu.entries['product-1']!.translations, undefined)
    const listed = await client.get('/menu/entries?filters=[["id","product-1"]]')
    assert.equal((listed.body.data as { translations?: object }[])[0]!.translations, undefined)
    await speak(['en', 'az'])
    assert.equal((await menuOf(client, 'sale_type_id=1&lang=az')).menu.entries['product-1']!.name, 'Çay')
  })

  test('M16: what cannot be ordered comes first, then what channels ask for', async () => {
    const { client } = await restaurant()
    const problems = async (query = 'sale_type_id=1') => {
      const { status, body, text } = await client.get(`/menu/problems?${query}`)
      assert.equal(status, 200, text)
      return (body.data as { id: string; code: string; level: string }[]).map(
        ({ id, code, level }) => `${level} ${code} ${id}`,
      )
    }
    const found = await problems()
    assert.deepEqual(found.slice(0, 3), [
      'error group_unsatisfiable product-2',
      'error no_active_variant product-11',
      'warning no_price product-12',
    ])
    for (const one of [
      ...['no_tax product-4', 'no_image product-2', 'no_allergens product-2', 'missing_translation product-20'],
      ...['missing_translation modifier-11', 'missing_translation category-1'],
    ])
      assert.ok(found.includes(`warning ${one}`), one)
    for (const one of [
      'no_tax product-1',
      'no_image product-1',
      'no_allergens product-3',
      'missing_translation product-1',
    ])
      assert.ok(!found.includes(`warning ${one}`), one)
    assert.ok(!found.some((one) => / product-(5|6|7|8|9|10|13)$/.test(one)), 'what is not on the menu has none')
    const group = (min_select: number, max_select: number) => ({
      kind: 'product',
      id: 90,
      name: 'Bowl',
      type: 'DISH',
      modificator_groups: [
        {
          id: 90,
          name: 'Base',
          min_select,
          max_select,
          modificators: [901, 902, 903].map((id) => ({ id, name: `${id}` })),
        },
      ],
    })
    await client.put(group(3, 2))
    assert.ok((await problems()).includes('error group_unsatisfiable product-90'), 'it allows fewer than it needs')
    await client.put(group(2, 2))
    assert.ok(!(await problems()).includes('error group_unsatisfiable product-90'))
    const never = { days: ['sun'], from: '10:00', to: '12:00' }
    await client.put({
      kind: 'price_list',
      id: 1,
      name: 'Happy',
      status: true,
      scopes: [{ starts_on: '2026-11-16', ends_on: '2026-11-17', windows: [never] }],
    })
    assert.equal((await problems()).at(-1), 'warning window_never_holds price_list-1')
    assert.equal((await client.get('/menu/problems')).status, 400)
  })

  test('T24: an open price is said in place of a price, to which lists add none; it is a change, and no problem', async () => {
    const { client } = await restaurant()
    const before = await menuOf(client)
    const open = { open_price: true }
    await client.put(
      product(1, 'Tea', { price: 3, ...open }),
      product(2, 'Pizza', { type: 'DISH', modifications: [{ id: 20, name: 'small', price: 8 }], ...open }),
      product(12, 'Unpriced', { open_price: false }),
    )
    const { menu, etag } = await menuOf(client, undefined, { 'if-none-match': before.etag })
    assert.notEqual(etag, before.etag)
    assert.deepEqual(
      [menu.products[1], menu.products[2]],
      [
        { name: 'Tea', type: 'PRODUCT', sold_by_weight: false, open_price: true, taxes: [], orderable: true },
        {
          name: 'Pizza',
          type: 'DISH',
          sold_by_weight: false,
          open_price: true,
          taxes: [],
          orderable: true,
          variants: [{ id: 20, name: 'small' }],
        },
      ],
    )
    assert.ok(!('open_price' in menu.products[12]!))
    const problems = async () =>
      ((await client.get('/menu/problems?sale_type_id=1')).body.data as { id: string; code: string }[]).flatMap(
        ({ id, code }) => (code === 'no_price' ? [id] : []),
      )
    await client.put(product(13, 'Voucher', open))
    assert.deepEqual(await problems(), ['product-12'])
    await client.put(product(13, 'Voucher'))
    assert.deepEqual(await problems(), ['product-12', 'product-13'])
    await assert.rejects(
      client.put(product(3, 'Billiards', { type: 'TIMER', setting: { interval: 15 }, ...open })),
      /a TIMER costs what its times cost/,
    )
  })

  test('M4: an entry of the stop list that ends publishes it once, whether a request or a worker notices', async () => {
    const { client } = await restaurant()
    const { deps } = await running()
    await client.put({ kind: 'stop_list_entry', id: 1, venue_id: 1, limit: 3, until: '2026-03-01T12:30:00.000Z' })
    await client.put({ kind: 'stop_list_entry', id: 4, venue_id: 1, limit: 0 })
    const { etag } = await menuOf(client)
    const [row] = (await client.get('/events?after=latest')).body.next
      ? [(await client.get('/events?after=latest')).body.next]
      : []
    await endStops(deps.db, '2026-03-01T12:29:59.000Z')
    assert.equal((await client.get('/menu?sale_type_id=1', { 'if-none-match': etag })).status, 304)
    await Promise.all([1, 2].map(() => endStops(deps.db, '2026-03-01T12:30:00.000Z')))
    const { body } = await client.get(`/events?after=${row}`)
    assert.deepEqual(
      (body.data as { type: string; source: object; data: object }[]).map(({ type, source, data }) => ({
        type,
        source,
        data,
      })),
      [
        {
          type: 'stop_list.changed',
          source: { kind: 'system', own: false },
          data: { id: 1, product_id: 1, limit: null },
        },
      ],
    )
    const { menu } = await menuOf(client)
    assert.deepEqual([menu.products[1]!.stop, menu.products[4]!.stop], [undefined, { sold_out: true }])
  })

  test('gzip on request is the same body; the cache forgets the oldest, and nobody gets a body older than their reading', async () => {
    const { client } = await restaurant()
    const plain = await client.get('/menu?sale_type_id=1')
    const { app, deps } = await running()
    const zipped = await app.inject({
      url: '/v2/menu?sale_type_id=1',
      headers: { 'x-token': client.token, 'accept-encoding': 'br, gzip' },
    })
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(zipped.rawPayload).toString(), plain.text)
    assert.equal(zipped.headers.vary, 'accept-encoding')

    const cache = menuCache(deps.db, Buffer.byteLength(plain.text) * 2.5)
    const key = (sale_type_id: number) => ({ brand_id: client.id, venue_id: 1, sale_type_id, lang: undefined })
    const [one, two] = [await cache.find(key(1), 'one'), await cache.find(key(2), 'two')]
    assert.equal(await cache.find(key(1), one.etag), one)
    await cache.find({ ...key(1), lang: 'az' }, 'three')
    assert.equal(await cache.find(key(1), one.etag), one)
    assert.notEqual(await cache.find(key(2), two.etag), two)
    const pending = cache.find(key(1), 'four')
    assert.equal(cache.find(key(1), 'four'), pending, 'made once for all who wait')
    await pending
  })
})
