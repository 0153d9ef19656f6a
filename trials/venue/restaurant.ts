import { verifyFeeds } from '../../server/src/events/verify.ts'
import { auditBooks } from '../../server/src/pos/books/audit.ts'
import type { Row } from '../../server/test/database/store.ts'
import type { Installation } from '../harness/installation.ts'
import type { ReportFailure } from '../harness/trial.ts'
import { openShift, paymentMethod } from './drawer.ts'

// A restaurant with a few dishes that share their ingredients, a drawer that has been opened, a store room, regular guests, and a website
// that takes orders.

export const DISHES = [1, 2, 3, 4, 5, 6]
export const INGREDIENTS = DISHES.map((dish) => dish + 50)
export const CUSTOMERS = [7, 8]
export const PRICE = 5
export const [CASH, CARD, BALANCE] = [1, 2, 3]
export const TERMINAL = 1
export const SHIFT = '0d6ef8c6-6f0e-4f59-9d3b-0c1a2f6a0001'
/** Quantity of each ingredient in one dish, and in one delivery. */
export const GRAMS = 0.15
export const DELIVERED = 2
export const INGREDIENTS_A_DISH = 3

/** Each dish names its ingredients in another order. */
const takes = (dish: number) =>
  Array.from({ length: INGREDIENTS_A_DISH }, (_, index) => ({
    product_id: INGREDIENTS[(dish + index * (dish % 2 === 0 ? 1 : 5)) % INGREDIENTS.length],
    gross: GRAMS,
  }))

export const RESTAURANT: Row[] = [
  { kind: 'venue', id: 1, name: 'Main', is_main: true, cash_shift: 1, order_expiry_s: 36_000 },
  { kind: 'sale_type', id: 1, name: 'In', system_type: 'IN', channel: 'IN', status: {}, position: 1 },
  { kind: 'terminal', id: TERMINAL, venue_id: 1, name: 'Till', status: 1 },
  { kind: 'storage', id: 1, venue_id: 1, name: 'Store room', is_main: 1, status: 1 },
  { kind: 'supplier', id: 1, name: 'Mill', status: 1 },
  { kind: 'station', id: 1, name: 'Kitchen', status: 1, type: 1, printable: 1 },
  ...CUSTOMERS.map((id) => ({ kind: 'customer', id: String(id), name: `Guest ${id}` })),
  ...INGREDIENTS.map((id) => ({ kind: 'product', id, name: `Ingredient ${id}`, type: 'INGREDIENT', status: 1 })),
  ...DISHES.map((id) => ({
    kind: 'product',
    id,
    name: `Dish ${id}`,
    type: 'DISH',
    price: PRICE,
    status: 1,
    station_id: 1,
    takes: takes(id),
  })),
  paymentMethod(CASH, 'CASH'),
  paymentMethod(CARD, 'CARD'),
  paymentMethod(BALANCE, 'CUSTOMER'),
  openShift(SHIFT),
]

/** What those who work there were told, once each is done: it must be all that there is. */
export interface Acknowledged {
  /** Receipts by their cid. */
  closed: Map<string, number>
  refunded: Set<string>
  cancelled: Set<string>
  /** Orders by their uuid. */
  accepted: Map<string, number>
  refused: Map<string, number>
  /** Paid, in whole units. */
  cash: number
  card: number
  dishes: number
  deliveries: number
  /** Answers to what was in flight that did not come, after which the same was asked again. */
  lost: number
}

export const nothingYet = (): Acknowledged => ({
  closed: new Map(),
  refunded: new Set(),
  cancelled: new Set(),
  accepted: new Map(),
  refused: new Map(),
  cash: 0,
  card: 0,
  dishes: 0,
  deliveries: 0,
  lost: 0,
})

const UNIT = 10_000
const exact = (value: number) => Math.round(value * UNIT)

/** Holds the books against each other (I1–I13), the feed against its positions, and both against what was told. */
export async function checkAll(
  { db, brand_id }: Installation,
  acknowledged: Acknowledged,
  reportFailure: ReportFailure,
): Promise<void> {
  for (const { invariant, subject, problem } of (await auditBooks(db, brand_id)).findings)
    reportFailure(`${invariant} ${subject}: ${problem}`)
  const feed = (await verifyFeeds(db)).find(({ brand }) => brand === 'bistro')!
  if (feed.problem !== null) reportFailure(`the feed: ${feed.problem}`)
  if (feed.first !== 1) reportFailure(`the feed begins at ${feed.first}`)
  await checkReceipts({ db, brand_id }, acknowledged, reportFailure)
  await checkOrders({ db, brand_id }, acknowledged, reportFailure)
  await checkSums({ db, brand_id }, acknowledged, reportFailure)
}

type Books = Pick<Installation, 'db' | 'brand_id'>

async function checkReceipts(
  { db, brand_id }: Books,
  acknowledged: Acknowledged,
  reportFailure: ReportFailure,
): Promise<void> {
  const receipts = await db.rows<{ id: number; cid: string; status: number; parent_id: number | null }>(
    'select id, cid, status, parent_id from receipts where brand_id = ?',
    [brand_id],
  )
  const sales = receipts.filter(({ parent_id }) => parent_id === null)
  const byCid = Map.groupBy(sales, ({ cid }) => cid)
  for (const [cid, id] of acknowledged.closed) {
    const there = byCid.get(cid) ?? []
    if (there.length !== 1 || there[0]!.id !== id || there[0]!.status !== 2)
      reportFailure(`receipt ${id} was closed, and there is ${JSON.stringify(there)}`)
  }
  const [closed, cancelled] = [2, 3].map((state) => sales.filter(({ status }) => status === state).length)
  if (closed !== acknowledged.closed.size)
    reportFailure(`${acknowledged.closed.size} receipts were closed, and ${closed} are`)
  if (cancelled !== acknowledged.cancelled.size)
    reportFailure(`${acknowledged.cancelled.size} were cancelled, and ${cancelled} are`)
  const refunds = receipts.length - sales.length
  if (refunds !== acknowledged.refunded.size)
    reportFailure(`${acknowledged.refunded.size} were refunded, and there are ${refunds} refunds`)
}

async function checkOrders(
  { db, brand_id }: Books,
  acknowledged: Acknowledged,
  reportFailure: ReportFailure,
): Promise<void> {
  const orders = await db.rows<{ id: number; cid: string; status: string }>(
    'select id, cid, status from orders where brand_id = ?',
    [brand_id],
  )
  const byCid = Map.groupBy(orders, ({ cid }) => cid)
  for (const [which, good] of [
    [acknowledged.accepted, ['RECEIVED', 'DELIVERED']],
    [acknowledged.refused, ['IGNORE']],
  ] as const)
    for (const [uuid, id] of which) {
      const there = byCid.get(uuid) ?? []
      if (there.length !== 1 || there[0]!.id !== id || !good.includes(there[0]!.status as never))
        reportFailure(`order ${id} is to be ${good[0]}, and there is ${JSON.stringify(there)}`)
    }
  if (orders.length !== acknowledged.accepted.size + acknowledged.refused.size)
    reportFailure(
      `${acknowledged.accepted.size + acknowledged.refused.size} orders were placed, and ${orders.length} are there`,
    )
}

/** The audit compares the books with each other; this compares them with what was paid, sold and delivered. */
async function checkSums(
  { db, brand_id }: Books,
  acknowledged: Acknowledged,
  reportFailure: ReportFailure,
): Promise<void> {
  const [sums] = await db.rows<{ cash: number | null; card: number | null; expected: number; stock: number | null }>(
    `select (select cast(sum(amount) as bigint) from balances where brand_id = ? and type = 'CASH') as cash,
            (select cast(sum(amount) as bigint) from balances where brand_id = ? and type = 'CARD') as card,
            (select expected_amount from cash_shifts where brand_id = ?) as expected,
            (select cast(sum(quantity) as bigint) from stocks where brand_id = ?) as stock`,
    [brand_id, brand_id, brand_id, brand_id],
  )
  const { cash, card, expected, stock } = sums!
  const found = [cash, card, expected, stock].map(Number).join(', ')
  const delivered = acknowledged.deliveries * INGREDIENTS.length * exact(DELIVERED)
  const cooked = acknowledged.dishes * INGREDIENTS_A_DISH * exact(GRAMS)
  const wanted = [
    exact(acknowledged.cash),
    exact(acknowledged.card),
    exact(acknowledged.cash),
    delivered - cooked,
  ].join(', ')
  if (found !== wanted) reportFailure(`cash, card, drawer and stock are ${found}, and what was told makes ${wanted}`)
}
