import type { FinanceBalance } from '../../../../server/src/resources/money/balances.ts'
import type { CashShift } from '../../../../server/src/resources/money/cash-shifts.ts'
import type { Terminal as TerminalRow } from '../../../../server/src/resources/places/terminals.ts'
import { HOUSE_KINDS, OPEN } from '../../../../server/src/values/states.ts'
import type { One } from '../../api.ts'
import { liveQuery } from '../../live/use-live.ts'
import type { Receipt } from '../till/receipt.ts'

export type { CashShift, FinanceBalance, Receipt }
export type Terminal = Pick<TerminalRow, 'id' | 'name'>

const filters = (...given: readonly (readonly [string, unknown])[]) => encodeURIComponent(JSON.stringify(given))

export const terminalsOf = (venue: number) =>
  liveQuery<One<Terminal[]>>(venue, 'places', `/read/terminals?limit=100&filters=${filters(['status', 1])}`)
export const openShiftsOf = (venue: number) =>
  liveQuery<One<CashShift[]>>(
    venue,
    'shifts',
    `/read/finance/cash-shifts?limit=100&filters=${filters(['status', 'OPEN'])}`,
  )
export const closedShiftsOf = (venue: number) =>
  liveQuery<One<CashShift[]>>(
    venue,
    'shifts',
    `/read/finance/cash-shifts?limit=10&filters=${filters(['status', 'CLOSED'])}`,
  )
export const accountsOf = (venue: number) =>
  liveQuery<One<FinanceBalance[]>>(
    venue,
    'shifts',
    `/read/finance/balances?limit=200&filters=${filters(['type', HOUSE_KINDS])}`,
  )
export const openReceiptsOf = (venue: number) =>
  liveQuery<One<Receipt[]> & { readonly total?: number }>(
    venue,
    'receipts',
    `/read/receipts?limit=100&include=details&filters=${filters(['status', OPEN])}`,
  )
