import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { Id, Name } from '../../resource/values.ts'

export const Unit = Type.Object({ id: Id(), name: Name(), symbol: Name(64) }, { $id: 'Unit' })
export type Unit = Static<typeof Unit>

export const units = defineResource({
  name: { one: 'unit', many: 'units' },
  permission: 'venues:read',
  tag: 'Menu',
  about: 'What products are counted in: pieces, kilograms, litres.',
  wire: Unit,
  scope: 'brand',
  columns: { id: 'integer', name: 'text' },
  list: {},
  api: { list: {} },
  edit: { permission: 'settings:write', members: ['name', 'symbol'] },
})
