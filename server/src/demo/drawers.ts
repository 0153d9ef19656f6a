import { closeShift, moveCash, openShift } from '../pos/money/drawer.ts'
import { topUp } from '../pos/money/top-up.ts'
import type { CashShift } from '../resources/money/cash-shifts.ts'
import { scaled, toWire } from './decimal.ts'
import { terminalsAt } from './house.ts'
import { CARD } from './methods.ts'
import { HOUR, MINUTE, type OpenDay } from './opening-hours.ts'
import { CUSTOMERS } from './people.ts'
import { seeded } from './random.ts'
import { cashierAt, type Staff, VENUES } from './staff.ts'
import type { Timeline } from './timeline.ts'

// S5: each drawer has a shift from one counting to the next. S7: customers pay to their balances.

const FLOAT = 150

/** Puts all that is done about the drawers on one day on the timeline. */
export function keepDrawers(staff: Staff, timeline: Timeline, { index, start }: OpenDay): void {
  const random = seeded(`drawers ${index}`)

  /** Takes the day's cash to the bank, or brings change where refunds took more than came in; counts, and opens the next shift. */
  async function change(venue_id: number, terminal_id: number, now: string): Promise<void> {
    const context = staff.acting(venue_id, cashierAt(venue_id), now)
    const before = await openShiftAt(staff, terminal_id)
    let opening_amount = FLOAT
    if (before) {
      const taken = scaled(before.expected_amount) - scaled(FLOAT)
      if (taken > 0)
        await moveCash(context, before.id, { type: 'OUT', amount: toWire(taken), description: 'Remise en banque' })
      if (taken < 0) await moveCash(context, before.id, { type: 'IN', amount: toWire(-taken), description: 'Monnaie' })
      const difference = random.percent(12) ? random.between(-4, 3) * 0.5 : 0
      opening_amount = toWire(scaled(FLOAT) + scaled(difference))
      await closeShift(context, before.id, { closing_amount: opening_amount })
    }
    await openShift(context, { terminal_id, opening_amount })
  }

  for (const venue_id of VENUES) {
    for (const terminal_id of terminalsAt(venue_id))
      timeline.schedule(start, (now) => change(venue_id, terminal_id, now))
    if (isMonday(index))
      timeline.schedule(start + 4 * HOUR, async (now) => {
        const { id } = (await openShiftAt(staff, terminalsAt(venue_id)[0]!))!
        const context = staff.acting(venue_id, cashierAt(venue_id), now)
        await moveCash(context, id, { type: 'IN', amount: 50, description: 'Monnaie' })
      })
    const customer = String(random.between(1, CUSTOMERS))
    const amount = random.pick([20, 30, 50, 100])
    timeline.schedule(start + random.between(180, 900) * MINUTE, async (now) => {
      const context = staff.acting(venue_id, cashierAt(venue_id), now)
      await topUp(context, customer, { amount, payment_method_id: CARD.id })
    })
  }
}

const isMonday = (index: number) => index % 7 === 0

async function openShiftAt({ tx, brand_id }: Staff, terminal_id: number): Promise<CashShift | undefined> {
  const [body] = await tx.texts(
    `select body from cash_shifts where brand_id = ? and terminal_id = ? and status = 'OPEN'`,
    [brand_id, terminal_id],
  )
  return body === undefined ? undefined : (JSON.parse(body) as CashShift)
}
