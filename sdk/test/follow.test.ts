import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ComptoirOptions, type FollowedEvent, PermissionError, ResyncError } from '../src/index.ts'
import { fakeClock } from './clock.ts'
import { clientOf, rateLimited, refused } from './restaurant.ts'

type Body = ReturnType<typeof refused>

/** A feed whose events are numbered from 1; a call that waits is answered when there is one more. */
function feed(count: number, pageSize = 2) {
  const asked: URLSearchParams[] = []
  const instead: (Body | 'lost')[] = []
  let [signIns, length, news] = [0, count, Promise.withResolvers<void>()]
  const cursor = (position: number) => `evt_${String(position).padStart(20, '0')}`

  const page = (query: URLSearchParams) => {
    const after = query.get('after')!
    const from = after === 'oldest' ? 0 : after === 'latest' ? length : Number(after.slice(4))
    const to = Math.min(from + pageSize, length)
    const types = query.get('types')?.split(',')
    const data = Array.from({ length: to - from }, (_, index) => ({
      id: cursor(from + index + 1),
      position: from + index + 1,
      data: { id: 1 },
      type: (from + index) % 2 === 0 ? 'product.updated' : 'customer.updated',
    }))
    const chosen = data.filter(({ type }) => !types || types.includes(type))
    return { success: true, data: chosen, next: cursor(to), more: to < length }
  }

  const fetch: ComptoirOptions['fetch'] = async (url, { headers, signal }) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname === '/v2/auth')
      return Response.json({ success: true, token: `t${++signIns}`, expires_in: 3600, expires_at: 4e9 })
    asked.push(searchParams)
    const happening = instead.shift()
    if (happening === 'lost') throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
    if (happening) return Response.json(happening.body, { status: happening.status, headers: happening.headers ?? {} })
    if (new Headers(headers).get('x-token') !== `t${signIns}`)
      return Response.json({ success: false, error: 'Invalid token' }, { status: 401 })
    const isEnd = page(searchParams).data.length === 0 && !page(searchParams).more
    if (Number(searchParams.get('wait')) > 0 && isEnd)
      await Promise.race([news.promise, new Promise((_, reject) => signal!.addEventListener('abort', reject))])
    return Response.json(page(searchParams))
  }
  return {
    fetch,
    asked,
    instead,
    cursor,
    add(more: number) {
      length += more
      news.resolve()
      news = Promise.withResolvers()
    },
    expireToken: () => void signIns++,
    signIns: () => signIns,
  }
}

const follower = (from: ReturnType<typeof feed>, clock = fakeClock()) =>
  clientOf('https://pos.example/v2', { fetch: from.fetch!, ...clock.options }).events

async function take(events: AsyncIterable<FollowedEvent>, count: number): Promise<number[]> {
  const positions: number[] = []
  for await (const event of events) {
    positions.push(event.position)
    await event.done()
    if (positions.length === count) break
  }
  return positions
}

test('every event comes once and in order, those that are there at once and those that come later', async () => {
  const changes = feed(3)
  const events = follower(changes).follow({ after: 'oldest' })
  const positions: number[] = []
  for await (const { position } of events) {
    positions.push(position)
    if (position === 3) setImmediate(() => changes.add(2))
    if (position === 5) break
  }
  assert.deepEqual(positions, [1, 2, 3, 4, 5])
  assert.deepEqual(
    changes.asked.map((query) => `${query.get('after')?.slice(-1)} ${query.get('wait')}`),
    ['t 0', '2 0', '3 25'],
  )
})

test('types, venues and included objects are asked for in comma lists', async () => {
  const changes = feed(4)
  const options = { after: 'oldest', types: ['product.updated', 'x.*'], venues: [1, 2], include: ['object'] } as const
  assert.deepEqual(await take(follower(changes).follow(options), 2), [1, 3])
  const [query] = changes.asked
  assert.deepEqual(
    ['types', 'venues', 'include'].map((name) => query!.get(name)),
    ['product.updated,x.*', '1,2', 'object'],
  )
})

test('a server that is away, restarts or limits is waited for, however long, and a token that expired is renewed', async () => {
  const changes = feed(2)
  const clock = fakeClock()
  changes.instead.push(...Array.from({ length: 20 }, () => 'lost' as const))
  changes.instead.push(...Array.from({ length: 10 }, () => refused(503, 'unavailable')), rateLimited(30))
  const iterator = follower(changes, clock).follow({ after: 'oldest' })
  assert.equal((await iterator.next()).value?.position, 1)
  changes.expireToken()
  assert.equal((await iterator.next()).value?.position, 2)
  changes.add(1)
  assert.equal((await iterator.next()).value?.position, 3)
  assert.equal(changes.instead.length, 0)
  assert.ok(Math.max(...clock.slept) >= 30_000, 'the limit’s own time was waited')
  assert.equal(changes.signIns(), 3)
})

test('what waiting does not help is thrown: a lost permission, and a cursor that leads nowhere', async () => {
  const changes = feed(2)
  changes.instead.push(refused(403, 'forbidden'))
  await assert.rejects(take(follower(changes).follow({ after: 'oldest' }), 1), PermissionError)
  for (const slug of ['cursor_expired', 'feed_diverged']) {
    changes.instead.push(refused(410, slug, { oldest: 'evt_1', latest: 'evt_2' }))
    await assert.rejects(take(follower(changes).follow({ after: 'evt_0' }), 1), (error: ResyncError) => {
      assert.ok(error instanceof ResyncError)
      assert.deepEqual([error.slug, error.details?.latest], [slug, 'evt_2'])
      return true
    })
  }
})

/** A store that remembers what it was told. */
function memory(start?: string) {
  const saved: string[] = []
  return {
    saved,
    get: async () => saved.at(-1) ?? start,
    set: async (cursor: string) => {
      await new Promise(setImmediate)
      saved.push(cursor)
    },
  }
}

test('the cursor moves only past events whose work is over, in whatever order that was', async () => {
  const changes = feed(4, 4)
  const store = memory()
  const events: FollowedEvent[] = []
  for await (const event of follower(changes).follow({ after: 'oldest', store })) {
    events.push(event)
    if (events.length === 4) break
  }
  const [one, two, three, four] = events as [FollowedEvent, FollowedEvent, FollowedEvent, FollowedEvent]
  assert.equal(await two.done(), 'oldest')
  assert.deepEqual(store.saved, [])
  assert.equal(await one.done(), changes.cursor(2))
  assert.deepEqual(await Promise.all([four.done(), three.done()]), [changes.cursor(2), changes.cursor(4)])
  assert.deepEqual(store.saved, [changes.cursor(2), changes.cursor(4)])
})

test('the cursor stays before an event whose work is not over, also once its page has ended', async () => {
  const changes = feed(2)
  const iterator = follower(changes).follow({ after: 'oldest' })
  const [one, two] = [(await iterator.next()).value!, (await iterator.next()).value!]
  const third = iterator.next()
  while (changes.asked.length < 2) await new Promise(setImmediate)
  assert.equal(await two.done(), 'oldest')
  assert.equal(await one.done(), changes.cursor(2))
  changes.add(1)
  assert.equal((await third).value!.position, 3)
})

test('after a crash the events whose work was not over come again; what filters left out does not', async () => {
  const changes = feed(6)
  const store = memory()
  const followed = () => follower(changes).follow({ after: 'oldest', types: ['product.updated'], store })
  for await (const event of followed()) {
    if (event.position === 3) break // its work failed
    await event.done()
  }
  assert.equal(store.saved.at(-1), changes.cursor(2), 'past what the filter left out')
  assert.deepEqual(await take(followed(), 2), [3, 5])
})

test('after a store failed once it is still given the next cursor', async () => {
  const changes = feed(2)
  const store = memory()
  let failing = true
  const failingOnce = {
    ...store,
    set: async (cursor: string) => {
      if (failing) throw new Error('the disk is full')
      await store.set(cursor)
    },
  }
  const iterator = follower(changes).follow({ after: 'oldest', store: failingOnce })
  const [one, two] = [(await iterator.next()).value!, (await iterator.next()).value!]
  await assert.rejects(one.done(), /the disk is full/)
  failing = false
  assert.equal(await two.done(), changes.cursor(2))
  assert.deepEqual(store.saved, [changes.cursor(2)])
})

test('a signal ends the loop while it waits, without an error', async () => {
  const changes = feed(1)
  const stop = new AbortController()
  const positions: number[] = []
  for await (const { position } of follower(changes).follow({ after: 'oldest', signal: stop.signal })) {
    positions.push(position)
    setImmediate(() => stop.abort())
  }
  assert.deepEqual(positions, [1])
})

test('a loop that waits takes no turn of a client that paces its calls', async () => {
  const changes = feed(0)
  const stop = new AbortController()
  const client = clientOf('https://pos.example/v2', { fetch: changes.fetch!, pace: true })
  const waiting = client.events.follow({ after: 'latest', signal: stop.signal }).next()
  while (changes.asked.length < 2) await new Promise(setImmediate)
  assert.equal(typeof (await client.events.list({ after: 'latest' })).next, 'string')
  stop.abort()
  assert.equal((await waiting).done, true)
})

test('options that are no options are refused', async () => {
  const events = follower(feed(1))
  for (const wrong of [{}, { after: '' }, { after: 1 }, { after: 'latest', types: '*' }, { after: 'latest', from: 1 }])
    await assert.rejects(events.follow(wrong as object).next(), TypeError, JSON.stringify(wrong))
})
