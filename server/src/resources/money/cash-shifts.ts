import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { DateTime, Decimal, Id, Maybe } from '../../resource/values.ts'
import { raise } from '../../resource/write/counters.ts'
import type { RowChange, RowEvent } from '../../resource/write/row-events.ts'

/** S5 */
export const CashShift = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    venue_id: Id(),
    terminal_id: Id(),
    number: Type.Integer({ description: 'Counted by venue' }),
    status: Type.Enum(['OPEN', 'CLOSED']),
    opened_at: DateTime(),
    opened_by: Maybe(Type.Integer({ minimum: 1, description: 'The staff user' })),
    opening_amount: Decimal(),
    expected_amount: Type.Number({ description: 'What the drawer holds: the opening amount and what moved it since' }),
    closing_amount: Maybe(Type.Number({ description: 'What was counted' })),
    difference: Maybe(Type.Number({ description: 'What was counted more, or less, than expected' })),
    receipts: Type.Integer({ description: 'How many were closed in it, refunds included' }),
    closed_at: Maybe(DateTime()),
    closed_by: Maybe(Id()),
    shift_date: Type.String({ format: 'date', description: 'The business day on which it was opened' }),
  },
  { $id: 'CashShift' },
)
export type CashShift = Static<typeof CashShift>

/** With the report of a closed one, as our own exports have it. */
export const CashShiftRow = Type.Object({
  ...CashShift.properties,
  report: Maybe(Type.Record(Type.String(), Type.Unknown())),
})
export type CashShiftRow = Static<typeof CashShiftRow>

/** Shifts of a venue are numbered without gaps. */
export const shiftCounter = (venue_id: number) => `cash_shift_number:${venue_id}`

export const cashShifts = defineResource({
  name: { one: 'cash-shift', many: 'cash-shifts' },
  path: 'finance/cash-shifts',
  tag: 'Finance',
  about: 'What went through a drawer from its opening count to its closing one, newest first.',
  wire: CashShift,
  line: CashShiftRow,
  scope: 'venue',
  columns: {
    id: 'key',
    venue_id: 'integer',
    terminal_id: 'integer',
    number: 'integer',
    status: 'key',
    opened_at: 'instant',
    opened_by: 'integer',
    opening_amount: 'decimal',
    expected_amount: 'decimal',
    receipts: 'integer',
    closed_at: 'instant',
    closed_by: 'integer',
    shift_date: 'key',
  },
  computed: { report: ({ report }) => (report ? JSON.stringify(report) : null) },
  references: { venue_id: 'venues', terminal_id: 'terminals', opened_by: 'users', closed_by: 'users' },
  list: {
    date: 'opened_at',
    newestFirst: true,
    shown: {
      columns: [
        'number',
        'terminal_id',
        'status',
        'expected_amount',
        'difference',
        'receipts',
        'venue_id',
        'opened_at',
      ],
    },
  },
  api: { list: {}, get: {} },
  async complete({ tx, brand_id }, lines) {
    for (const [venue_id, own] of Map.groupBy(lines, (line) => line.venue_id))
      await raise(tx, brand_id, shiftCounter(venue_id), Math.max(...own.map(({ number }) => number)))
    return lines.map((line) => ({ ...line, id: line.id.toLowerCase() }))
  },
  events: { types: ['cash_shift.opened', 'cash_shift.updated', 'cash_shift.closed'], eventsOf: shiftEvents },
  exportText: `substr(body, 1, length(body) - 1) || coalesce(',"report":' || report, '') || '}'`,
})

/** One that is new, or in another state than before, publishes the type of that state. */
function shiftEvents({ before, after }: RowChange<CashShiftRow>): RowEvent[] {
  if (!after) return [] // nothing deletes one
  const happened = before?.status === after.status ? 'updated' : after.status === 'OPEN' ? 'opened' : 'closed'
  return [{ type: `cash_shift.${happened}`, data: { id: after.id } }]
}
