import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { putRows } from '../../test/database/store.ts'
import { type Answer, services } from '../../test/service.ts'
import { until } from '../../test/until.ts'
import { setCredentialEnabled } from '../directory/credentials.ts'
import type { Tables } from '../storage/tables.ts'
import { isSignedBy, receiver } from './receiver-fixture.ts'
import { openSecrets } from './secrets.ts'

type Stored = Tables['webhook_endpoints']

interface Shown {
  id: string
  secret?: string
  state: string
  reason?: string
  cause?: string
  status?: number
  lag: { events: number }
  last_failure?: { at: string }
  held: { waiting: number; failed: number; refused: number }
}

onEachEngine('webhooks', (make) => {
  const start = services(make)
  let service: Awaited<ReturnType<typeof start>>
  let brands = 0

  before(async () => {
    service = await start({
      COMPTOIR_WEBHOOKS: 'inside',
      COMPTOIR_TOKEN_TTL: 86_400,
      COMPTOIR_WEBHOOK_ALLOW: '127.0.0.0/8',
    })
  })

  /** A brand with an integration, and how to call and change it. */
  async function integration() {
    const { id, slug, credentials, client_id } = await service.brand(`hooks-${++brands}`, { quota: 1e9 })
    const from = `192.0.2.${brands}`
    let token = await service.token(credentials, from)
    const signIn = async () => {
      token = await service.token(credentials, from)
    }
    const address = `198.51.100.${brands}`
    const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, headers = {}) =>
      service.call(`/webhook-endpoints${path}`, {
        method,
        headers: { 'x-token': token, ...headers },
        address,
        ...(body !== undefined && { body }),
      })
    const create = async (url: string, more: object = {}) => {
      const { status, body, text } = await call('POST', '', { url, name: 'Hub', ...more })
      assert.equal(status, 200, text)
      return body.data as { id: string; secret: string; state: string; cursor: string }
    }
    const show = async (endpoint: string) => dataOf(await call('GET', `/${endpoint}`))
    const active = async (url: string, more?: object) => {
      const made = await create(url, more)
      await until(async () => (await show(made.id)).state === 'active')
      return made
    }
    const product = (number: number, name = `Tea ${number}`) =>
      putRows(service.deps.db, id, [{ kind: 'product', id: number, name, type: 'PRODUCT' }])
    return { id, slug, client_id, call, create, show, active, product, signIn }
  }

  const dataOf = ({ body }: Answer) => body.data as Shown
  const later = (ms: number) => {
    service.clock.ms += ms
  }

  test('an endpoint answers its challenge, gets signed events in order, and its secret is shown once', async () => {
    const { call, create, show, product } = await integration()
    const hub = await receiver()
    const body = { url: hub.url, name: 'Hub', types: ['product.*'] }
    const keyed = { 'idempotency-key': 'first' }
    const first = await call('POST', '', body, keyed)
    const made = dataOf(first) as Shown & { secret: string }
    assert.match(made.id, /^we_[\w-]{22}$/)
    assert.match(made.secret, /^whsec_/)
    assert.equal(made.state, 'pending')
    const repeated = await call('POST', '', body, keyed)
    assert.deepEqual([repeated.headers['idempotency-replayed'], dataOf(repeated).secret], ['true', undefined])
    assert.equal((await call('POST', '', body)).body.error, 'duplicate_url')
    await until(async () => (await show(made.id)).state === 'active')
    for (const number of [1, 2, 3]) await product(number)
    await product(1, 'Green tea')
    await hub.has(4)
    assert.deepEqual(
      hub
        .events()
        .map(({ json }) => `${json.data.id} ${json.type}`)
        .toSorted(),
      ['1 product.created', '1 product.updated', '2 product.created', '3 product.created'],
    )
    const ofFirst = hub.events().filter(({ json }) => json.data.id === 1)
    assert.deepEqual(
      ofFirst.map(({ type }) => type),
      ['product.created', 'product.updated'],
    )
    for (const each of hub.received) {
      assert.ok(isSignedBy(made.secret, each))
      assert.equal(each.headers['comptoir-endpoint'], made.id)
      assert.equal(each.headers['user-agent'], 'Comptoir-Webhooks/1')
    }
    await until(async () => (await show(made.id)).lag.events === 0)
    assert.equal((await show(made.id)).secret, undefined)
    const log = await call('GET', `/${made.id}/deliveries?cause=live&limit=3`)
    assert.deepEqual((log.body.data as { type: string }[]).map(({ type }) => type).sort(), [
      'product.created',
      'product.created',
      'product.updated',
    ])
    assert.ok(log.body.next)
    const test = dataOf(await call('POST', `/${made.id}/test`))
    assert.deepEqual([test.cause, test.status], ['test', 204])
    const shown = JSON.stringify(service.lines)
    assert.ok(!shown.includes('token=canary') && !shown.includes(made.secret))
    assert.ok(await create('https://example.com/hooks'))
  })

  test('while a secret is rotated both sign, the new one first', async () => {
    const { call, active, product } = await integration()
    const hub = await receiver()
    const { id, secret } = await active(hub.url, { types: ['product.*'] })
    const next = String(dataOf(await call('POST', `/${id}/secret`, { overlap_s: 60 })).secret)
    const [{ secrets }] = (await service.deps.db.rows<Stored>('select * from webhook_endpoints where id = ?', [
      id,
    ])) as [Stored]
    const openElsewhere = () => openSecrets(service.deps.keys, 0, id, secrets, service.clock.ms)
    assert.throws(openElsewhere, /No secret/, 'nothing is signed with no secret')
    assert.equal((await call('POST', `/${id}/secret`, {})).body.error, 'secret_overlap')
    await until(async () => {
      await product(1, `Tea ${Math.random()}`)
      const last = hub.events().at(-1)
      return last !== undefined && isSignedBy(next, last)
    })
    assert.ok(isSignedBy(secret, hub.events().at(-1)!))
    later(61_000)
    await product(2)
    await until(() => hub.events().some(({ json }) => json.data.id === 2))
    assert.ok(!isSignedBy(secret, hub.events().at(-1)!))
    assert.ok(isSignedBy(next, hub.events().at(-1)!))
  })

  test('what failed is held with what is of its object behind it, comes again in order, and others pass it', async () => {
    const { call, active, show, product } = await integration()
    const hub = await receiver()
    const { id } = await active(hub.url, { types: ['product.*'] })
    let isBroken = true
    hub.behave(
      ({ json }, response) => void response.writeHead(isBroken && json.data.id === 1 ? 500 : 204).end('broken'),
    )
    await product(1)
    await until(async () => (await show(id)).held.waiting === 1)
    await product(1, 'Green tea')
    await product(2)
    await until(async () => (await show(id)).held.waiting === 2)
    const held = await call('GET', `/${id}/held?state=waiting`)
    assert.deepEqual(
      (held.body.data as { attempts: number; class?: string }[]).map(({ attempts, class: failure }) => [
        attempts,
        failure,
      ]),
      [
        [1, 'status_5xx'],
        [0, undefined],
      ],
    )
    isBroken = false
    later(10_000)
    await until(async () => (await show(id)).held.waiting === 0)
    const seen = hub.events().map(({ json }) => `${json.type} ${json.data.id}`)
    assert.deepEqual(seen, ['product.created 1', 'product.created 2', 'product.created 1', 'product.updated 1'])
  })

  test('a receiver that fails gets probes only, its events wait, and it recovers by itself', async () => {
    const { active, show, product, call } = await integration()
    const hub = await receiver()
    const { id } = await active(hub.url, { types: ['product.*'] })
    later(60_000)
    hub.answer(503)
    for (let number = 1; number <= 30; number++) await product(number)
    await until(async () => (await show(id)).state === 'failing')
    const before = hub.events().length
    assert.ok(before <= 30)
    hub.answer(204)
    later(3_600_000)
    await until(async () => {
      later(10_000) // what was in flight before is due again a little later
      return (await show(id)).state === 'active' && (await show(id)).held.waiting === 0
    })
    await until(async () => (await show(id)).lag.events === 0)
    const delivered = new Set(
      hub
        .events()
        .slice(before)
        .map(({ json }) => json.data.id),
    )
    assert.equal(delivered.size, 30)
    assert.ok((await call('GET', `/${id}/deliveries?cause=probe`)).body.data)
  })

  test('W19: a receiver that stays away is told of after 15 min, 24 and 72 h, and is given up after five days', async () => {
    const { id: brand_id, active, show, product, call, signIn } = await integration()
    const [hub, watcher] = [await receiver(), await receiver()]
    await active(watcher.url, { types: ['webhook_endpoint.*'] })
    const { id } = await active(hub.url, { types: ['product.*', 'webhook_endpoint.*'] })
    hub.answer(500)
    later(60_000)
    for (let number = 1; number <= 5; number++) await product(number)
    await until(async () => (await show(id)).state === 'failing')
    const notices = () => service.lines.filter((line) => line.includes(id) && line.includes('still fails')).length
    const steps = [16 * 60_000, 3_600_000, 23 * 3_600_000, 24 * 3_600_000, 24 * 3_600_000]
    const told: number[] = []
    for (let step = 0; (await show(id)).state !== 'disabled'; step++) {
      const before = hub.events().length
      later(steps[step] ?? 5 * 3_600_000)
      await signIn()
      await product((step % 5) + 1, `Tea of step ${step}`) // news, at which the sender looks
      await until(async () => hub.events().length > before || (await show(id)).state === 'disabled')
      await until(async () => (await show(id)).last_failure?.at === new Date(service.clock.ms).toISOString())
      told[step] = notices()
    }
    assert.deepEqual(told.slice(0, 5), [1, 1, 2, 2, 3], 'after 16 min, 76 min, 24, 48 and 72 h')
    assert.equal(notices(), 3)
    assert.equal((await show(id)).reason, 'failing')
    const shown = async () =>
      (
        await service.deps.db.texts(
          `select type || ' ' || data from events where brand_id = ? and subject = ? order by position`,
          [brand_id, id],
        )
      ).map((text) => text.replace(`"id":"${id}"`, ''))
    assert.deepEqual((await shown()).slice(-2), [
      'webhook_endpoint.failing {,"reason":"status_5xx"}',
      'webhook_endpoint.disabled {,"reason":"failing"}',
    ])
    await until(() =>
      watcher.events().some(({ type, json }) => type === 'webhook_endpoint.disabled' && json.data.id === String(id)),
    )
    hub.answer(204)
    await call('POST', `/${id}/resume`, {})
    await until(async () => {
      later(10_000)
      const { lag, held } = await show(id)
      return lag.events === 0 && held.waiting === 0
    })
    assert.ok(
      hub.events().every(({ json }) => json.data.id !== id),
      'never sent to the endpoint that it is about',
    )
  })

  test('refused events are given up, a receiver can end it, and what was given up comes again when asked for', async () => {
    const { active, call, show, product } = await integration()
    const hub = await receiver()
    const { id } = await active(hub.url, { types: ['product.*'] })
    hub.answer(400, { 'webhook-delivery': 'abort-message' })
    await product(1)
    await until(async () => (await show(id)).held.refused === 1)
    hub.answer(204)
    assert.deepEqual(dataOf(await call('POST', `/${id}/held/retry`, { state: 'refused' })), { count: 1 })
    await until(async () => (await show(id)).held.refused + (await show(id)).held.waiting === 0)
    const audited = await service.deps.db.texts(
      `select action || ' ' || after from audit where subject = ? order by id`,
      [id],
    )
    assert.equal(audited.at(-1), 'webhook.retry {"state":"refused","count":1}')
    const first = hub.events()[0]!
    const replay = dataOf(await call('POST', `/${id}/replays`, { event: first.id }))
    await until(async () => dataOf(await call('GET', `/${id}/replays/${replay.id}`)).state === 'done')
    assert.deepEqual([hub.events().at(-1)!.id, hub.events().at(-1)!.headers['comptoir-replay']], [first.id, replay.id])
    hub.answer(410)
    await product(2)
    await until(async () => (await show(id)).state === 'disabled')
    assert.equal((await show(id)).reason, 'gone')
    assert.deepEqual((await call('POST', `/${id}/pause`)).body.details, { state: 'disabled' })
    hub.answer(204)
    assert.equal(dataOf(await call('POST', `/${id}/resume`, {})).state, 'active')
    later(10_000)
    await until(async () => (await show(id)).held.waiting === 0)
  })

  test('after 410 nothing more is sent, and what was answered beside it does not come again', async () => {
    const { active, call, show, product } = await integration()
    const hub = await receiver()
    const { id } = await active(hub.url, { types: ['product.*'] })
    const answers: ((status: number) => void)[] = []
    hub.behave((_, response) => void answers.push((status) => response.writeHead(status).end()))
    for (let number = 1; number <= 12; number++) await product(number)
    await until(() => answers.length === 8)
    answers[0]!(410)
    await until(async () => (await show(id)).state === 'disabled')
    for (const answer of answers.slice(1)) answer(204)
    const holder = 'select lease_holder from webhook_endpoints where id = ?'
    await until(async () => (await service.deps.db.rows<Stored>(holder, [id]))[0]!.lease_holder === null)
    assert.equal(hub.events().length, 8)
    hub.answer(204)
    assert.equal(dataOf(await call('POST', `/${id}/resume`, {})).state, 'active')
    later(10_000)
    await until(async () => (await show(id)).held.waiting === 0 && (await show(id)).lag.events === 0)
    const ids = hub.events().map(({ json }) => Number(json.data.id))
    const firstAgain = ids.filter((each) => each === ids[0])
    assert.equal(firstAgain.length, 2)
    assert.deepEqual(
      ids
        .slice(1)
        .filter((each) => each !== ids[0])
        .toSorted((one, other) => one - other),
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    )
  })

  test('what is written after a change by hand goes out as the change says', async () => {
    const { active, call, product } = await integration()
    const hub = await receiver()
    const { id } = await active(hub.url, { types: ['product.*'] })
    await product(1)
    await hub.has(1)
    for (const payload of ['full', 'thin', 'full']) {
      const before = hub.events().length
      await call('PATCH', `/${id}`, { payload })
      await product(1, `Cup ${before}`)
      await hub.has(before + 1)
      assert.equal('object' in hub.events().at(-1)!.json, payload === 'full')
    }
    const before = hub.events().length
    await call('POST', `/${id}/pause`)
    await product(1, 'Tea')
    const holder = 'select lease_holder from webhook_endpoints where id = ?'
    await until(async () => (await service.deps.db.rows<Stored>(holder, [id]))[0]!.lease_holder === null)
    assert.equal(hub.events().length, before)
  })

  test('nothing is sent while it is paused or its credential is off; then it goes on from there', async () => {
    const { id: brand_id, active, call, show, product, client_id } = await integration()
    const hub = await receiver()
    const { id } = await active(hub.url, { types: ['product.*'], payload: 'full' })
    assert.equal(dataOf(await call('POST', `/${id}/pause`)).state, 'paused')
    const stored = async () =>
      (await service.deps.db.rows<Stored>('select * from webhook_endpoints where id = ?', [id]))[0]!
    await until(async () => (await stored()).lease_holder === null)
    await product(1)
    await until(async () => (await show(id)).lag.events > 0)
    assert.equal(hub.events().length, 0)
    await call('POST', `/${id}/resume`, {})
    await hub.has(1)
    assert.equal((hub.events()[0]!.json.object as { name: string }).name, 'Tea 1')
    await until(async () => (await show(id)).lag.events === 0)
    const off = (enabled: boolean) =>
      setCredentialEnabled(service.deps.db, 'test', client_id, enabled, { id: brand_id })
    await off(false)
    await service.deps.directory.refresh()
    await product(2)
    const { position } = await stored()
    await product(3)
    assert.deepEqual([(await stored()).position, hub.events().length], [position, 1])
    await off(true)
    await hub.has(3)
    assert.deepEqual(
      hub
        .events()
        .map(({ json }) => json.data.id)
        .toSorted(),
      [1, 2, 3],
    )
  })

  /** Every operation on one endpoint, with a body that it reads. */
  const operations = (id: string): [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object][] => [
    ['GET', `/${id}`],
    ['PATCH', `/${id}`, { name: 'Mine' }],
    ['POST', `/${id}/pause`],
    ['POST', `/${id}/resume`, {}],
    ['POST', `/${id}/secret`, { overlap_s: 60 }],
    ['POST', `/${id}/verify`],
    ['POST', `/${id}/test`],
    ['GET', `/${id}/deliveries`],
    ['GET', `/${id}/held`],
    ['POST', `/${id}/held/retry`, { class: 'timeout' }],
    ['POST', `/${id}/held/discard`, { state: 'failed' }],
    ['GET', `/${id}/replays`],
    ['POST', `/${id}/replays`, { after: 'oldest' }],
    ['GET', `/${id}/replays/wr_unknown`],
    ['DELETE', `/${id}/replays/wr_unknown`],
    ['DELETE', `/${id}`],
  ]

  test('an endpoint of another brand is absent, and the permission is needed for everything', async () => {
    const [one, other] = [await integration(), await integration()]
    const hub = await receiver()
    const { id } = await one.active(hub.url)
    for (const [method, path, body] of operations(id)) {
      const { status, text } = await other.call(method, path, body)
      assert.equal(status, 404, `${method} ${path}: ${text}`)
    }
    assert.deepEqual((await other.call('GET', '')).body.data, [])
    assert.equal((await one.show(id)).state, 'active')
    const roles = [{ kind: 'role', id: 1, name: 'Owner', permissions: ['products:read', 'events:read'] }]
    await putRows(service.deps.db, one.id, roles)
    await service.deps.directory.refresh()
    for (const [method, path, body] of [
      ['GET', ''],
      ['POST', '', { url: hub.url, name: 'Hub' }],
      ...operations(id),
    ] as const) {
      const { status, body: refused } = await one.call(method as 'GET', path, body)
      assert.deepEqual([status, refused.details], [403, { required: 'webhooks:manage' }], `${method} ${path}`)
    }
  })
})
