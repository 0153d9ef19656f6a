import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { api, type Client } from '../../../test/api.ts'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { type Filter, naively, type Scalar } from '../../../test/naive-list.ts'

// The views that give rows (P2), against the same sums over imported rows in memory.

type Wire = Record<string, unknown>

const TODAY = '2026-03-01' // by the test's clock
const DAY_MS = 86_400_000
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const DAYS = ['2026-02-01', '2026-02-02', '2026-02-03']
const instantAt = (index: number) => `${DAYS[index % 3]}T10:00:00.000Z`
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const nameOf = (index: number) => `${['Été', 'été', 'Zoo', 'ärger'][index % 4]} ${index % 5}`
/** Sums of amounts, which have four places. */
const sum = (values: readonly number[]) =>
  values.reduce((total, value) => total + Math.round(value * 10_000), 0) / 10_000

interface Movement extends Wire {
  readonly stock_id: number
  readonly product_id: number
  readonly quantity: number
  readonly total_cost: number
  readonly operated_at: string
}

const PRODUCTS = numbers(12).map((id) => ({
  kind: 'product',
  id,
  name: nameOf(id),
  type: 'INGREDIENT',
  unit_id: 1 + (id % 2),
  ...(id % 4 > 0 && { category_id: id % 4 }),
}))
const productOf = (id: unknown) => PRODUCTS.find((product) => product.id === id)!
const CATEGORIES = numbers(3).map((id) => ({
  kind: 'category',
  id,
  name: nameOf(10 - id),
  type: 'INGREDIENT',
  status: 1,
}))
/** Two storages; the second has only some of the products. */
const STOCKS = numbers(18).map((id) => ({
  kind: 'stock',
  id: 20 + id,
  venue_id: 1,
  storage_id: id > 12 ? 2 : 1,
  product_id: id > 12 ? 2 * (id - 12) : id,
}))
/** One movement a day for each stock: in, in and out. Stocks with an odd id lack the last one. */
const MOVEMENTS = STOCKS.flatMap(({ id, product_id, storage_id }, index): Movement[] => {
  const steps = [2 + index / 4, 1.5, -3 - index].slice(0, id % 2 ? 2 : 3)
  return steps.map((quantity, step) => {
    const before_quantity = sum(steps.slice(0, step))
    const [before, after] = [before_quantity * 2, sum(steps.slice(0, step + 1)) * 2]
    return {
      kind: 'stock_operation',
      id: 1_000 + 3 * index + step,
      venue_id: 1,
      stock_id: id,
      storage_id,
      product_id,
      quantity,
      before_quantity,
      after_quantity: sum(steps.slice(0, step + 1)),
      before,
      after,
      total_cost: after - before,
      operated_at: instantAt(step),
      position: step + 1,
    }
  })
})

const BALANCES = numbers(9).map((id) => ({
  kind: 'balance',
  id,
  name: nameOf(id),
  type: ['CASH', 'CARD', 'OTHER'][id % 3]!,
  position: 9 - id,
  ...(id % 2 && { venue_id: 1 }),
  created_at: instantAt(id),
  updated_at: instantAt(id + 1),
}))
const TRANSACTIONS = BALANCES.flatMap(({ id: balance_id }) =>
  [10 * balance_id, -2.25, 1.5].map((amount, step, amounts) => ({
    kind: 'transaction',
    id: 10 * balance_id + step,
    balance_id,
    category_id: 1,
    amount,
    step: step + 1,
    before_amount: sum(amounts.slice(0, step)),
    after_amount: sum(amounts.slice(0, step + 1)),
    operated_at: instantAt(step),
  })),
)

const ROWS: Row[] = [
  { kind: 'storage', id: 1, venue_id: 1, name: 'Shelves', is_main: 1, status: 1 },
  { kind: 'storage', id: 2, venue_id: 1, name: 'Cellar', is_main: 0, status: 1 },
  ...[1, 2].map((id) => ({ kind: 'unit', id, name: `Unit ${id}`, symbol: 'u' })),
  { kind: 'finance_category', id: 1, name: 'Opening', type: 'INCOME', system_type: 'OPENING', status: 1 },
  ...CATEGORIES,
  ...PRODUCTS,
  ...STOCKS,
  ...(MOVEMENTS as unknown as Row[]),
  ...BALANCES,
  ...TRANSACTIONS,
]

type Dates = readonly [from: string | null, to: string | null]

/** A view, and how its rows follow from those of its list. */
interface View {
  readonly path: string
  readonly key: string
  /** What its rows have, as `fields` may name it. */
  readonly members: readonly string[]
  readonly sortable: readonly string[]
  readonly dated: boolean
  /** The rows that filters choose among, as they see them. */
  readonly rows: readonly Wire[]
  readonly filtered: readonly string[]
  made(rows: readonly Wire[], dates: Dates): Wire[]
}

const inside = ([from, to]: Dates, day: string) => (from === null || day >= from) && (to === null || day <= to)
const dayOf = ({ operated_at }: Wire) => String(operated_at).slice(0, 10)
const grouped = (rows: readonly Wire[], key: string) => [...Map.groupBy(rows, (row) => row[key])]

const stockOf = (rows: readonly Wire[]) => {
  const moved = MOVEMENTS.filter(({ stock_id }) => rows.some(({ id }) => id === stock_id))
  const [quantity, total_cost] = [sum(moved.map((each) => each.quantity)), sum(moved.map((each) => each.total_cost))]
  return { quantity, reserved: 0, available: quantity, total_cost }
}
const quantityOf = (id: number) => sum(MOVEMENTS.filter((each) => each.stock_id === id).map((each) => each.quantity))

/** Opening, in, out and closing of a sum over some days. */
function flow(rows: readonly Wire[], member: string, dates: Dates, suffix = '') {
  const amounts = (condition: (row: Wire) => boolean) => sum(rows.filter(condition).map((row) => Number(row[member])))
  const field = suffix ? 'quantity' : member
  const opening = amounts((row) => dates[0] !== null && dayOf(row) < dates[0])
  const came = amounts((row) => inside(dates, dayOf(row)) && Number(row[field]) > 0)
  const went = amounts((row) => inside(dates, dayOf(row)) && Number(row[field]) < 0)
  const closing = sum([opening, came, went])
  return {
    [`opening${suffix}`]: opening,
    [`in${suffix}`]: came,
    [`out${suffix}`]: 0 - went,
    [`closing${suffix}`]: closing,
  }
}

const SUMS = ['quantity', 'reserved', 'available', 'total_cost']

const VIEWS: readonly View[] = [
  {
    path: '/stock/product',
    key: 'product_id',
    members: ['product_id', 'name', 'unit_id', ...SUMS, 'cost'],
    sortable: ['product_id', 'name'],
    dated: false,
    rows: STOCKS.map(({ kind, ...row }) => ({
      ...row,
      quantity: quantityOf(row.id),
      name: productOf(row.product_id).name,
      unit_id: productOf(row.product_id).unit_id,
    })),
    filtered: ['id', 'storage_id', 'product_id', 'unit_id', 'quantity', 'name'],
    made: (rows) =>
      grouped(rows, 'product_id').map(([product_id, group]) => {
        const { name, unit_id } = productOf(product_id)
        const { quantity, ...sums } = stockOf(group)
        const cost = quantity > 0 ? sum([sums.total_cost / quantity]) : 0
        return { product_id, name, unit_id, quantity, ...sums, cost }
      }),
  },
  {
    path: '/stock/product-group',
    key: 'category_id',
    members: ['category_id', 'name', 'products', ...SUMS],
    sortable: ['category_id', 'name'],
    dated: false,
    rows: STOCKS.map(({ kind, ...row }) => {
      const { category_id, unit_id } = productOf(row.product_id)
      const name = CATEGORIES.find(({ id }) => id === category_id)?.name
      return { ...row, quantity: quantityOf(row.id), unit_id, category_id, name }
    }),
    filtered: ['id', 'storage_id', 'product_id', 'unit_id', 'quantity', 'category_id', 'name'],
    made: (rows) =>
      grouped(rows, 'category_id').map(([category_id, group]) => ({
        ...(category_id !== undefined && { category_id, name: group[0]!.name }),
        products: grouped(group, 'product_id').length,
        ...stockOf(group),
      })),
  },
  {
    path: '/stock-operations/products',
    key: 'product_id',
    members: [
      'product_id',
      'name',
      'unit_id',
      'opening',
      'in',
      'out',
      'closing',
      'opening_cost',
      'in_cost',
      'out_cost',
      'closing_cost',
    ],
    sortable: ['product_id', 'name'],
    dated: true,
    rows: MOVEMENTS.map(({ kind, position, ...row }) => ({ ...row, name: productOf(row.product_id).name })),
    filtered: ['id', 'stock_id', 'storage_id', 'product_id', 'quantity', 'name'],
    made: (rows, dates) =>
      grouped(
        rows.filter((row) => dates[1] === null || dayOf(row) <= dates[1]),
        'product_id',
      ).map(([product_id, group]) => ({
        product_id,
        name: productOf(product_id).name,
        unit_id: productOf(product_id).unit_id,
        ...flow(group, 'quantity', dates),
        ...flow(group, 'total_cost', dates, '_cost'),
      })),
  },
  {
    path: '/finance/balances/transactions',
    key: 'id',
    members: ['id', 'name', 'type', 'opening', 'in', 'out', 'closing'],
    sortable: ['id', 'name', 'position', 'created_at'],
    dated: true,
    rows: BALANCES.map(({ kind, ...row }) => row),
    filtered: ['id', 'name', 'type', 'venue_id', 'position'],
    made: (rows, dates) =>
      rows.map((row) => ({
        id: row.id,
        name: row.name,
        type: row.type,
        position: row.position,
        created_at: row.created_at,
        ...flow(ofBalances([row]), 'amount', dates),
      })),
  },
  {
    path: '/finance/balances/date-states',
    key: 'date',
    members: ['date', 'amount'],
    sortable: ['date'],
    dated: true,
    rows: BALANCES.map(({ kind, ...row }) => row),
    filtered: ['id', 'name', 'type', 'venue_id', 'position'],
    made: (rows, dates) => {
      const last = Date.parse(dates[1] ?? TODAY)
      const first = dates[0] === null ? last - 29 * DAY_MS : Date.parse(dates[0])
      const days = numbers(Math.max(0, (last - first) / DAY_MS + 1)).map((day) => dayAt(first + (day - 1) * DAY_MS))
      const amountAt = (date: string) =>
        sum(ofBalances(rows).flatMap((row) => (dayOf(row) <= date ? [Number(row.amount)] : [])))
      return days.map((date) => ({ date, amount: amountAt(date) }))
    },
  },
]

function ofBalances(rows: readonly Wire[]): Wire[] {
  return TRANSACTIONS.filter(({ balance_id }) => rows.some(({ id }) => id === balance_id))
}

interface Question {
  readonly filters: readonly Filter[]
  readonly keys: readonly { readonly field: string; readonly descending: boolean }[]
  readonly dates: Dates
}

/** The rows that match a query, in order. Rows without a category come last. */
function answered({ rows, made, key, members }: View, { filters, keys, dates }: Question): Wire[] {
  const chosen = naively(rows, { filters, keys: [], dates: [null, null] })
  const listed = made(chosen, dates).map((row) => ({ row, ...row, id: row[key] ?? Number.POSITIVE_INFINITY }))
  const sorted = keys.map(({ field, descending }) => ({ field: field === key ? 'id' : field, descending }))
  const found = naively(listed, { filters: [], keys: sorted, dates: [null, null] })
  return found.map(({ row }) => Object.fromEntries(members.flatMap((name) => (name in row ? [[name, row[name]]] : []))))
}

function queryOf({ filters, keys, dates }: Question, more: Record<string, string>): string {
  const query = new URLSearchParams(more)
  if (filters.length > 0)
    query.set('filters', JSON.stringify(filters.map(({ field, operator, value }) => [field, operator, value])))
  for (const [index, { field, descending }] of keys.entries()) {
    query.set(`sort[${index}][0]`, field)
    query.set(`sort[${index}][1]`, descending ? 'desc' : 'asc')
  }
  for (const [index, date] of dates.entries()) if (date !== null) query.set(`date[${index}]`, date)
  return query.toString()
}

const NO_QUERY: Question = { filters: [], keys: [], dates: [null, null] }

onEachEngine('views that give rows', (make) => {
  const { brand } = api(make)
  let client: Client
  before(async () => {
    client = await brand({ rows: ROWS })
  })

  for (const view of VIEWS) {
    const { path, key, members, sortable, dated, rows, filtered } = view

    test(`GET ${path} answers filters, dates, sorts, fields and pages as sums in memory would`, async () => {
      const valuesOf = (field: string) => [...new Set(rows.flatMap((row) => row[field] ?? []))] as Scalar[]
      const anyFilter = fc.constantFrom(...filtered).chain((field): fc.Arbitrary<Filter> => {
        const one = fc.constantFrom(...valuesOf(field))
        const filter = (operators: string[], value: fc.Arbitrary<Filter['value']>) =>
          fc.record({ field: fc.constant(field), operator: fc.constantFrom(...operators), value })
        return fc.oneof(
          filter(['=', '!=', '>=', '<'], one),
          filter(['in', 'not in'], fc.array(one, { maxLength: 3 })),
          filter(['is null', 'is not null'], fc.constant(null)),
          ...(field === 'name' ? [filter(['like'], fc.constantFrom('ÉT', 'o', 'z'))] : []),
        )
      })
      const anyQuestion = fc.record({
        filters: fc.array(anyFilter, { maxLength: 2 }),
        keys: fc.uniqueArray(fc.record({ field: fc.constantFrom(...sortable), descending: fc.boolean() }), {
          maxLength: 2,
          selector: ({ field }) => field,
        }),
        dates: dated
          ? fc.tuple(fc.option(fc.constantFrom(...DAYS)), fc.option(fc.constantFrom(...DAYS)))
          : fc.constant<Dates>([null, null]),
        fields: fc.option(fc.subarray([...members], { minLength: 1 })),
        page: fc.integer({ min: 1, max: 3 }),
        limit: fc.constantFrom(3, 5, 50),
      })
      await fc.assert(
        fc.asyncProperty(anyQuestion, async ({ fields, page, limit, ...question }) => {
          const parameters = { page: String(page), limit: String(limit), ...(fields && { fields: fields.join(',') }) }
          const query = queryOf(question, parameters)
          const { body } = await client.get(`${path}?${query}`)
          const found = answered(view, question)
          const narrowed = found.map((row) =>
            Object.fromEntries(
              Object.entries(row).filter(([name]) => !fields || name === key || fields.includes(name)),
            ),
          )
          const total = found.length
          assert.deepEqual(body.data, narrowed.slice((page - 1) * limit, page * limit), query)
          assert.deepEqual(
            [body.total, body.pagination],
            [total, { page, per_page: limit, total, total_pages: Math.ceil(total / limit) }],
            query,
          )
        }),
        { numRuns: 60 },
      )
    })

    test(`GET ${path} is walked by its ${key}, either way, and each row comes once`, async () => {
      for (const descending of [undefined, false, true]) {
        const keys = descending === undefined ? [] : [{ field: key, descending }]
        const question = { ...NO_QUERY, keys }
        const found: Wire[] = []
        for (let next: string | null = ''; next !== null; ) {
          const { body } = await client.get(`${path}?${queryOf(question, { limit: '2', after: next })}`)
          assert.deepEqual(Object.keys(body), ['success', 'data', 'pagination'])
          found.push(...(body.data as Wire[]))
          const { pagination } = body as { pagination: { per_page: number; next: string | null } }
          assert.deepEqual(Object.keys(pagination), ['per_page', 'next'])
          next = pagination.next
        }
        assert.deepEqual(found, answered(view, question), `descending ${descending}`)
      }
    })

    test(`GET ${path} refuses what no list knows, and cursors of other questions`, async () => {
      const { body } = await client.get(`${path}?limit=2&after=`)
      const { next } = body.pagination as { next: string }
      const others = ['/stock/product', '/stock-operations/products'].filter((other) => other !== path)
      for (const query of [
        `${path}?limit=201`,
        `${path}?fields=body`,
        `${path}?after=x`,
        `${path}?after=&page=1`,
        `${path}?include=id`,
        `${path}?limit=2&after=${next}&filters=[["id",">",1]]`,
        `${path}?after=&sort[0][0]=body`,
        ...others.map((other) => `${other}?limit=2&after=${next}`),
        ...(sortable.includes('name') ? [`${path}?after=&sort[0][0]=name`] : []),
      ])
        assert.equal((await client.get(query)).status, 400, query)
    })
  }
})
