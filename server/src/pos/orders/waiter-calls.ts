import Type, { type Static } from 'typebox'
import { noSuchRecord } from '../../http/errors.ts'
import type { Extension } from '../../resource/serve.ts'
import { Id, Maybe, Trimmed } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { WaiterCall, type WaiterCallRow, waiterCalls } from '../../resources/places/waiter-calls.ts'
import type { Database } from '../../storage/database.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { laterOf } from '../../values/values.ts'
import { refuseUnknown } from '../menu.ts'
import { refuse } from '../receipts/line.ts'

const NewWaiterCall = Type.Object(
  {
    table_id: Id(),
    type: Type.Enum(['WAITER', 'PAY']),
    payment_method: Maybe(
      Trimmed({ maxLength: 64, 'x-undirected': true, description: 'How the guest wants to pay; with PAY only' }),
    ),
  },
  { $id: 'NewWaiterCall', additionalProperties: false },
)
type NewWaiterCall = Static<typeof NewWaiterCall>

/** A guest calls; while a call of the same kind waits at the table, that one is the answer. */
export async function callWaiter(
  context: CommandContext,
  { table_id, type, payment_method }: NewWaiterCall,
): Promise<string> {
  const { tx, caller, now, ids } = context
  const { brand_id, venue_id } = caller
  if (type !== 'PAY' && payment_method !== undefined)
    refuse([{ field: 'payment_method', rule: 'unknown', message: 'payment_method goes with type PAY only.' }])
  await refuseUnknown(context, { table_id })
  const [waiting] = await tx.texts(
    `select body from waiter_calls where brand_id = ? and venue_id = ? and table_id = ? and type = ? and done_at is null`,
    [brand_id, venue_id, table_id, type],
  )
  if (waiting !== undefined) return waiting
  const row: WaiterCallRow = {
    id: ids.take('waiter_call_id'),
    venue_id,
    table_id,
    type,
    ...definedOnly({ payment_method }),
    created_at: now,
  }
  const [text] = await waiterCalls.insert(context, [row])
  return text!
}

/** Staff have been at the table. A call that is done stays done. */
export async function endCall(context: CommandContext, id: number): Promise<string> {
  const { caller, now } = context
  const { venue_id } = caller
  const call = await waiterCalls.lock<{ body: string; done_at: string | null }>(context, id, 'body, done_at', venue_id)
  if (!call) throw noSuchRecord()
  if (call.done_at !== null) return call.body
  const waiting = JSON.parse(call.body) as WaiterCallRow
  const row = { ...waiting, venue_id, done_at: laterOf(now, waiting.created_at) }
  const [text] = await waiterCalls.update(context, [row])
  return text!
}

/** The calls that wait at a venue, oldest first. */
export const waitingCalls = (db: Pick<Database, 'texts'>, brand_id: number, venue_id: number): Promise<string[]> =>
  db.texts(
    'select body from waiter_calls where brand_id = ? and venue_id = ? and done_at is null order by created_at, id limit 200',
    [brand_id, venue_id],
  )

export const waiterCallExtension: Extension = {
  routes: (app, { command }) =>
    command(app, {
      method: 'POST',
      url: '/waiter-call',
      permission: 'waiter-calls:write',
      events: ['waiter_call.created'],
      body: NewWaiterCall,
      described: {
        operationId: 'callWaiter',
        summary: 'Call a waiter to a table',
        description: 'While a call of the same type waits at the table, that call is the answer.',
        tag: 'Orders',
        answers: WaiterCall,
        refusals: [400, 403, 422],
      },
      message: 'Waiter called.',
      ids: { waiter_call_id: 1 },
      run: (context, { body }) => callWaiter(context, body),
    }),
}
