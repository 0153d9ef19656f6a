import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from '../server/src/app.ts'
import { loadConfig } from '../server/src/config.ts'
import { DEMO, fillDemo } from '../server/src/demo/fill.ts'
import { closeDeps, openDeps } from '../server/src/deps.ts'
import { openKeyRing } from '../server/src/directory/keys.ts'
import { eventId } from '../server/src/events/event-id.ts'
import { MERGE_RULES } from '../server/src/events/merge.ts'
import type { Menu } from '../server/src/menu/snapshot/schema.ts'
import type { Examples } from '../server/src/openapi/openapi.ts'
import { migrate } from '../server/src/storage/migrate.ts'
import { openDatabase } from '../server/src/storage/open.ts'

// The description's examples are calls of the demo restaurant as it was on this day, so that they are the same for everybody.
const THE_DAY = Date.parse('2026-03-14T19:30:00.000Z')

export const DOCUMENT = new URL('../docs/openapi.json', import.meta.url)
export const EXAMPLES = new URL('../server/src/demo/examples.json', import.meta.url)

const LABELS = { order_number: 'A-17', fiscal_id: 'F1-00000001' }
const DELIVERY = { type: 1, storage_id: 1, supplier_id: 1, items: [{ product_id: 1, quantity: 2, cost: 3.5 }] }
const NOTED = { description: 'Came on Monday' }
const ORDER = {
  sale_type_id: 3,
  customer: { name: 'Camille Durand', phone: '+33 6 39 98 00 01', address: '4 rue Beaurepaire, Paris' },
  products: [{ product_id: 1, count: 2, note: 'Bien fraîche' }],
  order_number: 'A-17',
  integration_uuid: '7c9a4b1e-2f60-4d58-9d7b-1f0f3a5c2e11',
  delivery_fee: 2.5,
}
const TAKEN_BACK = { status: 'IGNORE', reason: 'The guest changed their mind' }
const CALL = { table_id: 2, type: 'PAY', payment_method: 'Carte bancaire' }
const NEW_CUSTOMER = { name: 'Camille Durand', phone: '+33 6 39 98 00 01', email: 'camille@example.com' }

/** Asks the demo restaurant for one example of each operation, and the service for its description. */
export async function ask(): Promise<{ examples: Examples; document: Record<string, unknown> }> {
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-openapi-'))
  const config = loadConfig({ COMPTOIR_DATA: folder })
  const db = await openDatabase(config, 'command', MERGE_RULES)
  await migrate(db)
  await fillDemo(db, await openKeyRing(db, config.COMPTOIR_KEYS), { now: new Date(THE_DAY) })
  await db.close()
  const deps = { ...(await openDeps(config, pino({ level: 'silent' }))), now: () => THE_DAY }
  const app = buildApp(deps, { lateMs: 60_000 }) // on a busy machine too
  try {
    const signedIn = (await app.inject({ method: 'POST', url: '/v2/auth', payload: DEMO })).json()
    const headers = { 'x-token': signedIn.token as string }
    const get = async (url: string) => (await app.inject({ url: `/v2${url}`, headers })).json()
    const patch = async (url: string, payload?: object) =>
      (await app.inject({ method: 'PATCH', url: `/v2${url}`, headers, ...(payload && { payload }) })).json()
    const put = async (url: string, payload?: object) =>
      (await app.inject({ method: 'PUT', url: `/v2${url}`, headers, ...(payload && { payload }) })).json()
    const post = async (url: string, payload?: object) =>
      (await app.inject({ method: 'POST', url: `/v2${url}`, headers, ...(payload && { payload }) })).json()
    const remove = async (url: string) => (await app.inject({ method: 'DELETE', url: `/v2${url}`, headers })).json()
    const created = await post('/customers', NEW_CUSTOMER)
    const examples: Examples = {
      signIn: {
        request: DEMO,
        response: {
          ...signedIn,
          token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IkV4In0.e30.c2ln',
          expires_at: THE_DAY / 1000 + 3600,
        },
      },
      whoAmI: { response: await whoAmI(get) },
      createCustomer: { request: NEW_CUSTOMER, response: { ...created, time: 2 } },
      listProducts: { response: await get('/products?limit=2&filters=[["type","DISH"]]') },
      listPriceLists: { response: trimmed(await get('/price-lists?include=prices&limit=1')) },
      getMenu: { response: partOf(await get('/menu?sale_type_id=1')) },
      listMenuProblems: { response: problemsOf(await get('/menu/problems?sale_type_id=1')) },
      getReceipt: { response: { ...(await get('/receipts/1')), time: 1 } },
      changeReceipt: { request: LABELS, response: { ...(await patch('/receipts/1', LABELS)), time: 2 } },
      closeReceipt: await closeExample(get, post),
      ...(await orderExamples({ get, post, put })),
      ...(await documentExamples({ post, patch, remove })),
      getStockOperation: { response: await get('/stock-operations/1') },
      ...(await eventExamples(get)),
      ...(await webhookExamples({ get, post, patch, remove })),
    }
    const document = (await app.inject('/openapi.json')).json()
    return { examples: { ...examples, ...(await readExamples(document, Object.keys(examples), get)) }, document }
  } finally {
    await app.close()
    await closeDeps(deps)
    rmSync(folder, { recursive: true })
  }
}

type Send = (url: string, payload?: object) => Promise<{ data: { id: number } }>

/** The first two: the demo has more. */
const problemsOf = ({ data, ...rest }: { data: object[] }) => ({ ...rest, data: data.slice(0, 2), total: data.length })

/** An order that is placed and taken back, and a guest who wants to pay. */
async function orderExamples({ get, post, put }: { get: Send; post: Send; put: Send }): Promise<Examples> {
  const orders = {
    listOrders: { response: await get('/orders?limit=2') },
    getOrder: { response: await get('/orders/1') },
  }
  const placed = await post('/orders', ORDER)
  return {
    ...orders,
    placeOrder: { request: ORDER, response: placed },
    takeBackOrder: { request: TAKEN_BACK, response: await put(`/orders/${placed.data.id}`, TAKEN_BACK) },
    callWaiter: { request: CALL, response: await post('/waiter-call', CALL) },
  }
}

/** A delivery that is published and reversed, and one that is changed and deleted. */
async function documentExamples({ post, patch, remove }: { post: Send; patch: Send; remove: Send }): Promise<Examples> {
  const [first, second] = [await post('/operations', DELIVERY), await post('/operations', DELIVERY)]
  const path = `/operations/${first.data.id}`
  const other = `/operations/${second.data.id}`
  return {
    createOperation: { request: DELIVERY, response: first },
    publishOperation: { response: await post(`${path}/publish`) },
    reverseOperation: { response: await post(`${path}/reverse`) },
    changeOperation: { request: NOTED, response: await patch(other, NOTED) },
    deleteOperation: { response: await remove(other) },
  }
}

const ENDPOINT = { url: 'https://example.com/hooks', name: 'Delivery', types: ['order.*', 'receipt.closed'] }
const [RENAMED, RESUMED, ROTATION, RANGE] = [{ name: 'Orders' }, {}, { overlap_s: 3_600 }, { after: 'oldest' }]

/** An endpoint from its first to its last day. Its ids, secrets and the ends of the feed are random. */
async function webhookExamples({ get, post, patch, remove }: Record<'get' | 'post' | 'patch' | 'remove', Send>) {
  const made = await post('/webhook-endpoints', ENDPOINT)
  const path = `/webhook-endpoints/${made.data.id}`
  const replay = await post(`${path}/replays`, RANGE)
  const ofReplay = `${path}/replays/${replay.data.id}`
  const none = { success: true, data: [], next: null }
  const delivery = {
    id: 'msg_0',
    at: new Date(THE_DAY).toISOString(),
    event: 'msg_0',
    type: 'endpoint.test',
    attempt: 1,
  }
  const examples: Examples = {
    createWebhookEndpoint: { request: ENDPOINT, response: made },
    listWebhookEndpoints: { response: await get('/webhook-endpoints') },
    getWebhookEndpoint: { response: await get(path) },
    verifyWebhookEndpoint: { response: await get(path) },
    testWebhookEndpoint: { response: { success: true, data: { ...delivery, cause: 'test', status: 204, ms: 12 } } },
    listWebhookDeliveries: { response: none },
    listWebhookHeld: { response: none },
    retryWebhookHeld: {
      request: { class: 'timeout' },
      response: await post(`${path}/held/retry`, { class: 'timeout' }),
    },
    discardWebhookHeld: {
      request: { state: 'failed' },
      response: await post(`${path}/held/discard`, { state: 'failed' }),
    },
    createWebhookReplay: { request: RANGE, response: replay },
    listWebhookReplays: { response: await get(`${path}/replays`) },
    getWebhookReplay: { response: await get(ofReplay) },
    cancelWebhookReplay: { response: await remove(ofReplay) },
    changeWebhookEndpoint: { request: RENAMED, response: await patch(path, RENAMED) },
    pauseWebhookEndpoint: { response: await post(`${path}/pause`) },
    resumeWebhookEndpoint: { request: RESUMED, response: await post(`${path}/resume`, RESUMED) },
    rotateWebhookSecret: { request: ROTATION, response: await post(`${path}/secret`, ROTATION) },
    deleteWebhookEndpoint: { response: await remove(path) },
  }
  const steady = JSON.stringify(examples)
    .replaceAll(/(we|rp)_[\w-]{22}/g, '$1_Zk3vQ0pX8sT1yB6nM4aH7g')
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    .replaceAll(/evt_[0-9a-v]{20}/g, eventId({ position: 1_234, nonce: 7 }))
  return JSON.parse(steady) as Examples
}

/** The tiers use the real clock, so their `reset` would differ in every run. */
async function whoAmI(get: (url: string) => Promise<{ data: { expires_at: number; tiers: Record<string, object> } }>) {
  const { data, ...rest } = await get('/whoami')
  const tiers = Object.fromEntries(
    Object.entries(data.tiers).map(([name, tier]) => [name, { ...tier, reset: name === 'failures' ? 0 : 60 }]),
  )
  return { ...rest, data: { ...data, expires_at: THE_DAY / 1000 + 3600, tiers } }
}

interface Described {
  readonly paths: Record<string, { get?: { operationId: string; parameters: { name?: string; example?: string }[] } }>
}

/** Examples of every other read: two rows of a list, or the row with the id of the parameter's example. */
async function readExamples(
  { paths }: Described,
  known: readonly string[],
  get: (url: string) => Promise<object>,
): Promise<Examples> {
  const examples: Examples = {}
  for (const [path, { get: operation }] of Object.entries(paths)) {
    if (!operation || known.includes(operation.operationId) || path.includes('{cid}')) continue
    const isPaged = operation.parameters.some(({ name }) => name === 'limit')
    const id = operation.parameters.find(({ name }) => name === 'id')?.example
    examples[operation.operationId] = {
      response: await get(`${path.replace('{id}', String(id))}${isPaged ? '?limit=2' : ''}`),
    }
  }
  return examples
}

/** The feed runs on the wall clock, and its ids are random. */
async function eventExamples(get: (url: string) => Promise<{ data: object[] }>): Promise<Examples> {
  const steady = (event: object) => {
    const { position } = event as { position: number }
    return { ...event, id: eventId({ position, nonce: 7 }), timestamp: new Date(THE_DAY).toISOString() }
  }
  const page = await get('/events?after=oldest&types=product.created&limit=2')
  const data = page.data.map(steady)
  const types = await get('/events/types')
  return {
    listEvents: { response: { ...page, data, next: data.at(-1)!.id } },
    getEvent: { response: { success: true, data: data[0] } },
    listEventTypes: { response: { ...types, data: types.data.slice(0, 3) } },
  }
}

/** An open receipt is closed with one payment of all that remains. */
async function closeExample(
  get: (url: string) => Promise<{ data: object[] }>,
  post: (url: string, payload: object) => Promise<object>,
): Promise<Examples[string]> {
  const open = await get('/receipts?filters=[["status",1]]&sort[0][0]=id&sort[0][1]=asc&include=details&limit=1')
  const [{ id, remaining }] = open.data as [{ id: number; remaining: number }]
  const methods = (await get('/payment-methods?filters=[["status",1]]')).data as { id: number; kind: string }[]
  const card = methods.find(({ kind }) => kind === 'CARD')!
  const request = { payment_methods: [{ id: card.id, amount: remaining }], total: remaining }
  return { request, response: { ...(await post(`/receipts/${id}/close`, request)), time: 4 } }
}

/** A coffee with its choices and a beer with its sizes, and what is said of them. */
function partOf({ data, ...answer }: { data: Menu }): object {
  const products = only(data.products, ({ name }) => ['Cappuccino', 'Bière blonde de l’Écluse'].includes(name))
  const categories = only(data.categories, (_, id) =>
    Object.values(products).some(({ category_id }) => String(category_id) === id),
  )
  const entries = only(data.entries, (_, id) => id.startsWith('product-') && id.slice(8) in products)
  return {
    ...answer,
    data: { ...data, version: eventId({ position: 1_234, nonce: 7 }), categories, products, entries },
  }
}

const only = <Thing>(things: Readonly<Record<string, Thing>>, isKept: (thing: Thing, id: string) => boolean) =>
  Object.fromEntries(Object.entries(things).filter(([id, thing]) => isKept(thing, id)))

/** Two entries of a price list are enough for an example. */
const trimmed = (answer: { data: { prices: unknown[] }[] }) => ({
  ...answer,
  data: answer.data.map((list) => ({ ...list, prices: list.prices.slice(0, 2) })),
})

export const committed = (file: URL) => JSON.parse(readFileSync(file, 'utf8'))

// `npm run openapi`: first the examples, then, in a process that has read them, the description that holds them.
if (import.meta.main) {
  const { examples, document } = await ask()
  const [file, content] = process.argv[2] === 'examples' ? [EXAMPLES, examples] : [DOCUMENT, document]
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}
