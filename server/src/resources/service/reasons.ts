import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { Flag, Id, Name, Status } from '../../resource/values.ts'
import { REASON_KINDS } from '../../values/states.ts'

/** T20: why something was taken back, given away or opened. */
export const Reason = Type.Object(
  {
    id: Id(),
    name: Name(),
    kinds: Type.Array(Type.Enum([...REASON_KINDS]), { uniqueItems: true, description: 'What it can be a reason for' }),
    needs_note: Flag('1 if a note has to say more'),
    position: Type.Integer({ minimum: 0 }),
    status: Status(),
  },
  { $id: 'Reason' },
)
export type Reason = Static<typeof Reason>

export const reasons = defineResource({
  name: { one: 'reason', many: 'reasons' },
  permission: 'receipts:read',
  tag: 'Receipts',
  about: 'Why staff take back, give away or open something: what they choose from.',
  wire: Reason,
  scope: 'brand',
  columns: { id: 'integer', name: 'text', position: 'integer', status: 'integer' },
  list: {},
  api: { list: {} },
  edit: { permission: 'settings:write', members: ['name', 'kinds', 'needs_note', 'position', 'status'] },
})
