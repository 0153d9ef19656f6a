import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { api, type Client } from '../../test/api.ts'
import { onEachEngine } from '../../test/database/engines.ts'
import type { Row } from '../../test/database/store.ts'
import { exampleRow } from '../../test/example-rows.ts'
import { type Filter, naively, type Question, type Scalar } from '../../test/naive-list.ts'
import { RESOURCES } from '../resources/catalogue.ts'
import type { Resource } from './resource.ts'

// Every list of P2, against the imported rows in memory: one loop over RESOURCES.

type Wire = Record<string, unknown>

// lists.test.ts, receipts.test.ts, pos/stock/stock-api.test.ts, pos/documents/documents.test.ts
const ELSEWHERE = ['products', 'price-lists', 'receipts', 'stocks', 'stock-operations', 'operations', 'operation-items']
/** In a brand of their own: customers, suppliers and payment methods would bring further balances. */
const MONEY = ['balance', 'transaction', 'cash_shift']
const BESIDE_MONEY = ['venue', 'terminal', 'finance_category']
const isMoney = ({ kind }: Resource) => MONEY.includes(kind)
const LISTS = RESOURCES.filter(({ api, name }) => api.list && !ELSEWHERE.includes(name.many))
const NOW = '2026-01-01T00:00:00.000Z' // when rows are put in (test/database/store.ts)
const COUNT = 12

const instantAt = (index: number) => `2026-02-0${1 + (index % 3)}T10:00:00.000Z`
const named = (index: number) => ({ id: index, name: `${['Été', 'été', 'Zoo', 'ärger'][index % 4]} ${index % 5}` })
const dated = (index: number) => ({ created_at: instantAt(index), updated_at: instantAt(index + 1) })
const venue_id = (index: number) => 1 + (index % 2)
const status = (index: number) => index % 2
const perVenue = (index: number) => ({ 1: status(index), 2: 1 - status(index) })

/** Import lines of kinds that are tried with more than their required members; others come from their schema (lineOf). */
const LINES: Readonly<Record<string, (index: number) => Wire>> = {
  venue: (index) => ({ ...named(index), is_main: index === 1, time_zone: 'Europe/Paris' }),
  user: (index) => ({
    id: index,
    username: `u${index}`,
    role_id: 1,
    active: index % 3 > 0,
    first_name: 'Zoé',
    ...dated(index),
  }),
  customer_group: (index) => ({ ...named(index), system_type: 'custom', ...dated(index) }),
  customer: (index) => ({
    ...named(index),
    id: String(index),
    phone: `+3360000${100 + index}`,
    code: `C-${index % 7}${index}`,
    cid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    group_id: 1 + (index % 3),
    balance: { id: 200 + index, amount: index, type: 'CUSTOMER' },
    cashback_balance: { id: 300 + index, amount: 0.5, type: 'CASHBACK' },
    ...dated(index),
    ...(index % 2 && { email: `guest${index}@example.com` }),
  }),
  category: (index) => ({
    ...named(index),
    type: index % 2 ? 'PRODUCT' : 'INGREDIENT',
    status: status(index),
    hidden: index % 3 === 0,
    position: index % 4,
    ...dated(index),
    ...(index > 3 && { parent_id: 1 + (index % 3) }),
  }),
  product: (index) => ({ ...named(index), type: 'DISH', price: index, ...dated(index) }),
  price_list: (index) => ({ ...named(index), status: true, ...dated(index) }),
  price: (index) => ({ id: index, list_id: 1 + (index % 3), product_id: 13 - index, price: index / 4 }),
  station: (index) => ({
    ...named(index),
    status: status(index),
    type: index % 3 ? 1 : 0,
    printable: 1,
    ...dated(index),
  }),
  sale_type: (index) => ({
    ...named(index),
    system_type: 'IN',
    channel: 'IN',
    status: perVenue(index),
    position: 9 - index,
    ...dated(index),
  }),
  tax: (index) => ({
    ...named(index),
    rate: index + 0.5,
    included: index % 2 > 0,
    sale_type_ids: [1],
    is_default: 0,
    status: status(index),
    ...dated(index),
  }),
  payment_method: (index) => ({
    ...named(index),
    payment_kind: index % 2 ? 'CASH' : 'CARD',
    status: perVenue(index),
    customer_required: 0,
    position: index % 4,
    balance: { id: 400 + index, name: 'Account', type: index % 2 ? 'CASH' : 'CARD' },
    ...dated(index),
  }),
  printer: (index) => ({
    ...named(index),
    venue_id: venue_id(index),
    printer_kind: 'virtual',
    command: 'escpos',
    paper: 80,
    dots: 576,
    code_page: 'multilingual',
    mode: 'auto',
    ack: 1,
    drawer: 0,
    cut: 1,
    status: status(index),
  }),
  print_route: (index) => ({
    id: index,
    venue_id: venue_id(index),
    document: index % 2 === 0 ? 'bill' : 'report',
    printer_id: index,
    copies: 1,
  }),
  terminal: (index) => ({ ...named(index), venue_id: venue_id(index), status: status(index) }),
  hall: (index) => ({ ...named(index), venue_id: venue_id(index), position: index % 4, status: status(index) }),
  table: (index) => ({
    ...named(index),
    venue_id: venue_id(index),
    hall_id: 1 + ((index - 1) % 2),
    seats: index,
    status: status(index),
  }),
  storage: (index) => ({
    ...named(index),
    venue_id: index > COUNT ? index - COUNT + 2 : venue_id(index),
    is_main: index < 3 || index > COUNT ? 1 : 0,
    status: status(index),
    ...dated(index),
  }),
  supplier: (index) => ({
    ...named(index),
    spent: index * 1.25,
    balance: { id: 100 + index, amount: -index, type: 'SUPPLIER' },
    status: status(index),
    ...dated(index),
  }),
  finance_category: (index) => ({
    ...named(index),
    type: index % 2 ? 'INCOME' : 'EXPENSE',
    ...(index === 1 && { system_type: 'OPENING' }), // what balances open with is booked under it
    status: 1,
    ...dated(index),
    ...(index > 3 && { parent_id: 1 }),
  }),
  balance: (index) => ({
    ...named(index),
    type: ['CASH', 'CARD', 'OTHER'][index % 3],
    position: index % 4,
    created_at: instantAt(index),
    updated_at: instantAt(index + 1),
    ...(index % 3 && { venue_id: venue_id(index) }),
  }),
  transaction: (index) => ({
    id: index,
    venue_id: venue_id(index),
    balance_id: index,
    category_id: 1 + (index % 3),
    step: 1,
    amount: index * 1.25,
    before_amount: 0,
    after_amount: index * 1.25,
    operated_at: instantAt(index),
    ...(index % 2 && { user_id: 1 }),
  }),
  cash_shift: (index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    venue_id: venue_id(index),
    terminal_id: index,
    number: index,
    status: index % 3 ? 'CLOSED' : 'OPEN',
    opened_at: instantAt(index),
    opened_by: 1,
    opening_amount: index,
    expected_amount: index,
    receipts: 0,
    shift_date: '2026-02-01',
  }),
  order: (index) => ({
    id: index,
    venue_id: venue_id(index),
    status: ['PENDING', 'IGNORE', 'DELIVERED'][index % 3],
    ...(index % 2 && { order_number: `A-${index % 5}` }),
    sale_type_id: 1 + (index % 3),
    customer: { id: String(index), name: 'Zoé' },
    products: [
      { product_id: 1, product_name: 'Été', count: index, price: 2.5, portion_size: 1, note: 'hot', modifiers: [] },
    ],
    subtotal: index * 2.5,
    total: index * 2.5,
    price_differs: index % 2 > 0,
    ...(index % 3 === 1 && { reason: 'No oven' }),
    integrator: 'Hub',
    ...dated(index),
    cid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    customer_id: String(index),
    integrator_id: 'hub',
    kept: { lines: [] },
  }),
}

/** Members of an order that are stored but not shown. */
const KEPT = ['cid', 'customer_id', 'integrator_id', 'kept']

/** What a list shows for a line, where it is not the line itself. */
const SHOWN: Readonly<Record<string, (line: Wire) => Wire>> = {
  venue: ({ is_main, ...line }) => ({ ...line, is_main: is_main ? 1 : 0, currency: 'EUR' }),
  user: ({ active, role_id, ...line }) => ({ ...line, owner: 1, status: active }),
  payment_method: ({ payment_kind, ...line }) => ({ ...line, kind: payment_kind }),
  customer_group: (line) => ({ discount_type: null, total_amount: null, deleted_at: null, ...line }),
  customer: ({ code, cid, updated_at, ...line }) => ({ ...line, group: groupOf(Number(line.group_id)) }),
  order: (line) => Object.fromEntries(Object.entries(line).filter(([name]) => !KEPT.includes(name))),
  table: (line) => ({ ...line, hall: named(Number(line.hall_id)).name }),
  category: (line) => ({ ...line, depth: line.parent_id === undefined ? 0 : 1 }),
  // as its one transaction left it
  balance: (line) => ({ ...line, amount: Number(line.id) * 1.25, updated_at: instantAt(Number(line.id)) }),
  transaction: ({ step, ...line }) => line,
}

const groupOf = (id: number) => SHOWN.customer_group!(LINES.customer_group!(id))

/** Members that filters and sorts see but the list does not show. */
const TIMESTAMPS: Readonly<Record<string, (line: Wire) => Wire>> = {
  customer: ({ phone, code, cid, updated_at }) => ({ phones: phone, code, cid, updated_at }),
}

/** The query for which a list has all rows, and only its own. */
const WHOLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  category: { include_children: 'false', include_inactive: 'true' },
}

/** Lines to import. More storages: every venue has a main one (P20), which would be created if it were not imported. */
const countOf = (kind: string) => COUNTS[kind] ?? COUNT
const COUNTS: Readonly<Record<string, number>> = { storage: COUNT + COUNT - 2, course: 9 }
const hasLines = (resource: Resource) => LINES[resource.kind] !== undefined || LISTS.includes(resource)

function lineOf(resource: Resource, index: number): Wire {
  const { kind, scope, wire } = resource
  if (LINES[kind]) return LINES[kind](index)
  const { kind: _, ...example } = exampleRow(resource, index, 'Zoé')
  const times = Object.entries(dated(index)).filter(([name]) => name in wire.properties)
  return { ...example, ...Object.fromEntries(times), ...(scope === 'venue' && { venue_id: venue_id(index) }) }
}
const linesOf = (resource: Resource): Wire[] =>
  Array.from({ length: countOf(resource.kind) }, (_, index) => lineOf(resource, index + 1))
const shownOf = (resource: Resource): Wire[] => linesOf(resource).map(SHOWN[resource.kind] ?? ((line) => line))

/** The rows of a list as filters see them: in venue 1, and the status of a sale type there. */
const seenOf = (resource: Resource, shown: readonly Wire[]): Wire[] => {
  const lines = new Map(linesOf(resource).map((line) => [line.id, line]))
  const time = resource.list!.date?.name
  return shown.map((row) => ({
    ...row,
    ...(time && { created_at: row[time] }), // what a date is compared with
    ...(typeof row.status === 'object' && { status: (row.status as Record<string, number>)['1'] }),
    ...TIMESTAMPS[resource.kind]?.(lines.get(row.id)!),
  }))
}

/** The rows that match a query, as the list shows them. */
function answered(resource: Resource, shown: readonly Wire[], question: Question): Wire[] {
  const byId = new Map(shown.map((row) => [row.id, row]))
  const { order } = resource.list!
  const keys = question.keys.length > 0 ? question.keys : order.map((key) => ({ ...key, field: key.column.name }))
  return naively(seenOf(resource, shown), { ...question, keys }).map(({ id }) => byId.get(id)!)
}

test('every list knows what every list knows (P2, P3)', () => {
  for (const { name, wire, list } of LISTS) {
    const members = Object.keys(wire.properties)
    const filtered = members.filter((member) => /^(id|name|status|type)$|_id$|_at$/.test(member))
    const sorted = members.filter((member) =>
      ['id', 'name', 'position', list!.date?.name, 'updated_at'].includes(member),
    )
    for (const member of filtered) assert.ok(list!.columns.has(member), `${name.many} filters by ${member}`)
    for (const member of sorted) assert.ok(list!.sortable.has(member), `${name.many} sorts by ${member}`)
    const times = ['created_at', 'operated_at', 'opened_at'] // P3
    assert.equal(
      list!.date?.name,
      times.find((time) => members.includes(time)),
      name.many,
    )
    assert.equal(list!.maxLimit, ['customers', 'categories', 'prices'].includes(name.many) ? 999 : 200, name.many)
  }
})

onEachEngine('lists of what changes rarely', (make) => {
  const { brand } = api(make)
  let client: Client
  let money: Client
  const rows = (isWanted: (resource: Resource) => boolean = (resource) => !isMoney(resource)): Row[] =>
    RESOURCES.filter((resource) => hasLines(resource) && isWanted(resource)).flatMap((resource) =>
      linesOf(resource).map((line) => ({ kind: resource.kind, ...line })),
    )
  const moneyRows = () => rows((resource) => isMoney(resource) || BESIDE_MONEY.includes(resource.kind))
  before(async () => {
    client = await brand({ rows: rows() })
    money = await brand({ rows: moneyRows() })
  })
  const clientOf = (resource: Resource) => (isMoney(resource) ? money : client)
  /** Where rows belong to venues: those of venue 1. */
  const here = (resource: Resource) =>
    shownOf(resource).filter((row) => resource.scope !== 'venue' || row.venue_id === 1)

  for (const resource of LISTS) {
    const path = `/${resource.path}`
    const whole = WHOLE[resource.kind] ?? {}

    test(`GET ${path} answers the imported rows, value for value, in the envelope of P2`, async () => {
      const { body, text } = await clientOf(resource).get(
        `${path}?${new URLSearchParams({ ...whole, ...all(resource) })}`,
      )
      const expected = answered(resource, here(resource), { filters: [], keys: [], dates: [null, null] })
      assert.deepEqual(body.data, expected)
      assert.deepEqual(Object.keys(JSON.parse(text)), ['success', 'data', 'total', 'pagination'])
      const total = expected.length
      assert.equal(body.success, true)
      assert.equal(body.total, total)
      assert.deepEqual(body.pagination, { page: 1, per_page: 50, total, total_pages: 1 })
    })

    test(`GET ${path} answers filters, sorts, dates and fields as the same rows in memory would`, async () => {
      const list = resource.list!
      const shown = here(resource)
      const seen = seenOf(resource, shown)
      const valuesOf = (field: string) => [...new Set(seen.flatMap((row) => row[field] ?? []))] as Scalar[]
      const fields = [...list.columns.keys()].filter((field) => valuesOf(field).length > 0)
      const anyFilter = fc.constantFrom(...fields).chain((field): fc.Arbitrary<Filter> => {
        const one = fc.constantFrom(...valuesOf(field))
        const filter = (operators: string[], value: fc.Arbitrary<Filter['value']>) =>
          fc.record({ field: fc.constant(field), operator: fc.constantFrom(...operators), value })
        return fc.oneof(
          filter(['=', '!=', '>', '>=', '<', '<='], one),
          filter(['in', 'not in'], fc.array(one, { maxLength: 3 })),
          filter(['is null', 'is not null'], fc.constant(null)),
          ...(field === 'name' ? [filter(['like'], fc.constantFrom('ÉT', 'o', 'z'))] : []),
        )
      })
      const anyQuestion = fc.record({
        filters: fc.array(anyFilter, { maxLength: 2 }),
        keys: fc.uniqueArray(fc.record({ field: fc.constantFrom(...list.sortable.keys()), descending: fc.boolean() }), {
          maxLength: 2,
          selector: ({ field }) => field,
        }),
        dates: fc.constantFrom<[string | null, string | null]>(
          [null, null],
          ['2026-02-02', null],
          [null, '2026-02-02'],
        ),
        narrow: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(anyQuestion, async ({ narrow, ...rest }) => {
          const question = list.date ? rest : { ...rest, dates: [null, null] as const }
          const query = new URLSearchParams({ ...whole, ...(narrow && { fields: 'id' }) })
          const filters = [...question.filters, ...always(resource, question.filters)]
          if (question.filters.length > 0)
            query.set(
              'filters',
              JSON.stringify(question.filters.map(({ field, operator, value }) => [field, operator, value])),
            )
          for (const [index, { field, descending }] of question.keys.entries()) {
            query.set(`sort[${index}][0]`, field)
            query.set(`sort[${index}][1]`, descending ? 'desc' : 'asc')
          }
          for (const [index, date] of question.dates.entries()) if (date !== null) query.set(`date[${index}]`, date)
          const { body } = await clientOf(resource).get(`${path}?${query}`)
          const found = answered(resource, shown, { ...question, filters }).map((row) =>
            narrow ? { id: row.id } : row,
          )
          assert.deepEqual(body.data, found, query.toString())
        }),
        { numRuns: 40 },
      )
    })

    test(`GET ${path} takes a limit of ${resource.list!.maxLimit}, and one more is 400`, async () => {
      const { maxLimit } = resource.list!
      assert.equal((await clientOf(resource).get(`${path}?limit=${maxLimit}`)).status, 200)
      const { status: refused, body } = await clientOf(resource).get(`${path}?limit=${maxLimit + 1}`)
      assert.deepEqual([refused, body.details], [400, { parameter: 'limit', minimum: 1, maximum: maxLimit }])
    })

    test(`GET ${path} is walked in every order that a walk knows, and each row comes once`, async () => {
      const { date, sortable } = resource.list!
      const orders = ['', 'id asc', 'id desc', ...(date ? [`${date.name} asc`, `${date.name} desc`] : [])]
      if (sortable.has('updated_at')) orders.push('updated_at asc')
      for (const order of orders) {
        const [field, direction] = order.split(' ')
        const sort = order ? `&sort[0][0]=${field}&sort[0][1]=${direction}` : ''
        const keys = field ? [{ field, descending: direction === 'desc' }] : []
        const filters = always(resource, [])
        const expected = answered(resource, here(resource), { filters, keys, dates: [null, null] })
        const query = new URLSearchParams({ limit: '5', ...whole })
        assert.deepEqual(await walked(clientOf(resource), `${path}?${query}${sort}`), expected, order)
      }
    })
  }

  for (const resource of LISTS.filter(({ scope }) => scope === 'venue'))
    test(`GET /${resource.path} shows the active venue, and with venue=all each that the user may enter`, async () => {
      const idsAt = async (client: Client, query = '', venue = '1') =>
        ((await client.get(`/${resource.path}${query}`, { 'x-venue': venue })).body.data as Wire[])
          .map(({ id }) => id)
          .sort()
      const ids = (venues: number[]) =>
        linesOf(resource)
          .flatMap((row) => (venues.includes(Number(row.venue_id)) ? [row.id] : []))
          .sort()
      assert.deepEqual(await idsAt(clientOf(resource)), ids([1]))
      assert.deepEqual(await idsAt(clientOf(resource), '', '2'), ids([2]))
      assert.deepEqual(
        await idsAt(clientOf(resource), '?venue=all'),
        linesOf(resource)
          .map(({ id }) => id)
          .sort(),
      )
      const bounded = await brand({
        rows: [
          ...(isMoney(resource) ? moneyRows() : rows()),
          { kind: 'user', id: 1, username: 'owner', role_id: 1, venue_ids: [1] },
        ],
      })
      assert.deepEqual(await idsAt(bounded, '?venue=all'), ids([1]))
      assert.deepEqual(
        (await walked(bounded, `/${resource.path}?venue=all&limit=2`)).map(({ id }) => id).sort(),
        ids([1]),
      )
    })

  for (const resource of RESOURCES.filter((resource) => resource.api.get && hasLines(resource)))
    test(`GET /${resource.path}/{id} answers one of them`, async () => {
      const query = resource.kind === 'category' ? '?include_children=false' : ''
      for (const row of here(resource).slice(0, 3)) {
        const { text } = await clientOf(resource).get(`/${resource.path}/${row.id}${query}`)
        assert.deepEqual(JSON.parse(text), { success: true, data: row })
        assert.match(text, /^\{"success":true,"data":\{"id":/)
      }
      assert.equal((await clientOf(resource).get(`/${resource.path}/1?page=1`)).status, 400)
    })

  test('GET /venues shows those that the staff user may enter', async () => {
    const venues = (ids: number[]) => ids.map((id) => ({ kind: 'venue', id, name: `V${id}`, is_main: id === 1 }))
    const bounded = await brand({
      rows: [...venues([1, 2, 3]), { kind: 'user', id: 1, username: 'owner', role_id: 1, venue_ids: [1, 3] }],
    })
    const { body } = await bounded.get('/venues')
    assert.deepEqual([(body.data as Wire[]).map(({ id }) => id), body.total], [[1, 3], 2])
  })

  test('GET /users marks the owner, as roles change', async () => {
    const client = await brand({ rows: [{ kind: 'role', id: 2, name: 'Waiter', permissions: ['products:read'] }] })
    await client.put({ kind: 'user', id: 2, username: 'waiter', role_id: 2 })
    const owners = async () => ((await client.get('/users')).body.data as Wire[]).map(({ id, owner }) => [id, owner])
    assert.deepEqual(await owners(), [
      [1, 1],
      [2, 0],
    ])
    await client.put({ kind: 'role', id: 2, name: 'Waiter', permissions: ['*'] })
    assert.deepEqual(await owners(), [
      [1, 1],
      [2, 1],
    ])
  })

  test('GET /suppliers/total sums up what the list with the same filters shows', async () => {
    const suppliers = linesOf(RESOURCES.find(({ kind }) => kind === 'supplier')!)
    for (const [query, rows] of [
      ['', suppliers],
      ['?filters=[["id","<",5]]', suppliers.slice(0, 4)],
      ['?filters=[["id",99]]', []],
    ] as const) {
      const sum = (amountOf: (row: Wire) => unknown) => rows.reduce((total, row) => total + Number(amountOf(row)), 0)
      const { body } = await client.get(`/suppliers/total${encodeURI(query)}`)
      const balance = sum(({ balance }) => (balance as { amount: number }).amount)
      assert.deepEqual(body, { success: true, data: { count: rows.length, spent: sum(({ spent }) => spent), balance } })
    }
    assert.equal((await client.get('/suppliers/total?page=1')).status, 400)
  })

  test('GET /finance/taxes/types answers both types, without pages', async () => {
    const { body } = await client.get('/finance/taxes/types')
    assert.deepEqual(Object.keys(body), ['success', 'data', 'total'])
    assert.deepEqual(
      (body.data as Wire[]).map(({ included }) => included),
      [true, false],
    )
  })

  test('a walk over 10,000 rows gives each row that was there throughout once, while rows are added and changed', async () => {
    const many = 10_000
    const unit = (id: number, name: string) => ({ kind: 'unit', id, name, symbol: 'x' })
    const walker = await brand({ rows: Array.from({ length: many }, (_, index) => unit(index * 2 + 1, 'first')) })
    const seen = new Map<number, number>()
    let page = 0
    let isOver = false
    let writes = 0
    /** Writes before, at and behind the walk's position, for as long as the walk takes. */
    const writing = (async () => {
      for (; !isOver; writes++)
        await walker.put(
          ...[2, page * 400 + 2, many * 2 - 2].flatMap((id) => [unit(id + 2 * writes, 'new'), unit(id + 1, 'changed')]),
        )
    })()
    for (let next: string | null = ''; next !== null; page++) {
      const { body } = await walker.get(`/units?limit=200&after=${next}`)
      for (const { id } of body.data as { id: number }[]) seen.set(id, (seen.get(id) ?? 0) + 1)
      next = (body.pagination as { next: string | null }).next
    }
    isOver = true
    await writing
    assert.ok(writes > 1, `${writes} writes beside ${page} pages`)
    for (let index = 0; index < many; index++) assert.equal(seen.get(index * 2 + 1), 1, `row ${index * 2 + 1}`)
    for (const [id, times] of seen) assert.equal(times, 1, `row ${id}`)
    assert.ok(page >= many / 200)
  })

  test('a walk by updated_at gives a row again that changed, at its new place', async () => {
    const station = (id: number, updated_at: string) => ({
      kind: 'station',
      id,
      name: 'Bar',
      status: 1,
      type: 0,
      printable: 0,
      created_at: NOW,
      updated_at,
    })
    const walker = await brand({ rows: [1, 2, 3, 4, 5].map((id) => station(id, `2026-02-01T00:00:0${id}.000Z`)) })
    const path = '/stations?limit=2&sort[0][0]=updated_at'
    const seen = await walked(walker, path, async (page) => {
      if (page === 1) await walker.put(station(1, '2026-03-01T00:00:00.000Z'))
    })
    assert.deepEqual(
      seen.map(({ id }) => id),
      [1, 2, 3, 4, 5, 1],
    )
  })
})

/** Filters that a list applies by default. */
const always = ({ kind }: Resource, filters: readonly Filter[]): Filter[] =>
  kind === 'user' && !filters.some(({ field }) => field === 'status')
    ? [{ field: 'status', operator: '=', value: true }]
    : []

/** The query that shows all rows. */
const all = ({ kind }: Resource) => (kind === 'user' ? { filters: '[["status","is not null",null]]' } : {})

/** Reads every row of a list with `after`, and calls `between` between its pages. */
async function walked(client: Client, path: string, between = async (_page: number) => {}): Promise<Wire[]> {
  const rows: Wire[] = []
  let next: string | null = ''
  for (let page = 1; next !== null; page++) {
    const { status, body } = await client.get(`${path}&after=${next}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      [Object.keys(body), Object.keys(body.pagination as object)],
      [
        ['success', 'data', 'pagination'],
        ['per_page', 'next'],
      ],
    )
    rows.push(...(body.data as Wire[]))
    next = (body.pagination as { next: string | null }).next
    await between(page)
  }
  return rows
}
