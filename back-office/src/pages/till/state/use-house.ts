import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Seller } from '../../../../../server/src/pos/receipts/routes.ts'
import type { CashShift } from '../../../../../server/src/resources/money/cash-shifts.ts'
import type { PaymentMethod } from '../../../../../server/src/resources/money/payment-methods.ts'
import type { Course } from '../../../../../server/src/resources/places/courses.ts'
import type { Table } from '../../../../../server/src/resources/places/tables.ts'
import type { SaleType } from '../../../../../server/src/resources/sales/sale-types.ts'
import type { One } from '../../../api.ts'
import { liveQuery } from '../../../live/use-live.ts'
import type { Venue } from '../../../live/use-venue.ts'
import { list } from './paths.ts'

/** Where a till stands. */
export interface Place {
  readonly venue: Venue
  readonly terminal: { readonly id: number; readonly name: string } | undefined
}

/** How this venue sells: sale types, payment methods, tables, its people, and the shift of the drawer. Undefined until they were read. */
export function useHouse({ venue, terminal }: Place, rights: (permission: string) => boolean) {
  const here = (row: { status: Record<string, number> }) => row.status[venue.id] !== 0
  const saleTypes = useQuery(liveQuery<One<SaleType[]>>(venue.id, 'menu', list('sale-types')))
    .data?.data.filter(here)
    .sort(byPosition)
  const methods = useQuery(liveQuery<One<PaymentMethod[]>>(venue.id, 'menu', list('payment-methods')))
    .data?.data.filter(here)
    .sort(byPosition)
  const people = useQuery(liveQuery<One<Seller[]>>(venue.id, 'places', '/sellers')).data?.data
  const tables = useQuery(liveQuery<One<Table[]>>(venue.id, 'places', list('tables'))).data?.data
  const courses = useQuery(liveQuery<One<Course[]>>(venue.id, 'menu', list('courses'))).data?.data
  const shifts = liveQuery<One<CashShift[]>>(
    venue.id,
    'shifts',
    list('finance/cash-shifts', [
      ['status', 'OPEN'],
      ['terminal_id', terminal?.id],
    ]),
  )
  const enabled = terminal !== undefined && rights('finance-cash-shifts:read')
  return {
    saleTypes,
    methods,
    courses: (courses ?? []).filter(({ status }) => status === 1),
    courseName: (id: number | undefined) => courses?.find((course) => course.id === id)?.name,
    tables: (tables ?? []).filter(({ status }) => status === 1),
    tableNames: useMemo(() => new Map((tables ?? []).map(({ id, name }) => [id, name])), [tables]),
    people: people ?? [],
    nameOf: (user: number | undefined) => people?.find(({ id }) => id === user)?.name,
    shift: useQuery({ ...shifts, enabled }).data?.data[0],
  }
}

const byPosition = (a: { position: number }, b: { position: number }) => a.position - b.position
