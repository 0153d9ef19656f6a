import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../server/src/demo/random.ts'
import { type Answer, inParallel } from '../harness/client.ts'
import type { Client } from '../harness/installation.ts'
import type { Staff } from '../harness/office/staff.ts'
import { CARD, CASH, COURSES, DISHES, type Given, PEOPLE, SEATS, TABLES, TERMINAL, type Told } from './house.ts'

const AGAIN_MS = 50
const GIVE_UP_MS = 120_000 // of one act: far beyond the time in which anything comes back
const MOST_PASSES = 30 // of the kitchen over all that waits: a ticket begins at one and is ready at another
const OPEN_AT_LEAST = 6
const OPEN_AT_MOST = 14
/** What may be refused because somebody else was first, or because there is nothing to do. */
const REFUSED = [400, 404, 409, 412]

/** People who serve tables, and what they were told. */
export interface Crew {
  staff: Staff
  /** Reads receipts. */
  reader: Client
  url(): string
  random: Random
  told: Told
  /** How many work at a receipt now. */
  busy: Map<number, number>
}

interface OpenReceipt {
  id: number
  total: number
  remaining: number
}

interface ShownLine {
  id: number
  count: number
  state: string
  seat?: number
}

export const stepsDone = ({ done }: Told) => Object.values(done).reduce((sum, count) => sum + count, 0)

/** Everybody does one random thing after the other until told to end. */
export function startService(crew: Crew, people: number) {
  let over = false
  const stop = () => {
    over = true
  }
  const all = inParallel(people, async () => {
    while (!over) await step(crew)
  })
  all.catch(stop)
  return {
    end() {
      stop()
      return all
    },
  }
}

/** Fires and cooks all that is left. */
export async function finish(crew: Crew): Promise<void> {
  for (const { id } of await openReceipts(crew)) await post(crew, 'fire', `/receipts/${id}/fire`, { course: 9 })
  for (let pass = 0; pass < MOST_PASSES && (await cook(crew, 100)) > 0; pass++);
}

/** Done at most once, however often it is sent: it has a key, and is asked again with it until it is answered. Undefined: it was refused. */
async function post(crew: Crew, name: string, path: string, body: object = {}, method = 'POST') {
  const key = randomUUID()
  const answer = await answered(crew, `${method} ${path}`, () => crew.staff(crew.url(), method, path, { body, key }))
  if (answer.status !== 200) {
    crew.told.refused++
    return undefined
  }
  crew.told.done[name] = (crew.told.done[name] ?? 0) + 1
  return answer.body.data as { id: number }
}

async function answered({ told }: Crew, what: string, ask: () => Promise<Answer>): Promise<Answer> {
  const until = Date.now() + GIVE_UP_MS
  for (;;) {
    const answer = await ask()
    const isLater = [0, 429, 503].includes(answer.status) || answer.body.error === 'idempotency_in_progress'
    if (!isLater && (answer.status === 200 || REFUSED.includes(answer.status))) return answer
    if (!isLater || Date.now() > until)
      throw new Error(`${what}: ${answer.status} ${answer.failure ?? JSON.stringify(answer.body)}`)
    if (answer.status === 0 && !answer.failure?.includes('ECONNREFUSED')) told.lost++
    await sleep(AGAIN_MS)
  }
}

async function look(crew: Crew, path: string): Promise<unknown> {
  const { body } = await answered(crew, `GET ${path}`, () => crew.staff(crew.url(), 'GET', path, {}))
  return body.data
}

/** What the floor shows: all receipts are at tables. */
async function openReceipts(crew: Crew): Promise<OpenReceipt[]> {
  const { tables } = (await look(crew, '/floor')) as { tables: { receipts: OpenReceipt[] }[] }
  return tables.flatMap(({ receipts }) => receipts)
}

async function linesOf(crew: Crew, id: number): Promise<ShownLine[]> {
  const path = `/receipts/${id}?include=receipt_products`
  const { body } = await answered(crew, `GET ${path}`, () => crew.reader.ask(path))
  const { receipt_products = [] } = (body.data ?? {}) as { receipt_products?: ShownLine[] }
  return receipt_products.filter(({ state }) => state !== 'VOID')
}

type Act = (crew: Crew, receipt: OpenReceipt, other: OpenReceipt) => Promise<unknown>

/** What stands more often is done more often. */
const ACTS: readonly Act[] = [
  ...Array<Act>(3).fill(order),
  ...Array<Act>(2).fill(send),
  ...Array<Act>(2).fill(fire),
  ...Array<Act>(3).fill(split),
  ...Array<Act>(3).fill(move),
  ...Array<Act>(2).fill(merge),
  ...Array<Act>(4).fill((crew) => cook(crew, 2)),
  remove,
  change,
  ...Array<Act>(2).fill(pay),
  ...Array<Act>(2).fill(close),
  tip,
  refund,
  cancel,
]

async function step(crew: Crew): Promise<void> {
  const { random } = crew
  const open = await openReceipts(crew)
  if (open.length < OPEN_AT_LEAST) return seat(crew)
  const receipt = random.pick(open)
  const act = random.pick(open.length > OPEN_AT_MOST ? [close, merge, cancel] : ACTS)
  await at(crew, receipt.id, () => act(crew, receipt, random.pick(open)))
}

async function at(crew: Crew, id: number, work: () => Promise<unknown>): Promise<void> {
  const { busy } = crew
  busy.set(id, (busy.get(id) ?? 0) + 1)
  try {
    await work()
  } finally {
    busy.set(id, busy.get(id)! - 1)
  }
}

/** A closed receipt at which nobody works, and that was not refunded: so what a refund gives back is known. */
function quietlyClosed({ random, told, busy }: Crew): number | undefined {
  const refunded = new Set(told.refunds.map(({ receipt }) => receipt))
  const closed = [...told.closed].filter((id) => !refunded.has(id) && !busy.get(id))
  return closed.length > 0 ? random.pick(closed) : undefined
}

function newLines({ random }: Crew) {
  return Array.from({ length: random.between(1, 4) }, () => ({
    cid: randomUUID(),
    product_id: random.pick(DISHES),
    count: random.between(1, 4),
    ...(random.percent(70) && { seat: random.pick(SEATS) }),
    ...(random.percent(60) && { course: random.pick(COURSES) }),
  }))
}

function noteOrdered({ told: { ordered } }: Crew, lines: ReturnType<typeof newLines>): void {
  for (const { product_id, count } of lines) ordered.set(product_id, (ordered.get(product_id) ?? 0) + count)
}

async function seat(crew: Crew): Promise<void> {
  const lines = newLines(crew)
  const opened = { cid: randomUUID(), sale_type_id: 1, terminal_id: TERMINAL, guests: 4 }
  const made = await post(crew, 'open', '/receipts', { ...opened, table_id: crew.random.pick(TABLES), lines })
  if (!made) throw new Error('guests were refused a table')
  crew.told.opened.add(made.id)
  noteOrdered(crew, lines)
}

async function order(crew: Crew, { id }: OpenReceipt): Promise<void> {
  const lines = newLines(crew)
  if (await post(crew, 'order', `/receipts/${id}/lines`, { lines })) noteOrdered(crew, lines)
}

async function send(crew: Crew, { id }: OpenReceipt): Promise<void> {
  await post(crew, 'send', `/receipts/${id}/send`)
}

async function fire(crew: Crew, { id }: OpenReceipt): Promise<void> {
  await post(crew, 'fire', `/receipts/${id}/fire`, { course: crew.random.pick(COURSES) })
}

/** Some of the lines, of some only a part. */
async function some(crew: Crew, id: number) {
  const { random } = crew
  return (await linesOf(crew, id))
    .filter(() => random.percent(40))
    .map((line) => ({ id: line.id, ...(random.percent(30) && line.count > 1 && { count: 1 }) }))
}

async function split(crew: Crew, { id }: OpenReceipt): Promise<void> {
  const { random, told } = crew
  const cids = random.percent(30) ? [randomUUID(), randomUUID()] : [randomUUID()]
  const bySeat = random.percent(40)
  const lines = bySeat ? [] : await some(crew, id)
  const parts = cids.map((cid, index) =>
    bySeat ? { cid, seats: [SEATS[index]!] } : { cid, lines: lines.filter((_, at) => at % cids.length === index) },
  )
  const made = (await post(crew, 'split', `/receipts/${id}/split`, { parts })) as unknown as
    | { id: number }[]
    | undefined
  for (const part of made?.slice(1) ?? []) told.opened.add(part.id)
}

async function move(crew: Crew, { id }: OpenReceipt, other: OpenReceipt): Promise<void> {
  await post(crew, 'move', `/receipts/${id}/move`, { receipt_id: other.id, lines: await some(crew, id) })
}

async function merge(crew: Crew, { id }: OpenReceipt, other: OpenReceipt): Promise<void> {
  if (await post(crew, 'merge', `/receipts/${id}/merge`, { receipt_id: other.id })) crew.told.merged.add(id)
}

/** The cook makes what the screen shows, and knows of nothing else. Answers how much of it was to be made. */
async function cook(crew: Crew, count: number): Promise<number> {
  const { random } = crew
  const tickets = (await look(crew, '/tickets')) as { id: number; state: string }[]
  const waiting = tickets.filter(({ state }) => state === 'SENT' || state === 'COOKING')
  for (const { id, state } of waiting.slice(0, count)) {
    const begins = state === 'SENT' && random.percent(30)
    await post(crew, 'cook', `/tickets/${id}/${begins ? 'start' : 'ready'}`)
  }
  const ready = tickets.filter(({ state }) => state === 'READY')
  if (ready.length > 0 && random.percent(30)) await post(crew, 'serve', `/tickets/${random.pick(ready).id}/serve`)
  return waiting.length
}

async function remove(crew: Crew, { id }: OpenReceipt): Promise<void> {
  const lines = await linesOf(crew, id)
  if (lines.length === 0) return
  const waste = crew.random.percent(50) ? '?waste=1' : ''
  await post(crew, 'void', `/receipts/${id}/lines/${crew.random.pick(lines).id}${waste}`, {}, 'DELETE')
}

async function change(crew: Crew, { id }: OpenReceipt): Promise<void> {
  await post(crew, 'change', `/receipts/${id}`, { table_id: crew.random.pick(TABLES) }, 'PATCH')
}

const tipOf = ({ random }: Crew) => (random.percent(40) ? random.between(1, 3) : 0)

async function pay(crew: Crew, { id, remaining }: OpenReceipt): Promise<void> {
  if (remaining < 2) return
  const { random, told } = crew
  const method = random.pick([CASH, CARD])
  const [amount, tip] = [random.between(1, Math.min(5, remaining - 1)), tipOf(crew)]
  const payment_methods = [{ id: method, amount, ...(tip > 0 && { tip }) }]
  if (await post(crew, 'pay', `/receipts/${id}/payments`, { payment_methods }))
    told.given.push({ receipt: id, method, amount, tip, user: PEOPLE[0]! })
}

async function close(crew: Crew, { id, remaining }: OpenReceipt): Promise<void> {
  const { random, told } = crew
  const method = random.pick([CASH, CARD])
  const tip = tipOf(crew)
  const payment_methods = remaining > 0 ? [{ id: method, amount: remaining, ...(tip > 0 && { tip }) }] : []
  if (!(await post(crew, 'close', `/receipts/${id}/close`, { payment_methods }))) return
  told.closed.add(id)
  if (remaining > 0) told.given.push({ receipt: id, method, amount: remaining, tip, user: PEOPLE[0]! })
}

/** One that comes later, for a person who is named. */
async function tip(crew: Crew, open: OpenReceipt): Promise<void> {
  const { random, told } = crew
  const receipt = (random.percent(50) ? quietlyClosed(crew) : undefined) ?? open.id
  const given: Given = { receipt, method: random.pick([CASH, CARD]), amount: 0, tip: 2, user: random.pick(PEOPLE) }
  const body = { payment_method_id: given.method, amount: given.tip, user_id: given.user }
  await at(crew, receipt, async () => {
    if (await post(crew, 'tip', `/receipts/${receipt}/tips`, body)) told.given.push(given)
  })
}

/** All of a receipt with all of its tips. */
async function refund(crew: Crew): Promise<void> {
  const { random, told } = crew
  const receipt = quietlyClosed(crew)
  if (receipt === undefined) return
  const tips = told.given.reduce((sum, given) => sum + (given.receipt === receipt ? given.tip : 0), 0)
  const waste = random.percent(50)
  await at(crew, receipt, async () => {
    const made = await post(crew, 'refund', `/receipts/${receipt}/refund`, { waste, ...(tips > 0 && { tip: tips }) })
    if (made) told.refunds.push({ receipt, refund: made.id, waste })
  })
}

async function cancel(crew: Crew, { id }: OpenReceipt): Promise<void> {
  const body = crew.random.percent(50) ? { waste: true } : {}
  if (await post(crew, 'cancel', `/receipts/${id}/cancel`, body)) crew.told.cancelled.add(id)
}
