import Type from 'typebox'
import { venueForbidden } from '../../http/errors.ts'
import type { Compared } from '../../lists/list.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { Reference } from '../../resource/resource.ts'
import { Flag } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'

// Sale types and payment methods belong to the brand and are switched on and off in each venue.

/** `{venue id: 1/0}`. A venue that it does not name has it switched on. */
export const VenueStatus = () =>
  Type.Record(Type.String({ pattern: '^[1-9][0-9]{0,15}$' }), Flag(), {
    description: 'By venue id: 1 active, 0 inactive. A venue that is not named has it active',
  })
export type VenueStatus = Readonly<Record<string, number>>

export const isActiveAt = (status: VenueStatus | undefined, venue_id: number) => status?.[venue_id] !== 0

/** The venues where it is off, as a text that SQL searches: `,2,17,`. */
export const offVenues = ({ status = {} }: { status?: VenueStatus }) => {
  const off = Object.entries(status).flatMap(([venue, active]) => (active === 0 ? [venue] : []))
  return off.length === 0 ? '' : `,${off.join(',')},`
}

/** The venues that it names, which must be there. */
export const venuesNamed = (status: VenueStatus): Reference[] =>
  Object.keys(status).map((id) => ({ member: 'status', table: 'venues', id: Number(id) }))

/** Staff switch it on and off in the venues that they may enter, and in no other. A venue that the brand does not have is refused too. */
export async function refuseOtherVenues<Row extends { status: VenueStatus }>(
  { tx, brand_id, caller: { user } }: CommandContext,
  after: Row,
  before?: Row,
): Promise<Row> {
  const venues = new Set(await tx.texts('select cast(id as text) from venues where brand_id = ?', [brand_id]))
  for (const id of new Set([...Object.keys(after.status), ...Object.keys(before?.status ?? {})])) {
    if (!venues.has(id)) throw new RowProblem(`status names ${id}, which is none of the venues`)
    if (isActiveAt(after.status, Number(id)) === isActiveAt(before?.status, Number(id)) && before) continue
    if (user.venues?.has(Number(id)) === false) throw venueForbidden()
  }
  return after
}

/** What a filter on status compares: the status in the active venue. */
export const STATUS_HERE: Compared = {
  type: 'integer',
  sql: `(case when instr(off_venues, ',$venue,') > 0 then 0 else 1 end)`,
}
