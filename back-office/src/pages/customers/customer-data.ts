import type { BalanceMove } from '../../../../server/src/back-office/till/customer-routes.ts'
import type { PaymentMethod } from '../../../../server/src/resources/money/payment-methods.ts'
import type { CustomerGroup } from '../../../../server/src/resources/people/customer-groups.ts'
import type {
  CustomerDetails,
  Customer as ShownCustomer,
} from '../../../../server/src/resources/people/customer-schema.ts'
import { liveQuery } from '../../live/use-live.ts'
import type { Receipt } from '../till/receipt.ts'

export type { BalanceMove, PaymentMethod }

/** A customer with its details. */
export type Customer = ShownCustomer & CustomerDetails

/** One that can be changed: `version` says which one was seen. */
export type Editable = Customer & { readonly version: string }

export const foundBy = (venue: number, search: string) =>
  liveQuery<{ data: Customer[] }>(venue, 'customers', `/customer-search?${new URLSearchParams({ search })}`)
export const customerOf = (venue: number, id: string) =>
  liveQuery<{ data: Editable }>(venue, 'customers', `/customers/${encodeURIComponent(id)}`)
export const movesOf = (venue: number, id: string) =>
  liveQuery<{ data: BalanceMove[] }>(venue, 'customers', `/customers/${encodeURIComponent(id)}/balance`)
export const groupsOf = (venue: number) =>
  liveQuery<{ data: CustomerGroup[] }>(venue, 'customers', '/read/customer-groups?limit=100')
export const methodsOf = (venue: number) =>
  liveQuery<{ data: PaymentMethod[] }>(
    venue,
    'menu',
    `/read/payment-methods?limit=100&filters=${encodeURIComponent('[["status",1]]')}`,
  )
export const receiptsOf = (venue: number, id: string) =>
  liveQuery<{ data: Receipt[] }>(
    venue,
    'receipts',
    `/read/receipts?limit=20&include=details&filters=${encodeURIComponent(JSON.stringify([['customer_id', id]]))}`,
  )
