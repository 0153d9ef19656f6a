import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import { DateTime, Decimal, Id } from '../../resource/values.ts'
import { toScaled } from '../../values/values.ts'
import { sumUpPortions } from './stop-list.ts'

/** P17: how portions of a stop-list entry are held for a line and come back. Rows are only added. */
const PortionMove = Type.Object(
  {
    id: Type.String({ description: 'The entry and the number of the move' }),
    venue_id: Id(),
    entry: Type.String(),
    product_id: Id(),
    quantity: Type.Number({ description: 'Negative: held' }),
    before: Decimal(),
    after: Decimal(),
    receipt_cid: Type.String(),
    line_cid: Type.String(),
    moved_at: DateTime(),
  },
  { $id: 'PortionMove' },
)
export type PortionMove = Static<typeof PortionMove>

export const portionMoves = defineResource({
  name: { one: 'portion-move', many: 'portion-moves' },
  permission: 'products:read',
  tag: 'Products',
  about: 'How portions on the stop list were held and came back.',
  wire: PortionMove,
  scope: 'venue',
  columns: {
    id: 'key',
    venue_id: 'integer',
    entry: 'key',
    product_id: 'integer',
    quantity: 'decimal',
    before: 'decimal',
    after: 'decimal',
    receipt_cid: 'key',
    line_cid: 'key',
    moved_at: 'instant',
  },
  references: { venue_id: 'venues', product_id: 'products' },
  check({ quantity, before, after }) {
    if (toScaled(before)! + toScaled(quantity)! !== toScaled(after))
      throw new RowProblem(`after must be ${before} + ${quantity}`)
  },
  checkAfterImport: async ({ tx, brand_id }) => sumUpPortions(tx, brand_id),
  events: { types: ['stop_list.changed'] }, // where an entry comes to 0 or leaves it, its move publishes
})
