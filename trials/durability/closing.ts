import { setTimeout as sleep } from 'node:timers/promises'
import { auditBooks } from '../../server/src/pos/books/audit.ts'
import { lineOf, whole } from '../../server/src/pos/books/books-fixture.ts'
import { putRows, type Row } from '../../server/test/database/store.ts'
import { type Answer, inParallel, waitUntil } from '../harness/client.ts'
import {
  type Client,
  client,
  ENGINES,
  type Engine,
  type Installation,
  install,
  retryWhileBusy,
} from '../harness/installation.ts'
import { serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { openShift, paymentMethod } from '../venue/drawer.ts'

const CLOSERS = 16
const LATEST_MS = 250
const RECEIPTS_A_KILL = 150 // more than are closed before the kill comes
const KILLS_THAT_MEET = 10 // of as many, one at least must meet a close in flight
const CASH = 1
const CUSTOMER = 7
const INGREDIENTS = [50, 51, 52]

/** P14: a close is one transaction. Whatever is killed in the middle, each receipt is closed with all that belongs to it, or not at all. */
export async function closing(trial: Trial): Promise<void> {
  for (const engine of ENGINES) await allOrNothing(trial, engine)
}

function allOrNothing(trial: Trial, engine: Engine): Promise<void> {
  const promise = `a close is done whole or not at all when the process is killed, ${engine}`
  return trial.promise(promise, async (reportFailure) => {
    const { closeKills } = trial.sizes
    const random = trial.random(promise)
    const installation = await install(trial, engine, HOUSE)
    let server = await serve(trial, installation)
    const caller = await client(trial, server.url, installation.credentials)
    const counted = { closed: 0, repeated: 0, inFlight: 0 }
    for (let kill = 0; kill < closeKills; kill++) {
      const ids = await openReceipts(installation, kill)
      const closes = startClosing(caller, ids)
      await closes.first
      await sleep(random.between(0, LATEST_MS))
      closes.stop()
      await server.stop('SIGKILL')
      const sent = await closes.done
      server = await serve(trial, installation)
      caller.moveTo(server.url)
      await waitUntil('it answers again', 30_000, async () => (await caller.ask('/venues')).status === 200)
      const missing = sent.filter(({ answer }) => answer.status !== 200)
      await checkStored(installation, sent, reportFailure)
      await isSound(installation, reportFailure)
      for (const { id } of missing) {
        const { status, body } = await retryWhileBusy(() => close(caller, id))
        if (status !== 200) reportFailure(`receipt ${id}, closed again with its key: ${status} ${JSON.stringify(body)}`)
      }
      counted.closed += sent.length
      counted.repeated += missing.length
      counted.inFlight += missing.filter(({ wasInFlight }) => wasInFlight).length
    }
    await isSound(installation, reportFailure)
    await checkSums(installation, counted.closed, reportFailure)
    if (closeKills >= KILLS_THAT_MEET && counted.inFlight === 0) reportFailure('no kill met a close in flight')
    return `${closeKills} kills, ${counted.closed} closed, ${counted.repeated} of them repeated, ${counted.inFlight} in flight at a kill`
  })
}

const PRICE = 5
const HOUSE: Row[] = [
  { kind: 'venue', id: 1, name: 'Main', is_main: true, cash_shift: 1 },
  { kind: 'terminal', id: 1, venue_id: 1, name: 'Till', status: 1 },
  ...INGREDIENTS.map((id) => ({ kind: 'product', id, name: `Ingredient ${id}`, type: 'INGREDIENT' })),
  { kind: 'product', id: 1, name: 'Dish', type: 'DISH', price: PRICE },
  { kind: 'customer', id: String(CUSTOMER), name: 'Aysel' },
  paymentMethod(CASH, 'CASH'),
  openShift('0d6ef8c6-6f0e-4f59-9d3b-0c1a2f6a0001'),
]

/** Puts in open receipts of a dish of three ingredients, half of them with a customer. */
async function openReceipts({ db, brand_id }: Installation, kill: number): Promise<number[]> {
  const ids = Array.from({ length: RECEIPTS_A_KILL }, (_, index) => kill * RECEIPTS_A_KILL + index + 1)
  const recipe = INGREDIENTS.map((product_id) => ({ product_id, gross: 3_333 }))
  const rows = ids.map((id) => {
    const { shown, copied } = lineOf(id, PRICE, 2)
    return whole(id, [{ shown, copied: { ...copied, recipe } }], {
      discount_type: 0,
      discount_value: 0,
      service_charge: 0,
      terminal_id: 1,
      ...(id % 2 === 0 && { customer_id: CUSTOMER }),
    })
  })
  await putRows(db, brand_id, rows)
  return ids
}

interface Sent {
  id: number
  answer: Answer
  /** True if it was in flight at the kill. */
  wasInFlight: boolean
  /** True if it was answered `unavailable` before, and so not done by then. */
  wasShed: boolean
}

const isShed = ({ status, body }: Answer) => status === 503 && body.error === 'unavailable'

const close = (caller: Client, id: number) =>
  caller.ask(`/receipts/${id}/close`, {
    method: 'POST',
    body: { payment_methods: [{ id: CASH, amount: 2 * PRICE }] },
    headers: { 'idempotency-key': `close ${id}` },
  })

/** Clients who close one receipt after the other and note what they were told. */
function startClosing(caller: Client, ids: readonly number[]) {
  const left = [...ids]
  const sent: Sent[] = []
  const shed = new Set<number>() // a busy machine refuses some, which are then asked again with their key
  const first = Promise.withResolvers<void>()
  let over = false
  const done = inParallel(CLOSERS, async () => {
    for (let id = left.shift(); id !== undefined && !over; id = left.shift()) {
      const answer = await close(caller, id)
      if (isShed(answer) && !over) {
        shed.add(id)
        left.push(id)
        await sleep(50)
        continue
      }
      sent.push({ id, answer, wasInFlight: over, wasShed: shed.has(id) })
      if (answer.status === 200) first.resolve()
    }
  }).then(() => {
    first.reject(new Error('no close was acknowledged'))
    return sent
  })
  return {
    first: first.promise,
    done,
    stop() {
      over = true
    },
  }
}

async function checkStored(
  { db, brand_id }: Installation,
  sent: readonly Sent[],
  reportFailure: ReportFailure,
): Promise<void> {
  const closed = new Set(
    (await db.rows<{ id: number }>('select id from receipts where brand_id = ? and status = 2', [brand_id])).map(
      ({ id }) => id,
    ),
  )
  for (const { id, answer, wasShed } of sent) {
    const description = `receipt ${id}, answered ${answer.status} ${answer.body.error ?? answer.failure ?? ''}`
    if (answer.status === 200 && !closed.has(id)) reportFailure(`${description}: it is open`)
    if (isShed(answer) && closed.has(id)) reportFailure(`${description}: it is closed`)
    if (wasShed && answer.headers['idempotency-replayed'] === 'true')
      reportFailure(`${description}: closed when it was unavailable`)
    if (![0, 200, 503].includes(answer.status)) reportFailure(description)
  }
}

async function isSound({ db, brand_id }: Installation, reportFailure: ReportFailure): Promise<void> {
  for (const { invariant, subject, problem } of (await auditBooks(db, brand_id)).findings)
    reportFailure(`${invariant} ${subject}: ${problem}`)
}

/** The audit compares the books with each other; this compares them with what the clients paid. */
async function checkSums({ db, brand_id }: Installation, closed: number, reportFailure: ReportFailure): Promise<void> {
  const [sums] = await db.rows<{ cash: number; expected: number; moved: number }>(
    `select (select sum(amount) from balances where brand_id = ? and type = 'CASH') as cash,
            (select expected_amount from cash_shifts where brand_id = ?) as expected,
            (select count(*) from stock_operations where brand_id = ?) as moved`,
    [brand_id, brand_id, brand_id],
  )
  const paid = closed * 2 * PRICE * 10_000
  const { cash, expected, moved } = sums!
  if (Number(cash) !== paid || expected !== paid || moved !== closed * INGREDIENTS.length)
    reportFailure(`${closed} closes of ${2 * PRICE}: cash ${cash}, shift ${expected}, ${moved} movements`)
}
