import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FastifyRequest } from 'fastify'
import { api, type Client } from '../../test/api.ts'
import { onEachEngine } from '../../test/database/engines.ts'
import { type Row, staff } from '../../test/database/store.ts'
import { setCredentialEnabled } from '../directory/credentials.ts'
import { forbidden } from '../http/errors.ts'
import { RESOURCES } from '../resources/catalogue.ts'
import type { Database } from '../storage/database.ts'
import { EVENT_TYPES, typesNamed } from './catalogue.ts'
import { eventId, readEventId } from './event-id.ts'
import { FeedHole, readLast } from './feed.ts'
import { waitingRoom } from './news/wait.ts'
import { dataSchema } from './schema.ts'
import { trimFeeds } from './trim.ts'

interface Event {
  id: string
  type: string
  timestamp: string
  position: number
  brand: string
  venue_id?: number
  source: { kind: string; own: boolean }
  data: Record<string, unknown>
  object?: Record<string, unknown>
  as_of?: string
}
interface Page {
  data: Event[]
  next: string
  more: boolean
}

test('an id holds position and random bytes, reads back, and sorts in feed order', () => {
  assert.equal(eventId({ position: 1234, nonce: 0x9daef3710a4c }).length, 24)
  assert.ok(eventId({ position: 1234, nonce: 0 }).startsWith('evt_00000004q8'))
  for (const mark of [
    { position: 0, nonce: 0 },
    { position: 1, nonce: 2 ** 48 - 1 },
    { position: 2 ** 48 - 1, nonce: 1 },
  ])
    assert.deepEqual(readEventId(eventId(mark)), mark)
  const ids = [1, 2, 31, 32, 1023, 1024, 1e9].map((position) => eventId({ position, nonce: 5 }))
  assert.deepEqual(ids, ids.toSorted())
  for (const text of ['evt_', 'evt_00000004qaejvgd2spd', `evt_${'w'.repeat(20)}`, `evt_${'0'.repeat(19)}1`, 'latest'])
    assert.equal(readEventId(text), undefined, text)
})

test('a wait ends when the right to what it asked for ends, also where the news came before that was known', async () => {
  const withDeadline: Database['withDeadline'] = (_, work) => work()
  const db = { rows: async () => [], withDeadline } as unknown as Database
  const request = {
    call: { caller: { brand_id: 1 } },
    raw: { socket: new EventEmitter() },
  } as unknown as FastifyRequest
  const room = waitingRoom({ db, recheck: () => undefined, failed() {}, waiting() {}, pollMs: 5 })
  let may = true
  const mayStillSee = () => {
    if (!may) throw forbidden('products:read')
  }
  const wait = room.wait(request, { position: 1, seen: 0, ms: 60_000, mayStillSee })
  may = false
  await assert.rejects(wait, { status: 403 })
})

test('every type that a resource publishes is in the catalogue, and filters name kinds', () => {
  const known = new Set(EVENT_TYPES.map(({ type }) => type))
  assert.equal(known.size, EVENT_TYPES.length, 'each is there once')
  for (const { eventTypes } of RESOURCES)
    if (eventTypes !== 'none') for (const type of eventTypes) assert.ok(known.has(type), type)
  assert.deepEqual([...new Set(typesNamed('menu.*').map(({ type }) => type.split('.')[0]))].sort(), [
    'category',
    'menu_entry',
    'price_list',
    'product',
    'stop_list',
  ])
  assert.equal(typesNamed('*').length, EVENT_TYPES.length)
  assert.deepEqual(typesNamed('unicorn.*'), [])
})

test('the example of each type is described by the schema of its data', () => {
  const ajv = new Ajv2020({ strict: false })
  for (const { type, data } of EVENT_TYPES) {
    const schema = { ...dataSchema(type, data.id), additionalProperties: false }
    assert.ok(ajv.validate(schema, data), `${type}: ${ajv.errorsText()}`)
  }
})

onEachEngine('the change feed', (make, engine) => {
  const { brand, running } = api(make)

  const read = async (client: Client, query: string, headers = {}) => {
    const { status, body, text } = await client.get(`/events?${query}`, headers)
    assert.equal(status, 200, text)
    return body as unknown as Page
  }
  const latest = async (client: Client) => (await read(client, 'after=latest')).next
  const typesOf = ({ data }: Page) => data.map(({ type }) => type)
  const product = (id: number, name = 'Tea') => ({ kind: 'product', id, name, type: 'PRODUCT' })

  test('is read from the oldest event on, each once, in pages, in order', async () => {
    const client = await brand({ rows: [1, 2, 3, 4, 5].map((id) => product(id)) })
    const all = await read(client, 'after=oldest&limit=1000')
    assert.equal(all.more, false)
    assert.deepEqual(
      all.data.map(({ position }) => position),
      all.data.map((_, index) => index + 1),
    )
    const paged: Event[] = []
    for (
      let page = await read(client, 'after=oldest&limit=3');
      ;
      page = await read(client, `after=${page.next}&limit=3`)
    ) {
      paged.push(...page.data)
      if (!page.more) {
        assert.equal(page.next, all.next)
        break
      }
    }
    assert.deepEqual(paged, all.data)
    const [first] = all.data
    assert.deepEqual(Object.keys(first!), ['id', 'type', 'timestamp', 'position', 'brand', 'source', 'data'])
    assert.deepEqual((await read(client, `after=${all.next}`)).data, [])
    assert.equal(await latest(client), all.next)
  })

  test('answers after=latest with the end that it read, whatever is committed meanwhile', async (t) => {
    const client = await brand({ rows: [product(1)] })
    const { db } = (await running()).deps
    const head = await latest(client)
    const { text } = db
    const reads = t.mock.method(db, 'text', async (...args: Parameters<typeof text>) => {
      const found = await text(...args)
      if (args[0].includes('from feeds')) {
        reads.mock.restore()
        await client.put(product(2))
      }
      return found
    })
    const page = await read(client, 'after=latest')
    assert.deepEqual([page.data, page.next], [[], head])
    assert.deepEqual(typesOf(await read(client, `after=${page.next}`)), ['product.created', 'import.completed'])
  })

  test('tells who caused a change, and whether it was the reader', async () => {
    const client = await brand()
    const after = await latest(client)
    await client.post('/customers', { name: 'Aysel' })
    await client.put(product(1))
    const { data } = await read(client, `after=${after}`)
    assert.deepEqual(
      data.map(({ type, source }) => [type, source.kind, source.own]),
      [
        ['customer.created', 'api', true],
        ['product.created', 'import', false],
        ['import.completed', 'import', false],
      ],
    )
    const { body } = await client.get(`/events/${data[0]!.id}`)
    assert.deepEqual(body, { success: true, data: data[0] })
    assert.equal((await client.get('/events/evt_0000000000000000000g')).status, 404)
    assert.equal((await client.get('/events/12')).status, 400)
  })

  test('is filtered by type and venue without changing its order, and next passes over the rest', async () => {
    const rows: Row[] = [
      { kind: 'venue', id: 2, name: 'Second' },
      product(1),
      { kind: 'receipt', id: 1, venue_id: 1, status: 2 },
      { kind: 'receipt', id: 2, venue_id: 2, status: 1 },
    ]
    const client = await brand({ rows })
    const head = await latest(client)
    const types = async (query: string, headers = {}) => typesOf(await read(client, `after=oldest&${query}`, headers))
    assert.deepEqual(await types('types=receipt.*'), ['receipt.closed', 'receipt.opened'])
    assert.deepEqual(await types('types=receipt.*&venues=2'), ['receipt.opened'])
    assert.deepEqual(await types('types=receipt.*', { 'x-venue': '2' }), ['receipt.opened'])
    assert.deepEqual(await types('types=menu.*,receipt.closed&venues=2'), ['product.created'])
    const none = await read(client, 'after=oldest&types=order.*')
    assert.deepEqual([none.data, none.next, none.more], [[], head, false])
    const since = (await read(client, `after=oldest&types=product.*`)).data[0]!.timestamp
    assert.ok(typesOf(await read(client, `since=${since}`)).includes('product.created'))
    assert.deepEqual((await read(client, 'since=2099-01-01T00:00:00Z')).data, [])
  })

  test('refuses what cannot be asked for', async () => {
    const client = await brand()
    for (const [query, parameter] of [
      ['', 'after'],
      ['after=now', 'after'],
      ['after=latest&since=2026-01-01T00:00:00Z', 'since'],
      ['since=yesterday', 'since'],
      ['after=latest&types=product.eaten', 'types'],
      ['after=latest&types=', 'types'],
      [`after=latest&types=${Array(65).fill('*')}`, 'types'],
      ['after=latest&venues=x', 'venues'],
      ['after=latest&limit=0', 'limit'],
      ['after=latest&limit=1001', 'limit'],
      ['after=latest&limit=201&include=object', 'limit'],
      ['after=latest&include=prices', 'include'],
      ['after=latest&wait=26', 'wait'],
      ['after=latest&after=latest', 'after'],
      ['after=latest&page=2', 'page'],
    ] as const) {
      const { status, body } = await client.get(`/events?${query}`)
      assert.equal(status, 400, query)
      assert.equal((body.details as { parameter: string }).parameter, parameter, query)
    }
    assert.equal((await client.get('/events?after=latest&venues=9')).status, 403)
  })

  test('shows what the caller may read, and names the permission that is missing', async () => {
    const client = await brand({ permissions: ['events:read', 'products:read'], rows: [product(1)] })
    const { data } = await read(client, 'after=oldest')
    assert.deepEqual(new Set(data.map(({ type }) => type)), new Set(['product.created', 'import.completed']))
    assert.deepEqual(typesOf(await read(client, 'after=oldest&types=menu.*')), ['product.created'])
    const refused = await client.get('/events?after=oldest&types=product.*,customer.created')
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.body.details, { required: 'customers:read' })
    const { body } = await client.get('/events/types')
    const types = body.data as { type: string; permission: string; allowed: boolean }[]
    assert.equal(types.length, EVENT_TYPES.length)
    for (const { permission, allowed } of types)
      assert.equal(allowed, ['events:read', 'products:read'].includes(permission), permission)
    const stranger = await brand({ permissions: ['products:read'] })
    const { status, body: why } = await stranger.get('/events?after=latest')
    assert.deepEqual([status, why.details], [403, { required: 'events:read' }])
  })

  test('includes the object as it is now, absent when deleted, with a text that sorts', async () => {
    const client = await brand({ rows: [product(1)] })
    const after = await latest(client)
    const created = (await client.post('/customers', { name: 'Aysel', phone: '1' })).body.data as { id: string }
    await client.put(product(1, 'Green tea'), product(2))
    const { deps } = await running()
    await deps.db.transaction((tx) => tx.run('delete from products where brand_id = ? and id = 2', [client.id]))
    const { data } = await read(client, `after=${after}&include=object`)
    const [customer, updated, gone, completed] = data as [Event, Event, Event, Event]
    assert.deepEqual(customer.object, created)
    assert.equal(updated.object!.name, 'Green tea')
    assert.deepEqual([gone.type, 'object' in gone, typeof gone.as_of], ['product.created', false, 'string'])
    assert.deepEqual(['object' in completed, completed.as_of], [false, customer.as_of], 'about no object, but as new')
    const again = await read(client, `after=${after}&include=object&limit=1`)
    assert.ok(again.data[0]!.as_of! >= customer.as_of!)
    await client.post('/customers', { name: 'Leyla' })
    assert.ok((await read(client, `after=${after}&include=object&limit=1`)).data[0]!.as_of! > customer.as_of!)
    const people = await read(client, 'after=oldest&types=user.*,role.*,venue.*&include=object')
    assert.deepEqual(
      people.data.map(({ type, object }) => [type, object?.username ?? object?.name]),
      [
        ['venue.created', 'Main'],
        ['role.created', undefined], // no call reads one
        ['user.created', 'owner'],
      ],
    )
    const everything = await read(client, 'after=oldest&include=object')
    for (const { type, as_of } of everything.data) assert.match(as_of ?? '', /^\d{4}-.*Z-\d{16}$/, type)
  })

  test('shows no object of a venue that the caller may not enter', async () => {
    const client = await brand({ rows: [{ kind: 'venue', id: 2, name: 'Terrace' }] })
    const shown = async () => {
      const { data } = await read(client, 'after=oldest&types=venue.created&include=object')
      return data.map(({ id, object }) => [id, object?.name])
    }
    const [main, terrace] = (await shown()) as [string[], string[]]
    assert.deepEqual([main[1], terrace[1]], ['Main', 'Terrace'])
    await client.put({ kind: 'user', id: 1, username: 'owner', role_id: 1, venue_ids: [1] })
    assert.deepEqual(await shown(), [main, [terrace[0], undefined]])
    const { body } = await client.get(`/events/${terrace[0]}?include=object`)
    assert.equal('object' in (body.data as object), false)
  })

  test('says which cursors are too old and which belong to another history', async () => {
    const client = await brand({ rows: [1, 2, 3].map((id) => product(id)) })
    const { deps } = await running()
    const oldest = (await read(client, 'after=oldest&limit=1')).next
    const head = await latest(client)
    const { position, nonce } = readEventId(head)!
    const refused = async (after: string) => {
      const { status, body } = await client.get(`/events?after=${after}`)
      return [status, body.error]
    }
    assert.deepEqual(await refused(eventId({ position, nonce: nonce === 0 ? 1 : nonce - 1 })), [410, 'feed_diverged'])
    assert.deepEqual(await refused(eventId({ position: position + 1, nonce })), [410, 'feed_diverged'])
    assert.deepEqual(await refused(eventId({ position: 0, nonce: 1 })), [410, 'feed_diverged'])
    await deps.db.transaction((tx) =>
      tx.run(`update events set at = '2020-01-01T00:00:00.000Z' where brand_id = ? and position < ?`, [
        client.id,
        position,
      ]),
    )
    const start = (await read(client, 'after=oldest&limit=1')).data[0]!
    assert.equal(await trimFeeds(deps.db, Date.parse('2020-02-01')), position - 1)
    const { status, body } = await client.get(`/events?after=${oldest}`)
    const details = body.details as { oldest: string; latest: string; kept_days: number }
    assert.deepEqual([status, body.error, details.latest, details.kept_days], [410, 'cursor_expired', head, 90])
    assert.deepEqual(await refused(start.id), [410, 'cursor_expired'])
    assert.equal((await client.get('/events?since=2019-01-01T00:00:00Z')).status, 410)
    const kept = await read(client, 'after=oldest')
    assert.deepEqual(typesOf(kept), ['import.completed'])
    assert.deepEqual(await read(client, `after=${details.oldest}`), kept)
    await client.put(product(4))
    assert.equal((await read(client, `after=${head}`)).data[0]!.position, position + 1)
  })

  test('a hole is an error and a metric, never a silent skip', async () => {
    const client = await brand({ rows: [1, 2, 3].map((id) => product(id)) })
    const { deps, lines } = await running()
    await deps.db.transaction((tx) => tx.run('delete from events where brand_id = ? and position = 4', [client.id]))
    assert.equal((await client.get('/events?after=oldest')).status, 500)
    assert.ok(lines.some((line) => line.includes('lacks position 4')))
    assert.match(await deps.metrics.registry.metrics(), /comptoir_events_holes_total [1-9]/)
    assert.match(
      await deps.metrics.registry.metrics(),
      /comptoir_events_published_total\{type="credential.created"\} \d+/,
    )
  })

  test('its last events are found however far back they are, and a hole on the way is an error', async () => {
    const client = await brand({ rows: Array.from({ length: 600 }, (_, id) => product(id + 1)) })
    const { db } = (await running()).deps
    const head = readEventId(await latest(client))!
    const last = (names: string[] | undefined, limit = 10) =>
      readLast(db, client.id, head, { types: names && new Set(names), venues: undefined }, limit)
    const types = async (names: string[]) => (await last(names)).map(({ type }) => type)
    assert.deepEqual(await types(['venue.created', 'user.created']), ['venue.created', 'user.created'])
    const positions = async (names?: string[]) => (await last(names, 3)).map(({ position }) => head.position - position)
    assert.deepEqual(await positions(), [2, 1, 0])
    assert.deepEqual(await positions(['product.created']), [3, 2, 1])
    await db.transaction((tx) => tx.run('delete from events where brand_id = ? and position = 300', [client.id]))
    assert.equal((await last(undefined)).length, 10)
    await assert.rejects(last(['venue.created']), (error) => error instanceof FeedHole && /300/.test(error.message))
    await db.transaction((tx) => tx.run('delete from events where brand_id = ? and position < 300', [client.id]))
    await db.transaction((tx) => tx.run('update feeds set tail = 300 where brand_id = ?', [client.id]))
    assert.deepEqual(await last(['venue.created']), [])
  })

  /** Resolves when this many calls wait. */
  async function waiting(count: number): Promise<void> {
    const { deps } = await running()
    const isSo = async () =>
      (await deps.metrics.registry.metrics()).includes(`comptoir_events_waiting_readers ${count}\n`)
    for (const end = performance.now() + 20_000; !(await isSo()); ) {
      assert.ok(performance.now() < end, `${count} calls wait`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  test('a call that waits is answered by news, its own and another process’s', async () => {
    const client = await brand()
    const after = await latest(client)
    const began = performance.now()
    const first = read(client, `after=${after}&wait=25`)
    await waiting(1)
    await client.post('/customers', { name: 'Aysel' })
    const news = await first
    assert.deepEqual(typesOf(news), ['customer.created'])
    const second = read(client, `after=${news.next}&wait=25&types=product.created`)
    await waiting(1)
    await client.post('/customers', { name: 'Leyla' }) // nothing for this reader
    await client.put(product(1)) // by another connection, as another process would
    const page = await second
    assert.deepEqual(typesOf(page), ['product.created'])
    assert.ok(performance.now() - began < 20_000)
    await waiting(0)
  })

  test('a wait that ends without news answers next; a fifth of a pair ends the first', async () => {
    const client = await brand()
    const after = await latest(client)
    const waits = []
    for (let count = 1; count <= 4; count++) {
      waits.push(read(client, `after=${after}&wait=25`))
      await waiting(count)
    }
    const fifth = read(client, `after=${after}&wait=25`)
    assert.deepEqual(await waits[0], { success: true, data: [], next: after, more: false })
    await waiting(4)
    await client.post('/customers', { name: 'Aysel' })
    for (const wait of [...waits.slice(1), fifth]) assert.deepEqual(typesOf(await wait), ['customer.created'])
    assert.deepEqual((await read(client, `after=${await latest(client)}&wait=1`)).data, [])
  })

  test('a credential that is switched off, and a right that is taken away, end a wait', async () => {
    const client = await brand()
    const limited = await brand({ permissions: ['events:read', 'products:read'] })
    const { deps } = await running()
    const off = client.get(`/events?after=latest&wait=25&types=product.*`)
    const without = limited.get(`/events?after=latest&wait=25&types=product.*`)
    await waiting(2)
    await setCredentialEnabled(deps.db, 'test', (client.credentials as { client_id: string }).client_id, false)
    await limited.put(...staff(['products:read']).slice(1, 2))
    await deps.directory.refresh()
    const [one, other] = [await off, await without]
    assert.deepEqual([one.status, one.body.error], [401, 'Invalid token'])
    assert.deepEqual([other.status, other.body.details], [403, { required: 'events:read' }])
  })

  if (engine === 'SQLite')
    test('when the process leaves, every waiting call is answered', async () => {
      const client = await brand()
      const { app } = await running()
      const after = await latest(client)
      const wait = read(client, `after=${after}&wait=25`)
      await waiting(1)
      await app.close()
      assert.deepEqual(await wait, { success: true, data: [], next: after, more: false })
    })
})
