import { randomUUID } from 'node:crypto'
import type { Database } from '../../../server/src/storage/database.ts'
import type { Route } from '../in-process.ts'
import { DISH } from '../openapi.ts'
import { API } from './back-office.ts'
import { dataOf, type OwnRequest, type Preparing, sent } from './preparing.ts'

/** One that needs no customer. */
const PAYMENT_METHOD = 2

const line = (note?: string) => ({ cid: randomUUID(), product_id: DISH, count: 1, ...(note && { note }) })

/** What comes before a step of a ticket. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  start: [],
  ready: [],
  recall: ['ready'],
  serve: ['ready'],
}

/** A request that a route of the till accepts, about a receipt of its own; undefined: the route is not one of the till's. */
export async function tillRequest(
  { url }: Route,
  db: Database,
  ask: Preparing['ask'],
  note?: string,
): Promise<OwnRequest> {
  const path = url.slice(API.length)
  const step = /^\/tickets\/:id\/(\w+)$/.exec(path)?.[1]
  const isPayout = path === '/tips/payout'
  if (step === undefined && !isPayout && !/^\/receipts(\/|$)/.test(path)) return undefined
  const opened = () => ({ cid: randomUUID(), sale_type_id: 1, lines: [line(note), line(note)] })
  if (path === '/receipts') return { url, body: opened() }
  const done = async (part: string, body: unknown) => dataOf<{ id: number; total: number }>(await sent(ask, part, body))
  const tip = { payment_method_id: PAYMENT_METHOD, amount: 1, user_id: 1 }
  const { id, total } = await done('/receipts', opened())
  if (isPayout) {
    await done(`/receipts/${id}/tips`, tip)
    return { url, body: { payment_method_id: PAYMENT_METHOD, user_id: tip.user_id } }
  }
  const [row] = await db.rows<{ id: number }>(
    `select min(receipt_lines.id) as id from receipt_lines join brands on brands.id = brand_id
     where slug = 'bistro' and receipt_id = ?`,
    [id],
  )
  const first = row!.id // a ticket is named by its first line
  if (step !== undefined) {
    await done(`/receipts/${id}/send`, {})
    for (const before of BEFORE[step]!) await done(`/tickets/${first}/${before}`, {})
  }
  if (path === '/receipts/:id/refund') await done(`/receipts/${id}/close`, paidBy(total))
  const asked = path.endsWith('/shares') ? '?by=even&count=2' : ''
  const named = url.replace(':id', String(step === undefined ? id : first)).replace(':line', String(first))
  const body = bodyOf(path, note, total)
  const other = async () => ({ receipt_id: (await done('/receipts', opened())).id })
  switch (path) {
    case '/receipts/:id/split':
      return { url: named, body: { parts: [{ cid: randomUUID(), lines: [{ id: first }] }] } }
    case '/receipts/:id/move':
      return { url: named, body: { lines: [{ id: first }], ...(await other()) } }
    case '/receipts/:id/merge':
      return { url: named, body: await other() }
    case '/receipts/:id/tips':
      return { url: named, body: tip }
  }
  return { url: `${named}${asked}`, body }
}

/** Payment by a method of the example restaurant. */
const paidBy = (amount: number) => ({ payment_methods: [{ id: PAYMENT_METHOD, amount }] })

function bodyOf(path: string, note: string | undefined, total: number): unknown {
  if (path === '/receipts/:id/payments') return paidBy(1)
  if (path === '/receipts/:id/close') return paidBy(total)
  if (path === '/receipts/:id/fire') return { course: 9 }
  if (path === '/receipts/:id') return { guests: 3 }
  if (path === '/receipts/:id/lines') return { lines: [line(note)] }
  if (path === '/receipts/:id/lines/:line') return { count: 2 }
  return {}
}
