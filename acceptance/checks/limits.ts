import assert from 'node:assert/strict'
import { type Check, type Checks, type Deployment, expectError, expectMembers, need } from '../check.ts'
import type { Answer } from '../client.ts'

const WINDOW_S = 60
const MAX_REQUESTS = 5_000
const AT_ONCE = 20
const PAIRS = 3

/** §8: what the headers say on every answer so far. Sends a few requests more. */
export const limits: Checks = async (check, { send, answers }) => {
  await check('every answer has whole RateLimit headers that fit together', async () => {
    for (const { headers } of answers) {
      const { limit, remaining, reset } = figures(headers)
      assert.ok([limit, remaining, reset].every(Number.isSafeInteger), JSON.stringify(headers))
      assert.ok(remaining >= 0 && remaining <= limit, `remaining ${remaining} of ${limit}`)
      assert.ok(reset >= 0 && reset <= WINDOW_S, `reset ${reset}`)
    }
  })
  await check('every answer has an x-request-id of its own', async () => {
    const ids = answers.map(({ headers }) => headers['x-request-id'])
    assert.ok(!ids.includes(undefined), 'each has one')
    assert.equal(new Set(ids).size, ids.length, 'no two are alike')
  })
  await check('every answer is application/json; charset=utf-8', async () => {
    const types = new Set(answers.map(({ headers }) => headers['content-type']))
    assert.deepEqual([...types], ['application/json; charset=utf-8'])
  })
  await check('a failed request lowers RateLimit-Remaining', async () => {
    // A failure counts in every tier, whichever is reported. Earlier requests may leave the window in between, so one
    // pair of several is enough.
    const pairs: string[] = []
    for (let pair = 0; pair < PAIRS; pair++) {
      const [one, other] = [await send('GET', '/receipts/zero'), await send('GET', '/receipts/zero')]
      const [before, after] = [figures(one.headers), figures(other.headers)]
      if (before.limit === after.limit && after.remaining < before.remaining) return
      pairs.push(`${before.remaining} of ${before.limit}, then ${after.remaining} of ${after.limit}`)
    }
    assert.fail(pairs.join('; '))
  })
  await check('POST /auth counts up to 60 in a minute', async () => {
    const { headers } = await send('POST', '/auth', { token: null, body: {} })
    assert.equal(figures(headers).limit, 60)
  })
}

/** With --exhaust: each tier is used up, the last one first. Afterwards this address is locked out for up to a minute. */
export const exhaustion: Checks = async (check, deployment) => {
  await usesUp(check, deployment, 3, () => deployment.send('GET', '/products?limit=1', { takes429: true }))
  await usesUp(check, deployment, 2, () => deployment.send('GET', '/products', { token: 'forged', takes429: true }))
  await check('tier 1 refuses the 61st POST /auth of a minute', async () => {
    const refused = await until429(() => deployment.send('POST', '/auth', { token: null, body: {}, takes429: true }))
    expectRefused(refused, 60)
    const { message, ...rest } = refused.body ?? {}
    assert.deepEqual(rest, { success: false, error: 'Too many requests' })
    assert.equal(typeof message, 'string')
  })
}

const usesUp = (check: Check, { send }: Deployment, tier: 2 | 3, one: () => Promise<Answer>) =>
  check(`tier ${tier} refuses what is beyond its limit`, async () => {
    const { limit } = figures((await send('GET', '/products?limit=1', { takes429: true })).headers)
    need(limit <= MAX_REQUESTS, `the limit of ${limit} is more than this check sends`)
    const refused = await until429(one)
    const details = expectError(refused, 429, 'rate_limited')
    expectMembers(details, ['tier', 'limit', 'reset'])
    assert.equal(details.tier, tier)
    if (tier === 2) assert.equal(details.limit, 600)
    expectRefused(refused, details.limit as number)
    assert.equal(details.reset, figures(refused.headers).reset)
  })

/** The first 429 of requests that are sent one batch after the other. */
async function until429(one: () => Promise<Answer>): Promise<Answer> {
  for (let sent = 0; sent <= MAX_REQUESTS; sent += AT_ONCE) {
    const batch = await Promise.all(Array.from({ length: AT_ONCE }, one))
    const refused = batch.find(({ status }) => status === 429)
    if (refused) return refused
  }
  throw new Error(`${MAX_REQUESTS} requests were answered and none was 429`)
}

function expectRefused({ status, headers }: Answer, expectedLimit: number): void {
  const { limit, remaining, reset } = figures(headers)
  assert.equal(status, 429)
  assert.equal(limit, expectedLimit)
  assert.equal(remaining, 0)
  assert.ok(reset >= 1 && reset <= WINDOW_S, `reset ${reset}`)
  assert.equal(Number(headers['retry-after']), reset, 'Retry-After equals RateLimit-Reset')
}

const figures = (headers: Answer['headers']) => ({
  limit: Number(headers['ratelimit-limit']),
  remaining: Number(headers['ratelimit-remaining']),
  reset: Number(headers['ratelimit-reset']),
})
