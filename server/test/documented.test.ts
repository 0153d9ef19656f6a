import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { openDirectory } from '../src/directory/directory.ts'
import { eventId } from '../src/events/event-id.ts'
import { startOf as startOfFeed } from '../src/events/feed.ts'
import { type Database, StoreUnavailable } from '../src/storage/database.ts'
import { insertRow } from '../src/storage/rows.ts'
import { putEndpoint } from '../src/webhooks/endpoint-fixture.ts'
import { newSecret, sealed } from '../src/webhooks/secrets.ts'
import { assertDescribed, assertHeaders, type Operation, operations } from './answers/conformance.ts'
import { onEachEngine } from './database/engines.ts'
import { type Row, staff } from './database/store.ts'
import { exampleRows } from './example-rows.ts'
import { overTheWire } from './over-the-wire.ts'
import { services } from './service.ts'

// Walks docs/openapi.json: every status of every operation is provoked on a real service, and its answer held against the
// description. A status that nothing provokes fails here, and so does one that the description does not know.

/** How a request differs from one that succeeds. */
interface Change {
  id?: string
  cid?: string
  query?: string
  headers?: Record<string, string>
  /** A text is sent as it is. */
  body?: unknown
}

/** Requests of which the last one is answered as expected. */
interface Scenario {
  requests: Change[]
  /** A path that something is sent to before. */
  first?: string
  permissions?: string[]
  /** In which the webhook endpoint is. */
  state?: string
  quota?: number
  /** What the store answers to everything. */
  fault?: Error
  /** The service listens to the world, and this came without TLS. */
  plainHttp?: true
}

const once = (change: Change): Scenario => ({ requests: [change] })
const when = <Item>(condition: unknown, ...items: Item[]) => (condition ? items : [])

const isSecured = ({ security }: Operation) => security === undefined
const takes = ({ parameters }: Operation, name: string) =>
  parameters.some((each) => each.name === name || each.$ref === `#/components/parameters/${name}`)
const needsPermission = ({ description }: Operation) => description.includes('Needs the permission')
/** What is asked of the rows that there are, where the example speaks of others. */
const ASKED: Record<string, object> = {
  closeReceipt: { payment_methods: [] },
  placeOrder: { sale_type_id: 1, products: [{ product_id: 1, count: 1 }] }, // the last portion
}
const exampleOf = ({ operationId, requestBody }: Operation) =>
  ASKED[operationId] ?? requestBody?.content['application/json'].example

const isEvent = ({ path }: Operation) => path === '/events/{id}'
/** Any text is a customer's id. */
const isCustomer = ({ path }: Operation) => path === '/customers/{id}'
/** Their ids are UUIDs. */
const isShift = ({ path }: Operation) => path.startsWith('/finance/cash-shifts/')
const isWebhook = ({ path }: Operation) => path.startsWith('/webhook-endpoints')
/** All members of what they take may be absent. */
const TAKES_ANYTHING = new Set([
  'changeWebhookEndpoint',
  'resumeWebhookEndpoint',
  'rotateWebhookSecret',
  'retryWebhookHeld',
  'discardWebhookHeld',
])
/** A place that no feed has come to. */
const NOWHERE = { position: 2 ** 40, nonce: 1 }

const keyed = { 'idempotency-key': 'once' }

/** The cid of the example rows with id 1. */
const CID = '00000000-0000-4000-8000-000000000001'
const absentId = (operation: Operation) => {
  if (isEvent(operation)) return eventId(NOWHERE)
  return isShift(operation) ? CID.replace(/1$/, '9') : '99'
}
const OTHERWISE: Record<string, object> = {
  createCustomer: { name: 'Somebody else' },
  createWebhookEndpoint: { name: 'Another' },
  changeWebhookEndpoint: { name: 'Another' },
  resumeWebhookEndpoint: { from: 'latest' },
  rotateWebhookSecret: { overlap_s: 1 },
  retryWebhookHeld: { class: 'dns' },
  discardWebhookHeld: { class: 'dns' },
  createWebhookReplay: { failed_only: true },
  changeReceipt: { lock: true },
  closeReceipt: { total: 0 },
  createOperation: { description: 'Another' },
  changeOperation: { description: 'Another' },
  placeOrder: { comment: 'Another' },
  takeBackOrder: { reason: 'Another' },
  callWaiter: { table_id: 3 },
}

const PUBLISH = '/operations/1/publish'

/** What has to be sent before, so that an operation can succeed. */
const FIRST: Record<string, string> = { reverseOperation: PUBLISH }

/** W4, W14: what an endpoint refuses. */
const WEBHOOK_CONFLICTS: Record<string, Scenario[]> = {
  createWebhookEndpoint: [{ requests: [{}, {}] }],
  changeWebhookEndpoint: [once({ body: { url: 'https://example.com/second' } })],
  pauseWebhookEndpoint: [{ ...once({}), state: 'disabled' }],
  resumeWebhookEndpoint: [once({ body: { from: 'latest' } })],
  rotateWebhookSecret: [{ requests: [{}, {}] }],
  verifyWebhookEndpoint: [{ requests: [{}, {}] }],
  createWebhookReplay: [{ requests: [{}, {}, {}, {}] }],
}

const PROVOKING: Record<string, (operation: Operation) => Scenario[]> = {
  200: (operation) => [once({}), ...when(takes(operation, 'idempotency-key'), once({ headers: keyed }))],
  304: (operation) => when('304' in operation.responses, once({ headers: { 'if-none-match': '*' } })),
  400: (operation) => [
    ...when(takes(operation, 'sale_type_id') && takes(operation, 'lang'), once({ query: '' })),
    ...when(takes(operation, 'x-venue'), once({ headers: { 'x-venue': 'terrace' } })),
    ...when(takes(operation, 'id') && !isCustomer(operation) && !isWebhook(operation), once({ id: 'x' })),
    ...when(takes(operation, 'cid'), once({ cid: 'x' })),
    ...when(takes(operation, 'after'), once({ query: '?nonsense=1' })),
    ...when(takes(operation, 'after') && !isWebhook(operation), once({ query: '?after=yesterday' })),
    ...when(takes(operation, 'page'), once({ query: '?page=0' }), once({ query: '?nonsense=1' })),
    ...when(
      operation.requestBody,
      once({ body: TAKES_ANYTHING.has(operation.operationId) ? { x: 1 } : {} }),
      once({ body: '{' }),
    ),
  ],
  401: (operation) =>
    isSecured(operation)
      ? [once({ headers: { 'x-token': '' } }), once({ headers: { 'x-token': 'nonsense' } })]
      : [once({ body: { ...exampleOf(operation), integrator_id: INTEGRATOR } })],
  403: (operation) => [
    ...when(takes(operation, 'x-venue'), once({ headers: { 'x-venue': '99' } })),
    ...when(needsPermission(operation), { ...once({}), permissions: [] }),
    { ...once({}), plainHttp: true },
  ],
  404: (operation) => [
    ...when(takes(operation, 'id'), once({ id: absentId(operation) })),
    ...when(takes(operation, 'cid'), once({ cid: CID.replace(/1$/, '9') })),
  ],
  409: (operation) => [
    ...when(
      operation.method === 'POST' && isSecured(operation) && '409' in operation.responses && !isWebhook(operation),
      {
        requests: [{}, {}],
      },
    ),
    ...when(isWebhook(operation), ...(WEBHOOK_CONFLICTS[operation.operationId] ?? [])),
    ...when(['changeOperation', 'deleteOperation'].includes(operation.operationId), { ...once({}), first: PUBLISH }),
    ...when(operation.operationId === 'takeBackOrder', { requests: [{}, {}] }),
    ...when(operation.operationId === 'changeReceipt', {
      requests: [{ body: { order_status: 'READY' } }, { body: { order_status: 'NEW' } }],
    }),
  ],
  410: (operation) => [
    ...when(operation.path === '/events', once({ query: `?after=${eventId(NOWHERE)}` })),
    ...when(
      operation.operationId === 'createWebhookEndpoint',
      once({ body: { ...exampleOf(operation), from: eventId(NOWHERE) } }),
    ),
    ...when(operation.operationId === 'createWebhookReplay', once({ body: { after: eventId(NOWHERE) } })),
    ...when(operation.operationId === 'resumeWebhookEndpoint', {
      ...once({ body: { from: eventId(NOWHERE) } }),
      state: 'paused',
    }),
  ],
  412: (operation) => when(takes(operation, 'if-match'), once({ headers: { 'if-match': '"99"' } })),
  413: ({ method }) => when(method !== 'GET', once({ body: `"${'x'.repeat(64 * 1024)}"` })),
  415: ({ method }) => when(method !== 'GET', once({ body: '{}', headers: { 'content-type': 'text/plain' } })),
  422: (operation) =>
    when(takes(operation, 'idempotency-key'), {
      requests: [
        { headers: keyed },
        { headers: keyed, body: { ...exampleOf(operation), ...OTHERWISE[operation.operationId] } },
      ],
    }),
  429: (operation) =>
    isSecured(operation)
      ? [
          { requests: [{}, {}], quota: 1 },
          // §8 tier 2 counts by address, the same for every operation: one of them does for all.
          ...when(operation.path === '/products', {
            requests: Array.from({ length: 601 }, () => ({ headers: { 'x-token': 'nonsense' } })),
          }),
        ]
      : [{ requests: Array.from({ length: 61 }, () => ({})) }], // §8 tier 1
  500: () => [{ ...once({}), fault: new Error('a fault of ours') }],
  503: () => [{ ...once({}), fault: new StoreUnavailable('the store is away') }],
}

/** Statuses that are decided without a statement: they are tried on SQLite alone. */
const BEFORE_STORE = new Set(['400', '401', '403', '413', '415', '429', '500', '503'])

/** Statuses of requests that leave everything as it was. */
const REFUSALS = [400, 401, 403, 404, 412, 413, 415, 500, 503]

const INTEGRATOR = 'hub'

/** An order is taken back by who placed it. */
const ofIntegrator = (row: Row): Row => (row.kind === 'order' ? { ...row, integrator_id: INTEGRATOR } : row)

/** Queries without which nothing is answered. */
const START: Readonly<Record<string, string>> = {
  '/events': '?after=oldest',
  '/menu': '?sale_type_id=1',
  '/menu/problems': '?sale_type_id=1',
}

type Parameter = Operation['parameters'][number]

const queryOf = ({ parameters }: Operation) => parameters.filter((each) => each.in === 'query')
const exampleFor = ({ name, example }: Parameter) => String(example ?? (name!.startsWith('date') && '2026-01-01'))
const otherNames = ({ description = '' }: Parameter) => /Also named ([^.]+)\./.exec(description)?.[1]?.split(', ') ?? []

/** As in a query string; a name that ends in [] is given once for each item. */
const written = (name: string, value: string) =>
  (name.endsWith('[]') ? value.split(',') : [value])
    .map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`)
    .join('&')

onEachEngine('docs/openapi.json', (make, engine) => {
  const isTried = (status: string) => engine === 'SQLite' || !BEFORE_STORE.has(status)
  const start = services(make)
  let service: Awaited<ReturnType<typeof start>>
  let troubled: FastifyInstance
  let fault: Error | undefined
  let exposed: FastifyInstance
  let requests = 0
  /** The brands of all that changes nothing, by what their users may do. */
  const unchanged = new Map<string, ReturnType<typeof newBrand>>()
  const closing: (() => unknown)[] = []

  before(async () => {
    service = await start({ COMPTOIR_WEBHOOK_ALLOW: '127.0.0.0/8' })
    const { deps } = service
    const db = new Proxy(deps.db, {
      get(store, name: keyof Database) {
        if (fault) throw fault
        const member = store[name]
        return typeof member === 'function' ? member.bind(store) : member
      },
    })
    // A directory of its own has not met a brand before the store fails, so that every operation needs the store.
    const directory = await openDirectory(db, { async keysChanged() {}, failed() {} })
    troubled = buildApp({ ...deps, db, directory })
    exposed = buildApp({ ...deps, config: { ...deps.config, HOST: '0.0.0.0', COMPTOIR_TRUSTED_PROXIES: '10.0.0.0/8' } })
    closing.push(() => directory.close(), troubled.close, exposed.close)
  })
  after(async () => {
    for (const close of closing) await close()
  })

  const startOf = ({ path }: Operation) => START[path] ?? ''

  async function anId(operation: Operation, token: string): Promise<string> {
    if (isShift(operation)) return CID
    if (!isEvent(operation)) return '1'
    const { body } = await service.call('/events?after=oldest&limit=1', { headers: { 'x-token': token } })
    const { data: [event] = [] } = body as { data?: { id: string }[] } // without the permission none is found
    return event?.id ?? eventId(NOWHERE)
  }

  /** Two endpoints at an address that refuses connections, and a replay of the first. */
  async function anEndpoint(
    { brand, client_id, integrator_id }: Record<string, string>,
    { state = 'pending' }: Scenario,
  ) {
    const { db, keys } = service.deps
    const [{ id: brand_id }] = (await db.rows<{ id: number }>('select id from brands where slug = ?', [brand!])) as [
      { id: number },
    ]
    const [id, replay] = [`we_${'0'.repeat(22)}`, `rp_${'0'.repeat(22)}`]
    const now = '2026-01-01T00:00:00.000Z'
    const { position, nonce } = await startOfFeed(db, brand_id, { end: 'latest' })
    for (const [name, url] of [
      [id, 'http://127.0.0.1:9/'],
      ['we_second', 'https://example.com/second'],
    ] as const)
      await putEndpoint(db, {
        brand_id,
        client_id: client_id!,
        integrator_id: integrator_id!,
        id: name,
        url,
        secrets: sealed(keys, brand_id, name, newSecret()),
        state,
        verified: 0,
        position,
        nonce,
      })
    await db.transaction((tx) =>
      insertRow(tx, 'webhook_replays', {
        ...{ brand_id, id: replay, endpoint_id: id, state: 'running', first_position: 0, last_position: 1 },
        ...{ position: 0, nonce: 0, failed_only: 0, failed: 0, created_at: now },
      }),
    )
    return { id, replay }
  }

  async function newBrand(number: number, { permissions, quota = 1e9 }: Scenario, isBare = false) {
    const { credentials } = await service.brand(`brand-${number}`, {
      integrator: INTEGRATOR,
      rows: quota === 1 || isBare ? staff(permissions) : [...staff(permissions), ...exampleRows().map(ofIntegrator)], // only the 429 matters
      quota,
    })
    return { credentials, token: await service.token(credentials, `192.0.2.${number % 250}`) }
  }

  function brandFor(
    operation: Operation,
    scenario: Scenario,
    { number, refuses }: { number: number; refuses: boolean },
  ): ReturnType<typeof newBrand> {
    if (isWebhook(operation)) return newBrand(number, scenario, true)
    if ((operation.method !== 'GET' && !refuses) || scenario.quota) return newBrand(number, scenario)
    const key = String(scenario.permissions)
    const brand = unchanged.get(key) ?? newBrand(number, scenario)
    unchanged.set(key, brand)
    return brand
  }

  /** What the last request is answered; every answer on the way to it is described, too. */
  async function answerTo(operation: Operation, scenario: Scenario, status = 200) {
    const { plainHttp } = scenario
    const number = ++requests
    const refuses = REFUSALS.includes(status)
    const { credentials, token } = await brandFor(operation, scenario, { number, refuses })
    const valid = isSecured(operation)
      ? { headers: { 'x-token': token }, body: exampleOf(operation) }
      : { headers: {}, body: credentials }
    const app = plainHttp ? exposed : scenario.fault ? troubled : service.app
    const first = scenario.first ?? FIRST[operation.operationId]
    if (first) await service.call(first, { method: 'POST', headers: valid.headers, address: '192.0.2.251' })
    const endpoint = isWebhook(operation) ? await anEndpoint(credentials, scenario) : undefined
    let answer: Awaited<ReturnType<FastifyInstance['inject']>> | undefined
    for (const {
      id = endpoint?.id ?? (await anId(operation, token)),
      query = startOf(operation),
      cid = CID,
      headers,
      body = valid.body,
    } of scenario.requests) {
      const replay = endpoint?.replay ?? ''
      const path = operation.path.replace('{id}', id).replace('{cid}', cid).replace('{replay}', replay) + query
      fault = scenario.fault
      answer = await overTheWire(app, {
        method: operation.method,
        url: `/v2${path}`,
        remoteAddress: `198.51.${Math.floor(number / 250)}.${number % 250}`,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...valid.headers, ...headers },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      fault = undefined
      assertDescribed(operation.method, path, answer.statusCode, answer.body)
    }
    return answer!
  }

  for (const operation of operations)
    test(`${operation.method} ${operation.path} gives every answer that is described, and no other`, async () => {
      const seen = new Set<string>()
      for (const [status, provoking] of Object.entries(PROVOKING))
        for (const scenario of isTried(status) ? provoking(operation) : []) {
          const answer = await answerTo(operation, scenario, Number(status))
          const request = JSON.stringify(scenario).slice(0, 200)
          assert.equal(answer.statusCode, Number(status), `${request} is answered ${answer.body}`)
          const type = status === '304' ? undefined : 'application/json; charset=utf-8'
          assert.equal(answer.headers['content-type'], type)
          // D1.2: over plain HTTP nothing is counted, so that there is nothing to tell.
          if (!scenario.plainHttp) assertHeaders(operation, answer.statusCode, answer.headers, ['idempotency-replayed'])
          seen.add(status)
        }
      assert.deepEqual([...seen].sort(), Object.keys(operation.responses).filter(isTried).sort())
    })

  for (const operation of operations.filter((each) => takes(each, 'page')))
    test(`${operation.method} ${operation.path} takes every parameter that is described, by each of its names`, async () => {
      // A walk with after has no page; it knows the sort of the examples.
      const withoutOne = (left: string) => queryOf(operation).filter(({ name }) => name !== left)
      const together = ['after', 'page'].map((left) =>
        withoutOne(left)
          .map((each) => written(each.name!, exampleFor(each)))
          .join('&'),
      )
      const alone = queryOf(operation).flatMap((each) =>
        otherNames(each).map((name) => written(name, exampleFor(each))),
      )
      for (const query of [...together, ...alone]) {
        const { statusCode, body } = await answerTo(operation, once({ query: `?${query}` }))
        assert.equal(statusCode, 200, `${query}: ${body}`)
      }
    })

  for (const operation of operations.filter((each) => takes(each, 'idempotency-key')))
    test(`${operation.method} ${operation.path} has every header that is described on a stored answer`, async () => {
      const answer = await answerTo(operation, { requests: [{ headers: keyed }, { headers: keyed }] })
      assertHeaders(operation, 200, answer.headers)
    })
})
