import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Comptoir, type ComptoirOptions } from '../src/index.ts'
import { CREDENTIALS, clientOf, restaurant } from './restaurant.ts'

const PATIENCE = {
  timeoutMs: [[0, -1, Number.NaN, '5s', null], 'timeoutMs must be a number of milliseconds above 0'],
  deadlineMs: [[0, -1, Number.NaN, '60000', null], 'deadlineMs must be a number of milliseconds above 0'],
  maxRetries: [[-1, 1.5, Number.NaN, Infinity, '3', null], 'maxRetries must be a whole number from 0'],
} as const

const WRONG: Record<string, readonly [readonly unknown[], string]> = {
  ...PATIENCE,
  pace: [['yes', 1, null], 'pace must be true or false'],
  tokenStore: [[new Set(), 'memory', null, {}], 'tokenStore must be an object with the functions get and set'],
  baseUrl: [[undefined, null, 8080, '', 'pos.example'], 'baseUrl must be an address such as https://pos.example/v2'],
  ...Object.fromEntries(
    ['onRequest', 'onResponse', 'fetch', 'now', 'sleep', 'random'].map((name) => [
      name,
      [['console.log', null, {}], `${name} must be a function`],
    ]),
  ),
}

for (const [name, [values, sentence]] of Object.entries(WRONG))
  test(`a wrong ${name} is refused in a sentence`, () => {
    for (const value of values)
      assert.throws(
        () => new Comptoir({ ...CREDENTIALS, baseUrl: 'https://pos.example/v2', [name]: value }),
        new TypeError(sentence),
        String(value),
      )
  })

test('no options at all are refused in a sentence', () => {
  for (const options of [undefined, null, 'https://pos.example/v2'] as unknown[])
    assert.throws(
      () => new Comptoir(options as ComptoirOptions),
      new TypeError('new Comptoir() takes an object of options'),
    )
})

test('what is undefined is absent, and a time may be endless', async () => {
  const demo = restaurant()
  const absent = { timeoutMs: undefined, pace: undefined, tokenStore: undefined, now: undefined }
  const endless = { timeoutMs: Infinity, deadlineMs: Infinity }
  for (const options of [absent, endless, { maxRetries: 0 }])
    assert.equal((await clientOf(demo, options as Partial<ComptoirOptions>).receipts.get(1)).id, 1)
})

test('a wrong option of one call is its rejection, in a sentence, and nothing is sent', async () => {
  const demo = restaurant()
  const client = clientOf(demo)
  const wrong = { ...PATIENCE, signal: [['now', {}, null], 'signal must be an AbortSignal'] as const }
  for (const [name, [values, sentence]] of Object.entries(wrong))
    for (const value of values)
      await assert.rejects(client.receipts.get(1, { [name]: value }), new TypeError(sentence), `${name} ${value}`)
  for (const idempotencyKey of [7, true, {}] as unknown[])
    await assert.rejects(
      client.customers.create({ name: 'Aysel' }, { idempotencyKey: idempotencyKey as string }),
      new TypeError('An idempotency key is 1 to 255 printable ASCII characters'),
    )
  assert.equal(demo.asked.length, 0)
})

test('options that do not exist are refused by their names', async () => {
  const misspelt = { ...CREDENTIALS, baseUrl: 'https://pos.example/v2', timeoutMS: 5, retries: 3 }
  assert.throws(() => new Comptoir(misspelt), {
    name: 'TypeError',
    message: /^new Comptoir\(\) has no option timeoutMS or retries; its options are baseUrl, .*timeoutMs/,
  })
  const demo = restaurant()
  const client = clientOf(demo)
  const calls: [calling: () => Promise<unknown>, name: string][] = [
    [() => client.receipts.get(1, { retries: 3 } as object), 'retries'],
    [() => client.receipts.get(1, { idempotencyKey: 'a' } as object), 'idempotencyKey'],
    [() => client.stockOperations.get(1, { query: { fields: 'id' } } as object), 'query'],
    [() => client.products.list({}, { timeout: 5 } as object).page(), 'timeout'],
    [() => client.customers.create({ name: 'Aysel' }, { idempotency_key: 'a' } as object), 'idempotency_key'],
    [() => client.request('GET', '/receipts/1', { path: '/receipts/2' } as object), 'path'],
  ]
  for (const [calling, name] of calls)
    await assert.rejects(calling(), (error) => {
      assert.ok(error instanceof TypeError)
      assert.ok(error.message.startsWith(`This call has no option ${name}; its options are signal, `), error.message)
      return true
    })
  assert.equal(demo.asked.length, 0)
})
