import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { BOOKING_EVENTS } from '../../pos/money/book.ts'
import { CashMove, closeShift, moveCash, NewShift, openShift, ShiftClosing } from '../../pos/money/drawer.ts'
import { Payout, payOut } from '../../pos/money/payout.ts'
import { TopUp, topUp } from '../../pos/money/top-up.ts'
import { commandRoutes } from '../../pos/run.ts'
import type { CashShift } from '../../resources/cash-shifts.ts'
import { PathText } from '../../resources/values.ts'
import type { Database } from '../../storage/database.ts'

const Shift = Type.Object({ id: Type.String({ format: 'uuid' }) })
const Customer = Type.Object({ id: PathText() })

/** What staff do with drawers, with balances of customers and with accounts of the house (S5, S7). */
export function moneyRoutes(app: FastifyInstance, deps: { db: Database; now: () => number }): void {
  const route = commandRoutes(app, deps)
  const shifts = { method: 'POST', permission: 'cash-shifts:write' } as const
  route({
    ...shifts,
    url: '/shifts',
    events: ['cash_shift.opened'],
    schema: { body: NewShift },
    message: 'Cash shift opened.',
    ids: () => ({}),
    command: async (context, { body }) => JSON.stringify(await openShift(context, body as NewShift)),
  })
  route({
    ...shifts,
    url: '/shifts/:id/cash',
    events: ['cash_shift.updated', ...BOOKING_EVENTS],
    schema: { params: Shift, body: CashMove },
    message: 'Cash moved.',
    ids: () => ({ transaction_id: 1 }),
    command: async (context, request) => shown(await moveCash(context, idOf(request), request.body as CashMove)),
  })
  route({
    ...shifts,
    url: '/shifts/:id/close',
    events: ['cash_shift.closed', ...BOOKING_EVENTS],
    schema: { params: Shift, body: ShiftClosing },
    message: 'Cash shift closed.',
    ids: () => ({ transaction_id: 1 }),
    command: async (context, request) => shown(await closeShift(context, idOf(request), request.body as ShiftClosing)),
  })
  route({
    method: 'POST',
    permission: 'customers:balance',
    url: '/customers/:id/balance',
    events: ['cash_shift.updated', ...BOOKING_EVENTS],
    schema: { params: Customer, body: TopUp },
    message: 'Balance topped up.',
    ids: () => ({ transaction_id: 2 }),
    command: (context, request) => topUp(context, idOf(request), request.body as TopUp),
  })
  route({
    method: 'POST',
    permission: 'finance-transactions:write',
    url: '/payouts',
    events: ['finance_category.created'], // E1 has none for the house's own money
    schema: { body: Payout },
    message: 'Payout booked.',
    ids: () => ({ transaction_id: 1 }),
    command: (context, { body }) => payOut(context, body as Payout),
  })
}

const shown = (shift: CashShift) => JSON.stringify(shift)
const idOf = ({ params }: FastifyRequest) => (params as { id: string }).id // as its schema read it
