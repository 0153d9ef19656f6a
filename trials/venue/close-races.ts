import { randomUUID } from 'node:crypto'
import { auditBooks } from '../../server/src/pos/books/audit.ts'
import { type Answer, inParallel, tally } from '../harness/client.ts'
import { ENGINES, type Engine, install, retryWhileBusy } from '../harness/installation.ts'
import { signedInOwner } from '../harness/office/staff.ts'
import { manyWorkers, serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import {
  BALANCE,
  CARD,
  CASH,
  CUSTOMERS,
  DISHES,
  INGREDIENTS_A_DISH,
  PRICE,
  RESTAURANT,
  TERMINAL,
} from './restaurant.ts'

/** P14, P16: of closes at one instant, on many workers, one is done, and a balance is spent once. */
export async function closeRaces(trial: Trial): Promise<void> {
  for (const engine of ENGINES) {
    await trial.promise(`of many closes of one receipt one is done, ${engine}`, (reportFailure) =>
      race(trial, engine, reportFailure),
    )
  }
}

async function race(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { closeRounds, closeRacers } = trial.sizes
  const installation = await install(trial, engine, RESTAURANT)
  const { db, brand_id } = installation
  const { url } = await serve(trial, installation, await manyWorkers(trial, engine))
  const staff = await signedInOwner(trial, installation)
  const ask = (path: string, body: object) => retryWhileBusy(() => staff(url, 'POST', path, { body }))
  const open = async (customer_id?: number) => {
    const lines = [{ cid: randomUUID(), product_id: DISHES[0], count: 1 }]
    const given = { cid: randomUUID(), sale_type_id: 1, terminal_id: TERMINAL, lines }
    const { status, body } = await ask('/receipts', { ...given, ...(customer_id && { customer_id }) })
    if (status !== 200) throw new Error(`opening: ${status} ${JSON.stringify(body)}`)
    return (body.data as { id: number }).id
  }
  const close = (id: number, method: number) =>
    ask(`/receipts/${id}/close`, { payment_methods: [{ id: method, amount: PRICE }] })
  const expectOne = (what: string, answers: readonly Answer[], error: string) => {
    const others = answers.filter(({ status }) => status !== 200)
    const wrong = others.find(({ status, body }) => status !== 409 || body.error !== error)
    if (answers.length - others.length !== 1 || wrong)
      reportFailure(`${what}: ${tally(answers)} ${JSON.stringify(wrong?.body)}`)
  }

  for (let round = 0; round < closeRounds; round++) {
    const id = await open()
    expectOne(`receipt ${id}`, await inParallel(closeRacers, () => close(id, CASH)), 'receipt_closed')
    const moved = await db.rows('select id from stock_operations where brand_id = ? and receipt_id = ?', [brand_id, id])
    if (moved.length !== INGREDIENTS_A_DISH) reportFailure(`receipt ${id} moved stock ${moved.length} times`)
    const [customer_id] = CUSTOMERS as [number]
    const topUp = await ask(`/customers/${customer_id}/balance`, { amount: PRICE, payment_method_id: CARD })
    if (topUp.status !== 200) reportFailure(`topping up: ${topUp.status} ${JSON.stringify(topUp.body)}`)
    const ids = await inParallel(closeRacers / 10, () => open(customer_id))
    const paid = await inParallel(ids.length, (index) => close(ids[index]!, BALANCE))
    expectOne(`a balance of ${PRICE}`, paid, 'insufficient_balance')
  }
  for (const { invariant, subject, problem } of (await auditBooks(db, brand_id)).findings)
    reportFailure(`${invariant} ${subject}: ${problem}`)
  return `${closeRounds} × ${closeRacers} closes of one receipt, ${closeRacers / 10} of one balance`
}
