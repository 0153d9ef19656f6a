import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { takenBy } from '../pos/recipe.ts'
import { RESOURCES } from '../resources/all.ts'
import { demoRows, demoSize } from './restaurant.ts'
import type { ProductRow, Row, StockOperationRow } from './rows.ts'

type Kind = Row['kind']
type Rows = { [K in Kind]: Extract<Row, { kind: K }>[] }

const KINDS: Kind[] = [
  'venue',
  'role',
  'user',
  'customer_group',
  'customer',
  'category',
  'station',
  'unit',
  'sale_type',
  'tax',
  'product',
  'price_list',
  'price',
  'payment_method',
  'terminal',
  'table',
  'storage',
  'supplier',
  'finance_category',
  'receipt',
  'operation',
  'operation_item',
  'stock',
  'stock_operation',
]
const DAY = 86_400_000
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
  assert.equal(demo.price_list.length, 2)
  assert.equal(demo.receipt.length, 2000)

  const products = listed(demo.product)
  assert.ok(products.length >= 140 && products.length <= 160, `${products.length} products`)
  assert.deepEqual(
    new Set(products.map(({ type }) => type)),
    new Set(['PRODUCT', 'DISH', 'TIMER', 'PREPARATION', 'INGREDIENT', 'MODIFICATION']),
  )
})

test('a scale is so many times 200 products, variants counted, and 2,000 receipts', () => {
  assert.equal(listed(doubled.product).length, 400)
  assert.equal(doubled.receipt.length, 4000)
  for (const scale of [1, 3, 50]) {
    assert.equal(demoSize(scale).receipt, 2000 * scale)
    let count = 0
    for (const row of demoRows({ today: SATURDAY_EVENING, scale })) {
      if (row.kind === 'price_list') break
      if (row.kind === 'product') count += 1 + row.modifications.length
    }
    assert.equal(count, 200 * scale, `scale ${scale}`)
  }
})

test('demoSize foretells each kind, and what moved with its documents within a tenth', () => {
  for (const [scale, rows] of [
    [undefined, demo],
    [2, doubled],
  ] as const) {
    const { operation, operation_item, stock_operation, ...exact } = demoSize(scale)
    for (const [kind, count] of Object.entries(exact)) assert.equal(rows[kind as Kind].length, count, kind)
    const ratio =
      (rows.stock_operation.length + rows.operation_item.length + rows.operation.length) /
      (stock_operation + operation_item + operation)
    assert.ok(ratio > 0.9 && ratio < 1.1, `${ratio}`)
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
      if (row.kind === 'receipt') {
        must('venue', row.venue_id)
        must('user', row.user_id)
        if (row.customer_id) must('customer', row.customer_id)
      }
      if (row.kind === 'stock_operation') {
        must('venue', row.venue_id)
        must('product', row.product_id)
        if (row.receipt_id) must('receipt', row.receipt_id)
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

  test(`${name}, a receipt's total is subtotal − total_discount + service charge + delivery fee + e_tax`, () => {
    for (const receipt of rows.receipt) {
      const { id, subtotal, total_discount, service_charge_value, delivery_fee, e_tax, receipt_products } = receipt
      const total = ten(subtotal) - ten(total_discount) + ten(service_charge_value) + ten(delivery_fee) + ten(e_tax)
      assert.equal(ten(receipt.total), total, `receipt ${id}`)
      assert.ok(receipt.total > 0, `receipt ${id}`)
      const lines = receipt_products.map((line) => ({ ...line, off: ten(line.total_discount ?? 0) }))
      assert.equal(ten(subtotal), sum(lines.map((line) => ten(line.subtotal!))), `receipt ${id}`)
      assert.equal(
        ten(total_discount),
        sum(lines.map((line) => line.off + ten(line.receipt_discount!))),
        `receipt ${id}`,
      )
      assert.equal(ten(receipt.total_tax), sum(receipt.taxes.map(({ amount }) => ten(amount))), `receipt ${id}`)
    }
  })

  test(`${name}, receipts have lines, modifiers, discounts, gifts, taxes, tables and customers`, () => {
    const lines = rows.receipt.flatMap(({ receipt_products }) => receipt_products)
    const share = (some: unknown[], all: unknown[]) => some.length / all.length
    assert.ok(rows.receipt.every(({ receipt_products }) => receipt_products.length > 0))
    assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length)
    assert.equal(new Set(lines.map(({ cid }) => cid)).size, lines.length)
    assert.ok(
      share(
        lines.filter(({ modifiers }) => modifiers!.length > 0),
        lines,
      ) > 0.3,
    )
    assert.ok(lines.some(({ discount_type }) => discount_type === 1))
    assert.ok(lines.some(({ is_gift }) => is_gift))
    assert.ok(lines.every(({ taxes }) => taxes!.length === 1))
    assert.ok(
      share(
        rows.receipt.filter(({ customer_id }) => customer_id),
        rows.receipt,
      ) > 0.3,
    )
    assert.ok(rows.receipt.every(({ sale_type_id, table_id }) => (sale_type_id === 1) === (table_id !== undefined)))
    assert.ok(rows.receipt.some(({ total_discount }) => total_discount > 0))
    for (const { status, receipt_products } of rows.receipt)
      for (const { state, reserved } of receipt_products)
        assert.ok(status === 2 ? state === 'SERVED' && !reserved : state !== 'VOID')
  })

  test(`${name}, what a line takes from stock is what its sale took (P20)`, () => {
    const taken = Map.groupBy(rows.stock_operation, ({ receipt_product_id }) => receipt_product_id)
    for (const { id, receipt_products } of rows.receipt)
      for (const { id: line, copied, count, portion_size } of receipt_products) {
        const expected = takenBy({ recipe: copied!.recipe, count: ten(count), portion_size: ten(portion_size!) })
        assert.deepEqual(
          (taken.get(line) ?? []).map((operation) => [operation.product_id, -ten(operation.quantity)]).sort(),
          expected.map(({ product_id, quantity }) => [product_id, quantity]).sort(),
          `receipt ${id}, line ${line}`,
        )
      }
  })

  test(`${name}, a closed receipt is paid in full and an open one not at all`, () => {
    for (const { id, status, total, payment_methods, closed_at, fiscal_id } of rows.receipt) {
      const paid = sum(payment_methods.map(({ amount }) => ten(amount)))
      assert.equal(paid, status === 2 ? ten(total) : 0, `receipt ${id}`)
      assert.ok(payment_methods.every(({ amount }) => amount > 0))
      assert.equal(closed_at !== undefined, status === 2, `receipt ${id}`)
      assert.equal(fiscal_id !== undefined, status === 2, `receipt ${id}`)
    }
  })

  test(`${name}, a receipt's discount is what its customer's group is granted`, () => {
    for (const { id, customer_id, discount_type, discount_value } of rows.receipt) {
      const group = customer_id && rows.customer_group[rows.customer[customer_id - 1]!.group_id - 1]
      if (discount_type === 0) assert.equal(discount_value, 0)
      else assert.ok(group, `receipt ${id} has a discount and no customer`)
      if (!group || discount_type === 0) continue
      const granted = [group.discount_type, group.discount_value]
      assert.deepEqual([discount_type === 1 ? 'percent' : 'amount', discount_value], granted, `receipt ${id}`)
    }
  })

  test(`${name}, per stock and product each operation begins where the last ended`, () => {
    const held = new Map<string, StockOperationRow>()
    for (const operation of rows.stock_operation) {
      const { id, stock_id, product_id, quantity, before_quantity, after_quantity } = operation
      assert.notEqual(quantity, 0, `operation ${id}`)
      assert.equal(ten(before_quantity) + ten(quantity), ten(after_quantity), `operation ${id}`)
      const last = held.get(`${stock_id} ${product_id}`)
      assert.equal(before_quantity, last?.after_quantity ?? 0, `operation ${id}`)
      assert.equal(operation.before, last?.after ?? 0, `operation ${id}`)
      assert.ok(after_quantity >= 0, `operation ${id} takes what is not there`)
      held.set(`${stock_id} ${product_id}`, operation)
    }
  })

  test(`${name}, the costs of an operation are its product's`, () => {
    const costs = new Map(listed(rows.product).map(({ id, cost_price }) => [id, cost_price]))
    const worth = (cost: number, quantity: number) => (ten(cost) * ten(quantity)) / 10_000
    for (const operation of rows.stock_operation) {
      const { id, product_id, cost, before_cost, total_cost, before, after } = operation
      const about = `operation ${id}`
      assert.equal(cost, costs.get(product_id), about)
      assert.equal(before_cost, cost, about)
      assert.equal(ten(total_cost), worth(cost, operation.quantity), about)
      assert.equal(ten(before), worth(cost, operation.before_quantity), about)
      assert.equal(ten(after), worth(cost, operation.after_quantity), about)
    }
  })

  test(`${name}, a sale takes the product itself, or what its recipe names, at the receipt's venue and time`, () => {
    const parents = new Map(
      rows.product.flatMap((product) => listed([product]).map(({ id }) => [id, product] as const)),
    )
    for (const operation of rows.stock_operation) {
      const { id, receipt_id, product_id, modificator_id, quantity, venue_id, operated_at } = operation
      if (!receipt_id) {
        assert.ok(quantity > 0 && operation.operation_id && operation.operation_item_id, `operation ${id}`)
        continue
      }
      const receipt = rows.receipt[receipt_id - 1]!
      assert.ok(quantity < 0, `operation ${id}`)
      assert.deepEqual([venue_id, operated_at], [receipt.venue_id, receipt.created_at], `operation ${id}`)
      const sold = receipt.receipt_products.find((line) => line.id === operation.receipt_product_id)!.product_id
      if (sold === product_id) {
        assert.equal(parents.get(product_id)!.type, 'PRODUCT', `operation ${id}`)
        continue
      }
      const dish = parents.get(sold)!
      const options = dish.modificator_groups.flatMap((group) => group.modificators)
      const source = modificator_id
        ? options.filter((option) => option.id === modificator_id).map(({ ingredient }) => ingredient?.id)
        : dish.recipe.map((item) => item.id)
      assert.ok(source.includes(product_id), `operation ${id}`)
    }
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
  assert.equal(new Set(doubled.receipt.map(({ cid }) => cid)).size, doubled.receipt.length)
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

test('there are rows of every kind that an import knows, which its schema reads as they are', () => {
  for (const { kind, read } of RESOURCES) {
    const rows = demo[kind as Kind]
    assert.ok(rows?.length > 0, kind)
    for (const { kind: _, ...line } of rows) assert.partialDeepStrictEqual(read(line), line)
  }
})

test('every row points at rows that are there', () => {
  const ids = new Map(RESOURCES.map(({ table, kind }) => [table, new Set(demo[kind as Kind].map(({ id }) => `${id}`))]))
  for (const { id } of listed(demo.product)) ids.get('products')!.add(`${id}`)
  let pointers = 0
  for (const { kind, references, laterReferences } of RESOURCES)
    for (const { kind: _, ...line } of demo[kind as Kind])
      for (const { member, table, id } of [...references(line), ...laterReferences(line)]) {
        if (id === undefined) continue
        pointers++
        assert.ok(ids.get(table)!.has(String(id)), `${kind} ${line.id}: ${member} ${id}`)
      }
  assert.ok(pointers > 1000)
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

test('receipts name terminals of their venue, sale types and payment methods of the house', () => {
  const venueOf = new Map(demo.terminal.map(({ id, venue_id }) => [id, venue_id]))
  const methods = new Map(demo.payment_method.map(({ id, name }) => [id, name]))
  for (const { id, venue_id, terminal_id, sale_type_id, payment_methods } of demo.receipt) {
    assert.equal(venueOf.get(terminal_id), venue_id, `receipt ${id}`)
    assert.ok(
      demo.sale_type.some((type) => type.id === sale_type_id),
      `receipt ${id}`,
    )
    for (const method of payment_methods) assert.equal(methods.get(method.id), method.name, `receipt ${id}`)
  }
})

test('group 1 is the default one', () => {
  assert.deepEqual(
    demo.customer_group.map(({ system_type }) => system_type),
    ['default', 'employee', 'custom', 'custom'],
  )
})

test('staff ring up sales only where they may enter', () => {
  for (const { id, user_id, venue_id } of demo.receipt) {
    assert.ok(demo.user[user_id - 1]!.venue_ids?.includes(venue_id) ?? true, `receipt ${id}`)
  }
})

test('dine-in has guests and a service charge, delivery a fee, a source and an order', () => {
  const bySaleType = Object.groupBy(demo.receipt, ({ sale_type_id }) => sale_type_id)
  assert.deepEqual(Object.keys(bySaleType), ['1', '2', '3'])
  assert.ok(bySaleType[1]!.every(({ guests, service_charge }) => guests && service_charge === 10))
  assert.ok(bySaleType[2]!.every(({ service_charge, delivery_fee }) => service_charge === 0 && delivery_fee === 0))
  for (const { delivery_fee, source, order_status, order_number, customer_id } of bySaleType[3]!) {
    assert.ok(delivery_fee > 0 && source !== 'POS' && order_status && order_number && customer_id)
  }
  assert.deepEqual(new Set(demo.receipt.map(({ discount_type }) => discount_type)), new Set([0, 1, 2]))
})

test('venue 1 has receipts from the first day, receipt 1 among them', () => {
  const first = demo.receipt[0]!
  assert.deepEqual([first.venue_id, first.created_at.slice(0, 10)], [1, '2026-02-13'])
  assert.deepEqual(new Set(demo.receipt.map(({ venue_id }) => venue_id)), new Set([1, 2, 3]))
  assert.equal(demo.stock_operation[0]!.venue_id, 1)
})

test('lunch and dinner are busy, and weekends busier than weekdays', () => {
  const at = demo.receipt.map(({ created_at }) => new Date(created_at))
  const during = (from: number, to: number) =>
    at.filter((time) => time.getUTCHours() >= from && time.getUTCHours() < to).length
  assert.ok(during(11, 14) > 2 * during(14, 17))
  assert.ok(during(18, 21) > 2 * during(14, 17))
  assert.equal(during(2, 6), 0)

  const perDay = (weekdays: number[]) =>
    at.filter((time) => weekdays.includes(time.getUTCDay())).length / weekdays.length
  assert.ok(perDay([6, 0]) > 1.3 * perDay([1, 2, 3, 4]))
})

for (const time of ['00:00:00.000', '00:00:00.001', '03:12:00.000', '12:45:30.500', '23:59:59.999']) {
  test(`at ${time} time runs forwards, ends now, and some receipts of today are open`, () => {
    const today = new Date(`2026-03-01T${time}Z`)
    const rows = byKind(demoRows({ today }))
    const now = today.toISOString()

    for (const row of Object.values(rows).flat()) {
      for (const [member, value] of Object.entries(row)) {
        if (!member.endsWith('_at') || value === null) continue
        assert.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.ok(value <= now, `${row.kind} ${row.id} ${member} ${value}`)
      }
      if ('created_at' in row && 'updated_at' in row) assert.ok(row.created_at <= row.updated_at)
    }
    for (const { created_at, closed_at } of rows.receipt) assert.ok(created_at <= (closed_at ?? now))
    assertAscending(rows.receipt.map(({ created_at }) => created_at))
    assertAscending(rows.stock_operation.map(({ operated_at }) => operated_at))

    assert.equal(rows.receipt.length, 2000)
    const days = new Set(rows.receipt.map(({ created_at }) => created_at.slice(0, 10)))
    assert.equal(days.size, 30)
    const first = new Date(today.getTime() - 29 * DAY).toISOString().slice(0, 10)
    assert.equal(rows.receipt[0]!.created_at.slice(0, 10), first)
    const open = rows.receipt.filter(({ status }) => status === 1)
    assert.ok(open.some(({ created_at }) => created_at.startsWith('2026-03-01')))
    assert.ok(open.length < 40, `${open.length} open`)
  })
}

function assertAscending(values: string[]) {
  for (let at = 1; at < values.length; at++) assert.ok(values[at - 1]! <= values[at]!, `${values[at]} at ${at}`)
}

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
  venue: members('id name is_main address phone time_zone accept hours'),
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
  stock_operation: members(
    'id venue_id stock_id reserved receipt_id receipt_product_id product_id modificator_id operation_id ' +
      'operation_item_id unit_id quantity before_quantity after_quantity before after cost before_cost ' +
      'total_cost operated_at storage_id position',
  ),
}
