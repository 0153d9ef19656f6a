import assert from 'node:assert/strict'
import test from 'node:test'
import type { FastifyReply } from 'fastify'
import { asPage } from './envelope.ts'

const reply = { header: () => reply } as unknown as FastifyReply

test('a page is put between its head and its tail, whatever memory its bytes are in', () => {
  for (const length of [0, 1, 100, 5_000, 100_000]) {
    const text = length === 0 ? '' : `"${'é'.repeat(length)}"`
    const beside = Buffer.from('beside') // what is small shares its memory with others
    for (const data of [
      text,
      new Uint8Array(Buffer.from(text)),
      Buffer.from(text),
      Buffer.from(`${text} `).subarray(0, -1),
    ])
      assert.equal(
        String(asPage(reply, 'specified', { page: 2, limit: 50 }, { data, total: 148 })),
        `{"data":[${text}],"pagination":{"page":2,"per_page":50,"total":148,"total_pages":3}}`,
      )
    assert.equal(beside.toString(), 'beside')
  }
})
