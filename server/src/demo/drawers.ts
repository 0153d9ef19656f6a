import { closeShift, moveCash, openShift } from '../pos/money/drawer.ts'
import { topUp } from '../pos/money/top-up.ts'
import type { CashShift } from '../resources/money/cash-shifts.ts'
import { scaled, toWire } from './decimal.ts'
import { terminalsAt } from './house.ts'
import { CARD } from './methods.ts'
import { HOUR, MINUTE } from './opening-hours.ts'
import { CUSTOMERS } from './people.ts'
import { seeded } from './random.ts'
import type { SaleDay } from './sales.ts'
import { cashierAt, type Staff, VENUES } from './staff.ts'
import type { Timeline } from './timeline.ts'

// S5: each drawer has a shift from one counting to the next. S7: customers pay to their balances.

const FLOAT = 150

export function drawers(staff: Staff, timeline: Timeline) {
  const random = seeded('drawers')
  const open = new Map<number, CashShift>()

  /** Takes the day's cash to the bank, or brings change where refunds took more than came in; counts, and opens the next shift. */
  async function change(venue_id: number, terminal_id: number, now: string): Promise<void> {
    const context = staff.acting(venue_id, cashierAt(venue_id), now)
    const before = open.get(terminal_id)
    let opening_amount = FLOAT
    if (before) {
      const { expected_amount } = await currentShift(before)
      const taken = scaled(expected_amount) - scaled(FLOAT)
      if (taken > 0)
        await moveCash(context, before.id, { type: 'OUT', amount: toWire(taken), description: 'Remise en banque' })
      if (taken < 0) await moveCash(context, before.id, { type: 'IN', amount: toWire(-taken), description: 'Monnaie' })
      const difference = random.percent(12) ? random.between(-4, 3) * 0.5 : 0
      opening_amount = toWire(scaled(FLOAT) + scaled(difference))
      await closeShift(context, before.id, { closing_amount: opening_amount })
    }
    open.set(terminal_id, await openShift(context, { terminal_id, opening_amount }))
  }

  async function currentShift({ id }: CashShift): Promise<CashShift> {
    const { tx, brand_id } = staff
    const body = await tx.text('select body from cash_shifts where brand_id = ? and id = ?', [brand_id, id])
    return JSON.parse(body!) as CashShift
  }

  return {
    keep({ start }: SaleDay): void {
      for (const venue_id of VENUES) {
        for (const terminal_id of terminalsAt(venue_id)) timeline.at(start, (now) => change(venue_id, terminal_id, now))
        if (new Date(start).getUTCDay() === 1)
          timeline.at(start + 4 * HOUR, async (now) => {
            const { id } = open.get(terminalsAt(venue_id)[0]!)!
            const context = staff.acting(venue_id, cashierAt(venue_id), now)
            await moveCash(context, id, { type: 'IN', amount: 50, description: 'Monnaie' })
          })
        const customer = String(random.between(1, CUSTOMERS))
        const amount = random.pick([20, 30, 50, 100])
        timeline.at(start + random.between(180, 900) * MINUTE, async (now) => {
          const context = staff.acting(venue_id, cashierAt(venue_id), now)
          await topUp(context, customer, { amount, payment_method_id: CARD.id })
        })
      }
    },
  }
}
