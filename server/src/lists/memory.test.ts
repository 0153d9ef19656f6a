import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Filter as AnyFilter, naively, type Scalar } from '../../test/naive-list.ts'
import { threadCpuMs } from '../../test/turns.ts'
import { Refusal } from '../http/errors.ts'
import { parseList } from './list.ts'
import { find, products, type Row, store } from './list-fixture.ts'

// Everything at once: random rows and questions, against the same work done in memory.

type Value = Scalar
type Field = keyof Row
type Filter = AnyFilter<Field>

const LETTERS = [
  'a',
  'A',
  'b',
  'é',
  'É',
  'e\u0301',
  'ß',
  'SS',
  '%',
  '_',
  '\\',
  'ı',
  'İ',
  '\ufb01',
  '\u{1f600}',
  ' ',
  '+',
  '&',
]
const anyText = fc.array(fc.constantFrom(...LETTERS), { maxLength: 3 }).map((letters) => letters.join(''))
const anyTenThousandths = fc.constantFrom(0, 1, 700, 10_000, 10_001, 25_000, -5_000, 1e15)
const anyInstant = fc
  .integer({ min: -2, max: 2 })
  .map((step) => new Date(Date.UTC(2026, 0, 2) + step * 43_200_000 - (step & 1)).toISOString())

const anyValueOf: { readonly [Name in Field]: fc.Arbitrary<NonNullable<Row[Name]>> } = {
  id: fc.integer({ min: 1, max: 12 }),
  name: anyText,
  type: fc.constantFrom('PRODUCT', 'DISH', 'dish'),
  price: anyTenThousandths,
  cost_price: anyTenThousandths,
  has_modifications: fc.boolean(),
  parent_id: fc.integer({ min: 1, max: 3 }),
  barcode: anyText,
  created_at: anyInstant,
}
const FIELDS = Object.keys(anyValueOf) as Field[]

const anyRow: fc.Arbitrary<Row> = fc.record({
  ...anyValueOf,
  cost_price: fc.option(anyValueOf.cost_price),
  parent_id: fc.option(anyValueOf.parent_id),
  barcode: fc.option(anyValueOf.barcode),
})

const anyFilter: fc.Arbitrary<Filter> = fc.constantFrom(...FIELDS).chain((field) => {
  const one = anyValueOf[field] as fc.Arbitrary<Value>
  const several = fc.array(one, { maxLength: 4 })
  const choices: fc.Arbitrary<Filter>[] = [
    fc.record({
      field: fc.constant(field),
      operator: fc.constantFrom('=', '!=', '>', '>=', '<', '<='),
      value: one,
    }),
    fc.record({ field: fc.constant(field), operator: fc.constantFrom('in', 'not in'), value: several }),
    fc.record({
      field: fc.constant(field),
      operator: fc.constantFrom('=', '!=', 'is null', 'is not null'),
      value: fc.constant(null),
    }),
  ]
  if (field === 'name' || field === 'barcode' || field === 'type')
    choices.push(fc.record({ field: fc.constant(field), operator: fc.constant('like'), value: one }))
  return fc
    .tuple(fc.oneof(...choices), fc.boolean())
    .map(([filter, upper]) => (upper ? { ...filter, operator: filter.operator.toUpperCase() } : filter))
})

const anyKey = fc.record({
  field: fc.constantFrom<Field>('id', 'name', 'price', 'cost_price', 'barcode', 'created_at'),
  descending: fc.boolean(),
})

const anyDate = fc.option(
  fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-02T12:00:00.000Z', '2026-01-03T01:00:00+02:00'),
)

const anyQuestion = fc.record({
  filters: fc.array(anyFilter, { maxLength: 2 }),
  keys: fc.uniqueArray(anyKey, { maxLength: 3, selector: ({ field }) => field }),
  dates: fc.tuple(anyDate, anyDate),
  page: fc.constantFrom(1, 1, 1, 2),
  limit: fc.integer({ min: 1, max: 8 }),
  brackets: fc.boolean(),
  style: fc.constantFrom('numbers', 'holes', 'names', 'parts'),
})
type Question = typeof anyQuestion extends fc.Arbitrary<infer Each> ? Each : never

/** Ten-thousandths as a person writes them. */
function asDecimal(scaled: number): string {
  const digits = String(Math.abs(scaled)).padStart(5, '0')
  return `${scaled < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.0000$/, '')
}

const isDecimal = (field: Field) => field === 'price' || field === 'cost_price'
const asSent = (field: Field, value: Value) => (isDecimal(field) ? asDecimal(value as number) : String(value))
const asJson = (field: Field, value: Value) => (isDecimal(field) ? Number(asDecimal(value as number)) : value)

/** The keys that clients put into brackets: in order, with holes, by name. */
const KEYS: Readonly<Record<Question['style'], (index: number) => number | string>> = {
  numbers: (index) => index,
  holes: (index) => 3 + 7 * index,
  names: (index) => `key ${9 - index}`,
  parts: (index) => index,
}

/** The same question as a query string, in JSON or, where it can be said so, in brackets. */
function ask({ filters, keys, dates, page, limit, brackets, style }: Question): string {
  const key = KEYS[style]
  const pairs = [`page=${page}`, `limit=${limit}`]
  const add = (name: string, text: string) => pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`)

  if (brackets && filters.every(({ value }) => value !== null && !(Array.isArray(value) && value.length === 0))) {
    for (const [index, { field, operator, value }] of filters.entries()) {
      const name = `filters[${key(index)}]`
      add(`${name}[0]`, field)
      add(`${name}[1]`, operator)
      if (!Array.isArray(value)) add(`${name}[2]`, asSent(field, value as Value))
      else
        for (const [index, each] of value.entries())
          add(`${name}[2][${style === 'parts' ? '' : key(index)}]`, asSent(field, each))
    }
  } else {
    const json = filters.map(({ field, operator, value }) => {
      if (value === null) return [field, operator, null]
      if (!Array.isArray(value)) return [field, operator, asJson(field, value as Value)]
      return [field, operator, value.map((each: Value) => asJson(field, each))]
    })
    add('filters', JSON.stringify(json))
  }
  for (const [index, { field, descending }] of keys.entries()) {
    const [fieldName, order] =
      style === 'parts' && keys.length === 1 ? PARTS.sort : [0, 1].map((part) => `sort[${key(index)}][${part}]`)
    add(fieldName!, field)
    add(order!, descending ? 'desc' : 'asc')
  }
  for (const [index, date] of dates.entries())
    if (date !== null) add(style === 'parts' ? PARTS.date[index]! : `date[${index}]`, date)
  if (style === 'holes') pairs.reverse() // numbers mean the same in any order
  return pairs.join('&')
}

test('a query string finds the same rows as the same query in memory', () => {
  const anyRows = fc.uniqueArray(anyRow, { minLength: 1, maxLength: 12, selector: ({ id }) => id })
  let nonEmpty = 0
  fc.assert(
    fc.property(anyRows, fc.array(anyQuestion, { minLength: 5, maxLength: 5 }), (rows, questions) => {
      store(rows)
      for (const question of questions) {
        const { page, limit } = question
        const expected = naively(rows, question)
          .slice((page - 1) * limit, page * limit)
          .map(({ id }) => id)
        assert.deepEqual(find(ask(question)), expected, decodeURIComponent(ask(question)))
        if (expected.length > 0) nonEmpty++
      }
    }),
    { numRuns: 1_000 },
  )
  assert.ok(nonEmpty > 1_000, `only ${nonEmpty} questions found anything`)
})

const PARTS = { sort: ['sort_by', 'sort_order'], date: ['date_from', 'date_to'] }

// Hostile input.

const SEEDS = [
  'page=2&limit=50&fields=name,price',
  'filters=[["type","PRODUCT"],["price",">=",10],["name","like","tea"],["id",[1,2]],["parent_id",null]]',
  'filters[0][0]=type&filters[0][1]=PRODUCT&filters[1][0]=id&filters[1][1]=in&filters[1][2][0]=1&filters[1][2][1]=2',
  'sort[0][0]=name&sort[0][1]=asc&sort[1][0]=price&sort[1][1]=-1',
  'sort%5B0%5D=created_at&sort%5B1%5D=-1&date%5B0%5D=2026-01-01&date%5B1%5D=2026-01-31T10:00:00%2B04:00',
  'filters[type][0]=type&filters[type][1][]=A&filters[7][]=id&filters[7][]=1&sort_by=name&sort_order=desc&date_from=2026-01-01&date_to=2026-01-31',
  'selects[]=name&selects[]=price&per_page=5&filters=%5B%22barcode%22%2C%22is%20null%22%2C0%5D',
]
const SNIPPETS = [
  ...'[ ] [0] [1] [] [99] " , & = % %5B %00 %ff %22 + - { } : . null true 1e999 -0 0 9 __proto__ constructor'.split(
    ' ',
  ),
  ...'id in not+in is+null ?  \\ud800 \\u0000 é [[[[ {"toString":1} 2026-02-30 Z ; # name_folded'.split(' '),
  "' or 1=1 --",
  '\0',
  '\ud800',
  ' ',
]

test('a mutilated query string is refused or read, and what is read is sound SQL', () => {
  const edit = fc.record({
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat({ max: 6 }),
    paste: fc.oneof(fc.constant(''), fc.constantFrom(...SNIPPETS)),
  })
  let read = 0
  fc.assert(
    fc.property(fc.constantFrom(...SEEDS), fc.array(edit, { minLength: 1, maxLength: 4 }), (seed, edits) => {
      let query = seed
      for (const { share, cut, paste } of edits) {
        const position = Math.floor(share * query.length)
        query = query.slice(0, position) + paste + query.slice(position + cut)
      }
      try {
        find(query)
        read++
      } catch (error) {
        assert.ok(error instanceof Refusal && error.status === 400, `${query}: ${error}`)
      }
    }),
    { numRuns: 10_000 },
  )
  assert.ok(read > 100, `only ${read} were read`)
})

test('long input costs no more than its length', () => {
  const long = 50_000
  const queries = [
    'a'.repeat(long),
    '&'.repeat(long),
    `${'['.repeat(long)}=1`,
    `sort${'[0]'.repeat(long)}=1`,
    `page=${'1'.repeat(long)}`,
    `page=${'%31'.repeat(long)}`,
    `date[0]=${'2026-01-01'.repeat(long)}`,
    `fields=${','.repeat(long)}`,
    Array.from({ length: long }, (_, key) => `fields[k${key}]=id`).join('&'),
    Array.from({ length: long }, (_, key) => `filters[0][1][${key}]=1`).join('&'),
    Array.from({ length: long }, (_, key) => `filters[${key % 100}][1][]=1`).join('&'),
    `fields[${'k'.repeat(long)}]=x`,
    `fields=${'x'.repeat(long)}`,
    `filters=["${'price'.repeat(long)}",1]`,
    `filters=["price","${'1'.repeat(long)}"]`,
    `filters=["price","1.${'0'.repeat(long)}"]`,
    `filters=["created_at","${'2026-01-01T'.repeat(long)}"]`,
  ]
  for (const query of queries) {
    const start = threadCpuMs()
    try {
      parseList(products, query)
    } catch (error) {
      assert.ok(error instanceof Refusal)
    }
    const elapsed = threadCpuMs() - start
    assert.ok(elapsed < 2_000, `${query.slice(0, 30)}… took ${elapsed} ms`)
  }
})
