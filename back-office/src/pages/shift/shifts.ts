import type { CashShift } from '../../../../server/src/resources/money/cash-shifts.ts'
import { liveQuery } from '../../live/use-live.ts'

export type { CashShift }

interface Page<Row> {
  data: Row[]
  total?: number
}

export interface Terminal {
  id: number
  name: string
}

export interface OpenReceipt {
  id: number
  number?: number
  table_id?: number
  total?: number
  remaining?: number
  created_at: string
}

export interface Account {
  id: number
  venue_id?: number
  name: string
  type: string
  amount: number
}

const filters = (...given: readonly (readonly [string, unknown])[]) => encodeURIComponent(JSON.stringify(given))

export const terminalsOf = (venue: number) =>
  liveQuery<Page<Terminal>>(venue, 'places', `/read/terminals?limit=100&filters=${filters(['status', 1])}`)
export const openShiftsOf = (venue: number) =>
  liveQuery<Page<CashShift>>(
    venue,
    'shifts',
    `/read/finance/cash-shifts?limit=100&filters=${filters(['status', 'OPEN'])}`,
  )
export const closedShiftsOf = (venue: number) =>
  liveQuery<Page<CashShift>>(
    venue,
    'shifts',
    `/read/finance/cash-shifts?limit=10&filters=${filters(['status', 'CLOSED'])}`,
  )
export const accountsOf = (venue: number) =>
  liveQuery<Page<Account>>(
    venue,
    'shifts',
    `/read/finance/balances?limit=200&filters=${filters(['type', ['CASH', 'CARD', 'OTHER']])}`,
  )
export const openReceiptsOf = (venue: number) =>
  liveQuery<Page<OpenReceipt>>(
    venue,
    'receipts',
    `/read/receipts?limit=100&include=details&filters=${filters(['status', 1])}`,
  )
