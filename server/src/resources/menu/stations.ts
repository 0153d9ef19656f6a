import Type, { type Static } from 'typebox'
import { whether } from '../../lists/list.ts'
import { defineResource } from '../../resource/define.ts'
import { Flag, Id, Name, Status, Timestamps } from '../../resource/values.ts'

export const Station = Type.Object(
  {
    id: Id(),
    name: Name(),
    status: Status(),
    type: Flag('1 kitchen, 0 other'),
    printable: Flag('1 if tickets are printed there'),
    ...Timestamps(),
  },
  { $id: 'Station' },
)
export type Station = Static<typeof Station>

export const stations = defineResource({
  name: { one: 'station', many: 'stations' },
  tag: 'Stations',
  about: 'Where dishes and drinks are prepared. An inactive station gets no new tickets.',
  wire: Station,
  scope: 'brand',
  columns: {
    id: 'integer',
    name: 'text',
    status: 'integer',
    type: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  stamped: ['created_at', 'updated_at'],
  list: {
    parameters: { status: { description: 'Only stations with this status: 1 active, 0 inactive.' } },
    compat: { compared: { can_print: whether(`instr(body, '"printable":1') > 0`) } },
  },
  api: { list: {}, get: {} },
  edit: { permission: 'settings:write', members: ['name', 'type', 'printable', 'status'] },
})
