import { mayEnter } from '../auth/permissions.ts'
import type { Caller } from '../http/call.ts'
import { inPieces, type Reader, refuseTooLarge, SMALL_BYTES } from '../resource/read/large-page.ts'
import { rowText } from '../resource/read/page.ts'
import type { Resource } from '../resource/resource.ts'
import type { BeforeRead } from '../resource/serve.ts'
import type { Database } from '../storage/database.ts'
import { places } from '../storage/upsert.ts'
import { kindOf } from './catalogue.ts'
import type { Current, StoredEvent } from './feed.ts'
import type { Selection } from './selection.ts'

const POSITION_DIGITS = 16

/** E4: of each event the object it is about, as GET answers it now, and a text that sorts with how new that is. */
export function currentObjects(
  db: Database,
  resources: readonly Resource[],
  beforeRead: ReadonlyMap<string, BeforeRead>,
) {
  const byKind = new Map(resources.map((resource) => [resource.kind, resource]))

  return async (
    caller: Caller,
    { venues }: Selection,
    events: readonly StoredEvent[],
  ): Promise<ReadonlyMap<StoredEvent, Current>> => {
    const { brand_id, user } = caller
    const current = new Map<StoredEvent, Current>()
    for (const [kind, own] of Map.groupBy(events, ({ type }) => kindOf(type))) {
      const resource = byKind.get(kind)
      if (!resource || Object.keys(resource.api).length === 0) {
        const as_of = await readHead(db, brand_id) // no call of the API answers one
        for (const event of own) current.set(event, { object: undefined, as_of })
        continue
      }
      await beforeRead.get(kind)?.run(caller)
      const ids = [...new Set(own.map(({ subject }) => subject))]
      const parts = resource.heavy
        ? await readHeavy(db, resource, brand_id, ids)
        : [await readObjects(db, resource, brand_id, ids)]
      for (const event of own) {
        const { as_of, objects } = parts.find((part) => part.objects.has(event.subject)) ?? parts[0]!
        const found = objects.get(event.subject)
        const isSelected = found && (venues === undefined || found.venue_id === null || venues.has(found.venue_id))
        const isVisible = isSelected && (kind !== 'venue' || mayEnter(user, Number(event.subject)))
        current.set(event, { object: isVisible ? found.text : undefined, as_of })
      }
    }
    return current
  }
}

interface ReadRow {
  readonly at: string
  readonly position: number
  readonly id: number | string | null
  readonly venue_id: number | null
  readonly text: string
}

interface Found {
  readonly text: string
  readonly venue_id: number | null
}

const asOf = ({ at, position }: Pick<ReadRow, 'at' | 'position'> = { at: '', position: 0 }) =>
  `${at}-${String(position).padStart(POSITION_DIGITS, '0')}`

const HEAD = 'select at, position from events where brand_id = ? order by position desc limit 1'

async function readHead(db: Database, brand_id: number): Promise<string> {
  const [head] = await db.rows<Pick<ReadRow, 'at' | 'position'>>(HEAD, [brand_id])
  return asOf(head)
}

/** Reads rows of a kind that may be large: all at once where they are small, otherwise in pieces. */
async function readHeavy(db: Database, resource: Resource, brand_id: number, subjects: readonly string[]) {
  const rows = await db.rows<{ id: number; bytes: number }>(
    `select id, octet_length(body) as bytes from ${resource.table} where brand_id = ? and id in ${places(subjects)}`,
    [brand_id, ...subjects.map(Number)],
  )
  const bytes = new Map(rows.map((row) => [String(row.id), row.bytes]))
  const sizes = subjects.map((subject) => bytes.get(subject) ?? 0)
  if (sizes.reduce((sum, size) => sum + size, 0) <= SMALL_BYTES)
    return [await readObjects(db, resource, brand_id, subjects)]
  return inPieces(
    db,
    brand_id,
    async () => {
      refuseTooLarge(sizes)
      return sizes
    },
    (reader, from, to) => readObjects(reader, resource, brand_id, subjects.slice(from, to)),
  )
}

// One statement, so that the last event and the objects are of one moment.
async function readObjects(
  db: Reader,
  resource: Resource,
  brand_id: number,
  subjects: readonly string[],
): Promise<{ as_of: string; objects: ReadonlyMap<string, Found> }> {
  const { table, scope, columns } = resource
  const ids = columns.id === 'key' ? subjects : subjects.map(Number)
  const venue = scope === 'venue' ? `${table}.venue_id` : 'null as venue_id'
  const rows = await db.rows<ReadRow>(
    `select head.at, head.position, ${table}.id, ${venue}, ${rowText(resource, new Set())} as text
     from (${HEAD}) as head
     left join ${table} on ${table}.brand_id = ? and ${table}.id in ${places(ids)}`,
    [brand_id, brand_id, ...ids],
  )
  const objects = new Map<string, Found>()
  for (const { id, text, venue_id } of rows) if (id !== null) objects.set(String(id), { text, venue_id })
  return { as_of: asOf(rows[0]), objects }
}
