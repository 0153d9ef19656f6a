import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DeliveredEvent, verifyWebhook, WebhookError, webhookHandler } from '../src/index.ts'

const secretOf = (bytes: Buffer) => `whsec_${bytes.toString('base64')}`
const [OLD, NEW] = [randomBytes(32), randomBytes(32)]

function signed(json: object, keys: readonly Buffer[], at = Math.floor(Date.now() / 1000)) {
  const body = JSON.stringify(json)
  const id = 'evt_00000004qaejvgd2spdg'
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`)
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signatures.join(' ') }
  return { body, headers }
}

const EVENT = {
  id: 'evt_00000004qaejvgd2spdg',
  type: 'order.received',
  data: { id: 55, status: { from: 'PENDING', to: 'RECEIVED' } },
}

const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error) => (error instanceof WebhookError ? error.reason : error),
  )

test('a delivery is taken by any of its signatures and any of the secrets, and is typed by its type', async () => {
  const { body, headers } = signed(EVENT, [NEW, OLD])
  for (const secrets of [secretOf(NEW), secretOf(OLD), [secretOf(randomBytes(24)), secretOf(OLD)]]) {
    const event = (await verifyWebhook(body, headers, secrets)) as DeliveredEvent
    assert.equal(event.type === 'order.received' && event.data.status.to, 'RECEIVED')
  }
  assert.ok(await verifyWebhook(body, new Headers(headers), secretOf(NEW)))
  assert.equal(await refusal(verifyWebhook(body, headers, secretOf(randomBytes(32)))), 'signature')
})

test('what is old, incomplete or no event is refused', async () => {
  const secret = secretOf(NEW)
  const old = signed(EVENT, [NEW], Math.floor(Date.now() / 1000) - 301)
  assert.equal(await refusal(verifyWebhook(old.body, old.headers, secret)), 'timestamp')
  assert.equal(await refusal(verifyWebhook(old.body, old.headers, secret, { toleranceS: 600 })), 'taken')
  const { body, headers } = signed(EVENT, [NEW])
  for (const name of Object.keys(headers))
    assert.equal(await refusal(verifyWebhook(body, { ...headers, [name]: undefined }, secret)), 'missing_header')
  const odd = signed([], [NEW])
  assert.equal(await refusal(verifyWebhook(odd.body, odd.headers, secret)), 'body')
})

test('a signature has one spelling', async () => {
  const { body, headers } = signed(EVENT, [NEW])
  const signature = headers['webhook-signature']
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const last = letters.indexOf(signature.at(-2)!)
  for (const other of [last + 1, last + 2, last + 3]) {
    const respelt = `${signature.slice(0, -2)}${letters[other]}=`
    assert.equal(
      await refusal(verifyWebhook(body, { ...headers, 'webhook-signature': respelt }, secretOf(NEW))),
      'signature',
    )
  }
})

test('a delivery with any other byte is refused', async () => {
  const { body, headers } = signed(EVENT, [NEW])
  const parts = { body, ...headers }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(parts)), fc.nat(), fc.nat(25), async (name, at, letter) => {
      const text = parts[name as keyof typeof parts]
      const index = at % text.length
      const other = text.slice(0, index) + String.fromCharCode(97 + letter) + text.slice(index + 1)
      if (other === text) return
      const { body: changed, ...rest } = { ...parts, [name]: other }
      assert.notEqual(await refusal(verifyWebhook(changed, rest, secretOf(NEW))), 'taken')
    }),
    { numRuns: 1_000 },
  )
})

test('the handler answers challenges, does each event once, one that failed again, and takes types that it does not know', async () => {
  const done: number[] = []
  let isBroken = true
  const handle = webhookHandler({
    secrets: [secretOf(NEW)],
    on: {
      'order.received': ({ data }) => {
        if (isBroken) throw new Error('broken')
        done.push(data.id)
      },
    },
    seen: new Set(),
  })
  const ask = async (json: object, keys = [NEW]) => {
    const { body, headers } = signed(json, keys)
    const response = await handle(new Request('https://example.com/hooks', { method: 'POST', body, headers }))
    return [response.status, await response.text()]
  }
  assert.deepEqual(await ask({ id: 'msg_1', type: 'endpoint.verification', data: { challenge: 'c' } }), [200, 'c'])
  await assert.rejects(ask(EVENT), /broken/)
  isBroken = false
  assert.deepEqual(await ask(EVENT), [204, ''])
  assert.deepEqual(await ask(EVENT), [204, ''])
  assert.deepEqual(await ask({ ...EVENT, type: 'unicorn.seen' }), [204, ''])
  assert.deepEqual(await ask({ ...EVENT, type: 'toString' }), [204, ''])
  assert.deepEqual(await ask(EVENT, [OLD]), [401, 'signature'])
  assert.deepEqual(done, [55])
})
