import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { PathText } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import { BOOKING_EVENTS } from './book.ts'
import { CashMove, closeShift, moveCash, NewShift, openShift, ShiftClosing } from './drawer.ts'
import { Payout, payOut } from './payout.ts'
import { TopUp, topUp } from './top-up.ts'

const Shift = Type.Object({ id: Type.String({ format: 'uuid' }) })
const Customer = Type.Object({ id: PathText() })

/** What staff do with drawers, with balances of customers and with accounts of the house (S5, S7). */
export function staffMoneyRoutes(app: FastifyInstance, { command }: { command: AddCommand }): void {
  const shifts = { method: 'POST', permission: 'cash-shifts:write' } as const
  command(app, {
    ...shifts,
    url: '/shifts',
    act: { action: 'shift_open', always: true },
    events: ['cash_shift.opened'],
    body: NewShift,
    message: 'Cash shift opened.',
    run: async (context, { body }) => JSON.stringify(await openShift(context, body)),
  })
  command(app, {
    ...shifts,
    url: '/shifts/:id/cash',
    act: { action: 'cash', kinds: ['cash'], always: true },
    events: ['cash_shift.updated', ...BOOKING_EVENTS],
    params: Shift,
    body: CashMove,
    message: 'Cash moved.',
    ids: { transaction_id: 1 },
    run: async (context, { params, body }) => JSON.stringify(await moveCash(context, params.id, body)),
  })
  command(app, {
    ...shifts,
    url: '/shifts/:id/close',
    act: { action: 'shift_close', always: true },
    events: ['cash_shift.closed', ...BOOKING_EVENTS],
    params: Shift,
    body: ShiftClosing,
    message: 'Cash shift closed.',
    ids: { transaction_id: 1 },
    run: async (context, { params, body }) => JSON.stringify(await closeShift(context, params.id, body)),
  })
  command(app, {
    method: 'POST',
    permission: 'customers:balance',
    url: '/customers/:id/balance',
    act: { action: 'top_up', always: true },
    events: ['cash_shift.updated', ...BOOKING_EVENTS],
    params: Customer,
    body: TopUp,
    message: 'Balance topped up.',
    ids: { transaction_id: 2 },
    run: (context, { params, body }) => topUp(context, params.id, body),
  })
  command(app, {
    method: 'POST',
    permission: 'finance-transactions:write',
    url: '/payouts',
    act: { action: 'payout', always: true },
    events: ['finance_category.created'], // E1 has none for the house's own money
    body: Payout,
    message: 'Payout booked.',
    ids: { transaction_id: 1 },
    run: (context, { body }) => payOut(context, body),
  })
}
