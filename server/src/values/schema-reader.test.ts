import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { threadCpuMs } from '../../test/turns.ts'
import { type Problem, reader } from './schema-reader.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

function read(schema: TSchema, value: unknown, nullIsAbsent = false) {
  const problems: Problem[] = []
  const result = reader(schema, { now: () => NOW, nullIsAbsent })(value, problems)
  return { result, problems: problems.map(({ field, rule }) => `${field} ${rule}`) }
}

const Dish = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  price: Type.Optional(Type.Number()),
  taxes: Type.Optional(Type.Array(Type.Object({ rate: Type.Number(), name: Type.Optional(Type.String()) }))),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  at: Type.Optional(Type.String({ format: 'date-time' })),
})

test('a value is read in the order of its schema, instants in UTC', () => {
  const { result, problems } = read(Dish, { at: '2026-01-01T10:00:00.5+02:00', note: 'x', price: 0.3, id: 1 })
  assert.deepEqual(problems, [])
  assert.equal(JSON.stringify(result), '{"id":1,"price":0.3,"note":"x","at":"2026-01-01T08:00:00.500Z"}')
})

test('every fault is named with its path, in the order of the schema, strangers after the known', () => {
  const { problems } = read(Dish, { x: 1, at: 'noon', taxes: [{ rate: 1 }, { rate: '2', y: 1 }, 3], price: 1.00001 })
  assert.deepEqual(problems, [
    'id required',
    'price decimals',
    'taxes[1].rate type',
    'taxes[1].y unknown',
    'taxes[2] type',
    'at format',
    'x unknown',
  ])
})

test('null is a value where it is nullable; elsewhere it is a problem or absent, by the option', () => {
  assert.deepEqual(read(Dish, { id: 1, note: null }).result, { id: 1, note: null })
  assert.deepEqual(read(Dish, { id: 1, price: null }).problems, ['price type'])
  assert.deepEqual(read(Dish, { id: 1, price: null }, true).result, { id: 1, note: null })
  assert.deepEqual(read(Dish, { id: null }, true).problems, ['id required'])
})

test('members are taken from the object itself, whatever its prototype has', () => {
  const { problems } = read(Type.Object({ toString: Type.String(), constructor: Type.Optional(Type.String()) }), {})
  assert.deepEqual(problems, ['toString required'])
  assert.deepEqual(read(Dish, JSON.parse('{"id":1,"__proto__":{}}')).problems, ['__proto__ unknown'])
})

test('a length is counted in code points', () => {
  const Short = Type.Object({ text: Type.String({ maxLength: 3 }) })
  assert.deepEqual(read(Short, { text: '😀😀😀' }).problems, [])
  for (const text of ['😀😀😀😀', 'abcd', 'a😀😀😀', '1234567'])
    assert.deepEqual(read(Short, { text }).problems, ['text length'])
})

test('a name is checked and composed; an empty one is refused, or absent where it is also trimmed', () => {
  const Named = Type.Object({ name: Type.Optional(Type.String({ maxLength: 64, 'x-name': true })) })
  assert.deepEqual(read(Named, { name: ' Cafe\u0301 ' }).result, { name: 'Café' })
  for (const name of ['', ' ', '\u200b', 'a\u001bb', 'a'.repeat(65)])
    assert.deepEqual(read(Named, { name }).problems, ['name name'], JSON.stringify(name))
  const Trimmed = Type.Object({ name: Type.String({ maxLength: 64, 'x-trimmed': true, 'x-name': true }) })
  assert.deepEqual(read(Trimmed, { name: ' ' }).problems, ['name required'])
  assert.deepEqual(read(Trimmed, { name: '\u200b' }).problems, ['name name'])
  assert.deepEqual(read(Trimmed, { name: ' Cafe\u0301 ' }).result, { name: 'Cafe\u0301' }) // D4.1: as it was sent
})

test('a text for people has no characters that control the direction of text, where its schema says so', () => {
  const Noted = Type.Object({ note: Type.String({ maxLength: 64, 'x-undirected': true }) })
  for (const note of ['two lines\n\tor three', 'שלום, 2 קפה', 'قهوة', '👩‍🍳'])
    assert.deepEqual(read(Noted, { note }), { result: { note }, problems: [] })
  for (const note of ['no \u202eonion', '\u200f', 'a\u2066b', '\u061c1'])
    assert.deepEqual(read(Noted, { note }).problems, ['note characters'], JSON.stringify(note))
})

test('a date in the past is today’s at the latest, by the clock that is given', () => {
  const Born = Type.Object({ on: Type.String({ format: 'date', 'x-past': true }) })
  for (const on of ['0001-01-01', '2026-02-28', '2026-03-01']) assert.deepEqual(read(Born, { on }).problems, [])
  assert.deepEqual(read(Born, { on: '0000-01-01' }).problems, ['on format'])
  for (const on of ['2026-03-02', '9999-12-31']) assert.deepEqual(read(Born, { on }).problems, ['on past'])
})

test('the time to read a text grows linearly with its length', () => {
  const long = 1_000_000
  for (const format of ['idn-email', 'uuid', 'date', 'date-time'])
    for (const text of ['a', '@', '.', 'a.', 'a@', '-', '0', ' ', '2026-01-01T', 'x@y.'].map((part) =>
      part.repeat(long),
    )) {
      const start = threadCpuMs()
      read(Type.Object({ text: Type.String({ format, 'x-trimmed': true }) }), { text })
      const elapsed = threadCpuMs() - start
      assert.ok(elapsed < 2_000, `${format} of ${text.slice(0, 10)}… took ${elapsed} ms`) // quadratic, it would be hours
    }
})

test('an amount may be a text with its digits, and an empty text counts as absent where the schema says so', () => {
  const Amount = Type.Object({
    amount: Type.Optional(Type.Union([Type.Number(), Type.String()], { 'x-blank': true })),
    id: Type.Optional(Type.Integer({ minimum: 1, 'x-blank': true })),
  })
  for (const [given, amount] of [
    [12.5, 12.5],
    ['12.50', 12.5],
    ['-3', -3],
    ['0.1000000', 0.1],
    ['99999999999.9999', 99_999_999_999.9999],
  ] as const)
    assert.deepEqual(read(Amount, { amount: given }), { result: { amount }, problems: [] })
  for (const text of ['1e3', '0x10', ' 1', '1,5', '.5', '5.', 'NaN', '1.00001', '1000000000000'])
    assert.equal(read(Amount, { amount: text }).problems.length, 1, text)
  assert.deepEqual(read(Amount, { amount: '', id: '' }), { result: {}, problems: [] })
  assert.deepEqual(read(Amount, { amount: null, id: '1' }).problems, ['amount type', 'id type'])
})

test('a list of the wrong length is refused as one, before its entries are read', () => {
  const Few = Type.Object({ ids: Type.Array(Type.Integer(), { minItems: 1, maxItems: 3 }) })
  assert.deepEqual(read(Few, { ids: [1, 2, 3] }).problems, [])
  assert.deepEqual(read(Few, { ids: ['x', 'x', 'x', 'x'] }).problems, ['ids length'])
  assert.deepEqual(read(Few, { ids: [] }).problems, ['ids length'])
  const problems: Problem[] = []
  reader(Few, { now: () => NOW, nullIsAbsent: false })({ ids: [1, 2, 3, 4] }, problems)
  assert.deepEqual([problems[0]!.explanation, problems[0]!.maximum], ['must have at most 3 entries', 3])
})
