import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComptoirOptions, Order } from '../src/index.ts'
import { fakeClock } from './clock.ts'
import { clientOf } from './restaurant.ts'

const BASKET = { sale_type_id: 1, products: [{ product_id: 1, count: 2 }] }

/** A service that takes orders: one for each uuid, and an event for each change. */
function counter() {
  const orders: Partial<Order>[] = []
  const bodies: { integration_uuid: string }[] = []
  const feed: { type: string; id: number }[] = []
  let news = Promise.withResolvers<void>()
  let lost = 0
  /** What happens just before or after a path is answered, once. */
  const meanwhile = new Map<string, () => void>()
  const cursor = (position: number) => `evt_${String(position).padStart(20, '0')}`

  function publish(type: string, id: number) {
    feed.push({ type, id })
    news.resolve()
    news = Promise.withResolvers()
  }

  function place(body: string) {
    const asked = JSON.parse(body)
    bodies.push(asked)
    const existing = orders.find(({ integration_uuid }) => integration_uuid === asked.integration_uuid)
    if (existing) return existing
    const order = { ...asked, id: orders.length + 1, status: 'PENDING' }
    orders.push(order)
    publish('order.created', order.id)
    return order
  }

  function page(query: URLSearchParams) {
    const after = query.get('after')!
    const from = after === 'latest' ? feed.length : Number(after.slice(4))
    const data = feed.slice(from).map(({ type, id }, index) => {
      const position = from + index + 1
      return { id: cursor(position), position, type, data: { id } }
    })
    return { success: true, data, next: cursor(feed.length), more: false }
  }

  const fetch: ComptoirOptions['fetch'] = async (url, { method, body, signal }) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname === '/v2/auth') return Response.json({ success: true, token: 't', expires_in: 3600, expires_at: 4e9 })
    if (pathname === '/v2/events') {
      if (Number(searchParams.get('wait')) > 0 && page(searchParams).data.length === 0)
        await Promise.race([news.promise, new Promise((_, reject) => signal!.addEventListener('abort', reject))])
      return Response.json(page(searchParams))
    }
    if (method === 'POST') {
      const data = place(String(body))
      if (lost-- > 0) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
      return Response.json({ success: true, data, message: 'Order created' })
    }
    meanwhile.get('before')?.()
    meanwhile.delete('before')
    const answer = Response.json({ success: true, data: orders[Number(pathname.split('/').at(-1)) - 1] })
    meanwhile.get('after')?.()
    meanwhile.delete('after')
    return answer
  }

  return {
    fetch,
    orders,
    bodies,
    meanwhile,
    loseAnswers(count: number) {
      lost = count
    },
    change(id: number, status: Order['status']) {
      orders[id - 1] = { ...orders[id - 1], status }
      publish(
        `order.${{ RECEIVED: 'received', IGNORE: 'ignored', DELIVERED: 'delivered', PENDING: 'created' }[status]}`,
        id,
      )
    },
  }
}

const statusesOf = async (tracked: AsyncIterable<Order>, seen: (status: string) => void = () => {}) => {
  const statuses: string[] = []
  for await (const { status } of tracked) {
    statuses.push(status)
    seen(status)
  }
  return statuses
}

const clientAt = ({ fetch }: ReturnType<typeof counter>) =>
  clientOf('https://pos.example/v2', { fetch, ...fakeClock().options })

test('orders.place sends a key of its own, and after a lost answer the same again: one order', async () => {
  const service = counter()
  service.loseAnswers(2)
  const order = await clientAt(service).orders.place(BASKET)
  assert.equal(order.id, 1)
  assert.equal(service.orders.length, 1)
  assert.equal(service.bodies.length, 3)
  assert.equal(new Set(service.bodies.map(({ integration_uuid }) => integration_uuid)).size, 1)
  assert.match(order.integration_uuid!, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
})

test('two baskets are two orders; one with a key that was kept is the same after a restart', async () => {
  const service = counter()
  const [one, other] = [await clientAt(service).orders.place(BASKET), await clientAt(service).orders.place(BASKET)]
  assert.notEqual(one.id, other.id)
  const kept = { ...BASKET, integration_uuid: crypto.randomUUID() }
  const before = await clientAt(service).orders.place(kept)
  assert.equal((await clientAt(service).orders.place(kept)).id, before.id)
  assert.equal(service.orders.length, 3)
})

test('orders.track gives each change of its order and ends when it is delivered', async () => {
  const service = counter()
  const client = clientAt(service)
  const [{ id }, other] = [await client.orders.place(BASKET), await client.orders.place(BASKET)]
  const next: Record<string, () => void> = {
    PENDING() {
      service.change(other.id, 'IGNORE') // somebody else's
      service.change(id, 'RECEIVED')
    },
    RECEIVED: () => service.change(id, 'DELIVERED'),
  }
  const statuses = await statusesOf(client.orders.track(id), (status) => next[status]?.())
  assert.deepEqual(statuses, ['PENDING', 'RECEIVED', 'DELIVERED'])
})

test('orders.track ends at once with what has ended', async () => {
  const service = counter()
  const client = clientAt(service)
  const { id } = await client.orders.place(BASKET)
  service.change(id, 'IGNORE')
  assert.deepEqual(await statusesOf(client.orders.track(id)), ['IGNORE'])
})

for (const moment of ['before', 'after'])
  test(`orders.track misses no change that comes just ${moment} it reads the order`, async () => {
    const service = counter()
    const client = clientAt(service)
    const { id } = await client.orders.place(BASKET)
    service.meanwhile.set(moment, () => service.change(id, 'IGNORE'))
    const statuses = await statusesOf(client.orders.track(id))
    assert.equal(statuses.at(-1), 'IGNORE')
    assert.deepEqual(statuses, moment === 'before' ? ['IGNORE'] : ['PENDING', 'IGNORE'])
  })
