import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { may } from '../auth/permissions.ts'
import type { Caller } from '../http/call.ts'
import { withFreshDeadline } from '../http/edge/deadline.ts'
import { isHead, isTranslated } from '../http/edge/edge.ts'
import { queryOf } from '../lists/list.ts'
import { LINES, rowText, withinVenues } from '../resource/read/page.ts'
import { enterable } from '../resource/serve.ts'
import { balances } from '../resources/money/balances.ts'
import { customers } from '../resources/people/customers.ts'
import { type Database, OutcomeUnknown } from '../storage/database.ts'
import { places } from '../storage/upsert.ts'
import { fromScaled } from '../values/values.ts'
import type { Answered, Known, Row } from './answer.ts'
import * as answer from './answer.ts'
import { hasLocalTime, hasLocalTimeIn, translateOrder, translateQuery, withInstants } from './request.ts'

// The address of existing clients (COMPTOIR_COMPAT_PATH): the same routes and rules, in the spelling that they know. A request is marked
// where its address is rewritten (http/edge/edge.ts); only marked ones are looked at here.

interface CompatDeps {
  readonly db: Database
  readonly now: () => number
  readonly config: { readonly COMPTOIR_BASE_PATH: string }
}

/** Adds the hooks to the scope of the API: bodies and queries before they are read, answers before they are sent. */
export function translateCalls(api: FastifyInstance, { db, now, config }: CompatDeps): void {
  const base = config.COMPTOIR_BASE_PATH
  const routeOf = ({ routeOptions }: FastifyRequest) => routeOptions.url?.slice(base.length) ?? ''

  api.addHook('preValidation', (request, _reply, done) => {
    if (!isTranslated(request) || routeOf(request) === AUTH) return done()
    translateRequest(db, request, routeOf(request)).then(() => done(), done)
  })

  api.addHook('onSend', (request, reply, payload, done) => {
    const isOurs = isTranslated(request) && routeOf(request) !== AUTH && reply.statusCode !== 401
    if (!isOurs || (payload instanceof Readable && isHead(request))) return done(null, payload)
    if (reply.statusCode >= 400)
      return done(null, JSON.stringify(answer.refusal(JSON.parse(String(payload)) as Row, reply.statusCode)))
    const { call } = request
    call.isAnswering = true // a deadline that passes meanwhile sends no second answer
    const context = { db, request, route: routeOf(request), answered: { elapsedMs: reply.elapsedTime, nowMs: now() } }
    translateAnswer(context, payload)
      .catch((error) => {
        throw request.method === 'GET' ? error : new OutcomeUnknown('the answer could not be made', { cause: error })
      })
      .finally(() => {
        call.isAnswering = false
      })
      .then((sent) => done(null, sent), done)
  })
}

/** The route whose answers and refusals are not translated. */
const AUTH = '/auth'

async function translateRequest(db: Database, request: FastifyRequest, route: string): Promise<void> {
  const { method, url } = request
  if (method === 'GET') {
    const query = queryOf(url)
    const zone = hasLocalTime(query) ? await zoneOf(db, request.call.caller) : undefined
    const translated = translateQuery(route, query, zone)
    request.raw.url = url.slice(0, url.length - query.length).replace(/\?$/, '') + (translated && `?${translated}`)
    return
  }
  if (method === 'POST' && route === '/orders') request.body = translateOrder(request.body)
  if (!hasLocalTimeIn(request.body)) return
  const { venue_id = request.call.caller.venue_id } = request.body as { venue_id?: unknown }
  request.body = withInstants(request.body, await zoneOf(db, { ...request.call.caller, venue_id: Number(venue_id) }))
}

/** The time zone of the active venue. The deadline of a request is paused while its body is read, so this has its own. */
async function zoneOf(db: Database, { brand_id, venue_id }: Caller): Promise<string | undefined> {
  if (!Number.isSafeInteger(venue_id)) return undefined
  const text = 'select time_zone from venues where brand_id = ? and id = ?'
  return withFreshDeadline(db, () => db.text(text, [brand_id, venue_id]))
}

interface Asked {
  readonly db: Database
  readonly request: FastifyRequest
  /** The pattern of its path, without the base path. */
  readonly route: string
  readonly answered: Answered
}

/** How the rows of a route are translated, and what has to be read for that. */
interface Translation {
  readonly row: (row: Row, known: Known) => void
  readonly read?: (db: Database, caller: Caller, rows: readonly Row[]) => Promise<Partial<Known>>
}

const product: Translation = {
  row: answer.product,
  read: async (db, caller, rows) => ({ prices: await readPrices(db, caller, answer.ingredientsOf(rows)) }),
}
const customer: Translation = {
  row: answer.customer,
  read: async (db, caller, rows) => ({ balances: await readBalances(db, caller, answer.balancesOfCustomers(rows)) }),
}
const user: Translation = { row: answer.user }
const category: Translation = { row: answer.category, read: readBounds }
const order: Translation = { row: answer.order, read: readMoneyPlaces }

/** Translations by route. Rows of all other routes are the same at both addresses. */
const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  '/products': product,
  '/products/:id': product,
  '/customers': customer,
  '/customers/:id': customer,
  '/customer-groups': { row: answer.customerGroup },
  '/users': user,
  '/users/:id': user,
  '/categories': category,
  '/categories/:id': category,
  '/payment-methods': { row: answer.paymentMethod, read: readMethodBalances },
  '/orders': order,
  '/orders/:id': order,
  '/receipts/:id/stock-operations': { row: answer.stockOperation, read: readStorages },
}

async function translateAnswer(asked: Asked, payload: unknown): Promise<string | Buffer | Readable> {
  if (payload instanceof Readable) return Readable.from(inPieces(asked, payload), { objectMode: false })
  if (asked.route === '/products' && !isNarrowed(asked.request)) {
    const page = payload instanceof Buffer ? payload : Buffer.from(String(payload))
    if (page.includes(LINES)) return translateProducts(asked, page)
  }
  const body = JSON.parse(String(payload)) as Row
  const isList = Array.isArray(body.data)
  const rows = (isList ? body.data : [body.data]) as Row[]
  const { db, request, route } = asked
  if (route === '/customers' && request.method === 'POST')
    rows[0] = await readWithDetails(db, request.call.caller, rows[0]!)
  await translateRows(asked, rows)
  const { answered } = asked
  return JSON.stringify({ success: true, data: isList ? rows : rows[0], ...answer.around(body, isList, answered) })
}

/** Menus are read over and over and rarely change, and parsing a page takes longer than reading it. */
const textAt = answer.productTexts(4_000_000)

/** A page of whole products, each on a line of its own. It stays bytes: as text it would be decoded and encoded again. */
async function translateProducts({ db, request, answered }: Asked, page: Buffer): Promise<Buffer> {
  const [start, end] = [page.indexOf('[') + 1, page.lastIndexOf(']')]
  const rows: answer.ProductText[] = []
  for (let from = start, to = start; to < end; from = to + LINES.length) {
    const next = page.indexOf(LINES, from)
    to = next === -1 ? end : next
    rows.push(textAt(page, from, to))
  }
  const prices = await readPrices(db, request.call.caller, [...new Set(rows.flatMap(({ ingredients }) => ingredients))])
  const pieces: Buffer[] = [HEAD]
  for (const { parts, ingredients } of rows) {
    if (pieces.length > 1) pieces.push(COMMA)
    pieces.push(parts[0]!)
    for (const [index, id] of ingredients.entries())
      pieces.push(Buffer.from(String(prices.get(id) ?? 0)), parts[index + 1]!)
  }
  const rest = answer.around(JSON.parse(`{${page.toString('utf8', end + 2)}`) as Row, true, answered)
  pieces.push(Buffer.from(`],${JSON.stringify(rest).slice(1)}`))
  return Buffer.concat(pieces)
}

const LIST_HEAD = '{"success":true,"data":['
const [HEAD, COMMA] = [Buffer.from(LIST_HEAD), Buffer.from(',')]

const isNarrowed = ({ url }: FastifyRequest) => /[?&](?:fields|selects)(?:=|%5B|\[)/i.test(url)

async function translateRows({ db, request, route }: Asked, rows: readonly Row[]): Promise<void> {
  const translation = TRANSLATIONS[route]
  if (!translation) return
  const { caller } = request.call
  const known: Known = {
    venue_id: caller.venue_id,
    isNarrowed: isNarrowed(request),
    ...(await translation.read?.(db, caller, rows)),
  }
  for (const row of rows) translation.row(row, known)
}

/** A list that is too large for one turn of the event loop comes in pieces, and goes out in pieces. */
async function* inPieces(asked: Asked, payload: Readable): AsyncGenerator<string> {
  const splitter = answer.rowSplitter()
  let before = LIST_HEAD
  for await (const piece of payload.setEncoding('utf8')) {
    const rows = splitter.push(piece as string).map((text) => JSON.parse(text) as Row)
    if (rows.length === 0) continue
    await withFreshDeadline(asked.db, () => translateRows(asked, rows)).catch((error) => {
      payload.destroy(error) // whose errors are logged
      throw error
    })
    yield before + rows.map((row) => JSON.stringify(row)).join(',')
    before = ','
  }
  const [, tail = ''] = /^\],?(.*)$/s.exec(splitter.end()) ?? []
  const rest = answer.around(JSON.parse(`{${tail}`) as Row, true, asked.answered)
  yield `],${JSON.stringify(rest).slice(1)}`
}

/** Ids for one statement: engines have a limit of about 32,000 values. */
const MAX_IDS = 10_000

async function readPrices(db: Database, { brand_id }: Caller, ids: readonly number[]): Promise<Map<number, number>> {
  const prices = new Map<number, number>()
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    const some = ids.slice(at, at + MAX_IDS)
    // In the order of the key: otherwise SQLite reads the whole index on price, which holds both columns.
    const text = `select id, price from products where brand_id = ? and id in ${places(some)} order by id`
    for (const { id, price } of await db.rows<{ id: number; price: number | null }>(text, [brand_id, ...some]))
      prices.set(id, fromScaled(price ?? 0))
  }
  return prices
}

/** As GET /finance/balances: those of venues that the user may enter, and those of none. */
async function readBalances(db: Database, caller: Caller, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, Row>()
  const within = withinVenues({ venues: enterable(caller), orNone: true })
  const texts = await db.texts(
    `select ${rowText(balances, new Set())} from balances where brand_id = ? and id in ${places(ids)}${within.text}`,
    [caller.brand_id, ...ids, ...within.values],
  )
  return new Map(texts.map((text) => JSON.parse(text) as Row).map((row) => [row.id as number, row]))
}

async function readMethodBalances(db: Database, caller: Caller, rows: readonly Row[]): Promise<Partial<Known>> {
  if (!may(caller.user.permissions, balances.permission)) return {}
  return { balances: await readBalances(db, caller, answer.balancesOfMethods(rows)) }
}

async function readBounds(db: Database, { brand_id }: Caller) {
  const nodes = await db.rows<{ id: number; parent_id: number | null }>(
    'select id, parent_id from categories where brand_id = ? order by coalesce(position, 9007199254740991), id',
    [brand_id],
  )
  return { bounds: answer.boundsOf(nodes) }
}

async function readStorages(db: Database, { brand_id }: Caller, rows: readonly Row[]) {
  const ids = rows.map(({ id }) => id as number)
  if (ids.length === 0) return {}
  const found = await db.rows<{ id: number; storage_id: number | null }>(
    `select id, storage_id from stock_operations where brand_id = ? and id in ${places(ids)} order by id`,
    [brand_id, ...ids],
  )
  return { storages: new Map(found.flatMap(({ id, storage_id }) => (storage_id === null ? [] : [[id, storage_id]]))) }
}

async function readMoneyPlaces(db: Database, { brand_id }: Caller) {
  const [brand] = await db.rows<{ money_places: number }>('select money_places from brands where id = ?', [brand_id])
  return { money_places: brand!.money_places }
}

/**
 * Reads the details of a new customer, which our own answer leaves out (§4.2). When an answer is repeated, the customer may be deleted
 * by now: then there are none.
 */
async function readWithDetails(db: Database, { brand_id }: Caller, row: Row): Promise<Row> {
  const text = await db.text(
    `select ${rowText(customers, new Set(['details']))} from customers where brand_id = ? and id = ? and deleted_at is null`,
    [brand_id, row.id as string],
  )
  return text === undefined ? row : (JSON.parse(text) as Row)
}
