import type { Row } from '../../server/test/database/store.ts'

// Rows that every house needs where guests pay.

export const paymentMethod = (id: number, payment_kind: string): Row => ({
  kind: 'payment_method',
  id,
  name: payment_kind,
  payment_kind,
  status: {},
  position: id,
  customer_required: 0,
})

/** A shift of the first terminal, with an empty drawer. */
export const openShift = (id: string): Row => ({
  kind: 'cash_shift',
  id,
  venue_id: 1,
  terminal_id: 1,
  number: 1,
  status: 'OPEN',
  opened_at: '2026-01-01T08:00:00.000Z',
  opening_amount: 0,
  expected_amount: 0,
  receipts: 0,
  shift_date: '2026-01-01',
})
