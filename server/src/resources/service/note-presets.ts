import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { Flag, Id, Maybe, Status, Trimmed } from '../../resource/values.ts'

/** T24: what waiters often write about a line; they tap it instead. */
export const NotePreset = Type.Object(
  {
    id: Id(),
    name: Trimmed({ minLength: 1, maxLength: 60, 'x-name': true }),
    category_ids: Maybe(Type.Array(Id(), { uniqueItems: true, maxItems: 200, description: 'Absent: all of them' })),
    allergy: Flag('1: choosing it marks the line as an allergy'),
    position: Type.Integer({ minimum: 0 }),
    status: Status(),
  },
  { $id: 'NotePreset' },
)
export type NotePreset = Static<typeof NotePreset>

export const notePresets = defineResource({
  name: { one: 'note-preset', many: 'note-presets' },
  permission: 'products:read',
  tag: 'Products',
  about: 'Notes that waiters choose for a line instead of typing them.',
  wire: NotePreset,
  scope: 'brand',
  columns: { id: 'integer', name: 'text', position: 'integer', status: 'integer' },
  references: { category_ids: 'categories' },
  list: {},
  edit: {
    permission: 'settings:write',
    members: ['name', 'category_ids', 'allergy', 'position', 'status'],
  },
})
