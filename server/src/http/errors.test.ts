import assert from 'node:assert/strict'
import test from 'node:test'
import { rateLimited } from './errors.ts'

test('a 429 tells its own numbers, whichever came before it', () => {
  for (const [tier, limit, reset] of [
    [2, 600, 9],
    [2, 600, 9],
    [2, 600, 8],
    [3, 600, 8],
    [3, 300, 8],
    [2, 600, 9],
  ] as const) {
    const { status, body, text, message } = rateLimited(tier, limit, reset)
    assert.deepEqual({ status, text }, { status: 429, text: JSON.stringify(body) })
    assert.deepEqual(body.details, { tier, limit, reset })
    assert.ok(
      message.includes(`${limit} ${tier === 2 ? 'failed requests' : 'requests'}`) && message.includes(`${reset} s`),
    )
  }
})
