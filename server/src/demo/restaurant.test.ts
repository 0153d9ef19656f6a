import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { RESOURCES } from '../resources/catalogue.ts'
import { demoRows } from './restaurant.ts'
import type { ProductRow, Row } from './rows.ts'

type Kind = Row['kind']
type Rows = { [K in Kind]: Extract<Row, { kind: K }>[] }

const KINDS: Kind[] = [
  'venue',
  'role',
  'user',
  'customer_group',
  'customer',
  'course',
  'category',
  'station',
  'unit',
  'sale_type',
  'tax',
  'product',
  'price_list',
  'price',
  'payment_method',
  'printer',
  'print_route',
  'terminal',
  'hall',
  'table',
  'storage',
  'supplier',
  'finance_category',
]
const SATURDAY_EVENING = new Date('2026-03-14T19:30:00.000Z')

const demo = byKind(demoRows({ today: SATURDAY_EVENING }))
const doubled = byKind(demoRows({ today: SATURDAY_EVENING, scale: 2 }))

function byKind(rows: Iterable<Row>): Rows {
  const grouped: Partial<Record<Kind, Row[]>> = Object.groupBy(rows, ({ kind }) => kind)
  return grouped as Rows
}

/** Ten-thousandths: what the tests add up, since binary fractions do not add up exactly. */
const ten = (value: number) => Math.round(value * 10_000)

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** The kinds that are there before the first guest; the others come with them (history.test.ts). */
const HOUSE = RESOURCES.filter(({ kind }) => demo[kind as Kind])

/** What GET /products lists: variants are rows of their own (D3.6). */
const listed = (products: ProductRow[]) => products.flatMap((product) => [product, ...product.modifications])

const bothScales = [
  ['without a scale', demo],
  ['at scale 2', doubled],
] as const

test('the same options give the same rows, to the byte', () => {
  const digest = (today: Date) => {
    const hash = createHash('sha256')
    for (const row of demoRows({ today })) hash.update(JSON.stringify(row))
    return hash.digest('hex')
  }
  assert.equal(digest(SATURDAY_EVENING), digest(new Date(SATURDAY_EVENING)))
  assert.notEqual(digest(SATURDAY_EVENING), digest(new Date('2026-03-15T19:30:00.000Z')))
})

test('kinds come in runs', () => {
  const runs: Kind[] = []
  for (const { kind } of demoRows({ today: SATURDAY_EVENING })) if (runs.at(-1) !== kind) runs.push(kind)
  assert.deepEqual(runs, [...new Set(runs)])
  for (const kind of KINDS) assert.ok(runs.includes(kind), kind)
})

test('the group is of a believable size', () => {
  assert.equal(demo.venue.length, 3)
  assert.deepEqual(
    demo.role.map(({ name }) => name),
    ['Owner', 'Manager', 'Cashier', 'Waiter', 'Cook', 'Accountant'],
  )
  assert.equal(demo.user.length, 8)
  assert.equal(demo.customer_group.length, 4)
  assert.equal(demo.customer.length, 300)
  assert.equal(demo.price_list.length, 4)

  const products = listed(demo.product)
  assert.ok(products.length >= 140 && products.length <= 160, `${products.length} products`)
  assert.deepEqual(
    new Set(products.map(({ type }) => type)),
    new Set(['PRODUCT', 'DISH', 'TIMER', 'PREPARATION', 'INGREDIENT', 'MODIFICATION']),
  )
})

test('a scale is so many times 200 products, variants counted', () => {
  assert.equal(listed(doubled.product).length, 400)
  for (const scale of [1, 3, 50]) {
    let count = 0
    for (const row of demoRows({ today: SATURDAY_EVENING, scale })) {
      if (row.kind === 'price_list') break
      if (row.kind === 'product') count += 1 + row.modifications.length
    }
    assert.equal(count, 200 * scale, `scale ${scale}`)
  }
})

for (const [name, rows] of bothScales) {
  test(`${name}, ids start at 1 in every kind and leave no gap`, () => {
    for (const kind of KINDS) {
      const ids = kind === 'product' ? listed(rows.product) : rows[kind]
      assert.deepEqual(
        ids.map(({ id }) => Number(id)),
        ids.map((_, index) => index + 1),
        kind,
      )
    }
    assert.ok(rows.customer.every(({ id }) => typeof id === 'string'))
  })

  test(`${name}, every reference points to an earlier row`, () => {
    const seen = new Set<string>()
    const must = (kind: string, id: number) =>
      assert.ok(seen.has(`${kind} ${id}`), `${kind} ${id} comes later or never`)
    for (const row of KINDS.flatMap((kind): Row[] => rows[kind])) {
      if (row.kind === 'user') {
        must('role', row.role_id)
        for (const id of row.venue_ids ?? []) must('venue', id)
      }
      if (row.kind === 'customer') must('customer_group', row.group_id)
      if (row.kind === 'product') {
        for (const { id } of row.recipe) must('product', id)
        for (const { ingredient } of row.modificator_groups.flatMap((group) => group.modificators)) {
          if (ingredient) must('product', ingredient.id)
        }
        for (const variant of row.modifications) {
          assert.equal(variant.parent_id, row.id)
          seen.add(`product ${variant.id}`)
        }
      }
      if (row.kind === 'price') {
        must('price_list', row.list_id)
        must('product', row.product_id)
      }
      seen.add(`${row.kind} ${row.id}`)
    }
  })

  test(`${name}, no number has more than four decimals`, () => {
    const check = (value: unknown, path: string) => {
      if (typeof value === 'number') assert.equal(ten(value) / 10_000, value, path)
      else if (value && typeof value === 'object') {
        for (const [member, inner] of Object.entries(value)) check(inner, `${path}.${member}`)
      }
    }
    for (const row of Object.values(rows).flat()) check(row, `${row.kind} ${row.id}`)
  })

  test(`${name}, what is made costs what goes into it`, () => {
    for (const { name: made, type, recipe, cost_price } of rows.product) {
      if (type !== 'DISH' && type !== 'PREPARATION') continue
      assert.ok(recipe.length > 0, made)
      const cost = sum(recipe.map((item) => ten(item.cost_price) * ten(Number(item.pivot.gross))))
      assert.equal(ten(cost_price), Math.round(cost / 10_000), made)
      assert.ok(
        recipe.every(({ pivot }) => /^\d+\.\d{3}$/.test(pivot.gross)),
        made,
      )
    }
  })

  test(`${name}, nested parts repeat the names and costs of the products they refer to`, () => {
    const products = new Map(rows.product.map((product) => [product.id, product]))
    for (const { recipe, modificator_groups } of rows.product) {
      const ingredients = modificator_groups
        .flatMap((group) => group.modificators)
        .flatMap((option) => option.ingredient ?? [])
      for (const { id, name: called, cost_price } of [...recipe, ...ingredients]) {
        const product = products.get(id)!
        assert.deepEqual([called, cost_price], [product.name, product.cost_price])
      }
      for (const { id, type } of ingredients) assert.equal(type, products.get(id)!.type)
    }
  })

  test(`${name}, everything that is sold costs more than it takes to make`, () => {
    for (const product of rows.product) {
      if (product.type === 'INGREDIENT' || product.type === 'PREPARATION') continue
      for (const { name: sold, price, cost_price } of listed([product])) assert.ok(price > cost_price, sold)
    }
  })

  test(`${name}, rows have the members the contract gives them and no others`, () => {
    for (const row of Object.values(rows).flat()) {
      const { kind, ...members } = row
      if (MEMBERS[kind]) onlyMembers(members, MEMBERS[kind], kind)
    }
  })

  test(`${name}, a page of 50 products is about 44 kB`, () => {
    const variant = 300 // a row of its own has a little more than the nested one
    const bytes = sum(
      rows.product.map((row) => Buffer.byteLength(JSON.stringify(row)) + row.modifications.length * variant),
    )
    const page = (bytes / listed(rows.product).length) * 50
    assert.ok(page > 36_000 && page < 52_000, `${page} bytes`)
  })
}

test('customers share no phone, code or cid', () => {
  for (const member of ['phone', 'code', 'cid'] as const) {
    const values = demo.customer.flatMap((customer) => customer[member]?.replace(/[\s().-]/g, '').toLowerCase() ?? [])
    assert.equal(new Set(values).size, values.length, member)
  }
})

test('names need folding beyond ASCII', () => {
  for (const names of [demo.customer.map(({ name }) => name), demo.product.map(({ name }) => name)]) {
    for (const script of [/[À-ÿ]/, /[Ā-ž]/, /\p{Script=Cyrillic}/u, /\p{Script=Arabic}/u, /\p{Script=Han}/u]) {
      assert.ok(
        names.some((name) => script.test(name)),
        String(script),
      )
    }
  }
})

test('the owner may do everything, a waiter may not create customers', () => {
  assert.deepEqual([demo.user[0]!.username, demo.role[0]!.permissions], ['owner', ['*']])
  assert.ok(!demo.role[3]!.permissions.includes('customers:write'))
  assert.ok(demo.user.some(({ venue_ids }) => venue_ids && venue_ids.length < demo.venue.length))
})

test('rows are read by their schemas as they are', () => {
  for (const { kind, read } of HOUSE) {
    const rows = demo[kind as Kind]
    for (const { kind: _, ...line } of rows) assert.partialDeepStrictEqual(read(line), line)
  }
})

test('every row points at rows that are there', () => {
  const ids = new Map(HOUSE.map(({ table, kind }) => [table, new Set(demo[kind as Kind].map(({ id }) => `${id}`))]))
  for (const { id } of listed(demo.product)) ids.get('products')!.add(`${id}`)
  let pointers = 0
  for (const { kind, references, laterReferences } of HOUSE)
    for (const { kind: _, ...line } of demo[kind as Kind])
      for (const { member, table, id } of [...references(line), ...laterReferences(line)]) {
        if (id === undefined) continue
        pointers++
        assert.ok(ids.get(table)!.has(String(id)), `${kind} ${line.id}: ${member} ${id}`)
      }
  assert.ok(pointers > 500)
})

test('three venues have different hours and zones, and the first is always open', () => {
  assert.equal(new Set(demo.venue.map(({ time_zone }) => time_zone)).size, 3)
  assert.equal(new Set(demo.venue.map(({ hours }) => JSON.stringify(hours))).size, 3)
  const [first] = demo.venue
  assert.deepEqual([first!.is_main, first!.hours], [true, undefined])
  assert.deepEqual(
    demo.venue.map(({ accept }) => accept),
    ['client', 'ask', 'always'],
  )
})

test('categories are two levels deep, and products are in the lower one, made where they belong', () => {
  const parents = new Map(demo.category.map(({ id, parent_id }) => [id, parent_id]))
  const depths = demo.category.map(({ parent_id }) =>
    parent_id === undefined ? 0 : 1 + Number(parents.get(parent_id) !== undefined),
  )
  assert.deepEqual([...new Set(depths)].sort(), [0, 1])
  for (const { name, type, category_id, station_id } of demo.product) {
    assert.ok(parents.has(category_id), name)
    assert.equal(station_id !== undefined, type === 'DISH' || type === 'PRODUCT', name)
  }
})

test('the stop list of the first venue has nothing of its menu; the others lack something', () => {
  const products = new Map(listed(demo.product).map((product) => [product.id, product]))
  const onMenu = (venue: number) =>
    demo.stop_list_entry.filter(({ venue_id, id }) => venue_id === venue && products.get(id)!.status === 1)
  assert.deepEqual(
    [1, 2, 3].map((venue) => onMenu(venue).length),
    [0, 2, 1],
  )
  assert.ok(demo.stop_list_entry.some(({ venue_id }) => venue_id === 1))
  assert.ok(demo.stop_list_entry.every(({ id }) => ['DISH', 'PRODUCT'].includes(products.get(id)!.type!)))
})

test('products carry the taxes of the house as they are, and each venue has one main storage', () => {
  const taxes = new Map(demo.tax.map(({ id, name, rate }) => [id, { id, name, rate }]))
  assert.ok(new Set(demo.tax.map(({ rate }) => rate)).size >= 2)
  for (const { taxes: copies } of demo.product) for (const copy of copies) assert.deepEqual(copy, taxes.get(copy.id))
  const main = demo.storage.filter(({ is_main }) => is_main === 1).map(({ venue_id }) => venue_id)
  assert.deepEqual(main, [1, 2, 3])
})

test('group 1 is the default one', () => {
  assert.deepEqual(
    demo.customer_group.map(({ system_type }) => system_type),
    ['default', 'employee', 'custom', 'custom'],
  )
})

/** The names a member may have: nested where its value is an object or a list of them. */
interface Members {
  [member: string]: true | Members
}

function onlyMembers(value: object, members: Members, path: string) {
  for (const [member, inner] of Object.entries(value)) {
    const allowed = Object.hasOwn(members, member) && members[member]
    assert.ok(allowed, `${path}.${member} is not in the contract`)
    assert.notEqual(inner, undefined, `${path}.${member} has no value`)
    if (allowed === true) continue
    for (const part of [inner].flat()) onlyMembers(part, allowed, `${path}.${member}`)
  }
}

function members(names: string, nested: Members = {}): Members {
  return { ...Object.fromEntries(names.split(' ').map((name) => [name, true as const])), ...nested }
}

/** The others are read by their schemas alone, which refuse what they do not know. */
const MEMBERS: Partial<Record<Kind, Members>> = {
  venue: members('id name is_main address phone time_zone day_starts_at accept hours print_language reason_for'),
  role: members('id name permissions'),
  user: members('id username name first_name last_name email role_id venue_ids'),
  customer_group: members(
    'id name discount_type discount_value system_type total_amount created_at updated_at deleted_at',
  ),
  customer: members('id name email phone group_id created_at code cid description gender date_of_birth', {
    balance: members('id amount type'),
    cashback_balance: members('id amount type'),
  }),
  product: members(
    'id name type full_name status price cost_price has_modifications created_at updated_at category_id station_id ' +
      'unit_id cooking_time hidden low_stock takes',
    {
      modifications: members('id parent_id type name price cost_price barcode full_name status'),
      modificator_groups: members('id name type min_select max_select', {
        modificators: members('id name price cost_price max_count status', {
          ingredient: members('id name type cost_price'),
        }),
      }),
      recipe: members('id name cost_price', { pivot: members('gross') }),
      packages: members('id name equal'),
      setting: members('interval', { prices: members('price from') }),
      taxes: members('id name rate'),
      tags: members('id name color'),
    },
  ),
  price_list: members('id name description status created_at updated_at scopes'),
  price: members('id list_id product_id price'),
}
