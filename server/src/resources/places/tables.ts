import Type, { type Static } from 'typebox'
import { may } from '../../auth/permissions.ts'
import { forbidden } from '../../http/errors.ts'
import { defineResource } from '../../resource/define.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { ReadIncluded } from '../../resource/read/page.ts'
import type { Resource } from '../../resource/resource.ts'
import { Id, Maybe, Name, Status } from '../../resource/values.ts'
import { takeBeside } from '../../resource/write/counters.ts'
import { writtenEvents } from '../../resource/write/row-events.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import { places } from '../../storage/upsert.ts'
import { fold } from '../../values/fold.ts'
import { FREE, readTableStates, TableState } from './table-states.ts'

// T1: the halls of a venue and the tables in them.

export const Hall = Type.Object(
  { id: Id(), venue_id: Id(), name: Name(), position: Type.Integer(), status: Status() },
  { $id: 'Hall' },
)
export type Hall = Static<typeof Hall>

const hallEvents = writtenEvents('hall')

export const halls = defineResource({
  name: { one: 'hall', many: 'halls' },
  permission: 'venues:read',
  tag: 'Venues',
  about: 'The rooms of a venue, in which its tables are.',
  wire: Hall,
  scope: 'venue',
  columns: { id: 'integer', venue_id: 'integer', name: 'text', position: 'integer', status: 'integer' },
  references: { venue_id: 'venues' },
  list: {},
  api: { list: {} },
  edit: {
    permission: 'settings:write',
    members: ['name', 'position', 'status'],
    start: async () => ({ position: 1 }),
  },
  events: { ...hallEvents, types: [...hallEvents.types, 'table.updated'] }, // tables show the name of theirs
  async write(context, rows, writer) {
    const bodies = await writer.put(context, rows)
    await renameInTables(context, rows)
    return bodies
  },
})

export const Table = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    name: Name(),
    hall: Maybe(Type.String({ description: 'The name of its hall' })),
    hall_id: Maybe(Id()),
    seats: Maybe(Type.Integer({ minimum: 0 })),
    status: Status(),
  },
  { $id: 'Table' },
)
export type Table = Static<typeof Table>

/** One imported line. The hall of a line that only names it is found by its name, or made. */
export const TableRow = Type.Object({ ...Table.properties, hall: Maybe(Name()) })
export type TableRow = Static<typeof TableRow>

export const tables: Resource<TableRow> = defineResource({
  name: { one: 'table', many: 'tables' },
  permission: 'venues:read',
  tag: 'Venues',
  about: 'Where guests of a venue sit, by hall.',
  wire: Table,
  included: { state: { schema: TableState, read: readStates } },
  line: TableRow,
  scope: 'venue',
  columns: { id: 'integer', venue_id: 'integer', name: 'text', hall_id: 'integer', status: 'integer' },
  references: { venue_id: 'venues', hall_id: 'halls' },
  list: { includeIsLater: true },
  api: { list: {} },
  edit: {
    permission: 'settings:write',
    members: ['name', 'hall_id', 'seats', 'status'],
    series: true,
    apply: async (_context, { hall: _, ...table }) => table, // it follows from hall_id
  },
  complete: withHalls,
})

/** T25: what guests have open is for those who may read receipts. */
async function readStates(...[db, owner, ids]: Parameters<ReadIncluded>): ReturnType<ReadIncluded> {
  const { brand_id, now, permissions } = owner
  if (!permissions || !may(permissions, 'receipts:read')) throw forbidden('receipts:read')
  if (ids.length === 0) return new Map()
  const venues = await db.rows<{ venue_id: number }>(
    `select distinct venue_id from tables where brand_id = ? and id in ${places(ids)}`,
    [brand_id, ...ids],
  )
  const place = { brand_id, venues: venues.map(({ venue_id }) => venue_id) }
  const states = await readTableStates(db, place, Date.parse(now))
  return new Map(ids.map((id) => [id, JSON.stringify(states.get(id) ?? FREE)]))
}

const MAX_TABLES = 200

/** Tables show the name of their hall, and a line that only names a hall gets its id. */
async function withHalls(context: WriteContext, lines: readonly TableRow[]): Promise<TableRow[]> {
  const { tx, brand_id } = context
  const rows = await tx.rows<Pick<Hall, 'id' | 'venue_id' | 'name'>>(
    'select id, venue_id, name from halls where brand_id = ? order by id desc',
    [brand_id],
  )
  const keyOf = (venue_id: number, name: string) => `${venue_id} ${fold(name)}`
  const named = new Map(rows.map(({ id, venue_id, name }) => [keyOf(venue_id, name), id])) // of two called alike the first
  const byId = new Map(rows.map((hall) => [hall.id, hall]))
  const missing = new Map<string, Pick<Hall, 'venue_id' | 'name'>>()
  for (const { venue_id, hall: name, hall_id } of lines)
    if (name !== undefined && hall_id === undefined && !named.has(keyOf(venue_id, name)))
      missing.set(keyOf(venue_id, name), { venue_id, name })
  const made = await makeHalls(context, [...missing.values()])
  for (const hall of made) {
    named.set(keyOf(hall.venue_id, hall.name), hall.id)
    byId.set(hall.id, hall)
  }
  const completed = lines.map(({ hall: name, ...line }): TableRow => {
    const hall_id = line.hall_id ?? (name === undefined ? undefined : named.get(keyOf(line.venue_id, name)))
    if (hall_id === undefined) return line
    const hall = byId.get(hall_id)
    if (hall && hall.venue_id !== line.venue_id) throw new RowProblem(`hall_id ${hall_id} is of another venue`, line)
    return { ...line, ...(hall && { hall: hall.name }), hall_id }
  })
  await refuseMoreTables(context, completed)
  return completed
}

async function makeHalls(context: WriteContext, wanted: readonly Pick<Hall, 'venue_id' | 'name'>[]): Promise<Hall[]> {
  if (wanted.length === 0) return []
  const { tx, brand_id } = context
  const last = await takeBeside(tx, brand_id, 'hall_id', [], wanted.length)
  const made = wanted.map((hall, index): Hall => ({ ...hall, id: last + 1 + index, position: index + 1, status: 1 }))
  await halls.write(context, made)
  return made
}

async function refuseMoreTables({ tx, brand_id }: WriteContext, lines: readonly TableRow[]): Promise<void> {
  const ids = [...new Set(lines.flatMap(({ hall_id }) => hall_id ?? []))]
  if (ids.length === 0) return
  const others = await tx.rows<{ hall_id: number; count: number }>(
    `select hall_id, count(*) as count from tables where brand_id = ? and hall_id in ${places(ids)} and id not in ${places(lines)}
     group by hall_id`,
    [brand_id, ...ids, ...lines.map(({ id }) => id)],
  )
  for (const hall_id of ids) {
    const there = others.find((each) => each.hall_id === hall_id)?.count ?? 0
    const own = lines.filter((line) => line.hall_id === hall_id)
    if (there + own.length > MAX_TABLES) throw new RowProblem(`hall_id ${hall_id} has ${MAX_TABLES} tables`, own[0])
  }
}

/** A hall of another name: its tables show it. */
async function renameInTables(context: WriteContext, rows: readonly Hall[]): Promise<void> {
  const { tx, brand_id } = context
  const bodies = await tx.texts(`select body from tables where brand_id = ? and hall_id in ${places(rows)}`, [
    brand_id,
    ...rows.map(({ id }) => id),
  ])
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const renamed = bodies
    .map((body) => JSON.parse(body) as TableRow)
    .flatMap((table): TableRow[] => {
      const hall = names.get(table.hall_id!)!
      return hall === table.hall ? [] : [{ ...table, hall }]
    })
  if (renamed.length > 0) await tables.update(context, renamed)
}
