import type { BalanceMove } from '../../../../server/src/back-office/till/customer-routes.ts'
import { liveQuery } from '../../live/use-live.ts'

export type { BalanceMove }

/** A customer as the API shows it with its details. */
export interface Customer {
  id: string
  name: string
  email?: string
  phone?: string
  code?: string
  description?: string
  date_of_birth?: string
  gender?: number
  group_id: number
  group?: { name: string }
  balance: { amount: number }
  cashback_balance: { amount: number }
  spent: number
  receipt_count: number
}

/** One that can be changed: `version` says which one was seen. */
export type Editable = Customer & { readonly version: string }

export interface PaymentMethod {
  id: number
  name: string
  kind: string
}

export const foundBy = (venue: number, search: string) =>
  liveQuery<{ data: Customer[] }>(venue, 'customers', `/customer-search?${new URLSearchParams({ search })}`)
export const customerOf = (venue: number, id: string) =>
  liveQuery<{ data: Editable }>(venue, 'customers', `/customers/${encodeURIComponent(id)}`)
export const movesOf = (venue: number, id: string) =>
  liveQuery<{ data: BalanceMove[] }>(venue, 'customers', `/customers/${encodeURIComponent(id)}/balance`)
export const groupsOf = (venue: number) =>
  liveQuery<{ data: { id: number; name: string; deleted_at: string | null }[] }>(
    venue,
    'customers',
    '/read/customer-groups?limit=100',
  )
export const methodsOf = (venue: number) =>
  liveQuery<{ data: PaymentMethod[] }>(
    venue,
    'menu',
    `/read/payment-methods?limit=100&filters=${encodeURIComponent('[["status",1]]')}`,
  )
export const receiptsOf = (venue: number, id: string) =>
  liveQuery<{ data: { id: number; total?: number; created_at: string; number?: number }[] }>(
    venue,
    'receipts',
    `/read/receipts?limit=20&include=details&filters=${encodeURIComponent(JSON.stringify([['customer_id', id]]))}`,
  )
