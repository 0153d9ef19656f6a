import { join } from 'node:path'
import { type Bench, type Entry, measure } from '../bench.ts'
import { credentialsOf, demo } from '../data.ts'
import { ask } from '../processes.ts'
import { PATH, type Request } from '../request.ts'
import { directRequests, signIn, startComptoir } from '../systems/comptoir.ts'
import { copyOf } from './comparison.ts'

// What a restaurant does all day, beside the plainest write.

export const SALES = 'a write, SQLite'
export const SALE_CUSTOMER = 'POST /customers'
export const SALE_ORDER = 'POST /orders, three lines'
export const SALE_CLOSE = 'close: three lines, six movements, one payment'

const SCALE = 1
const CLOSES_A_SECOND = 1_500 // more than there will be: each takes a receipt of its own
const AT_ONCE = 32
const CARD = 'CARD'
const MOVEMENTS = 6

export async function sales(bench: Bench): Promise<void> {
  bench.say('Sales')
  const data = copyOf(bench, await demo(SCALE))
  await using server = await startComptoir({ COMPTOIR_DATA: data }, join(bench.folder, 'comptoir.log'))
  const credentials = credentialsOf(data)
  const { customer } = await directRequests(server.url, credentials)
  const entries = await salesAt(bench, server.url, await signIn(server.url, credentials))
  await measure(bench, SALES, [{ system: SALE_CUSTOMER, url: server.url, request: customer!, bytes: 0 }, ...entries])
}

/** An order of three lines, and of what it is made. */
export async function saleRequests(url: string, token: string) {
  const headers = { 'x-token': token, 'content-type': 'application/json' }
  const house = await restaurant(url, headers)
  const placed = {
    sale_type_id: house.saleType,
    products: house.dishes.map((product_id) => ({ product_id, count: 1 })),
  }
  const order: Request = {
    method: 'POST',
    path: '/v2/orders',
    headers,
    status: 200,
    body: JSON.stringify(placed),
  }
  return { order, placed, house, headers }
}

/** An order and a close, the receipts for which are opened before. */
export async function salesAt(bench: Bench, url: string, token: string): Promise<Entry[]> {
  const { order, placed, house, headers } = await saleRequests(url, token)
  const seconds = bench.warmUp + bench.rounds * bench.seconds
  bench.say(`  opening receipts …`)
  const { ids, total } = await openReceipts(url, headers, placed, seconds * CLOSES_A_SECOND)
  const close: Request = {
    method: 'POST',
    path: `/v2/receipts/${ids[0]}/close`,
    headers,
    status: 200,
    body: JSON.stringify({ payment_methods: [{ id: house.card, amount: total }] }),
    vary: { header: PATH, values: ids.map((id) => `/v2/receipts/${id}/close`), once: true },
  }
  return [
    { system: SALE_ORDER, url, request: order, bytes: 0 },
    { system: SALE_CLOSE, url, request: close, bytes: 0 },
  ]
}

interface House {
  saleType: number
  card: number
  /** Three, which make six movements. */
  dishes: number[]
}

interface Product {
  id: number
  type: string
  has_modifications: boolean
  recipe?: unknown[]
  modificator_groups?: { min_select: number }[]
}

/** What the demo has of the things that a sale is made of. */
async function restaurant(url: string, headers: Record<string, string>): Promise<House> {
  const list = async <Row>(path: string) => {
    const { status, body } = await ask(url, { method: 'GET', path: `/v2/${path}`, headers, status: 200 })
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
    return (JSON.parse(body) as { data: Row[] }).data
  }
  const products = [
    ...(await list<Product>('products?limit=100')),
    ...(await list<Product>('products?limit=100&page=2')),
  ]
  const stopped = new Set((await list<{ id: number }>('products/stop-list')).map(({ id }) => id))
  const plain = products.filter(
    ({ id, type, has_modifications, modificator_groups = [] }) =>
      ['DISH', 'PRODUCT'].includes(type) &&
      !has_modifications &&
      !stopped.has(id) &&
      modificator_groups.every(({ min_select }) => min_select === 0),
  )
  const dishes = threeOf(plain)
  if (!dishes) throw new Error(`no three of ${plain.length} products make ${MOVEMENTS} movements`)
  const [saleType] = await list<{ id: number }>('sale-types')
  const card = (await list<{ id: number; kind: string }>('payment-methods')).find(({ kind }) => kind === CARD)
  return { saleType: saleType!.id, card: card!.id, dishes }
}

function threeOf(products: readonly Product[]): number[] | undefined {
  for (const a of products)
    for (const b of products)
      for (const c of products)
        if (a.id < b.id && b.id < c.id && partsOf(a) + partsOf(b) + partsOf(c) === MOVEMENTS) return [a.id, b.id, c.id]
  return undefined
}

/** A dish takes its ingredients from stock, and what is sold as it was bought takes itself. */
const partsOf = ({ type, recipe = [] }: Product) => (type === 'PRODUCT' ? 1 : recipe.length)

/** By orders that are accepted at once: a person at a till has 3,000 calls a minute, and the pair has no quota to speak of. */
async function openReceipts(url: string, headers: Record<string, string>, order: object, count: number) {
  const body = JSON.stringify({ ...order, auto_order_accept: true })
  const ids: number[] = []
  let total = 0
  const opener = async () => {
    while (ids.length < count) {
      const answer = await fetch(`${url}/v2/orders`, { method: 'POST', headers, body })
      if (answer.status === 503) continue // opening them is not what is measured
      const { data, message } = (await answer.json()) as Answered
      if (!data?.receipt_id) throw new Error(`opening a receipt: ${answer.status} ${message}`)
      ids.push(data.receipt_id)
      total = data.total
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, opener))
  return { ids, total }
}

interface Answered {
  data?: { receipt_id?: number; total: number }
  message?: string
}
