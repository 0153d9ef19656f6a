import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, inParallel } from '../harness/client.ts'
import { retryWhileBusy } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { checkBooks, DISH, describeAnswer, HASTY, type House, leftAt, orderIn, type ShownOrder } from './house.ts'

const WAVE = 20 // orders that expire at about the same time
const LIMIT = 100_000
/** How long before its end the three meet an order, and how much sooner staff may be: all of them then come to be first sometimes. */
const [EARLIEST_MS, LATEST_MS] = [-120, 10]
const HEAD_START_MS = 40
const RACES_THAT_MEET = 500 // of as many, each must win some

const WINS = ['accepted', 'taken back', 'expired'] as const
type Win = (typeof WINS)[number]

export async function oneWinner(trial: Trial, house: House, reportFailure: ReportFailure): Promise<string> {
  const { orderRaces } = trial.sizes
  const random = trial.random('one winner')
  const won: Record<Win, number> = { accepted: 0, 'taken back': 0, expired: 0 }
  const venue = { 'x-venue': String(HASTY) }
  const limited = await retryWhileBusy(() =>
    house.staff('PUT', `/stop-list/${DISH}`, { body: { limit: LIMIT }, venue: HASTY }),
  )
  if (limited.status !== 200) reportFailure(`a limit of ${LIMIT}: ${describeAnswer(limited)}`)
  const look = (id: number) => retryWhileBusy(() => house.guest.ask(`/orders/${id}`, { headers: venue }))

  async function race(): Promise<void> {
    const uuid = crypto.randomUUID()
    const placed = await retryWhileBusy(() => house.place(uuid, { venue: HASTY }))
    if (placed.status !== 200) return reportFailure(`placing: ${describeAnswer(placed)}`)
    const { id, expires_at } = orderIn(placed)
    const key = (what: string) => `${what} ${uuid}`
    const acts = {
      accept: () => house.staff('POST', `/orders/${id}/accept`, { body: {}, venue: HASTY, key: key('accept') }),
      takeBack: () =>
        house.guest.ask(`/orders/${id}`, {
          method: 'PUT',
          body: { status: 'IGNORE' },
          headers: { ...venue, 'idempotency-key': key('take back') },
        }),
      look: () => house.guest.ask(`/orders/${id}`, { headers: venue }), // a read that comes too late makes it expire
    }
    await sleep(Math.max(0, Date.parse(expires_at) - Date.now() + random.between(EARLIEST_MS, LATEST_MS)))
    const answers = new Map<string, Answer>()
    const wait = random.between(0, HEAD_START_MS)
    await Promise.all(
      Object.entries(acts).map(async ([name, act]) => {
        if (name !== 'accept' && wait > 0) await sleep(wait)
        answers.set(name, await retryWhileBusy(act))
      }),
    )
    const final = orderIn(await look(id))
    const win = winOf(final)
    if (!win) return reportFailure(`order ${id} is ${JSON.stringify(final)}`)
    won[win]++
    check(final, win, answers, reportFailure)
  }

  for (let left = orderRaces; left > 0; left -= WAVE) await inParallel(Math.min(WAVE, left), race)
  await checkBooks(house, reportFailure)
  const left = await leftAt(house, HASTY)
  if (left !== LIMIT - won.accepted)
    reportFailure(`${won.accepted} were accepted, and the stop list says ${left}, not ${LIMIT}`)
  const sums = WINS.map((win) => `${win} ${won[win]}`).join(', ')
  if (orderRaces >= RACES_THAT_MEET && WINS.some((win) => won[win] === 0)) reportFailure(`one never won: ${sums}`)
  return `${orderRaces} races: ${sums}`
}

function winOf({ status, reason, receipt_id }: ShownOrder): Win | undefined {
  if (status === 'RECEIVED' && receipt_id !== undefined) return 'accepted'
  if (status !== 'IGNORE' || receipt_id !== undefined) return undefined
  return reason === 'expired' ? 'expired' : reason === 'cancelled' ? 'taken back' : undefined
}

/** The winner is answered with success, the loser with the state that it found. */
function check(
  { id, status }: ShownOrder,
  win: Win,
  answers: ReadonlyMap<string, Answer>,
  reportFailure: ReportFailure,
): void {
  const said = `order ${id}, ${win}`
  for (const [name, wins] of [
    ['accept', 'accepted'],
    ['takeBack', 'taken back'],
  ] as const) {
    const answer = answers.get(name)!
    const { error, details } = answer.body as { error?: string; details?: { status?: string } }
    const isLoser = answer.status === 409 && error === 'order_not_pending' && details?.status === status
    const isWinner = answer.status === 200 && orderIn(answer).status === status
    if (win === wins ? !isWinner : !isLoser) reportFailure(`${said}: ${name} was answered ${describeAnswer(answer)}`)
  }
  const seen = answers.get('look')!
  if (seen.status !== 200 || !['PENDING', status].includes(orderIn(seen).status))
    reportFailure(`${said}: read ${describeAnswer(seen)}`)
}
