import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { All, all, asJson, ErrorBody } from '../../http/envelope.ts'
import { defineList, parseList, queryOf } from '../../lists/list.ts'
import { listQuery, withOnly } from '../../lists/parameters.ts'
import { defineResource } from '../../resource/define.ts'
import { EXPORT_PAGE } from '../../resource/files/export.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { ReadIncluded } from '../../resource/read/page.ts'
import type { Resource } from '../../resource/resource.ts'
import { DateTime, Decimal, Id, Maybe } from '../../resource/values.ts'
import { recount } from '../../resource/write/counters.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { places, upsert } from '../../storage/upsert.ts'
import { fromScaled, instantOf, toScaled } from '../../values/values.ts'

/** The entry of a product that is running out, or has; `limit` is what is left of it. */
export const StopListEntry = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'The product’s' }),
    limit: Type.Number({ description: 'Portions left; 0 is sold out' }),
    timestamp: Type.Integer({ description: 'When it was set, in milliseconds since 1970' }),
    until: Maybe(DateTime()),
  },
  { $id: 'StopListEntry' },
)
export type StopListEntry = Static<typeof StopListEntry>
/** An entry with its product's name, as the pages list it. */
export type NamedEntry = StopListEntry & { venue_id: number; name: string }

/** One imported line. */
export const StopListRow = Type.Object({
  id: Id(),
  venue_id: Id(),
  limit: Decimal(),
  timestamp: Maybe(Type.Integer({ minimum: 0 })),
  until: Maybe(DateTime()),
  // Written by our own exports: held portions came from this entry (P17).
  entry: Maybe(Type.String({ maxLength: 64 })),
  started: Maybe(Decimal()),
  moves: Maybe(Type.Integer({ minimum: 0 })),
})
export type StopListRow = Static<typeof StopListRow>

export const stopList: Resource<StopListRow> = defineResource({
  name: { one: 'stop-list-entry', many: 'stop-list' },
  permission: 'products:read',
  tag: 'Products',
  about: 'What a venue has no more of, or only so much. An entry ends at its `until`.',
  wire: StopListEntry,
  line: StopListRow,
  scope: 'venue',
  columns: { id: 'integer', venue_id: 'integer', until: 'instant' },
  references: { venue_id: 'venues', id: 'products' },
  idOf: ({ venue_id, id }) => `${venue_id} ${id}`,
  api: { routes: serveStopList },
  check({ limit }) {
    if (limit < 0) throw new RowProblem(`limit must be at least 0, not ${limit}`)
  },
  events: { types: ['stop_list.changed'] },
  write: writeEntries,
  checkAfterImport: async ({ tx, brand_id }) => sumUpPortions(tx, brand_id),
  async readExportPage(db, brand_id, after = 0) {
    const rows = await db.rows<StoredEntry & { venue_id: number; entry: string; started: number; moves: number }>(
      `select venue_id, entry, started, moves, ${COLUMNS} from stop_list where brand_id = ? order by venue_id, id limit ${EXPORT_PAGE} offset ?`,
      [brand_id, after],
    )
    const objects = rows.map(({ venue_id, entry, started, moves, ...row }) =>
      JSON.stringify({ ...entryOf(row), venue_id, entry, started: fromScaled(started), moves }),
    )
    return { objects, next: rows.length < EXPORT_PAGE ? undefined : Number(after) + rows.length }
  },
})

const COLUMNS = 'id, remaining, timestamp, until'

interface StoredEntry {
  id: number
  remaining: number
  timestamp: number
  until: string | null
}

const entryOf = ({ id, remaining, timestamp, until }: StoredEntry) => ({
  id,
  limit: fromScaled(remaining),
  timestamp,
  ...(until !== null && { until }),
})

async function writeEntries(context: WriteContext, rows: readonly StopListRow[]): Promise<string[]> {
  const { tx, brand_id, now, mode } = context
  for (const given of rows) {
    const { id, venue_id, timestamp, until } = given
    const [before] = await tx.rows<StoredEntry & { entry: string; started: number; moves: number }>(
      `select entry, started, moves, ${COLUMNS} from stop_list where brand_id = ? and venue_id = ? and id = ?`,
      [brand_id, venue_id, id],
    )
    const isPresent = before !== undefined && given.entry === before.entry
    // P17: portions held from an entry that is gone return nowhere; what the present entry holds follows from its moves.
    const isGone = !isPresent && given.entry !== undefined && (await hasMoves(context, given.entry))
    const limit = isPresent ? fromScaled(before.remaining) : given.limit
    const { entry = randomUUID(), started = limit, moves = 0 } = isGone ? {} : given
    const remaining = toScaled(limit)!
    const ms = timestamp ?? before?.timestamp ?? Date.parse(now)
    const isSame = before?.remaining === remaining && before.timestamp === ms && before.until === (until ?? null)
    if (isSame) continue
    const row = {
      brand_id,
      venue_id,
      id,
      started: isPresent ? before.started : toScaled(started)!,
      remaining,
      timestamp: ms,
      until: until ?? null,
      entry,
      moves: isPresent ? before.moves : moves,
    }
    await upsert(tx, 'stop_list', ['brand_id', 'venue_id', 'id'], [row])
    tx.publish({
      brand_id,
      type: 'stop_list.changed',
      subject: String(id),
      venue_id,
      data: { id, product_id: id, limit },
    })
  }
  if (mode !== 'import') await recount(tx, brand_id, stopList)
  return rows.map((row) => JSON.stringify(row))
}

async function hasMoves({ tx, brand_id }: WriteContext, entry: string): Promise<boolean> {
  const found = await tx.rows('select id from portion_moves where brand_id = ? and id = ?', [brand_id, `${entry}:1`])
  return found.length > 0
}

/** I8: after an import each entry has what the imported moves and the existing ones left of it. */
export async function sumUpPortions(tx: Queries, brand_id: number): Promise<undefined> {
  const wrong = await tx.rows<{ entry: string; rest: number; places: number }>(
    `select stop_list.entry, started + coalesce(moved.quantity, 0) as rest, coalesce(moved.places, 0) as places
     from stop_list left join (select entry, cast(sum(quantity) as bigint) as quantity, count(*) as places
       from portion_moves where brand_id = ? group by entry) as moved on moved.entry = stop_list.entry
     where stop_list.brand_id = ? and (remaining <> started + coalesce(moved.quantity, 0)
       or moves <> coalesce(moved.places, 0)) order by venue_id, id`,
    [brand_id, brand_id],
  )
  for (const { entry, rest, places: moves } of wrong)
    await tx.run('update stop_list set remaining = ?, moves = ? where brand_id = ? and entry = ?', [
      rest,
      moves,
      brand_id,
      entry,
    ])
}

/** Entries whose time has passed, in any brand. */
export const endedEntries = (
  db: Pick<Queries, 'rows'>,
  now: string,
  limit: number,
): Promise<{ brand_id: number; venue_id: number; id: number }[]> =>
  db.rows('select brand_id, venue_id, id from stop_list where until <= ? order by until limit ?', [now, limit])

/** M4: removes an entry whose time has passed. Several processes may try: the row decides who is first. */
export async function endEntry(
  { tx, brand_id, now }: Pick<WriteContext, 'tx' | 'brand_id' | 'now'>,
  venue_id: number,
  id: number,
): Promise<void> {
  const ended = await tx.run('delete from stop_list where brand_id = ? and venue_id = ? and id = ? and until <= ?', [
    brand_id,
    venue_id,
    id,
    now,
  ])
  if (ended > 0) await removed({ tx, brand_id }, venue_id, id)
}

/** Takes a product off the stop list of a venue; returns its limit, undefined if it was not listed. */
export async function removeEntry(context: WriteContext, venue_id: number, id: number): Promise<number | undefined> {
  const { tx, brand_id } = context
  const place = [brand_id, venue_id, id]
  const where = 'where brand_id = ? and venue_id = ? and id = ?'
  const [before] = await tx.rows<StoredEntry>(`select ${COLUMNS} from stop_list ${where}`, place)
  if (!before) return undefined
  await tx.run(`delete from stop_list ${where}`, place)
  await removed(context, venue_id, id)
  return fromScaled(before.remaining)
}

async function removed({ tx, brand_id }: Pick<WriteContext, 'tx' | 'brand_id'>, venue_id: number, id: number) {
  await recount(tx, brand_id, stopList)
  const data = { id, product_id: id, limit: null }
  tx.publish({ brand_id, type: 'stop_list.changed', subject: String(id), venue_id, data })
}

/** The entry of a product in a venue, also one that has ended. */
export async function findEntry(db: Pick<Queries, 'rows'>, brand_id: number, venue_id: number, id: number) {
  const [row] = await db.rows<StoredEntry & { moves: number }>(
    `select ${COLUMNS}, moves from stop_list where brand_id = ? and venue_id = ? and id = ?`,
    [brand_id, venue_id, id],
  )
  return row && { entry: entryOf(row), moves: row.moves }
}

/** The live entries of venues with what their products are called, for people. */
export async function findNamedEntries(
  db: Pick<Queries, 'rows'>,
  brand_id: number,
  now: string,
  venues: readonly number[] | undefined,
): Promise<NamedEntry[]> {
  const entries = await db.rows<StoredEntry & Pick<NamedEntry, 'venue_id' | 'name'>>(
    `select stop_list.id, remaining, timestamp, until, venue_id, coalesce(full_name, name) as name from stop_list
     join products on products.brand_id = stop_list.brand_id and products.id = stop_list.id
     where stop_list.brand_id = ? and (until is null or until > ?)${within('venue_id', venues)}
     order by name_folded, stop_list.id, venue_id`,
    [brand_id, now, ...(venues ?? [])],
  )
  return entries.map(({ venue_id, name, ...entry }) => ({ ...entryOf(entry), venue_id, name }))
}

const within = (column: string, values: readonly number[] | undefined) =>
  values === undefined ? '' : ` and ${column} in ${values.length === 0 ? '(null)' : places(values)}`

/** The live entries of venues, or of some products in one. */
async function findEntries(
  db: Pick<Queries, 'rows'>,
  brand_id: number,
  now: string,
  { venues, ids }: { venues: readonly number[] | undefined; ids?: readonly number[] },
): Promise<StoredEntry[]> {
  return db.rows<StoredEntry>(
    `select ${COLUMNS} from stop_list where brand_id = ? and (until is null or until > ?)${within('venue_id', venues)}
     ${within('id', ids)} order by id, venue_id`,
    [brand_id, now, ...(venues ?? []), ...(ids ?? [])],
  )
}

/** `stop` of products: their entries in the active venue. */
export const readStops: ReadIncluded = async (db, { brand_id, venue_id, now }, ids) => {
  const entries = await findEntries(db, brand_id, now, { venues: [venue_id], ids })
  return new Map(entries.map((entry) => [entry.id, JSON.stringify(entryOf(entry))]))
}

function serveStopList(app: FastifyInstance, { db, now }: { db: Database; now: () => number }): void {
  const list = withOnly(
    defineList({ maxLimit: 1, always: [], members: [], columns: { id: 'integer' }, sortable: ['id'], ofVenues: true }),
    ['venue'],
  )
  app.get(
    '/products/stop-list',
    {
      config: { permission: 'products:read' },
      schema: {
        operationId: 'listStopList',
        summary: 'List what is sold out or running out',
        description: 'The whole list of the active venue, without pages; entries that have ended are not in it.',
        tags: ['Products'],
        querystring: listQuery(list),
        response: { 200: All(StopListEntry), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const { everyVenue } = parseList(list, queryOf(url))
      const venues = everyVenue ? caller.user.venues && [...caller.user.venues] : [caller.venue_id]
      const entries = await findEntries(db, caller.brand_id, instantOf(now()), { venues })
      return asJson(reply, all(entries.map((entry) => JSON.stringify(entryOf(entry)))))
    },
  )
}
