import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { DateTime, Id, Maybe } from '../../resource/values.ts'
import { REASON_KINDS } from '../../values/states.ts'

/** T21: what somebody did, with whose approval, and why. Rows are only added. */
export const ReceiptAct = Type.Object(
  {
    id: Type.String(),
    venue_id: Id(),
    receipt_id: Maybe(Type.Integer({ minimum: 1, description: 'None where it is about a drawer or cash' })),
    step: Type.Integer({ minimum: 0, description: 'The version of the receipt that it made; 0 without one' }),
    at: DateTime(),
    user_id: Id(),
    approved_by: Maybe(Type.Integer({ minimum: 1, description: 'The staff user who allowed it' })),
    terminal_id: Maybe(Id()),
    action: Type.String(),
    reason_kind: Maybe(Type.Enum([...REASON_KINDS], { description: 'What a reason is asked for' })),
    line_id: Maybe(Id()),
    reason_id: Maybe(Id()),
    note: Maybe(Type.String()),
    amount: Maybe(Type.Number()),
    from: Maybe(Type.String()),
    to: Maybe(Type.String()),
    approval_id: Maybe(Type.String()),
  },
  { $id: 'ReceiptAct' },
)
export type ReceiptAct = Static<typeof ReceiptAct>

export const receiptActs = defineResource({
  name: { one: 'receipt-act', many: 'receipt-acts' },
  permission: 'receipts:read',
  tag: 'Receipts',
  about: 'Who did what on receipts and drawers, with whose approval, and why.',
  wire: ReceiptAct,
  scope: 'venue',
  columns: {
    id: 'key',
    venue_id: 'integer',
    receipt_id: 'integer',
    step: 'integer',
    at: 'instant',
    user_id: 'integer',
    approved_by: 'integer',
    action: 'key',
    reason_kind: 'key',
    line_id: 'integer',
    reason_id: 'integer',
    amount: 'decimal',
    approval_id: 'key',
  },
  references: { venue_id: 'venues', user_id: 'users', receipt_id: 'receipts', reason_id: 'reasons' },
  events: { types: ['receipt.updated'] }, // the receipt publishes for them
})
