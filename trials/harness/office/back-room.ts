import type { Caller } from '../../../server/src/http/call.ts'
import { placeOrder } from '../../../server/src/pos/orders/place.ts'
import { callWaiter } from '../../../server/src/pos/orders/waiter-calls.ts'
import { type CommandContext, runCommand } from '../../../server/src/resource/write/commands.ts'
import { idBlocks } from '../../../server/src/resource/write/id-blocks.ts'
import type { Database } from '../../../server/src/storage/database.ts'
import type { Route } from '../in-process.ts'
import { cidOf, DISH, OPERATIONS } from '../openapi.ts'
import { API } from './back-office.ts'
import { doorRequest } from './doors.ts'
import { menuRequest } from './menu-room.ts'
import { dataOf, type OwnRequest, type Preparing, sent } from './preparing.ts'
import { tillRequest } from './till.ts'

type Ask = Preparing['ask']

/** A request that a route of the back office accepts, about something of its own; undefined: a body made of the schema alone will do. */
export async function ownRequest(route: Route, preparing: Preparing): Promise<OwnRequest> {
  const { db, ask, note } = preparing
  return (
    (await doorRequest(route, preparing)) ??
    (await menuRequest(route, preparing)) ??
    (await tillRequest(route, db, ask, note)) ??
    (await documentRequest(route, ask, note)) ??
    (await shiftRequest(route, db, ask, note)) ??
    (await payoutRequest(route, db, ask, note)) ??
    (await orderRequest(route, db, note)) ??
    (await erasedRequest(route, ask, note)) ??
    (await printRequest(route, ask)) ??
    readRequest(route) ??
    reportRequest(route)
  )
}

/** The body as it is sent: files as they are, and what has a schema. */
export const bodyOf = (route: Route, { body }: NonNullable<OwnRequest>): unknown =>
  typeof body === 'string' || Buffer.isBuffer(body) || route.body ? body : undefined

const exampleOf = (name: string) => OPERATIONS.find((each) => each.name === name)!.example!

const idOf = async (ask: Ask, path: string, body: unknown) =>
  dataOf<{ id: number | string }>(await sent(ask, path, body)).id

/** A draft, and for a reversal a published document. */
async function documentRequest({ method, url }: Route, ask: Ask, note?: string): Promise<OwnRequest> {
  const path = url.slice(API.length)
  if (!/^\/operations(\/|$)/.test(path)) return undefined
  const body = { ...exampleOf('createOperation'), ...(note && { description: note }) }
  if (path === '/operations') return { url, body }
  const id = await idOf(ask, '/operations', body)
  if (path.endsWith('/reverse')) await sent(ask, `/operations/${id}/publish`, {})
  return { url: url.replace(':id', String(id)), body: method === 'PATCH' ? exampleOf('changeOperation') : {} }
}

/** A terminal whose drawer no other request uses. */
const TERMINAL = 2

async function shiftRequest({ url }: Route, db: Database, ask: Ask, note?: string): Promise<OwnRequest> {
  const path = url.slice(API.length)
  if (!/^\/shifts(\/|$)/.test(path)) return undefined
  const opening = { terminal_id: TERMINAL, opening_amount: 10 }
  const [open] = await db.texts(
    `select cash_shifts.id from cash_shifts join brands on brands.id = brand_id
     where slug = 'bistro' and terminal_id = ? and cash_shifts.status = 'OPEN'`,
    [TERMINAL],
  )
  if (path === '/shifts') {
    if (open) await sent(ask, `/shifts/${open}/close`, { closing_amount: 10 })
    return { url, body: opening }
  }
  const id = open ?? String(await idOf(ask, '/shifts', opening))
  const cash = { type: 'IN', amount: 1, ...(note && { description: note }) }
  return { url: url.replace(':id', id), body: path.endsWith('/cash') ? cash : { closing_amount: 9 } }
}

/** Takes out what a customer paid in just now. */
async function payoutRequest({ url }: Route, db: Database, ask: Ask, note?: string): Promise<OwnRequest> {
  if (url !== `${API}/payouts`) return undefined
  const paidIn = { amount: 1, payment_method_id: 1 }
  await sent(ask, '/customers/1/balance', paidIn)
  const [account] = await db.rows<{ balance_id: number }>(
    `select max(balance_id) as balance_id from payment_accounts join brands on brands.id = brand_id
     where slug = 'bistro' and venue_id = 1 and payment_method_id = ?`,
    [paidIn.payment_method_id],
  )
  return { url, body: { ...account, amount: 1, note: note ?? 'Bank' } }
}

/** A customer whom no other request is about. */
async function erasedRequest({ url }: Route, ask: Ask, note?: string): Promise<OwnRequest> {
  if (!url.endsWith('/customers/:id/erase')) return undefined
  const id = await idOf(ask, '/customers', { name: note ?? 'Guest' })
  return { url: url.replace(':id', String(id)), body: {} }
}

/** A printer on a page, and a job that waits there: nothing is printed from a trial. */
async function printRequest({ url, method }: Route, ask: Ask): Promise<OwnRequest> {
  const path = url.slice(API.length)
  const isRemoved = method === 'DELETE' && /^\/edit\/print(ers|-routes)\//.test(path)
  if (!isRemoved && !/^\/(print|printers|print-jobs|terminals)\//.test(`${path}/`)) return undefined
  const page = { name: 'Page', printer_kind: 'virtual', drawer: 1, status: 1 }
  const id = await idOf(ask, '/edit/printers', page)
  const test = { document: 'test', printer_id: id }
  if (path === '/print') return { url, body: test }
  if (path === '/print/preview') return { url: `${url}?document=test&printer_id=${id}`, body: undefined }
  if (path.startsWith('/print-jobs/')) {
    const { jobs } = dataOf<{ jobs: string[] }>(await sent(ask, '/print', test))
    const body = path.endsWith('/move') ? { printer_id: id } : method === 'GET' ? undefined : {}
    return { url: url.replace(':id', jobs[0]!), body }
  }
  if (path.startsWith('/edit/print-routes/')) {
    const routed = await idOf(ask, '/edit/print-routes', { document: 'report', printer_id: id })
    return { url: url.replace(':id', String(routed)), body: undefined }
  }
  if (path.startsWith('/terminals/')) {
    await sent(ask, '/edit/terminals/1', { printer_id: id }, 'PATCH')
    return { url: url.replace(':id', '1'), body: {} }
  }
  return { url: url.replace(':id', String(id)), body: method === 'GET' ? undefined : { faults: ['paper_out'] } }
}

/** A row of the list that it stands in. */
function readRequest({ url }: Route): OwnRequest {
  if (!url.startsWith(`${API}/read/`)) return undefined
  return { url: url.replace(':id', url.includes('cash-shifts') ? cidOf(1) : '1'), body: undefined }
}

function reportRequest({ url }: Route): OwnRequest {
  if (url === `${API}/events/newest`) return { url: `${url}?since=2026-01-01T00:00:00Z`, body: undefined }
  if (!url.startsWith(`${API}/reports/`)) return undefined
  const isOne = url.endsWith('/:id')
  return { url: isOne ? url.replace(':id', cidOf(1)) : `${url}?from=2026-01-01&to=2026-01-31`, body: undefined }
}

/** An order that waits, or a guest who does: staff make neither. */
async function orderRequest({ url }: Route, db: Database, note?: string): Promise<OwnRequest> {
  const [, path] = /\/(orders|waiter-calls)\/:id\//.exec(url) ?? []
  if (path === undefined) return undefined
  const id = await asGuest(db, async (context) => {
    const line = { product_id: DISH, count: 1, ...(note && { note }) }
    if (path === 'waiter-calls') return callWaiter(context, { table_id: 1, type: 'WAITER' })
    return (await placeOrder(context, { sale_type_id: 1, products: [line] }, { isKeyed: true })).text
  })
  return { url: url.replace(':id', String(id)), body: url.endsWith('/refuse') ? { reason: note ?? 'No oven' } : {} }
}

/** Runs a command as the website of the brand, in a transaction of its own. Returns the id of the new row. */
async function asGuest(db: Database, command: (context: CommandContext) => Promise<string>): Promise<number> {
  const brand_id = (await db.rows<{ id: number }>("select id from brands where slug = 'bistro'", []))[0]!.id
  const ids = await idBlocks(db).reserve(brand_id, { order_id: 1, waiter_call_id: 1 })
  const caller: Caller = {
    brand: 'bistro',
    brand_id,
    venue_id: 1,
    integrator_id: 'hub',
    client_id: 'website',
    user: { id: 1, username: 'owner', active: true, permissions: new Set(['*']), venues: undefined },
  }
  const given = { caller, now: new Date().toISOString(), ids }
  return JSON.parse(await db.transaction((tx) => runCommand({ tx, ...given }, command))).id
}
