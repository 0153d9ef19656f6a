import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definedOnly } from './defined-only.ts'

test('undefined members are absent; null, 0, false and empty texts stay, in their order', () => {
  const members = { b: 0, gone: undefined, a: null, c: '', d: false }
  assert.equal(JSON.stringify(Object.entries(definedOnly(members))), '[["b",0],["a",null],["c",""],["d",false]]')
  const { maybe }: { maybe?: number } = definedOnly({ maybe: undefined as number | undefined })
  assert.equal(maybe, undefined)
})
