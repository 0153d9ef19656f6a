import assert from 'node:assert/strict'
import test from 'node:test'
import { newRequestId } from './request-id.ts'

test('request ids are UUIDs of version 7, each another, and begin with the time', () => {
  const from = Date.now()
  const ids = Array.from({ length: 2_000 }, newRequestId)
  for (const id of ids) {
    assert.match(id, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
    assert.ok(from <= ms && ms <= Date.now())
  }
  assert.equal(new Set(ids.map((id) => id.slice(15))).size, ids.length)
})
