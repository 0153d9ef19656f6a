import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { DateTime, Id, Maybe } from '../../resource/values.ts'
import { raise } from '../../resource/write/counters.ts'
import type { RowChange, RowEvent } from '../../resource/write/row-events.ts'

/** A guest at a table wants a waiter, or to pay. */
export const WaiterCall = Type.Object(
  {
    id: Id(),
    table_id: Id(),
    type: Type.Enum(['WAITER', 'PAY']),
    payment_method: Maybe(Type.String({ description: 'How the guest wants to pay' })),
    created_at: DateTime(),
  },
  { $id: 'WaiterCall' },
)
export type WaiterCall = Static<typeof WaiterCall>

export const WaiterCallRow = Type.Object({ ...WaiterCall.properties, venue_id: Id(), done_at: Maybe(DateTime()) })
export type WaiterCallRow = Static<typeof WaiterCallRow>

export const waiterCalls = defineResource({
  name: { one: 'waiter-call', many: 'waiter-calls' },
  permission: 'orders:read',
  tag: 'Orders',
  about: 'Calls of guests for a waiter.',
  wire: WaiterCall,
  line: WaiterCallRow,
  scope: 'venue',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    table_id: 'integer',
    type: 'key',
    payment_method: 'key',
    created_at: 'instant',
    done_at: 'instant',
  },
  references: { venue_id: 'venues', table_id: 'tables' },
  events: { types: ['waiter_call.created', 'waiter_call.done'], eventsOf: callEvents },
  async complete({ tx, brand_id }, lines) {
    await raise(tx, brand_id, 'waiter_call_id', Math.max(...lines.map(({ id }) => id)))
    return [...lines]
  },
  exportText: `substr(body, 1, length(body) - 1) || ',"venue_id":' || venue_id
    || coalesce(',"done_at":"' || done_at || '"', '') || '}'`,
})

function callEvents({ before, after }: RowChange<WaiterCallRow>): RowEvent[] {
  if (!after) return []
  const { id, table_id, type, done_at } = after
  const data = { id, table_id, type }
  const created: RowEvent[] = before ? [] : [{ type: 'waiter_call.created', data }]
  return done_at !== undefined && before?.done_at === undefined
    ? [...created, { type: 'waiter_call.done', data }]
    : created
}
