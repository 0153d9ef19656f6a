import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import { Id, Maybe } from '../../resource/values.ts'
import { refuseOtherPrinters } from './printers.ts'

/** What is printed besides the tickets of stations; receipts and refunds go where bills go. */
export const ROUTED_DOCUMENTS = ['bill', 'report'] as const

export const PrintRoute = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    station_id: Maybe(Type.Integer({ minimum: 1, description: 'Its tickets; otherwise `document` says what' })),
    document: Maybe(Type.Enum([...ROUTED_DOCUMENTS], { description: 'bill: receipts and refunds too' })),
    sale_type_id: Maybe(Type.Integer({ minimum: 1, description: 'Only of this sale type' })),
    printer_id: Id(),
    copies: Maybe(Type.Enum([1, 2, 3], { description: '1 by default' })),
  },
  { $id: 'PrintRoute' },
)
export type PrintRoute = Static<typeof PrintRoute>

export const printRoutes = defineResource({
  name: { one: 'print-route', many: 'print-routes' },
  permission: 'printers:read',
  tag: 'Printing',
  about: 'Which printer prints what: the tickets of a station, bills with receipts, reports.',
  wire: PrintRoute,
  scope: 'venue',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    station_id: 'integer',
    document: 'key',
    sale_type_id: 'integer',
    printer_id: 'integer',
    copies: 'integer',
  },
  references: { venue_id: 'venues', station_id: 'stations', sale_type_id: 'sale-types', printer_id: 'printers' },
  list: {},
  api: { list: {} },
  edit: {
    permission: 'settings:write',
    members: ['station_id', 'document', 'sale_type_id', 'printer_id', 'copies'],
    removable: true,
    start: async () => ({ copies: 1 }),
  },
  check({ station_id, document }) {
    if ((station_id === undefined) === (document === undefined))
      throw new RowProblem('document or station_id: a route has one of them')
  },
  async complete(context, lines) {
    await refuseOtherPrinters(context, lines)
    return lines.map((line) => ({ ...line, copies: line.copies ?? 1 }))
  },
})
