import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { api, type Client } from '../../test/api.ts'
import { onEachEngine } from '../../test/database/engines.ts'
import type { Row } from '../../test/database/store.ts'
import { type Filter, type Question as Matching, naively, type Scalar } from '../../test/naive-list.ts'
import { buildApp } from '../app.ts'
import { demoRows } from '../demo/restaurant.ts'
import { RESOURCES } from '../resources/catalogue.ts'
import { ProductSummary } from '../resources/menu/product-schema.ts'
import type { Database } from '../storage/database.ts'

// The house of the demo over HTTP, against the same rows in memory.

type Wire = Record<string, unknown>

const demo = demoRows({ today: new Date('2026-02-28T22:00:00Z') }) as unknown as Row[]
/** One of each that is read by its id alone. */
const SOLD: Row[] = [
  { kind: 'receipt', id: 1, venue_id: 1, status: 2, total: 4.5 },
  { kind: 'stock_operation', id: 1, venue_id: 1, product_id: 1, quantity: -1, operated_at: '2026-02-28T20:00:00.000Z' },
]
const rowsOf = (...kinds: string[]) => demo.filter(({ kind }) => kinds.includes(kind))
const wire = ({ kind, cooking_time, hidden, low_stock, ...rest }: Row): Wire => rest // no filter sees those three

/** Each product and each of its variants, as a list shows it, with the two columns that only filters see (D3.6). */
const products = rowsOf('product')
  .flatMap((row) => {
    const { created_at, updated_at, modifications } = row
    const { category_id, station_id, unit_id } = row // a variant's are its parent's
    const variants = (modifications as Wire[]).map(({ barcode, parent_id, ...variant }) => ({
      ...variant,
      created_at,
      updated_at,
      barcode,
      parent_id,
      category_id,
      station_id,
      unit_id,
    }))
    return [wire(row), ...variants] as Wire[]
  })
  .sort((one, other) => Number(one.id) - Number(other.id))

const summary = (id: unknown) => {
  const product = products.find((each) => each.id === id)!
  return Object.fromEntries(
    Object.keys(ProductSummary.properties)
      .filter((name) => name in product)
      .map((name) => [name, product[name]]),
  )
}
const priceLists = rowsOf('price_list').map(({ scopes, ...row }) => ({
  ...wire(row as Row),
  prices: rowsOf('price')
    .filter(({ list_id }) => list_id === row.id)
    .map((price) => ({
      ...wire(price),
      product: summary(price.product_id),
      list: { id: row.id, name: row.name },
    })),
}))

interface Listed {
  readonly path: string
  readonly rows: readonly Wire[]
  readonly members: readonly string[]
  readonly always: readonly string[]
  readonly filterable: readonly string[]
  readonly sortable: readonly string[]
  readonly include: string | undefined
}

/** What the two specified lists show of the demo; every other list is in rare-lists.test.ts. */
const SHOWN: Readonly<Record<string, readonly Wire[]>> = { products, 'price-lists': priceLists }

const LISTS: readonly Listed[] = RESOURCES.filter(({ name }) => SHOWN[name.many]).map(
  ({ name, wire: { properties }, list }) => ({
    path: `/${name.many}`,
    rows: SHOWN[name.many]!,
    members: Object.keys(properties),
    always: list!.always,
    filterable: [...list!.columns.keys()],
    sortable: [...list!.sortable.keys()],
    include: list!.include.has('prices') ? 'prices' : undefined, // the others: menu.test.ts
  }),
)

interface Question extends Matching {
  readonly fields: readonly string[] | null
  readonly included: boolean
  /** The keys that brackets have: numbers in order, or names. */
  readonly named: boolean
  readonly page: number
  readonly limit: number
}

function anyQuestion({ rows, members, filterable, sortable, include }: Listed): fc.Arbitrary<Question> {
  const valuesOf = (field: string) => {
    const known = [...new Set(rows.map((row) => row[field]).filter((value) => value !== undefined))] as Scalar[]
    return fc.constantFrom(...known)
  }
  const anyFilter = fc.constantFrom(...filterable).chain((field): fc.Arbitrary<Filter> => {
    const one = valuesOf(field)
    const filter = (operators: string[], value: fc.Arbitrary<Filter['value']>) =>
      fc.record({ field: fc.constant(field), operator: fc.constantFrom(...operators), value })
    const part = fc.tuple(one, fc.nat(6), fc.nat(4), fc.boolean()).map(([value, from, length, upper]) => {
      const text = [...String(value)].slice(from, from + 1 + length).join('')
      return upper ? text.toUpperCase() : text
    })
    return fc.oneof(
      filter(['=', '!=', '>', '>=', '<', '<='], one),
      filter(['in', 'not in'], fc.array(one, { maxLength: 4 })),
      filter(['is null', 'is not null', '=', '!='], fc.constant(null)),
      ...(/name|type|barcode/.test(field) ? [filter(['like'], part)] : []),
    )
  })
  const anyDay = fc.option(
    fc.constantFrom('2024-03-01', '2025-01-01', '2025-11-30T00:00:00Z', '2026-02-01T12:00:00+05:00'),
    { freq: 2 },
  )
  const question = fc.record({
    filters: fc.array(anyFilter, { maxLength: 2 }),
    keys: fc.uniqueArray(fc.record({ field: fc.constantFrom(...sortable), descending: fc.boolean() }), {
      maxLength: 2,
      selector: ({ field }) => field,
    }),
    dates: fc.oneof(fc.constant<[null, null]>([null, null]), fc.tuple(anyDay, anyDay)),
    fields: fc.option(fc.subarray([...members], { minLength: 1, maxLength: 5 })),
    included: include === undefined ? fc.constant(false) : fc.boolean(),
    named: fc.boolean(),
    page: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4 })),
    limit: fc.constantFrom(1, 2, 7, 25, 100),
  })
  // D2.6: what is not included cannot be selected.
  return question.filter(({ included, fields }) => included || !fields?.some((name) => name === include))
}

function asQuery(
  { filters, keys, dates, fields, included, named, page, limit }: Question,
  { include }: Listed,
): string {
  const query = new URLSearchParams({ page: String(page), limit: String(limit) })
  if (filters.length > 0)
    query.set('filters', JSON.stringify(filters.map(({ field, operator, value }) => [field, operator, value])))
  for (const [index, { field, descending }] of keys.entries()) {
    const key = named ? `k${9 - index}` : index
    query.set(`sort[${key}][0]`, field)
    query.set(`sort[${key}][1]`, descending ? 'desc' : 'asc')
  }
  for (const [index, date] of dates.entries()) if (date !== null) query.set(`date[${index}]`, date)
  if (fields !== null) query.set('fields', fields.join(named ? ', ' : ','))
  if (included) query.set(named ? 'with[7]' : 'include', include!)
  return query.toString()
}

/** The body that answers a question. */
function answer(list: Listed, question: Question): unknown {
  const { fields, included, page, limit } = question
  const found = naively(list.rows, question)
  const shown = list.members.filter(
    (name) =>
      (name !== list.include || included) && (fields === null || fields.includes(name) || list.always.includes(name)),
  )
  const narrowed = (row: Wire) =>
    Object.fromEntries(shown.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]))
  return {
    data: found.slice((page - 1) * limit, page * limit).map(narrowed),
    pagination: { page, per_page: limit, total: found.length, total_pages: Math.ceil(found.length / limit) },
  }
}

onEachEngine('the demo restaurant over HTTP', (make) => {
  const { brand, running } = api(make)
  let client: Client
  before(async () => {
    client = await brand()
    await client.put(...demo, ...SOLD)
  })

  for (const list of LISTS)
    test(`GET ${list.path} answers any question as the same rows in memory would`, async () => {
      let filled = 0
      await fc.assert(
        fc.asyncProperty(anyQuestion(list), async (question) => {
          const query = asQuery(question, list)
          const { status, body } = await client.get(`${list.path}?${query}`)
          assert.equal(status, 200, JSON.stringify(body))
          assert.deepEqual(body, answer(list, question), query)
          if ((body.data as []).length > 0) filled++
        }),
        { numRuns: 500 },
      )
      assert.ok(filled > 100, `only ${filled} pages held anything`)
    })

  test('GET /products takes the names of related data that is always there, as older clients send them', async () => {
    const plain = (await client.get('/products?limit=3')).text
    const names = [
      'modifications',
      'modificator_groups',
      'recipe',
      'packages',
      'taxes',
      'tags',
      'setting',
      'codes',
      'media',
    ]
    for (const query of [
      `include=${names.join(',')}`,
      names.map((name, index) => `with[${index * 2 + 1}]=${name}`).join('&'),
      names.map((name) => `include[${name}]=${name}`).join('&'),
    ])
      assert.equal((await client.get(`/products?limit=3&${query}`)).text, plain, query)
    const { status, body } = await client.get('/products?with[4]=prices')
    assert.equal(status, 400)
    const included = ['category', 'station', 'unit', 'stop', 'effective_price', 'details']
    assert.deepEqual(body.details, { parameter: 'with', unknown: 'prices', known: [...included, ...names] })
    assert.match(String(body.message), /^with\[4\]: /)
  })

  /** Every row of a list, page by page, with something done between the pages. */
  async function walk({ get }: Client, path: string, between = async () => {}): Promise<Wire[]> {
    const rows: Wire[] = []
    for (let page = 1; ; page++) {
      const { data } = (await get(`${path}&page=${page}`)).body as { data: Wire[] }
      if (data.length === 0) return rows
      rows.push(...data)
      await between()
    }
  }

  test('lists hold the imported rows, value for value', async () => {
    const shown = products.map(({ barcode, parent_id, category_id, station_id, unit_id, takes, ...rest }) => rest)
    assert.deepEqual(await walk(client, '/products?limit=100'), shown)
    assert.deepEqual(await walk(client, '/price-lists?limit=1&include=prices'), priceLists)
    assert.deepEqual(await walkAfter('/products?limit=70'), shown)
    assert.deepEqual(await walkAfter('/price-lists?limit=1&include=prices'), priceLists)
  })

  /** Every row of a specified list with `after` (P3), whose answers have nothing but data and pagination. */
  async function walkAfter(path: string): Promise<Wire[]> {
    const rows: Wire[] = []
    for (let next: string | null = ''; next !== null; ) {
      const { data, pagination, ...others }: Wire = (await client.get(`${path}&after=${next}`)).body
      assert.deepEqual([others, Object.keys(pagination as object)], [{}, ['per_page', 'next']])
      rows.push(...(data as Wire[]))
      next = (pagination as { next: string | null }).next
    }
    return rows
  }

  for (const sort of ['', '&sort[0][0]=created_at', '&sort[0][0]=updated_at&sort[0][1]=asc'])
    test(`a walk under inserts at the end skips and repeats nothing${sort && `, with ${sort}`}`, async () => {
      const other = await brand()
      let last = 0
      const add = () => {
        const instant = new Date(Date.UTC(2026, 0, 1) + last * 1000).toISOString()
        const rows = Array.from({ length: 3 }, () => ({
          kind: 'product',
          id: ++last,
          name: `Tea ${last % 5}`,
          type: 'PRODUCT',
          created_at: instant,
          updated_at: instant,
        }))
        return other.put(...rows)
      }
      for (let i = 0; i < 10; i++) await add()
      const seen = await walk(other, `/products?limit=4${sort}`, async () => {
        if (last < 60) await add()
      })
      assert.deepEqual(
        seen.map(({ id }) => id),
        Array.from({ length: 60 }, (_, index) => index + 1),
      )
    })

  test('one page is at most two queries, whatever is nested in it, and one row is one', async () => {
    const { deps } = await running()
    let queries = 0
    const app = buildApp({ ...deps, db: counting(deps.db, () => queries++) })
    const cost = async (url: string) => {
      queries = 0
      const { statusCode } = await app.inject({ url: `/v2${url}`, headers: { 'x-token': client.token } })
      return { statusCode, queries }
    }
    const filters = encodeURIComponent('[["name","like","a"]]')
    const pages = LISTS.flatMap(({ path, include }) =>
      [
        '',
        `filters=${filters}`,
        'fields=name',
        'sort[0][0]=name',
        'page=999',
        `page=2&filters=${filters}&sort[0][0]=id`,
      ]
        .flatMap((query) => (include ? [query, `${query}&include=${include}`] : [query]))
        .map((query) => `${path}?limit=90&${query}`),
    )
    for (const url of pages) {
      const spent = await cost(url)
      assert.equal(spent.statusCode, 200)
      assert.ok(spent.queries >= 1 && spent.queries <= 2, `${url}: ${spent.queries}`)
    }
    assert.deepEqual(await cost('/receipts/1'), { statusCode: 200, queries: 1 })
    assert.deepEqual(await cost('/receipts/999999'), { statusCode: 404, queries: 1 })
    assert.deepEqual(await cost('/stock-operations/1'), { statusCode: 200, queries: 1 })
    await app.close()
  })
})

/** The same database, with a count of its reads. When a credential was last used is written beside the requests, at any time. */
function counting(db: Database, count: () => void): Database {
  const told = <Call extends (...values: never[]) => unknown>(call: Call) =>
    ((...values) => {
      count()
      return call(...values)
    }) as Call
  return {
    ...db,
    rows: told(db.rows),
    text: told(db.text),
    texts: told(db.texts),
    scan: told(db.scan),
    batches: told(db.batches),
  }
}
