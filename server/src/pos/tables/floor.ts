import { FREE, readTableStates, type TableState } from '../../resources/places/table-states.ts'
import type { Table } from '../../resources/places/tables.ts'
import type { Queries } from '../../storage/database.ts'
import { definedOnly } from '../../values/defined-only.ts'

// T4: the tables of a venue with what happens at each.

export type StatefulTable = Pick<Table, 'id' | 'name' | 'hall_id' | 'seats'> & TableState

export interface Floor {
  readonly halls: readonly { readonly id: number; readonly name: string }[]
  readonly tables: readonly StatefulTable[]
  /** Minutes after which a table without a change is amber, then red. */
  readonly idle_minutes: readonly number[]
}

interface Place {
  readonly brand_id: number
  readonly venue_id: number
}

/** Reads halls by position, then name, and the tables in use by name: T2 before T10. */
export async function readFloor(db: Pick<Queries, 'rows'>, place: Place, nowMs: number): Promise<Floor> {
  const { brand_id, venue_id } = place
  const own = [brand_id, venue_id]
  const [halls, tables, states, venues] = await Promise.all([
    db.rows<{ id: number; name: string }>(
      'select id, name from halls where brand_id = ? and venue_id = ? and status = 1 order by position, name_folded, id',
      own,
    ),
    db.rows<{ body: string; status: number }>(
      'select body, status from tables where brand_id = ? and venue_id = ? order by id',
      own,
    ),
    readTableStates(db, { brand_id, venues: [venue_id] }, nowMs),
    db.rows<{ settings: string }>('select settings from venues where brand_id = ? and id = ?', own),
  ])
  const shownHalls = new Set(halls.map(({ id }) => id))
  const stateOf = (id: number) => states.get(id) ?? FREE
  // A table that was switched off is shown while guests sit at it.
  const shown = tables
    .map(({ body, status }) => ({ status, table: JSON.parse(body) as Table }))
    .filter(({ status, table }) => status === 1 || stateOf(table.id).receipts.length > 0)
    .map(({ table }) => table)
  return {
    halls,
    tables: shown.sort(byName).map(({ id, name, hall_id, seats }) => ({
      id,
      name,
      ...(hall_id !== undefined && shownHalls.has(hall_id) && { hall_id }),
      ...definedOnly({ seats }),
      ...stateOf(id),
    })),
    idle_minutes: (JSON.parse(venues[0]?.settings ?? '{}') as { idle_minutes?: number[] }).idle_minutes ?? [15, 30],
  }
}

const NAMES = new Intl.Collator('en', { numeric: true })
const byName = (one: Table, other: Table) => NAMES.compare(one.name, other.name) || one.id - other.id
