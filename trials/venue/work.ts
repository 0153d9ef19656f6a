import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../server/src/demo/random.ts'
import { type Answer, inParallel } from '../harness/client.ts'
import type { Client } from '../harness/installation.ts'
import type { Staff } from '../harness/office/staff.ts'
import { shuffled } from '../harness/trial.ts'
import {
  type Acknowledged,
  CARD,
  CASH,
  CUSTOMERS,
  DELIVERED,
  DISHES,
  INGREDIENTS,
  PRICE,
  SHIFT,
  TERMINAL,
} from './restaurant.ts'

const AGAIN_MS = 50
const GIVE_UP_MS = 120_000 // of one act: far beyond the time in which anything comes back

/** The staff of a restaurant and the guest who orders from it. */
export interface Crew {
  guest: Client
  staff: Staff
  /** Where the server is now. */
  url(): string
  random: Random
  acknowledged: Acknowledged
  /** Called after each act that was done. */
  onDone(): void
}

export interface Work {
  /** Ends when everybody has finished what they had begun. */
  end(): Promise<unknown>
}

/** Everybody works until told to end. Each act has a key, and is asked again with it until it is answered, as a till does. */
export function startWork(crew: Crew, tills: number): Work {
  let over = false
  const jobs = [...Array<Job>(tills).fill(sell), order, order, deliver, count, limit]
  const stop = () => {
    over = true
  }
  const all = inParallel(jobs.length, async (index) => {
    while (!over) await jobs[index]!(crew)
  })
  all.catch(stop) // the others stop too; end() throws what went wrong
  return {
    end() {
      stop()
      return all
    },
  }
}

type Job = (crew: Crew) => Promise<void>

/** Done exactly once, however often it is sent. Throws what is wrong with an answer that is neither done nor "later". */
async function act(crew: Crew, what: string, ask: (key: string) => Promise<Answer>): Promise<Answer> {
  const key = randomUUID()
  const until = Date.now() + GIVE_UP_MS
  for (;;) {
    const answer = await ask(key)
    if (answer.status === 200) {
      crew.onDone()
      return answer
    }
    const isLater = [0, 503].includes(answer.status) || answer.body.error === 'idempotency_in_progress'
    if (!isLater || Date.now() > until)
      throw new Error(`${what}: ${answer.status} ${answer.failure ?? JSON.stringify(answer.body)}`)
    if (answer.status === 0 && !answer.failure?.includes('ECONNREFUSED')) crew.acknowledged.lost++
    await sleep(AGAIN_MS)
  }
}

async function post(crew: Crew, path: string, body: object, method = 'POST') {
  const { staff, url } = crew
  const answer = await act(crew, `${method} ${path}`, (key) => staff(url(), method, path, { body, key }))
  return answer.body.data as { id: number; receipt_id?: number }
}

const line = (product_id: number, count: number) => ({ cid: randomUUID(), product_id, count })

/** A guest at the counter: some are known, some change their mind, some pay in two ways, few bring it back. */
async function sell(crew: Crew): Promise<void> {
  const { random, acknowledged } = crew
  const cid = randomUUID()
  const lines = shuffled(DISHES, random)
    .slice(0, random.between(1, 3))
    .map((dish) => line(dish, random.between(1, 2)))
  const { id } = await post(crew, '/receipts', {
    cid,
    sale_type_id: 1,
    terminal_id: TERMINAL,
    lines,
    ...(random.percent(50) && { customer_id: random.pick(CUSTOMERS) }),
  })
  await post(crew, `/receipts/${id}/send`, {})
  const added = random.percent(30) ? [line(random.pick(DISHES), 1)] : []
  if (added.length > 0) await post(crew, `/receipts/${id}/lines`, { lines: added })
  if (random.percent(10)) {
    await post(crew, `/receipts/${id}/cancel`, {})
    acknowledged.cancelled.add(cid)
    return
  }
  const dishes = [...lines, ...added].reduce((sum, { count }) => sum + count, 0)
  const card = random.percent(30) ? 2 : 0
  const cash = dishes * PRICE - card
  if (card) await post(crew, `/receipts/${id}/payments`, paid(CARD, card))
  await post(crew, `/receipts/${id}/close`, paid(CASH, cash))
  acknowledged.closed.set(cid, id)
  acknowledged.cash += cash
  acknowledged.card += card
  acknowledged.dishes += dishes
  if (!random.percent(5)) return
  await post(crew, `/receipts/${id}/refund`, {})
  acknowledged.refunded.add(cid)
  acknowledged.cash -= cash
  acknowledged.card -= card
  acknowledged.dishes -= dishes
}

const paid = (id: number, amount: number) => ({ payment_methods: [{ id, amount }] })

/** A guest of the website; staff accept most, and close what they accepted. */
async function order(crew: Crew): Promise<void> {
  const { guest, random, acknowledged } = crew
  const uuid = randomUUID()
  const body = { sale_type_id: 1, integration_uuid: uuid, products: [{ product_id: random.pick(DISHES), count: 1 }] }
  const placed = await act(crew, 'POST /orders', (key) =>
    guest.ask('/orders', { method: 'POST', body, headers: { 'idempotency-key': key } }),
  )
  const { id } = placed.body.data as { id: number }
  if (random.percent(20)) {
    await post(crew, `/orders/${id}/refuse`, { reason: 'No oven' })
    acknowledged.refused.set(uuid, id)
    return
  }
  const accepted = await post(crew, `/orders/${id}/accept`, {})
  acknowledged.accepted.set(uuid, id)
  await post(crew, `/receipts/${accepted.receipt_id}/close`, paid(CASH, PRICE))
  acknowledged.closed.set(uuid, accepted.receipt_id!)
  acknowledged.cash += PRICE
  acknowledged.dishes++
}

/** The mill delivers. */
async function deliver(crew: Crew): Promise<void> {
  const items = shuffled(INGREDIENTS, crew.random).map((product_id) => ({
    product_id,
    quantity: DELIVERED,
    cost: 1.1,
  }))
  const { id } = await post(crew, '/operations', { type: 1, storage_id: 1, supplier_id: 1, items })
  await post(crew, `/operations/${id}/publish`, {})
  crew.acknowledged.deliveries++
}

const PLENTY = 1_000_000

/** The cook counts portions; there are always enough. */
async function limit(crew: Crew): Promise<void> {
  const { random } = crew
  await post(crew, `/stop-list/${random.pick(DISHES)}`, { limit: PLENTY + random.between(0, 9) }, 'PUT')
}

/** Somebody brings change, and takes some of it back. */
async function count(crew: Crew): Promise<void> {
  await post(crew, `/shifts/${SHIFT}/cash`, { type: 'IN', amount: 20, description: 'Change' })
  crew.acknowledged.cash += 20
  await post(crew, `/shifts/${SHIFT}/cash`, { type: 'OUT', amount: 5, description: 'Stamps' })
  crew.acknowledged.cash -= 5
}
