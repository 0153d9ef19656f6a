import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { isSameJson } from './same-json.ts'

test('values are the same where their JSON is, whatever the order of their members', () => {
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  fc.assert(
    fc.property(json, json, (one, other) => {
      assert.equal(isSameJson(one, other), isDeepStrictEqual(one, other))
      assert.ok(isSameJson(one, structuredClone(one)))
    }),
  )
  assert.ok(isSameJson({ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1 }))
})

test('a member that is undefined is absent, and null is a value', () => {
  assert.ok(isSameJson({ a: 1, b: undefined }, { a: 1 }))
  assert.ok(isSameJson({ a: 1 }, { a: 1, b: undefined }))
  for (const [one, other] of [
    [{ a: null }, {}],
    [{}, { a: null }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [[], {}],
    [[1, 2], [1]],
    [undefined, {}],
    [null, {}],
    ['1', 1],
  ])
    assert.ok(!isSameJson(one, other), JSON.stringify([one, other]))
})
