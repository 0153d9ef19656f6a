import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { verifyWebhook } from '@comptoir/sdk'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { isSecret, signature } from './secrets.ts'

const bytesOf = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64')

// The vector of the reference libraries (github.com/standard-webhooks/standard-webhooks).
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

test('W8: the published vector of Standard Webhooks has the published signature', async () => {
  const { secret, id, timestamp, body } = VECTOR
  assert.equal(signature([bytesOf(secret)], id, timestamp, body), VECTOR.signature)
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': VECTOR.signature }
  const typed = JSON.stringify({ type: 'x' })
  await assert.rejects(verifyWebhook(typed, headers, secret, { toleranceS: Infinity }), { reason: 'signature' })
  await assert.rejects(verifyWebhook(body, headers, secret, { toleranceS: Infinity }), { reason: 'body' })
})

test('W8: the library of Standard Webhooks signs every id, body and secret in the same way, and accepts two secrets', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 200 })
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), texts, fc.json(), (key, id, body) => {
      const secret = `whsec_${Buffer.from(key).toString('base64')}`
      assert.ok(isSecret(secret))
      const at = Math.floor(Date.now() / 1000)
      const other = randomBytes(32)
      const signed = signature([other, Buffer.from(key)], id, at, body)
      assert.equal(new Webhook(secret).sign(id, new Date(at * 1000), body), signed.split(' ')[1])
      if (id === '') return // a header without a value is missing to it
      const headers = { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signed }
      assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
      const mutated = { ...headers, 'webhook-signature': signed.replace(/.=$/, 'A=').replace(/.$/, '') }
      assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
      assert.throws(() => new Webhook(secret).verify(body, mutated))
    }),
    { numRuns: 50 },
  )
})

test('W3: a secret is whsec_ and the base64 of 24 to 64 bytes', () => {
  for (const length of [23, 65]) assert.ok(!isSecret(`whsec_${randomBytes(length).toString('base64')}`))
  for (const text of ['', 'whsec_', `whsek_${randomBytes(32).toString('base64')}`, `whsec_${'A'.repeat(43)}`])
    assert.ok(!isSecret(text), text)
})
