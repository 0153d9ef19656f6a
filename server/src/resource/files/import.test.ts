import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row, staff, stores } from '../../../test/database/store.ts'
import { addBrand } from '../../directory/registry.ts'
import { RESOURCES } from '../../resources/catalogue.ts'
import { DEFAULT_DETAILS } from '../../resources/menu/product-schema.ts'
import type { Database } from '../../storage/database.ts'

const everything: Row[] = [
  ...staff(),
  { kind: 'customer_group', id: 1, name: 'Guests', system_type: 'default' },
  {
    kind: 'customer_group',
    id: 2,
    name: 'Staff',
    discount_type: 'percent',
    discount_value: 12.5,
    system_type: 'employee',
  },
  {
    kind: 'customer',
    id: '7',
    name: ' Aÿsel ',
    phone: '+994 (50) 111-22-33',
    code: 'A1',
    group_id: 2,
    gender: 2,
    date_of_birth: '1990-02-28',
  },
  { kind: 'customer', id: 'guest-8', name: 'İbrahim' },
  {
    kind: 'product',
    id: 1,
    name: 'Café',
    type: 'DISH',
    full_name: 'Café crème',
    status: 1,
    price: 3.5,
    cost_price: 0.1234,
    has_modifications: true,
    modifications: [
      { id: 2, parent_id: 1, type: 'MODIFICATION', name: 'Large', price: 4.1, cost_price: 1, barcode: '4006381333931' },
    ],
    modificator_groups: [
      {
        id: 1,
        name: 'Milk',
        type: 1,
        min_select: 0,
        max_select: 1,
        modificators: [
          {
            id: 5,
            name: 'Oat',
            price: 0.5,
            status: true,
            ingredient: { id: 3, name: 'Oat milk', type: 'INGREDIENT', cost_price: 0.2 },
          },
        ],
      },
    ],
    recipe: [{ id: 3, name: 'Beans', cost_price: 12, pivot: { gross: '0.018' } }],
    packages: [],
    taxes: [{ id: 1, name: 'VAT', rate: 10 }],
    tags: [{ id: 1, name: 'hot', color: '#c00' }],
  },
  {
    kind: 'product',
    id: 3,
    name: 'Billiard',
    type: 'TIMER',
    setting: { interval: 15, prices: [{ price: 2.25, from: 0 }] },
  },
  { kind: 'price_list', id: 1, name: 'Delivery', description: '', status: true },
  { kind: 'price', id: 1, list_id: 1, product_id: 2, price: 4.5 },
  {
    kind: 'receipt',
    id: 1,
    venue_id: 1,
    cid: 'r-1',
    user_id: 1,
    terminal_id: 9,
    customer_id: 7,
    status: 2,
    lock: false,
    total: 0.3,
    subtotal: 0.3,
    payment_methods: [{ id: 1, name: 'Cash', amount: 0.3 }],
    created_at: '2026-01-01T10:00:00.5+02:00',
  },
  {
    kind: 'stock_operation',
    id: 1,
    venue_id: 1,
    receipt_id: 1,
    product_id: 2,
    quantity: -1.5,
    cost: 1,
    total_cost: -1.5,
  },
]

test('docs/operating.md names every kind', () => {
  const page = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8')
  for (const { kind } of RESOURCES) assert.ok(page.includes(`\`${kind}\``), kind)
})

onEachEngine('an import', (make) => {
  const open = stores(make)

  async function brandIn(db: Database, slug = 'bistro') {
    const { id } = await addBrand(db, 'test', { slug, test: true })
    return id
  }

  async function exported(db: Database, brand_id: number): Promise<Row[]> {
    const rows: Row[] = []
    for (const { kind, readExportPage } of RESOURCES) {
      let after: number | string | undefined
      do {
        const { objects, next } = await readExportPage(db, brand_id, after)
        rows.push(...objects.map((object) => ({ kind, ...JSON.parse(object) })))
        after = next
      } while (after !== undefined)
    }
    return rows
  }

  test('counts its lines by kind', async () => {
    const { db } = await open()
    assert.deepEqual(await putRows(db, await brandIn(db), everything), {
      rows: 13,
      kinds: {
        venue: 1,
        role: 1,
        user: 1,
        customer_group: 2,
        customer: 2,
        product: 2,
        price_list: 1,
        price: 1,
        receipt: 1,
        stock_operation: 1,
      },
    })
  })

  test('gives back what it was given: instants in UTC, absent timestamps now, null members absent', async () => {
    const { db } = await open()
    const brand_id = await brandIn(db)
    await putRows(db, brand_id, [
      ...everything,
      { kind: 'receipt', id: 2, venue_id: 1, customer_id: null, closed_at: null },
    ])
    const rows = await exported(db, brand_id)
    const rowOf = (kind: string, id: unknown) => rows.find((row) => row.kind === kind && row.id === id)
    const now = '2026-01-01T00:00:00.000Z'
    assert.deepEqual(rowOf('product', 1), { ...everything[7], ...DEFAULT_DETAILS, created_at: now, updated_at: now })
    // What an import leaves out of a receipt's details follows from the rest (P22).
    assert.deepEqual(rowOf('receipt', 1), {
      ...everything[11],
      created_at: '2026-01-01T08:00:00.500Z',
      updated_at: now,
      paid: 0.3,
      remaining: 0,
      shift_date: '2026-01-01',
      version: 1,
    })
    assert.deepEqual(rowOf('receipt', 2), {
      kind: 'receipt',
      id: 2,
      venue_id: 1,
      created_at: now,
      updated_at: now,
      // before four in the morning
      paid: 0,
      remaining: 0,
      shift_date: '2025-12-31',
      version: 1,
    })
    assert.equal(rowOf('customer', '7')?.name, 'Aÿsel')
    assert.equal(rowOf('product', 2), undefined, 'variants are inside their parents only')
  })

  test('export, import into a new brand, export again is the same, byte for byte', async () => {
    const { db } = await open()
    const [one, other] = [await brandIn(db, 'one'), await brandIn(db, 'other')]
    await putRows(db, one, everything)
    const first = await exported(db, one)
    await putRows(db, other, first)
    assert.equal(JSON.stringify(await exported(db, other)), JSON.stringify(first))
  })

  test('a document and the one that reverses it come in one file, in the order of an export', async () => {
    const { db } = await open()
    const document = (id: number) => ({
      kind: 'operation',
      id,
      venue_id: 1,
      type: 4,
      type_name: 'Waste',
      status: 1,
      number: id,
      storage_id: 1,
      user_id: 1,
      items_count: 0,
      total_cost: 0,
      document_date: '2026-01-01T00:00:00.000Z',
    })
    const storage = { kind: 'storage', id: 1, venue_id: 1, name: 'Main', status: 1, is_main: 1 }
    const reversal = { ...document(2), reverses_id: 1 }
    const brand_id = await brandIn(db)
    await putRows(db, brand_id, [...staff(), storage, document(1), reversal])
    const found = (await exported(db, brand_id)).filter(({ kind }) => kind === 'operation')
    assert.deepEqual(
      found.map(({ id, reverses_id }) => [id, reverses_id]),
      [
        [1, undefined],
        [2, 1],
      ],
    )
    await assert.rejects(
      putRows(db, await brandIn(db, 'other'), [...staff(), storage, reversal, document(1)]),
      /reverses_id 1 points at no row of operations/,
    )
  })

  test('replaces rows by their id, however often they come', async () => {
    const { db } = await open()
    const brand_id = await brandIn(db)
    await putRows(db, brand_id, everything)
    await putRows(db, brand_id, [
      { kind: 'product', id: 3, name: 'First', type: 'PRODUCT' },
      { kind: 'product', id: 3, name: 'Last', type: 'PRODUCT' },
    ])
    const [name] = await db.texts('select name from products where brand_id = ? and id = 3', [brand_id])
    assert.equal(name, 'Last')
  })

  test('makes modifications rows of their own, with their parent’s timestamps, and takes vanished ones out', async () => {
    const { db } = await open()
    const brand_id = await brandIn(db)
    const product = {
      kind: 'product',
      id: 1,
      name: 'Tea',
      type: 'PRODUCT',
      created_at: '2026-03-01T00:00:00Z',
      updated_at: '2026-03-02T00:00:00Z',
    }
    await putRows(db, brand_id, [
      {
        ...product,
        modifications: [
          { id: 2, name: 'Pot' },
          { id: 3, name: 'Cup', status: 1 },
        ],
      },
    ])
    const [cup] = await db.texts('select body from products where brand_id = ? and id = 3', [brand_id])
    assert.deepEqual(JSON.parse(cup!), {
      id: 3,
      name: 'Cup',
      type: 'MODIFICATION',
      status: 1,
      created_at: '2026-03-01T00:00:00.000Z',
      updated_at: '2026-03-02T00:00:00.000Z',
    })
    await putRows(db, brand_id, [{ ...product, modifications: [{ id: 3, name: 'Cup' }] }])
    assert.deepEqual(
      (await db.rows<{ id: number }>('select id from products order by id', [])).map(({ id }) => id),
      [1, 3],
    )
  })

  test('leaves a customer its cid and balances where the line does not name them', async () => {
    const { db } = await open()
    const brand_id = await brandIn(db)
    await putRows(db, brand_id, [
      { kind: 'customer', id: '7', name: 'Aysel', balance: { id: 9, amount: 12.5, type: 'CUSTOMER' } },
    ])
    const [before] = (await exported(db, brand_id)).filter(({ kind }) => kind === 'customer')
    await putRows(db, brand_id, [{ kind: 'customer', id: '7', name: 'Aysel K.' }])
    const [after] = (await exported(db, brand_id)).filter(({ kind }) => kind === 'customer')
    assert.deepEqual({ ...after, name: 'Aysel' }, before)
  })

  test('gives no balance an id that another line of the batch brings', async () => {
    const { db } = await open()
    const brand_id = await brandIn(db)
    const line = (kind: string, id: number | string, more = {}) => ({ kind, id, name: `${kind} ${id}`, ...more })
    await putRows(db, brand_id, [
      line('customer', '1'),
      line('customer', '2', { balance: { id: 1, amount: 5, type: 'CUSTOMER' } }),
      line('supplier', 1, { status: 1 }),
      line('supplier', 2, { status: 1, balance: { id: 5, amount: 5, type: 'SUPPLIER' } }),
    ])
    const rows = (await exported(db, brand_id)) as { balance?: { id: number }; cashback_balance?: { id: number } }[]
    const ids = rows.flatMap(({ balance, cashback_balance }) => [balance?.id ?? [], cashback_balance?.id ?? []].flat())
    assert.deepEqual([ids.length, new Set(ids).size], [6, 6], String(ids))
  })

  test('keeps the totals that lists report', async () => {
    const { db } = await open()
    const brand_id = await brandIn(db)
    await putRows(db, brand_id, everything)
    const [total] = await db.rows<{ value: number }>(
      `select value from counters where brand_id = ? and name = 'products'`,
      [brand_id],
    )
    assert.equal(total?.value, 3)
  })

  const bad: [what: string, row: Record<string, unknown>, reason: RegExp][] = [
    ['an unknown kind', { kind: 'spaceship' }, /kind must be one of venue, role/],
    ['a missing member', { kind: 'venue', id: 1 }, /name is missing/],
    [
      'a member that the contract does not have',
      { kind: 'venue', id: 1, name: 'x', stars: 3 },
      /stars is not a known member/,
    ],
    ['a dangling reference', { kind: 'receipt', id: 1, venue_id: 99 }, /venue_id 99 points at no row of venues/],
    [
      'more than four decimals',
      { kind: 'product', id: 9, name: 'x', type: 'PRODUCT', price: 1.00001 },
      /price must have at most four decimals/,
    ],
    ['an amount beyond 10^11', { kind: 'product', id: 9, name: 'x', type: 'PRODUCT', price: 1e12 }, /10\^11/],
    [
      'a day that does not exist',
      { kind: 'receipt', id: 1, venue_id: 1, created_at: '2026-02-30T00:00:00Z' },
      /created_at must be/,
    ],
    ...[
      [{ kind: 'role', id: 2, name: 'x', permissions: ['*', 'menu:eat'] }, /permissions\[1\] must be one of \*, /],
      [{ kind: 'receipt', id: 2, venue_id: 1, status: 4 }, /status must be one of 1, 2, 3, not 4/],
      [{ kind: 'receipt', id: 2, venue_id: 1, discount_type: 3 }, /discount_type must be one of 0, 1, 2, not 3/],
      [
        { kind: 'receipt', id: 2, venue_id: 1, order_status: 'LOST' },
        /order_status must be one of NEW, .*, not "LOST"/,
      ],
      [{ kind: 'product', id: 9, name: 'x', type: 'SOUP' }, /type must be one of PRODUCT, /],
      [{ kind: 'product', id: 9, name: 'x', type: 'DISH', status: 2 }, /status must be one of 1, 0, not 2/],
      [
        { kind: 'product', id: 9, name: 'x', type: 'DISH', modifications: [{ id: 10, name: 'y', status: -1 }] },
        /modifications\[0\].status must be one of 1, 0, not -1/,
      ],
      [
        { kind: 'product', id: 9, name: 'x', type: 'DISH', modificator_groups: [{ type: 2 }] },
        /modificator_groups\[0\].type must be one of 1, 0, not 2/,
      ],
      [
        { kind: 'product', id: 9, name: 'x', type: 'DISH', recipe: [{ id: 1, pivot: { gross: '0.5' } }] },
        /recipe\[0\].pivot.gross/,
      ],
      [{ kind: 'product', id: 9, name: 'x', type: 'DISH', recipe: [{ name: 'Salt' }] }, /recipe\[0\].id is missing/],
      [
        { kind: 'product', id: 9, name: 'x', type: 'DISH', recipe: [{ id: 1 }, { id: 77 }] },
        /recipe\[1\].id 77 points at no row of products/,
      ],
      [
        {
          kind: 'product',
          id: 9,
          name: 'x',
          type: 'DISH',
          modificator_groups: [{ modificators: [{ name: 'y', ingredient: { id: 78 } }] }],
        },
        /modificator_groups\[0\].modificators\[0\].ingredient.id 78 points at no row of products/,
      ],
      [{ kind: 'customer', id: '9', name: 'x', gender: 3 }, /gender must be one of 0, 1, 2, 9, not 3/],
      [
        { kind: 'customer', id: '9', name: 'x', balance: { amount: 0, type: 'CASHBACK' } },
        /balance.type must be one of CUSTOMER/,
      ],
      [
        { kind: 'customer', id: '9', name: 'x', cashback_balance: { id: null, amount: 0, type: 'POINTS' } },
        /cashback_balance.type must be one of CASHBACK/,
      ],
      [{ kind: 'customer_group', id: 9, name: 'x', discount_type: 'free' }, /discount_type must be one of percent, /],
      [{ kind: 'customer_group', id: 9, name: 'x', system_type: 'vip' }, /system_type must be one of default, /],
      ...[
        { kind: 'product', id: 9, name: '', type: 'DISH' },
        { kind: 'price_list', id: 9, name: ' ' },
        { kind: 'customer_group', id: 9, name: '' },
      ].map((row): [Row, RegExp] => [row, /^name must have 1 to 255 characters/]),
    ].map(([row, reason]): [string, unknown, RegExp] => [`a value without a place, ${reason}`, row, reason as RegExp]),
    ['an empty name', { kind: 'venue', id: 2, name: ' ' }, /name must have 1 to 255 characters/],
    ['an invisible name', { kind: 'role', id: 2, name: '\u200b', permissions: [] }, /name must have a visible/],
    [
      'an empty name of a user',
      { kind: 'user', id: 2, username: 'x', name: '', role_id: 1 },
      /name must have 1 to 255/,
    ],
    ['an empty username', { kind: 'user', id: 2, username: ' ', role_id: 1 }, /username must have 1 to 64 characters/],
    ['a control character in a username', { kind: 'user', id: 2, username: 'a\tb', role_id: 1 }, /username must not/],
    ['a NUL in a text', { kind: 'venue', id: 2, name: 'a\0b' }, /NUL/],
    [
      'a nested fault',
      { kind: 'product', id: 9, name: 'x', type: 'DISH', taxes: [{ rate: 'ten' }] },
      /taxes\[0\]\.rate must be a number/,
    ],
    [
      'a variant outside its product',
      { kind: 'product', id: 9, name: 'x', type: 'MODIFICATION' },
      /inside the modifications/,
    ],
    [
      'a variant whose id is a product',
      { kind: 'product', id: 9, name: 'x', type: 'DISH', modifications: [{ id: 3, name: 'y' }] },
      /id 3 is already a product/,
    ],
    [
      'a phone that another customer has',
      { kind: 'customer', id: '9', name: 'x', phone: '+994501112233' },
      /phone .* is already customer 7's/,
    ],
    ['a username that another user has', { kind: 'user', id: 9, username: 'OWNER', role_id: 1 }, /already user 1's/],
    [
      'a prototype in disguise',
      JSON.parse('{"kind":"venue","id":1,"name":"x","__proto__":{}}'),
      /__proto__ is not a known member/,
    ],
  ]
  for (const [what, row, reason] of bad)
    test(`is refused with its line, and nothing of it stays: ${what}`, async () => {
      const { db } = await open()
      const brand_id = await brandIn(db)
      await putRows(db, brand_id, everything)
      const before = JSON.stringify(await exported(db, brand_id))
      const rows = [{ kind: 'venue', id: 5, name: 'New' }, row as Row, { kind: 'venue', id: 6, name: 'Newer' }]
      await assert.rejects(putRows(db, brand_id, rows), (error: Error & { line?: number }) => {
        assert.match(error.message, reason)
        assert.equal(error.line, 2)
        return true
      })
      assert.equal(JSON.stringify(await exported(db, brand_id)), before)
    })

  test('refuses what could not be sold or is nowhere, as the forms do, with its line', async () => {
    const { db } = await open()
    const brand_id = await brandIn(db)
    await putRows(db, brand_id, everything)
    const dish = { kind: 'product', id: 90, name: 'x', type: 'DISH' }
    const sale = { kind: 'sale_type', id: 90, name: 'x', system_type: 'IN', channel: 'IN', position: 1 }
    const method = {
      kind: 'payment_method',
      id: 90,
      name: 'x',
      payment_kind: 'CASH',
      customer_required: 0,
      position: 1,
    }
    for (const [row, reason] of [
      [{ ...dish, price: -0.01 }, /^price must be at least 0, not -0.01/],
      [{ ...dish, takes: [{ product_id: 1, gross: -1 }] }, /^takes\[0\].gross must be at least 0, not -1/],
      [{ ...dish, modifications: [{ id: 91, name: 'y', price: -1 }] }, /^modifications\[0\].price must be at least 0/],
      [{ ...sale, status: {}, service_charge_rate: -5 }, /^service_charge_rate must be at least 0, not -5/],
      [{ ...sale, status: { 1: 1, 77: 0 } }, /^status 77 points at no row of venues/],
      [{ ...method, status: { 77: 1 } }, /^status 77 points at no row of venues/],
      [
        { kind: 'venue', id: 8, name: 'x', hours: { mon: [{ from: '09:00', to: '09:00' }] } },
        /^hours.mon\[0\] must not end when it begins/,
      ],
    ] as const)
      await assert.rejects(
        putRows(db, brand_id, [{ kind: 'unit', id: 9, name: 'Piece', symbol: 'pc' }, row]),
        (error: Error & { line?: number }) => {
          assert.match(error.message, reason)
          assert.equal(error.line, 2, String(reason))
          return true
        },
      )
    await putRows(db, brand_id, [
      { ...sale, status: { 8: 0 }, service_charge_rate: 0 },
      { kind: 'venue', id: 8, name: 'Later' },
    ])
  })

  test('lets a recipe use a product of a later line, but not one of none', async () => {
    const { db } = await open()
    const brand_id = await brandIn(db)
    const dish = (id: number, uses: number) => ({
      kind: 'product',
      id,
      name: 'Dish',
      type: 'DISH',
      recipe: [{ id: uses, name: 'Flour' }],
    })
    const flour = { kind: 'product', id: 500, name: 'Flour', type: 'INGREDIENT' }
    const dishes = Array.from({ length: 250 }, (_, index) => dish(index + 1, 500))
    await assert.rejects(putRows(db, brand_id, dishes), { line: 1, message: /recipe\[0\].id 500 points at no row/ })
    await putRows(db, brand_id, [...dishes, flour])
    await putRows(db, brand_id, [dish(600, 500)])
  })

  test('leaves a brand with one main venue, or is refused at the last line of a venue', async () => {
    const { db } = await open()
    const brand_id = await brandIn(db)
    const venue = (id: number, is_main?: boolean) => ({ kind: 'venue', id, name: `Venue ${id}`, is_main })
    const price = { kind: 'price_list', id: 1, name: 'Bar' }
    const refused = { line: 2, message: /^is_main is true for no venue/ }
    await assert.rejects(putRows(db, brand_id, [venue(1), venue(2, false), price]), refused)
    await putRows(db, brand_id, [venue(1, true), venue(2)])
    await assert.rejects(putRows(db, brand_id, [price, venue(1, false)]), refused)
    await putRows(db, brand_id, [venue(1, false), venue(2, true)]) // another takes over
    const main = await db.texts('select name from venues where brand_id = ? and is_main = 1', [brand_id])
    assert.deepEqual(main, ['Venue 2'])
  })

  test('gives a venue that no line brings a storage for its main one (P20), and no venue another', async () => {
    const { db } = await open()
    const brand_id = await brandIn(db)
    const storage = (id: number, venue_id: number, is_main: number) =>
      ({ kind: 'storage', id, venue_id, name: `S${id}`, is_main, status: 1 }) as Row
    const stored = async () =>
      (await db.texts('select body from storages where brand_id = ? order by id', [brand_id]))
        .map((body) => JSON.parse(body))
        .map(({ id, venue_id, is_main, name }) => [id, venue_id, is_main, name])
    const made = async () => (await db.texts(`select type from events where type = 'storage.created'`, [])).length
    const [one, two] = [1, 2].map((id): Row => ({ kind: 'venue', id, name: `V${id}`, is_main: id === 1 })) as [Row, Row]
    await putRows(db, brand_id, [one, storage(5, 1, 1), two])
    const both = [
      [5, 1, 1, 'S5'],
      [6, 2, 1, 'Main storage'],
    ]
    assert.deepEqual([await stored(), await made()], [both, 2])
    await putRows(db, brand_id, [one, two])
    assert.deepEqual([await stored(), await made()], [both, 2], 'once')
    await putRows(db, brand_id, [storage(9, 2, 1)])
    assert.deepEqual(await stored(), [both[0], [6, 2, 0, 'Main storage'], [9, 2, 1, 'S9']], 'a new one takes over')
    await assert.rejects(putRows(db, brand_id, [storage(9, 2, 0)]), /venue 2 has no main storage/)
    const [count] = await db.texts(
      `select cast(value as text) from counters where brand_id = ? and name = 'storages'`,
      [brand_id],
    )
    assert.equal(count, '3')
  })

  test('lets two brands have the same ids and phones', async () => {
    const { db } = await open()
    for (const slug of ['one', 'other']) await putRows(db, await brandIn(db, slug), everything)
    assert.equal((await db.texts('select id from customers', [])).length, 4)
  })
})
