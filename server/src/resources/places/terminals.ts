import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { Id, Name, Status } from '../../resource/values.ts'

export const Terminal = Type.Object({ id: Id(), venue_id: Id(), name: Name(), status: Status() }, { $id: 'Terminal' })
export type Terminal = Static<typeof Terminal>

export const terminals = defineResource({
  name: { one: 'terminal', many: 'terminals' },
  permission: 'venues:read',
  tag: 'Venues',
  about: 'The tills of a venue.',
  wire: Terminal,
  scope: 'venue',
  columns: { id: 'integer', venue_id: 'integer', name: 'text', status: 'integer' },
  references: { venue_id: 'venues' },
  list: {},
  api: { list: {} },
  edit: { permission: 'settings:write', members: ['name', 'status'] },
})
