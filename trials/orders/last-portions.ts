import { countStatus, inParallel } from '../harness/client.ts'
import { retryWhileBusy } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { checkBooks, DISH, describeAnswer, type House, leftAt, orderIn, PATIENT } from './house.ts'

const PORTIONS = 10

/** Crowds order what few can have; one is refused by staff, and a crowd orders that one. */
export async function lastPortions({ sizes }: Trial, house: House, reportFailure: ReportFailure): Promise<string> {
  const { portionRounds, portionRacers } = sizes
  const counted = { placed: 0, sold: 0 }
  const race = async (racers: number, portions: number) => {
    const answers = await inParallel(racers, () => {
      const uuid = crypto.randomUUID()
      return retryWhileBusy(() => house.place(uuid))
    })
    const sold = answers.filter(({ status }) => status === 200)
    const ids = new Set(sold.map((answer) => orderIn(answer).id))
    if (sold.length !== portions || ids.size !== portions)
      reportFailure(`${portions} portions: ${sold.length} of ${racers} were sold, ${ids.size} orders`)
    const rest = answers.filter(({ status }) => status !== 200)
    const wrong = rest.find(({ status, body }) => status !== 409 || JSON.stringify(body.details) !== NONE_LEFT)
    if (wrong) reportFailure(`not sold: ${describeAnswer(wrong)}`)
    counted.placed += racers
    counted.sold += countStatus(answers, 200)
    return [...ids]
  }
  const expectLeft = async (portions: number) => {
    const left = await leftAt(house, PATIENT)
    if (left !== portions) reportFailure(`the stop list says ${left}, not ${portions}`)
  }
  for (let round = 0; round < portionRounds; round++) {
    const limited = await retryWhileBusy(() => house.staff('PUT', `/stop-list/${DISH}`, { body: { limit: PORTIONS } }))
    if (limited.status !== 200) reportFailure(`a limit of ${PORTIONS}: ${describeAnswer(limited)}`)
    const [first] = await race(portionRacers, PORTIONS)
    await expectLeft(0)
    const refused = await retryWhileBusy(() =>
      house.staff('POST', `/orders/${first}/refuse`, { body: { reason: 'No oven' } }),
    )
    if (refused.status !== 200) reportFailure(`refusing ${first}: ${describeAnswer(refused)}`)
    await expectLeft(1)
    await race(portionRacers / 10, 1)
    await expectLeft(0)
    await checkBooks(house, reportFailure)
  }
  return `${counted.placed} orders for ${portionRounds} × ${PORTIONS} portions, one of which came back: ${counted.sold} sold`
}

const NONE_LEFT = JSON.stringify({ products: [{ id: DISH, limit: 0 }] })
