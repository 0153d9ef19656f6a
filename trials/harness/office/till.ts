import { randomUUID } from 'node:crypto'
import type { Database } from '../../../server/src/storage/database.ts'
import { type Reply, type Route, untilFree } from '../in-process.ts'
import { DISH } from '../openapi.ts'
import { API } from './back-office.ts'

/** One that needs no customer. */
const PAYMENT_METHOD = 2

type Ask = (method: string, url: string, body?: unknown) => Promise<Reply>

const line = (note?: string) => ({ cid: randomUUID(), product_id: DISH, count: 1, ...(note && { note }) })

/** What comes before a step of a ticket. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  start: [],
  ready: [],
  recall: ['ready'],
  serve: ['ready'],
}

/** A request that a route of the till accepts, about a receipt of its own; undefined: the route is not one of the till's. */
export async function tillRequest({ url }: Route, db: Database, ask: Ask, note?: string) {
  const path = url.slice(API.length)
  const step = /^\/tickets\/:id\/(\w+)$/.exec(path)?.[1]
  if (step === undefined && !/^\/receipts(\/|$)/.test(path)) return undefined
  const opened = { cid: randomUUID(), sale_type_id: 1, lines: [line(note)] }
  if (path === '/receipts') return { url, body: opened }
  const done = async (part: string, body: unknown) => {
    const { status, text } = await untilFree(() => ask('POST', `${API}${part}`, body))
    if (status !== 200) throw new Error(`POST ${part} was answered ${status}: ${text}`)
    return JSON.parse(text).data as { id: number; total: number }
  }
  const { id, total } = await done('/receipts', opened)
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
  const named = url.replace(':id', String(step === undefined ? id : first)).replace(':line', String(first))
  return { url: named, body: bodyOf(path, note, total) }
}

/** Payment by a method of the example restaurant. */
const paidBy = (amount: number) => ({ payment_methods: [{ id: PAYMENT_METHOD, amount }] })

function bodyOf(path: string, note: string | undefined, total: number): unknown {
  if (path === '/receipts/:id/payments') return paidBy(1)
  if (path === '/receipts/:id/close') return paidBy(total)
  if (path === '/receipts/:id') return { guests: 3 }
  if (path === '/receipts/:id/lines') return { lines: [line(note)] }
  if (path === '/receipts/:id/lines/:line') return { count: 2 }
  return {}
}
