import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { Id, Maybe, Name, Status } from '../../resource/values.ts'

export const Table = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    name: Name(),
    hall: Maybe(Name()),
    seats: Maybe(Type.Integer({ minimum: 0 })),
    status: Status(),
  },
  { $id: 'Table' },
)
export type Table = Static<typeof Table>

export const tables = defineResource({
  name: { one: 'table', many: 'tables' },
  permission: 'venues:read',
  tag: 'Venues',
  about: 'Where guests of a venue sit, by hall.',
  wire: Table,
  scope: 'venue',
  columns: { id: 'integer', venue_id: 'integer', name: 'text', status: 'integer' },
  references: { venue_id: 'venues' },
  list: {},
  api: { list: {} },
  edit: { permission: 'settings:write', members: ['name', 'hall', 'seats', 'status'], series: true },
})
