import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { Id, Maybe, Name, Status } from '../../resource/values.ts'
import { refuseOtherPrinters } from './printers.ts'

export const Terminal = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    name: Name(),
    status: Status(),
    printer_id: Maybe(
      Type.Integer({ minimum: 1, description: 'Where its bills, receipts and reports go, and its drawer' }),
    ),
  },
  { $id: 'Terminal' },
)
export type Terminal = Static<typeof Terminal>

export const terminals = defineResource({
  name: { one: 'terminal', many: 'terminals' },
  permission: 'venues:read',
  tag: 'Venues',
  about: 'The tills of a venue.',
  wire: Terminal,
  scope: 'venue',
  columns: { id: 'integer', venue_id: 'integer', name: 'text', status: 'integer', printer_id: 'integer' },
  references: { venue_id: 'venues', printer_id: 'printers' },
  list: {},
  api: { list: {} },
  edit: { permission: 'settings:write', members: ['name', 'printer_id', 'status'] },
  async complete(context, lines) {
    await refuseOtherPrinters(context, lines)
    return [...lines]
  },
})
