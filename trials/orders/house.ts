import { auditBooks } from '../../server/src/pos/books/audit.ts'
import { type Row, staff } from '../../server/test/database/store.ts'
import { type Answer, waitUntil } from '../harness/client.ts'
import {
  addTenant,
  type Client,
  client,
  type Engine,
  type Installation,
  install,
  retryWhileBusy,
} from '../harness/installation.ts'
import { type StaffRequest, signedInOwner } from '../harness/office/staff.ts'
import { manyWorkers, type Server, serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { paymentMethod } from '../venue/drawer.ts'

// A restaurant whose guests order by its website, each one dish and a part of it paid before, and whose staff accept and refuse.

export const DISH = 1
const [PRICE, PREPAID] = [5, 3]
const CARD = 1

/** Where guests have time, and where orders expire soon. */
export const PATIENT = 1
export const HASTY = 2
export const HASTY_S = 2

const rows = (): Row[] => [
  { kind: 'venue', id: PATIENT, name: 'Main', is_main: true, order_expiry_s: 36_000 },
  { kind: 'venue', id: HASTY, name: 'Stand', order_expiry_s: HASTY_S },
  { kind: 'sale_type', id: 1, name: 'Takeaway', system_type: 'TAKEAWAY', channel: 'TAKEAWAY', status: {}, position: 1 },
  { kind: 'product', id: DISH, name: 'Dish', type: 'DISH', price: PRICE, status: 1 },
  paymentMethod(CARD, 'CARD'),
]

export interface ShownOrder {
  id: number
  status: string
  reason?: string
  receipt_id?: number
  expires_at: string
}
export const orderIn = ({ body }: Answer) => body.data as ShownOrder

export interface House {
  installation: Installation
  guest: Client
  /** Orders one dish under a uuid. */
  place(uuid: string, options?: { venue?: number; key?: string }): Promise<Answer>
  /** One of the staff, through the routes of the back office. */
  staff(method: string, path: string, input: StaffRequest): Promise<Answer>
  /** Orders of a brand that nobody ever reads, whose time passes at once. */
  unread: { db: Installation['db']; brand_id: number; place(): Promise<Answer> }
  /** Kills the server, waits until its clients know, and starts another. */
  replace(settled: () => Promise<unknown>): Promise<void>
}

export async function openHouse(trial: Trial, engine: Engine): Promise<House> {
  const installation = await install(trial, engine, rows())
  const { db, keys, credentials } = installation
  const annex = await addTenant(db, keys, 'annex', 'annex-hub', [
    ...staff(),
    ...rows(),
    { kind: 'venue', id: PATIENT, name: 'Main', is_main: true, order_expiry_s: 1 },
  ])
  const owner = await signedInOwner(trial, installation)
  const settings = await manyWorkers(trial, engine)
  let server: Server = await serve(trial, installation, settings)
  const [guest, stranger] = [
    await client(trial, server.url, credentials),
    await client(trial, server.url, annex.credentials),
  ]
  return {
    installation,
    guest,
    place: (uuid, { venue = PATIENT, key } = {}) =>
      guest.ask('/orders', {
        method: 'POST',
        headers: { 'x-venue': String(venue), ...(key !== undefined && { 'idempotency-key': key }) },
        body: orderOf(uuid),
      }),
    staff: (method, path, input) => owner(server.url, method, path, input),
    unread: {
      db,
      brand_id: annex.brand_id,
      place: () =>
        retryWhileBusy(() => stranger.ask('/orders', { method: 'POST', body: orderOf(crypto.randomUUID()) })),
    },
    async replace(settled) {
      await server.stop('SIGKILL')
      await settled()
      server = await serve(trial, installation, settings)
      guest.moveTo(server.url)
      await waitUntil('it answers again', 30_000, async () => (await guest.ask('/venues')).status === 200)
    },
  }
}

const orderOf = (integration_uuid: string) => ({
  sale_type_id: 1,
  integration_uuid,
  products: [{ product_id: DISH, count: 1 }],
  payments: [{ id: CARD, amount: PREPAID }],
})

/** What is left of the dish, as the stop list says. */
export async function leftAt({ guest }: House, venue: number): Promise<number | undefined> {
  const { body } = await retryWhileBusy(() =>
    guest.ask('/products/stop-list', { headers: { 'x-venue': String(venue) } }),
  )
  return (body.data as { id: number; limit: number }[]).find(({ id }) => id === DISH)?.limit
}

export const describeAnswer = ({ status, body, failure }: Answer) =>
  `${status} ${failure ?? JSON.stringify(body).slice(0, 200)}`

/** An order and what stands for it in the other books. */
interface Booked {
  id: number
  cid: string
  status: string
  receipts: number
  paid: number
  held: number
}

const BOOKED = `select orders.id, orders.cid, orders.status, coalesce(made.receipts, 0) as receipts,
    coalesce(made.paid, 0) as paid, coalesce(holds.held, 0) as held
  from orders
    left join (select order_id, count(distinct receipts.id) as receipts, cast(sum(transactions.amount) as bigint) as paid
      from receipts left join transactions on transactions.brand_id = receipts.brand_id
        and transactions.receipt_id = receipts.id
      where receipts.brand_id = ? and order_id is not null group by order_id) as made on made.order_id = orders.id
    left join (select receipt_cid, cast(-sum(quantity) as bigint) as held from portion_moves where brand_id = ?
      group by receipt_cid) as holds on holds.receipt_cid = orders.cid
  where orders.brand_id = ?`

/** Holds the state of every order against receipts, money and portions, and runs the audit; answers the orders by their uuid. */
export async function checkBooks(
  { installation: { db, brand_id } }: House,
  reportFailure: ReportFailure,
): Promise<ReadonlyMap<string, Booked>> {
  const orders = await db.rows<Booked>(BOOKED, [brand_id, brand_id, brand_id])
  for (const { id, status, receipts, paid, held } of orders) {
    const isAccepted = status === 'RECEIVED'
    const expected = { receipts: Number(isAccepted), paid: isAccepted ? PREPAID : 0, held: Number(status !== 'IGNORE') }
    const found = { receipts, paid: paid / 10_000, held: held / 10_000 }
    if (JSON.stringify(found) !== JSON.stringify(expected))
      reportFailure(`order ${id} is ${status} and has ${JSON.stringify(found)}`)
  }
  const accepted = orders.filter(({ status }) => status === 'RECEIVED').length
  const [booked] = await db.rows<{ sum: number }>(
    'select cast(coalesce(sum(amount), 0) as bigint) as sum from transactions where brand_id = ?',
    [brand_id],
  )
  if (booked!.sum !== accepted * PREPAID * 10_000)
    reportFailure(`${accepted} were accepted, ${PREPAID} each, and ${booked!.sum / 10_000} booked`)
  for (const { invariant, subject, problem } of (await auditBooks(db, brand_id)).findings)
    reportFailure(`${invariant} ${subject}: ${problem}`)
  return new Map(orders.map((order) => [order.cid, order]))
}
