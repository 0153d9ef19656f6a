import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, inParallel } from '../harness/client.ts'
import { retryWhileBusy } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { checkBooks, DISH, describeAnswer, type House, orderIn } from './house.ts'

const GUESTS = 16
const LATEST_MS = 400
const ORDERS_A_KILL = 400 // more than are placed before the kill comes
const KILLS_THAT_MEET = 10 // of as many, one at least must meet an order in flight
const LIMIT = 1_000_000

/** What a guest and the staff asked and were told about one order. */
interface Sent {
  uuid: string
  placed: Answer
  decision: 'accept' | 'refuse'
  decided?: Answer | undefined
}

/** Orders are placed, accepted and refused while the process is killed; what was not answered is asked again. */
export async function killed(trial: Trial, house: House, reportFailure: ReportFailure): Promise<string> {
  const { orderKills } = trial.sizes
  const random = trial.random('killed orders')
  const counted = { placed: 0, decided: 0, again: 0 }
  const limited = await retryWhileBusy(() => house.staff('PUT', `/stop-list/${DISH}`, { body: { limit: LIMIT } }))
  if (limited.status !== 200) reportFailure(`a limit of ${LIMIT}: ${describeAnswer(limited)}`)
  for (let kill = 0; kill < orderKills; kill++) {
    const work = startWork(house)
    await work.first
    await sleep(random.between(0, LATEST_MS))
    work.stop()
    let sent: Sent[] = []
    await house.replace(async () => {
      sent = await work.done
    })
    await checkKept(house, sent, reportFailure)
    counted.again += await askAgain(house, sent, reportFailure)
    counted.placed += sent.length
    counted.decided += sent.filter(({ decided }) => decided !== undefined).length
    const books = await checkBooks(house, reportFailure)
    for (const { uuid, decision, decided } of sent) {
      const state = decided === undefined ? 'PENDING' : decision === 'accept' ? 'RECEIVED' : 'IGNORE'
      if (books.get(uuid)?.status !== state) reportFailure(`order ${uuid} is ${books.get(uuid)?.status}, not ${state}`)
    }
  }
  if (orderKills >= KILLS_THAT_MEET && counted.again === 0) reportFailure('no kill met a request in flight')
  return `${orderKills} kills, ${counted.placed} placed, ${counted.decided} accepted or refused, ${counted.again} answers lost and asked for again`
}

const decide = ({ staff }: House, id: number, { uuid, decision }: Pick<Sent, 'uuid' | 'decision'>) =>
  staff('POST', `/orders/${id}/${decision}`, {
    body: decision === 'refuse' ? { reason: 'No oven' } : {},
    key: `${decision} ${uuid}`,
  })

/** Every other order has a key besides its uuid. */
const place = (house: House, uuid: string) =>
  house.place(uuid, Number.parseInt(uuid[0]!, 16) % 2 === 0 ? { key: `place ${uuid}` } : {})

function startWork(house: House) {
  const sent: Sent[] = []
  const first = Promise.withResolvers<void>()
  let over = false
  /** Where the machine is busy some are refused, and asked again as long as there is somebody to ask. */
  const ask = async (one: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await one()
      if (answer.status !== 503 || over) return answer
      await sleep(20)
    }
  }
  let left = ORDERS_A_KILL
  const done = inParallel(GUESTS, async (index) => {
    for (let turn = 0; !over && left-- > 0; turn++) {
      const order: Sent = {
        uuid: crypto.randomUUID(),
        placed: { status: 0, headers: {}, body: {}, ms: 0 },
        decision: (index + turn) % 4 === 0 ? 'refuse' : 'accept',
      }
      sent.push(order)
      order.placed = await ask(() => place(house, order.uuid))
      if (order.placed.status !== 200 || over) continue
      const { id } = orderIn(order.placed)
      order.decided = await ask(() => decide(house, id, order))
      if (order.decided.status === 200) first.resolve()
    }
  }).then(() => {
    first.reject(new Error('no decision was acknowledged'))
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

/** What was acknowledged is there, before anything is asked again. */
async function checkKept(house: House, sent: readonly Sent[], reportFailure: ReportFailure): Promise<void> {
  const books = await checkBooks(house, reportFailure)
  for (const { uuid, placed, decision, decided } of sent) {
    const kept = books.get(uuid)
    const said = `order ${uuid}`
    if (![0, 200, 503].includes(placed.status)) reportFailure(`${said}: placing was answered ${describeAnswer(placed)}`)
    if (placed.status === 200 && kept?.id !== orderIn(placed).id)
      reportFailure(`${said}: told ${orderIn(placed).id}, kept as ${kept?.id}`)
    if (decided && ![0, 200, 503].includes(decided.status))
      reportFailure(`${said}: ${decision} was answered ${describeAnswer(decided)}`)
    const state = decision === 'accept' ? 'RECEIVED' : 'IGNORE'
    if (decided?.status === 200 && kept?.status !== state)
      reportFailure(`${said}: ${decision} was done, and it is ${kept?.status}`)
  }
}

/** With the same keys: what was answered is answered the same, what was not is done once. */
async function askAgain(house: House, sent: readonly Sent[], reportFailure: ReportFailure): Promise<number> {
  let again = 0
  await inParallel(
    sent.length,
    async (index) => {
      const order = sent[index]!
      const { uuid, placed, decided, decision } = order
      const repeated = await retryWhileBusy(() => place(house, uuid))
      if (repeated.status !== 200) return reportFailure(`order ${uuid}, placed again: ${describeAnswer(repeated)}`)
      const { id } = orderIn(repeated)
      if (placed.status === 200 && id !== orderIn(placed).id)
        reportFailure(`order ${uuid}: ${orderIn(placed).id}, placed again: ${id}`)
      if (placed.status !== 200) again++
      if (!decided) return
      const answer = await retryWhileBusy(() => decide(house, id, order))
      if (answer.status !== 200) reportFailure(`order ${id}, ${decision} again: ${describeAnswer(answer)}`)
      if (decided.status !== 200) again++
    },
    GUESTS,
  )
  return again
}
