import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { setBrandTerms } from '../../directory/brand-terms.ts'
import { createCredential } from '../../directory/credentials.ts'
import { ROWS, tills } from '../closing/closing-fixture.ts'

const VOUCHER = 70
const FISH = 71
const EGG = 5
const CHILD = 6

const open = (id: number, name: string, more: object = {}): Row => ({
  kind: 'product',
  id,
  name,
  type: 'DISH',
  status: 1,
  open_price: true,
  ...more,
})

/** Each has a price of its own or of a list, which must not matter. */
const MENU: Row[] = [
  open(VOUCHER, 'Voucher', { price: 50, taxes: [{ id: 1, name: 'VAT 10 %', rate: 10 }] }),
  open(FISH, 'Fish of the day', {
    modifications: [
      { id: 72, name: 'half', price: 9 },
      { id: 73, name: 'whole' },
    ],
    modificator_groups: [
      {
        id: 9,
        name: 'With',
        type: 0,
        min_select: 0,
        max_select: 0,
        modificators: [
          { id: EGG, name: 'Egg', price: 1.8, status: true },
          { id: CHILD, name: 'Child', price: -4, status: true },
        ],
      },
    ],
  }),
  { kind: 'price_list', id: 1, name: 'Room', status: true, scopes: [{ sale_type_id: 1 }] },
  {
    kind: 'price_list',
    id: 2,
    name: 'Happy hour',
    status: true,
    scopes: [{ priority: 5, windows: [{ from: '00:00', to: '23:59' }] }],
  },
  ...[VOUCHER, 72, 1].flatMap((product_id, index) => [
    { kind: 'price', id: 2 * index + 1, list_id: 1, product_id, price: 30 },
    { kind: 'price', id: 2 * index + 2, list_id: 2, product_id, price: 20 },
  ]),
  { kind: 'role', id: 9, name: 'Hub', permissions: ['orders:write', 'orders:read', 'orders:accept', 'receipts:write'] },
  { kind: 'user', id: 9, username: 'hub', role_id: 9 },
]

onEachEngine('open price (T24)', (make) => {
  const till = tills(make)
  const shop = async (more: object = {}) => {
    const rows = ROWS.map((row) => (row.kind === 'venue' && row.id === 1 ? { ...row, ...more } : row))
    const fixture = await till([...rows, ...MENU])
    const { built, slug, line } = fixture
    const waiter = await built.staffBrowser(slug, 'waiter')
    const sell = async (product_id: number, given: object, sale_type_id = 2) => {
      const lines = [line(product_id, 1, given)]
      const { status, body } = await waiter.ask('POST', '/receipts', { cid: randomUUID(), sale_type_id, lines })
      const [problem] = body.details?.errors ?? []
      return {
        status,
        id: body.data?.id as number,
        total: body.data?.total,
        problem: problem && [problem.field, problem.rule],
      }
    }
    // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
    const lineOf = async (id: number): Promise<any> => (await fixture.read(id)).receipt_products[0]
    return { ...fixture, waiter, sell, lineOf }
  }

  test('a line names the price, within bounds; a right to give discounts is not needed', async () => {
    const { sell, isSound } = await shop()
    for (const [price, expected] of [
      [undefined, 'required'],
      [0, 'range'],
      [-1, 'range'],
      ['-0.5', 'range'],
      [1_000_000.01, 'range'],
      [1e9, 'range'],
      [0.00001, 'decimals'],
    ] as const) {
      const { status, problem } = await sell(VOUCHER, { ...(price !== undefined && { price }) })
      assert.deepEqual([status, problem], [400, ['lines[0].price', expected]], String(price))
    }
    for (const [price, total] of [
      [0.01, 0.01],
      [12.5, 12.5],
      ['7.25', 7.25],
      [0.5555, 0.56],
      [1_000_000, 1_000_000],
    ] as const) {
      const { status, total: shown } = await sell(VOUCHER, { price })
      assert.deepEqual([status, shown], [200, total], String(price))
    }
    assert.deepEqual((await sell(72, {})).problem, ['lines[0].price', 'required'])
    assert.deepEqual((await sell(FISH, { price: 5 })).problem, ['lines[0].product_id', 'variant'])
    assert.equal((await sell(73, { price: 8 })).total, 8)
    await isSound()
  })

  test('whatever price is named is the price of the line, at every sale type', async () => {
    const { sell, lineOf } = await shop()
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e8 }), fc.constantFrom(1, 2), async (cents, sale_type_id) => {
        const { id, status } = await sell(VOUCHER, { price: cents / 100 }, sale_type_id)
        assert.equal(status, 200)
        assert.equal((await lineOf(id)).price, cents / 100)
      }),
      { numRuns: 20 },
    )
  })

  test('another name, a discount and a part of it need the right as before, and so does a price below the menu’s', async () => {
    const { sell } = await shop()
    for (const given of [
      { product_name: 'Caviar' },
      { discount_type: 1, discount_value: 10 },
      { is_gift: true },
      { portion_size: 0.5 },
    ])
      assert.equal((await sell(VOUCHER, { price: 10, ...given })).status, 403, JSON.stringify(given))
    const cheaper = { price: 10, modifiers: [{ modifier_id: EGG, price: 1 }] }
    assert.equal((await sell(72, cheaper)).status, 403)
    assert.equal((await sell(1, { price: 10 })).status, 403)
  })

  test('modifiers add to it, and may not take more off than it is', async () => {
    const { sell, lineOf } = await shop()
    const chosen = (modifier_id: number) => ({ modifiers: [{ modifier_id }] })
    const { id, total } = await sell(72, { price: 10, ...chosen(EGG) })
    assert.deepEqual([total, (await lineOf(id)).price], [11.8, 10])
    assert.equal((await sell(72, { price: 4, ...chosen(CHILD) })).total, 0)
    assert.deepEqual((await sell(72, { price: 3.99, ...chosen(CHILD) })).problem, ['lines[0].modifiers', 'minimum'])
  })

  test('it stays through another count and sale type, a split, a move and a merge', async () => {
    const { sell, lineOf, owner, read, isSound } = await shop()
    const act = async (method: 'POST' | 'PATCH', path: string, body: object) => {
      const answer = await owner.ask(method, path, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.data
    }
    const { id } = await sell(VOUCHER, { price: 33.4 })
    const { id: line_id } = await lineOf(id)
    await act('PATCH', `/receipts/${id}/lines/${line_id}`, { count: 3 })
    await act('PATCH', `/receipts/${id}`, { sale_type_id: 1 })
    const { price, subtotal } = await lineOf(id)
    assert.deepEqual([price, subtotal], [33.4, 100.2])
    const parts = [{ cid: randomUUID(), lines: [{ id: line_id, count: 1 }] }]
    const [source, part] = await act('POST', `/receipts/${id}/split`, { parts })
    assert.deepEqual([source.subtotal, part.subtotal], [66.8, 33.4])
    const { id: away } = await sell(1, {}, 2)
    await act('POST', `/receipts/${part.id}/merge`, { receipt_id: away })
    const [, merged] = (await read(away)).receipt_products
    assert.deepEqual([merged.product_id, merged.price], [VOUCHER, 33.4])
    await act('POST', `/receipts/${id}/merge`, { receipt_id: away })
    assert.deepEqual(
      (await read(away)).receipt_products.map(({ price, count }: Row) => [price, count]),
      [
        [20, 1],
        [33.4, 1],
        [33.4, 2],
      ],
    )
    await isSound()
  })

  test('once its price is fixed again, a line keeps what was named, and new ones follow the menu', async () => {
    const { sell, lineOf, owner } = await shop()
    const { id } = await sell(VOUCHER, { price: 33.4 })
    const { version } = (await owner.ask('GET', `/edit/products/${VOUCHER}`)).body.data
    const { status } = await owner.ask(
      'PATCH',
      `/edit/products/${VOUCHER}`,
      { open_price: false },
      { 'if-match': `"${version}"`, 'idempotency-key': randomUUID() },
    )
    assert.equal(status, 200)
    assert.equal((await lineOf(id)).price, 33.4)
    await owner.ask('PATCH', `/receipts/${id}`, { sale_type_id: 1 })
    assert.equal((await lineOf(id)).price, 33.4)
    assert.equal((await sell(VOUCHER, {})).total, 20)
  })

  test('an order with one waits for people, whatever the venue, the brand and the caller are allowed', async () => {
    const { built, db, slug, headers, owner, read, isSound } = await shop({ accept: 'always' })
    const { deps } = built
    const credential = await createCredential(deps.db, deps.keys, 'test', { brand: slug, username: 'hub' })
    await deps.directory.refresh()
    const token = await built.token({ ...credential, brand: slug, integrator_id: `${slug}-hub` }, '198.51.100.252')
    const place = (products: object[], given: object, path = '/orders') =>
      built.call(path, {
        method: 'POST',
        headers: given as Record<string, string>,
        body: { sale_type_id: 1, products },
        // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
      }) as Promise<any>
    for (const order_prices of ['ask', 'trust', 'ours'] as const) {
      await setBrandTerms(db, 'test', slug, { order_prices })
      for (const given of [{ 'x-token': token }, headers]) {
        const wrong = async (product: object) => (await place([product], given)).body.details.errors[0]
        for (const product of [
          { product_id: VOUCHER, count: 1 },
          { product_id: VOUCHER, count: 1, price: 0 },
          { product_id: VOUCHER, count: 1, price: 2e6 },
        ])
          assert.equal((await wrong(product)).field, 'products[0].price')
        const products = [
          { product_id: 1, count: 1 },
          { product_id: 72, count: 2, price: 25, modifiers: [{ modifier_id: EGG }] },
        ]
        const tried = await place(products, given, '/orders?dry_run=1')
        assert.equal(tried.body.data.subtotal, 73.6)
        const { data } = (await place(products, given)).body
        assert.deepEqual([data.status, data.price_differs, data.subtotal], ['PENDING', false, 73.6], order_prices)
        assert.deepEqual(
          data.products.map((product: Row) => product.open_price),
          [undefined, true],
        )
        assert.equal((await place([{ product_id: 1, count: 1 }], given)).body.data.status, 'RECEIVED')
        const accepted = await owner.ask('POST', `/orders/${data.id}/accept`, {})
        assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
        const { receipt_id } = accepted.body.data
        assert.deepEqual(
          (await read(receipt_id)).receipt_products.map(({ price }: Row) => price),
          [20, 25],
        )
      }
    }
    await isSound()
  })

  test('it has no effective price, and is open in the details', async () => {
    const { built, headers } = await shop()
    const { body } = await built.call('/products?include=details,effective_price&limit=100', { headers })
    const rows = (body as { data: Record<string, unknown>[] }).data
    const shown = (id: number) => {
      const { open_price, effective_price } = rows.find((row) => row.id === id)!
      return [open_price, effective_price]
    }
    assert.deepEqual(
      [shown(VOUCHER), shown(72), shown(1)],
      [
        [true, undefined],
        [true, undefined],
        [undefined, 20],
      ],
    )
  })
})
