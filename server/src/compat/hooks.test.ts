import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../test/database/engines.ts'
import { type Row, staff } from '../../test/database/store.ts'
import { overTheWire } from '../../test/over-the-wire.ts'
import { services } from '../../test/service.ts'
import { ROWS } from '../pos/closing/closing-fixture.ts'

const PATH = '/open-api/v2'
const NO_TOKEN = {}

// biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
type Body = any

const product = (id: number, more: object): Row => ({
  kind: 'product',
  id,
  name: `P${id}`,
  status: 1,
  price: 1,
  ...more,
})
const MENU: Row[] = [
  product(60, { type: 'PRODUCT', giftable: false, tags: [{ id: 7, name: 'New' }] }),
  product(61, { type: 'PRODUCT', discountable: false, tags: [{ id: 77 }, { id: 8, name: '{"id":7,' }] }),
  product(62, { type: 'PRODUCT', barcode: '123', modificator_groups: [{ id: 90, name: 'G', modificators: [] }] }),
  { kind: 'category', id: 40, name: 'Top', type: 'PRODUCT', status: 1, position: 1 },
  { kind: 'category', id: 41, name: 'Under', type: 'PRODUCT', status: 1, parent_id: 40 },
  { kind: 'station', id: 30, name: 'Bar', status: 1, type: 0, printable: 0 },
]

onEachEngine('the address of existing clients', (make) => {
  const start = services(make)
  let service: ReturnType<typeof start> | undefined
  let brands = 0

  /** A brand, and calls in its name at one of both addresses. */
  async function shop({ permissions = ['*'], rows = [...ROWS, ...MENU], quota = 1e9 } = {}) {
    service ??= start({ COMPTOIR_COMPAT_PATH: PATH })
    const built = await service
    const allowed = rows.map((row) => (row.kind === 'role' && row.id === 1 ? { ...row, permissions } : row))
    const brand = await built.brand(`shop-${++brands}`, { rows: allowed, quota })
    const address = `198.51.100.${brands}`
    const token = await built.token(brand.credentials, address)
    const at =
      (base: string) =>
      async (
        path: string,
        { method = 'GET', body, headers = {} }: { method?: Body; body?: object; headers?: object } = {},
      ) => {
        const sent = { method, url: `${base}${path}`, remoteAddress: address, ...(body && { payload: body }) }
        const answer = await overTheWire(built.app, {
          ...sent,
          headers: { ...(headers !== NO_TOKEN && { 'x-token': token }), ...headers },
        })
        const text = answer.body
        return { status: answer.statusCode, text, headers: answer.headers, body: (text && JSON.parse(text)) as Body }
      }
    return { built, brand, address, compat: at(PATH), ours: at('/v2') }
  }

  test('lists, rows and refusals are in the spelling of existing clients; /v2 is as it was', async () => {
    const { compat, ours, built } = await shop()
    const list = await compat('/products?limit=200')
    const count = list.body.data.length
    assert.deepEqual(Object.keys(list.body), [
      ...['success', 'data', 'total', 'meta', 'sorts', 'pagination', 'time', 'timestamp', 'unix'],
    ])
    assert.deepEqual(
      [list.body.total, list.body.meta, list.body.timestamp, list.body.unix],
      [count, { current_page: 1, last_page: 1 }, '2026-03-01 12:00:00', built.clock.ms / 1000],
    )
    const crepe = list.body.data.find(({ id }: Body) => id === 10)
    assert.deepEqual(
      crepe.recipe.map(({ price }: Body) => price),
      (await Promise.all([50, 51, 52].map((id) => ours(`/products/${id}`)))).map(({ body }) => body.data.price ?? 0),
    )
    assert.equal((await ours('/products?limit=200')).status, 400, 'the cap of §8 stays')
    assert.deepEqual(Object.keys((await ours('/products')).body), ['data', 'pagination'])
    assert.equal((await ours('/products?filters=[["giftable",1]]')).status, 400)

    const one = await compat('/customers/20')
    assert.deepEqual([one.body.data.id, one.body.data.venue_id, one.body.data.balance.name], [20, 1, 'Balance'])
    const [top] = (await compat('/categories?include_children=true')).body.data.filter(({ id }: Body) => id === 40)
    assert.deepEqual([top._rgt - top._lft, top.children[0]._lft - top._lft], [3, 1])
    assert.deepEqual((await compat('/users')).body.data[0].pin, '')
    assert.deepEqual((await compat('/products/stop-list')).body.meta, { current_page: 1, last_page: 1 })

    const refused = await compat('/products/999')
    assert.deepEqual(
      [refused.status, refused.body.success, refused.body.error[0].exception, refused.body.error[0].http_code],
      [404, false, 'not_found', 404],
    )
    const unknown = await compat('/nothing')
    assert.deepEqual([unknown.status, unknown.body.error[0].exception], [404, 'not_found'])
    assert.equal((await compat('/products', { method: 'HEAD' })).status, 200)
  })

  test('a product with an open price looks like any other, and is refused without a price', async () => {
    const open = { type: 'PRODUCT', open_price: true }
    const { compat, ours } = await shop({
      rows: [...ROWS, ...MENU, product(63, open), product(64, { type: 'PRODUCT' })],
    })
    const members = async (path: string) => Object.keys((await compat(path)).body.data)
    assert.deepEqual(await members('/products/63'), await members('/products/64'))
    const { data } = (await compat('/products?limit=200')).body
    assert.ok(data.every((row: object) => !('open_price' in row)))
    assert.equal((await ours('/products/63?include=details')).body.data.open_price, true)
    const place = (more: object) =>
      compat('/orders', {
        method: 'POST',
        body: { sale_type_id: 1, products: [{ product_id: 63, count: 1, ...more }] },
      })
    assert.equal((await place({})).body.details.errors[0].field, 'products[0].price')
    assert.equal((await place({ price: 12 })).status, 200)
  })

  test('filters that only existing clients know choose the right products and stations', async () => {
    const { compat } = await shop({ rows: [...staff(), ...MENU] })
    const found = async (query: string) =>
      (await compat(query)).body.data.map(({ id }: Body) => id).sort((one: number, other: number) => one - other)
    for (const [query, ...ids] of [
      ['/products?filters=[["giftable",0]]', 60],
      ['/products?filters=[["discountable","false"]]', 61],
      ['/products?filters=[["has_modifiers",1]]', 62],
      ['/products?filters=[["has_barcode",1]]', 62],
      ['/products?filters=[["has_barcode",0]]', 60, 61],
      ['/products?filters=[["has_barcode","true"]]', 62],
      ['/products?filters=[["has_variants",0]]', 60, 61, 62],
      ['/products?filters=[["has_variants",1]]'],
      ['/products?filters=[["tags",7]]', 60],
      ['/products?filters=[["tags",[77,7]]]', 60, 61],
      ['/products?filters=[["tags",8]]', 61],
      ['/products?filters=[["tags",[]]]'],
      ['/products?type=GOODS', 60, 61, 62],
      ['/products?type=DISH'],
      ['/stations?can_print=false', 30],
      ['/stations?can_print=true'],
    ] as [string, ...number[]][])
      assert.deepEqual(await found(query), ids, query)
    const refused = ['[["tags","!=",7]]', '[["tags","x"]]', '[["colour",1]]', '[["has_barcode","maybe"]]', '[["type"]]']
    for (const query of refused) assert.equal((await compat(`/products?filters=${query}`)).status, 400, query)
  })

  test('tokens, permissions, venues, brands and tiers are the same at both addresses', async () => {
    const { compat, ours, brand, built, address } = await shop({
      permissions: ['products:read', 'payment-methods:read'],
      quota: 6,
    })
    const other = await shop()
    for (const call of [compat, ours]) {
      const denied = await call('/customers')
      assert.deepEqual([denied.status, denied.body.details], [403, { required: 'customers:read' }])
      assert.equal((await call('/products', { headers: { 'x-venue': '999' } })).status, 403)
      for (const [sent, text] of [
        [{ 'x-token': 'forged' }, 'Invalid token'],
        [NO_TOKEN, 'Headers are missing'],
      ] as const)
        assert.equal((await call('/products', { headers: sent })).text, `{"success":false,"error":"${text}"}`)
    }
    const methods = (await compat('/payment-methods')).body.data
    assert.deepEqual(
      methods.map(({ balance }: Body) => balance).filter(Boolean),
      [],
      'amounts of money need their own right',
    )
    assert.equal((await ours('/products')).headers['ratelimit-remaining'], '0')
    const limited = await compat('/products')
    assert.deepEqual(
      [limited.status, limited.body.error[0].exception, limited.body.details.tier],
      [429, 'rate_limited', 3],
      'one budget for both',
    )
    assert.equal((await other.compat('/products/60')).status, 200)
    const lonely = await shop({ rows: staff() })
    assert.equal((await lonely.compat('/products/60')).status, 404)
    assert.deepEqual((await lonely.compat('/products')).body.data, [])

    const signIn = (body: object) =>
      overTheWire(built.app, { method: 'POST', url: `${PATH}/auth`, remoteAddress: address, payload: body })
    const signed = (await signIn(brand.credentials)).json()
    assert.deepEqual(Object.keys(signed), ['success', 'token', 'token_type', 'expires_in', 'expires_at', 'message'])
    assert.equal((await signIn({})).json().error, 'Missing client_id, client_secret, brand, or integrator_id')
  })

  test('a payment method shows no balance of a venue that the user may not enter', async () => {
    const balance = (id: number, venue_id: number) => ({ kind: 'balance', id, venue_id, name: `B${id}`, type: 'CARD' })
    const method = (id: number, account: number) => ({
      ...{ kind: 'payment_method', id, name: `M${id}`, payment_kind: 'CARD', status: {}, customer_required: 0 },
      ...{ position: id, accounts: { 1: account } },
    })
    const rows: Row[] = [
      ...staff().map((row) => (row.kind === 'user' ? { ...row, venue_ids: [1] } : row)),
      { kind: 'venue', id: 2, name: 'Other' },
      ...[balance(801, 1), balance(802, 2)].map((row) => ({ ...row, amount: 5, position: 1 })),
      ...[method(1, 801), method(2, 802)],
    ]
    const { compat, ours } = await shop({ rows })
    const shown = (await compat('/payment-methods')).body.data.map(({ balance_id, balance: its }: Body) => [
      balance_id,
      its?.amount,
    ])
    assert.deepEqual(shown, [
      [801, 5],
      [802, undefined],
    ])
    assert.equal((await ours('/finance/balances/802')).status, 404)
  })

  test('one order sent to both addresses is one order, by its key and by its number', async () => {
    const { compat, ours } = await shop()
    const flat = {
      venue_id: 1,
      sale_type_id: 2,
      customer: { id: 20, name: 'Rich' },
      products: [{ product_id: 10, count: 2 }],
    }
    const older = {
      customer_id: 20,
      payload: {
        service: { sale_type_id: 2, sale_type_name: 'Takeaway', venue_id: 1, venue_name: 'Main' },
        customer: { id: 20, name: 'Rich' },
        products: [{ product_id: 10, count: 2, meta: { price: 0, order_product: { count: 2, status: 'new' } } }],
      },
    }
    const keyed = { 'idempotency-key': 'one' }
    const first = await compat('/orders', { method: 'POST', body: older, headers: keyed })
    assert.equal(first.status, 200, first.text)
    const { id, payload, line_items, total_amount } = first.body.data
    assert.deepEqual(
      [payload.id, payload.service, payload.customer.id, line_items, total_amount],
      [
        id,
        { sale_type_id: 2, venue_id: 1 },
        20,
        [{ id: 1, product_id: 10, quantity: 2, unit_price: 3.33, total_price: 6.66 }],
        6.66,
      ],
    )
    const again = await ours('/orders', { method: 'POST', body: flat, headers: keyed })
    assert.deepEqual([again.body.data.id, again.headers['idempotency-replayed']], [id, 'true'])
    assert.deepEqual(Object.keys(again.body), ['success', 'data', 'message'])
    const products = [{ product_id: 10, count: 2, status: 'new' }]
    const third = await compat('/orders', { method: 'POST', body: { ...flat, products }, headers: keyed })
    assert.deepEqual([third.body.data?.id, third.headers['idempotency-replayed']], [id, 'true'], third.text)
    const changed = await compat('/orders', { method: 'POST', body: { ...flat, comment: 'x' }, headers: keyed })
    assert.deepEqual([changed.status, changed.body.error[0].exception], [422, 'idempotency_mismatch'])

    const numbered = { ...flat, order_number: 'A-1' }
    const one = await ours('/orders', { method: 'POST', body: numbered })
    for (const body of [
      { ...older, order_number: 'A-1' },
      { ...numbered, products },
    ]) {
      const same = await compat('/orders', { method: 'POST', body })
      assert.deepEqual([same.body.data.id, same.headers['idempotency-replayed']], [one.body.data.id, 'true'], same.text)
    }
    assert.equal((await ours('/orders')).body.total, 2)
    for (const body of [
      { customer_id: 20, payload: { products: [] } },
      { ...older, products },
      { ...older, meta: 'text' },
      { ...older, meta: { apply_service_charge: 'no' } },
      { ...older, payload: { ...older.payload, products: [{ product_id: 10, count: 1, product_modificators: 'x' }] } },
      { ...flat, scheduled_at: { toString: 1 } },
      { ...flat, scheduled_at: '2027-02-31T10:00:00' },
    ]) {
      const refused = await compat('/orders', { method: 'POST', body })
      const { status, text } = refused
      assert.deepEqual([status, refused.body.error[0].exception], [400, 'validation_failed'], text)
    }
  })

  test('a new customer is answered whole, and again whole by its key', async () => {
    const { compat, ours } = await shop()
    const sent = { method: 'POST', body: { name: 'Ann', phone: '+1 555' }, headers: { 'idempotency-key': 'ann' } }
    const { data } = (await compat('/customers', sent)).body
    assert.ok(Number.isInteger(data.id) && data.cid && data.balance_id && data.updated_at && data.balance.created_at)
    assert.deepEqual((await compat('/customers', sent)).body.data, data)
    assert.deepEqual((await ours('/customers', sent)).body.data.id, String(data.id))
    const taken = await compat('/customers', { method: 'POST', body: sent.body })
    assert.deepEqual([taken.status, taken.body.error[0].exception], [409, 'duplicate_phone'])
  })

  test('times without a zone are the venue’s, in queries and in bodies', async () => {
    const rows = ROWS.map((row) =>
      row.kind === 'venue' && row.id === 1 ? { ...row, time_zone: 'America/Toronto' } : row,
    )
    const { compat, ours } = await shop({ rows })
    const body = { sale_type_id: 2, products: [{ product_id: 10, count: 1 }], scheduled_at: '2026-03-02 07:00:00' }
    const { data } = (await compat('/orders', { method: 'POST', body })).body
    assert.equal(data.scheduled_at, '2026-03-02T12:00:00.000Z')
    const placed = async (query: string) => (await compat(`/orders?${query}`)).body.total
    assert.deepEqual(
      [await placed('date_from=2026-03-01T07:00:00'), await placed('date_from=2026-03-01T07:00:01')], // noon in UTC
      [1, 0],
    )
    assert.equal((await ours('/orders?date_from=2026-03-01T07:00:00')).status, 400)
  })

  test('a page that comes in pieces is translated too; a failure on the way is logged', async (t) => {
    const { compat, ours, built } = await shop()
    const products = Array.from({ length: 100 }, () => ({ product_id: 10, count: 1, note: 'é'.repeat(280) }))
    const sent = { method: 'POST', body: { sale_type_id: 2, products } }
    for (let placed = 0; placed < 20; placed++) assert.equal((await ours('/orders', sent)).status, 200)
    const { body, text } = await compat('/orders?limit=20')
    assert.ok(text.length > 1_100_000, `${text.length}`)
    assert.deepEqual([body.success, body.total, body.meta.last_page, body.data.length], [true, 20, 1, 20])
    for (const order of body.data) assert.deepEqual([order.payload.id, order.line_items.length], [order.id, 100])

    const read = built.deps.db.rows
    let pieces = 0
    t.mock.method(built.deps.db, 'rows', (text: string, values: []) =>
      text.includes('money_places') && ++pieces > 1 ? Promise.reject(new RangeError('no places')) : read(text, values),
    )
    await assert.rejects(compat('/orders?limit=20'))
    assert.equal(built.lines.filter((line) => line.includes('RangeError')).length, 1)
  })

  test('whatever the query, the answer is a success or a refusal with its reason', async () => {
    const { compat } = await shop()
    const names = [
      'page',
      'limit',
      'filters',
      'filter',
      'filters[0][0]',
      'filter[0][1]',
      'with',
      'with_',
      'with[]',
      'selects[]',
    ]
    const more = [
      'type',
      'category_id',
      'can_print',
      'date_from',
      'date[1]',
      'sort_by',
      'after',
      '{"page":1}',
      '{}',
      '{"filters":[[]]}',
    ]
    const values = [
      '',
      '1',
      'GOODS',
      'name',
      '[]',
      '[["tags",[1]]]',
      '[["type"]]',
      '[["a",null,{}]]',
      '2026-03-01 10:00',
      'a,b',
    ]
    const pair = fc.tuple(
      fc.oneof(fc.constantFrom(...names, ...more), fc.json(), fc.string({ unit: 'binary', maxLength: 12 })),
      fc.oneof(fc.constantFrom(...values), fc.json(), fc.string({ unit: 'binary', maxLength: 12 })),
    )
    const routes = [
      '/products',
      '/products/10',
      '/customers',
      '/orders',
      '/stations',
      '/categories',
      '/receipts',
      '/venues',
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), fc.array(pair, { maxLength: 4 }), async (route, pairs) => {
        const sound = pairs.map((each) => each.map((text) => encodeURIComponent(text.toWellFormed())).join('='))
        const { status, body } = await compat(`${route}?${sound.join('&')}`)
        assert.ok(status === 200 || status === 400 || status === 429, `${status} ${JSON.stringify(body)}`)
        assert.equal(body.success, status === 200)
      }),
      { numRuns: 150 },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.jsonValue(), fc.record({ payload: fc.jsonValue(), meta: fc.jsonValue() })),
        async (sent) => {
          const { status } = await compat('/orders', { method: 'POST', body: { payload: sent } })
          assert.ok(status === 400 || status === 429, `${status}`)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('without the setting there is no such address', async () => {
    const { app } = await start({})
    assert.equal((await overTheWire(app, { url: `${PATH}/products` })).statusCode, 404)
  })
})
