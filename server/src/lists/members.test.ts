import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as members from './members.ts'

const pickMembers = (lines: string, names: ReadonlySet<string>) =>
  members.pickMembers(Buffer.from(lines), names).toString()

const product = JSON.stringify({
  id: 7,
  name: 'Tea "for, two" \\',
  price: 4.5,
  setting: { interval: 60, prices: [{ price: 1, from: 0 }] },
  tags: [],
  created_at: '2026-01-01T00:00:00.000Z',
})

test('pickMembers keeps the named members in their stored order', () => {
  const picked = pickMembers(product, new Set(['created_at', 'name', 'id']))
  assert.equal(picked, '{"id":7,"name":"Tea \\"for, two\\" \\\\","created_at":"2026-01-01T00:00:00.000Z"}')
})

test('pickMembers leaves out a name that the object does not have', () => {
  assert.equal(pickMembers(product, new Set(['id', 'barcode'])), '{"id":7}')
  assert.equal(pickMembers('{}', new Set(['id'])), '{}')
})

test('pickMembers does not find a member of a nested object', () => {
  assert.equal(pickMembers(product, new Set(['interval', 'from'])), '{}')
})

const NAMES = ['id', 'name', 'price', 'setting', '__proto__', 'toString']
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: fc.constantFrom('"', '\\', ',', '{', '}', '[', ']', ':', '\u0122', '😀') }),
)
const anyObject = fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), fc.string()), anyValue)

test('pickMembers equals parsing, picking and writing again', () => {
  fc.assert(
    fc.property(anyObject, fc.uniqueArray(fc.constantFrom(...NAMES)), (object, names) => {
      const expected = Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
      assert.equal(pickMembers(JSON.stringify(object), new Set(names)), JSON.stringify(expected))
    }),
    { numRuns: 2_000 },
  )
})

test('pickMembers narrows each of many lines, and puts commas between them', () => {
  fc.assert(
    fc.property(fc.array(anyObject), fc.uniqueArray(fc.constantFrom(...NAMES)), (objects, names) => {
      const lines = objects.map((object) => JSON.stringify(object))
      const each = lines.map((line) => pickMembers(line, new Set(names)))
      assert.equal(pickMembers(lines.join('\n'), new Set(names)), each.join(','))
    }),
  )
})

test('pickMembers comes to an end on a text that breaks off', () => {
  for (let length = 0; length < product.length; length++) pickMembers(product.slice(0, length), new Set(['absent']))
})
