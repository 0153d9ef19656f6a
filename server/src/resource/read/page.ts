import type { Extent, Page } from '../../http/envelope.ts'
import { pageTooLarge } from '../../http/errors.ts'
import { type Days, type ListRequest, pickMembers } from '../../lists/list.ts'
import type { Walk } from '../../lists/walk.ts'
import type { Queries, Value } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { NO_VENUE, venueCounter } from '../write/counters.ts'
import { inPieces, MAX_PAGE_BYTES, type Reader, refuseLength, refuseTooLarge, SMALL_BYTES, sent } from './large-page.ts'
import { areMany, type NestedRows, nestedBytes } from './nested-rows.ts'

export type { Reader } from './large-page.ts'

/** Rows that are looked at again stand on lines of their own: no JSON text holds a line break. */
export const LINES = ',\n'

/** What a page needs to know of a table. */
export interface Listed {
  readonly table: string
  /** True if page marks are kept, so that a late page costs as much as the first one. */
  readonly marked: boolean
  /** A row's text, as SQL; its stored body unless that is not all of it. */
  readonly text?: string
  /** What `include` adds at the end of that text, as SQL, by its name: `,"unit":{…}`, or nothing. */
  readonly added?: Readonly<Record<string, string>>
  /** What `include` adds that a function reads, by the ids of a page. */
  readonly readIncluded?: Readonly<Record<string, ReadIncluded>>
  /** Nested rows that a member is made of, by the member's name: they tell how large it is. */
  readonly nested?: Readonly<Record<string, NestedRows>>
  /** True if one body may be large, so that the sizes of a page are read first. */
  readonly heavy?: boolean
  /** True if a page is answered whatever its size (§2.1). */
  readonly unbounded?: boolean
  /** Makes the texts of rows whole, where that takes more than their own row. */
  readonly compose?: Compose | undefined
  /** The time by which rows are also counted, by venue and day. */
  readonly countedBy?: string | undefined
}

/** Reads one member of some rows: its JSON texts by the rows' ids. A row without the member is left out. */
export type ReadIncluded = (
  db: Reader,
  owner: Owner,
  ids: readonly number[],
  own: ListRequest['own'],
) => Promise<ReadonlyMap<number, string>>

export type Compose = (
  db: Reader,
  owner: Owner,
  bodies: readonly string[],
  own: ListRequest['own'],
) => Promise<string[]>

/** The owner of the rows, a brand or some of its venues, and how the caller sees them. */
export interface Owner {
  readonly brand_id: number
  readonly venues?: readonly number[] | undefined
  /** The rows of no venue besides (P4). */
  readonly orNone?: boolean
  /** The active venue. */
  readonly venue_id: number
  /** The venues that the staff user may enter; undefined: every one. */
  readonly enterable?: readonly number[] | undefined
  /** What the staff user may do: some of what `include` adds needs more than the list. */
  readonly permissions?: ReadonlySet<string>
  /** The instant of the call. */
  readonly now: string
}

/** The text of a row with what is included, as SQL. */
export function rowText({ text = 'body', added = {} }: Listed, include: ReadonlySet<string>): string {
  const more = Object.entries(added).flatMap(([name, sql]) => (include.has(name) ? [sql] : []))
  return more.length === 0 ? text : `substr(${text}, 1, length(${text}) - 1) || ${more.join(' || ')} || '}'`
}

/** One page of a brand's rows, narrowed to the requested members, and the total of all pages: one query. */
export async function readPage(db: Reader, resource: Listed, caller: Owner, list: ListRequest): Promise<Page> {
  const { walk, fields, include, limit, offset } = list
  if (walk === undefined && !resource.heavy && !resource.compose && readersFor(resource, include).length === 0) {
    const { data, total } = await readJoined(
      db,
      resource,
      caller,
      list,
      fields === undefined ? (list.separator ?? ',') : '\n',
    )
    const shown = fields === undefined ? data : pickMembers(bytesOf(data), fields)
    if (!resource.unbounded) refuseLength(shown, Math.min(limit, total - offset))
    return { data: shown, total }
  }
  const { ids, sizes, stored, extent } = await readRows(db, resource, caller, list)
  const make = async (reader: Reader, from: number, to: number) =>
    joined(await addIncluded(reader, resource, caller, await stored(reader, from, to), list), fields)
  if (sizes.length < 2 || !(await isLarge(db, resource, caller, list, ids, sizes))) {
    const data = await make(db, 0, sizes.length)
    if (!resource.unbounded) refuseLength(data, sizes.length)
    return { data, ...extent }
  }
  let made = 0
  const parts = await inPieces(
    db,
    caller.brand_id,
    async (reader) => {
      const { shown, work } = await weighed(reader, resource, caller, list, ids, sizes)
      if (fields === undefined && !resource.unbounded) refuseTooLarge(shown)
      return work
    },
    async (reader, from, to) => {
      const part = await make(reader, from, to)
      made += part.length
      if (made > MAX_PAGE_BYTES && !resource.unbounded) throw pageTooLarge(Math.max(1, from)) // fields left this much
      return part
    },
  )
  return { data: sent(parts), ...extent }
}

const joined = (texts: readonly string[], fields: ListRequest['fields']) =>
  fields === undefined ? texts.join(',') : pickMembers(Buffer.from(texts.join('\n')), fields)

interface Rows {
  readonly ids: () => number[]
  /** The bytes of each. */
  readonly sizes: readonly number[]
  /** The stored texts of some of them. */
  readonly stored: (db: Reader, from: number, to: number) => Promise<string[]>
  readonly extent: Extent
}

async function readRows(db: Reader, resource: Listed, owner: Owner, list: ListRequest): Promise<Rows> {
  if (!resource.heavy) {
    const { bodies, ...extent } = await readStored(db, resource, owner, list)
    const sizes = bodies.map(({ length }) => length)
    return { ids: () => bodies.map(idOf), sizes, stored: async (_db, from, to) => bodies.slice(from, to), extent }
  }
  const places = { ...resource, text: PLACE, added: {} }
  const { bodies, ...extent } = await readStored(db, places, owner, list)
  const [ids, sizes] = [0, 1].map((index) => bodies.map((place) => Number(place.split(' ')[index]))) as [
    number[],
    number[],
  ]
  const stored = async (reader: Reader, from: number, to: number) => {
    const some = ids.slice(from, to)
    const found = await textsOf(reader, resource, owner.brand_id, some, list.include)
    return some.flatMap((id) => found.get(id) ?? [])
  }
  return { ids: () => ids, sizes, stored, extent }
}

const PLACE = `id || ' ' || octet_length(body)`

async function textsOf(
  db: Reader,
  resource: Listed,
  brand_id: number,
  ids: readonly number[],
  include: ReadonlySet<string>,
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ id: number; text: string }>(
    `select id, ${rowText(resource, include)} as text from ${resource.table} where brand_id = ? and id in ${places(ids)}`,
    [brand_id, ...ids],
  )
  return new Map(rows.map(({ id, text }) => [id, text]))
}

const nestedIn = ({ nested = {} }: Listed, include: ReadonlySet<string>) =>
  Object.entries(nested).flatMap(([name, rows]) => (include.has(name) ? [rows] : []))

const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0)

/** Whether a page takes more than one turn of the event loop should. */
async function isLarge(
  db: Reader,
  resource: Listed,
  { brand_id }: Owner,
  { include }: ListRequest,
  ids: Rows['ids'],
  sizes: readonly number[],
): Promise<boolean> {
  if (sumOf(sizes) > SMALL_BYTES) return true
  for (const rows of nestedIn(resource, include)) if (await areMany(db, rows, brand_id, ids())) return true
  return false
}

/** What the rows of a page add to its size, and what they take to be made. */
async function weighed(
  db: Reader,
  resource: Listed,
  { brand_id }: Owner,
  { include }: ListRequest,
  ids: Rows['ids'],
  sizes: readonly number[],
): Promise<{ shown: number[]; work: number[] }> {
  const [shown, work] = [[...sizes], [...sizes]]
  for (const rows of nestedIn(resource, include)) {
    const bytes = await nestedBytes(db, rows, brand_id, ids())
    for (const [index, id] of ids().entries()) {
      work[index]! += bytes.get(id) ?? 0
      if (!rows.summed) shown[index]! += bytes.get(id) ?? 0
    }
  }
  return { shown, work }
}

/** The same page as the texts of its objects, whole. */
export async function readBodies(
  db: Reader,
  resource: Listed,
  caller: Owner,
  list: ListRequest,
): Promise<Extent & { bodies: string[] }> {
  const { bodies, ...extent } = await readStored(db, resource, caller, list)
  return { bodies: await addIncluded(db, resource, caller, bodies, list), ...extent }
}

const readStored = (
  db: Reader,
  resource: Listed,
  owner: Owner,
  list: ListRequest,
): Promise<Extent & { bodies: string[] }> =>
  list.walk ? readStretch(db, resource, owner, list, list.walk) : readSplit(db, resource, owner, list)

async function readSplit(db: Reader, resource: Listed, caller: Owner, list: ListRequest) {
  const { data, total } = await readJoined(db, resource, caller, list, '\n') // no JSON text holds a line break
  const text = typeof data === 'string' ? data : bytesOf(data).toString()
  return { bodies: text === '' ? [] : text.split('\n'), total }
}

const readersFor = ({ readIncluded = {} }: Listed, include: ReadonlySet<string>) =>
  Object.entries(readIncluded).filter(([name]) => include.has(name))

/** Texts with what their own query does not bring: what functions read of them, or all that `compose` makes. */
export async function addIncluded(
  db: Reader,
  resource: Listed,
  owner: Owner,
  bodies: string[],
  { include, own }: Pick<ListRequest, 'include' | 'own'>,
): Promise<string[]> {
  if (resource.compose) return resource.compose(db, owner, bodies, own)
  const wanted = readersFor(resource, include)
  if (wanted.length === 0 || bodies.length === 0) return bodies
  const ids = bodies.map(idOf)
  const found = await Promise.all(
    wanted.map(async ([name, read]) => ({ name, texts: await read(db, owner, ids, own) })),
  )
  return bodies.map((body, index) => {
    const more = found.flatMap(({ name, texts }) => {
      const text = texts.get(ids[index]!)
      return text === undefined ? [] : [`,"${name}":${text}`]
    })
    return `${body.slice(0, -1)}${more.join('')}}`
  })
}

/** The id is the first member of every text. */
export const idOf = (body: string) => Number(/^\{"id":(\d+)/.exec(body)![1])

/** One stretch of a walk (P3), and where it goes on. */
async function readStretch(db: Reader, resource: Listed, owner: Owner, list: ListRequest, walk: Walk) {
  const { where, order, limit, include } = list
  const owned = ownedBy(owner)
  const bounded = owner.venues === undefined && where.text === '' && walk.key === undefined
  const scan = bounded ? undefined : db.scan
  const key = walk.key === undefined ? '' : `, ${walk.key} as key`
  const text = `select ${rowText(resource, include)} as body, id${key} from ${resource.table}
    where ${owned.text}${where.text}${scan ? db.dialect.checkpoint : ''}${walk.where.text} order by ${order} limit ?`
  const values = [...owned.values, ...where.values, ...walk.where.values, limit + 1]
  const rows = await (scan ? scan<Walked>(owner.brand_id, resource.table, text, values) : db.rows<Walked>(text, values))
  const shown = rows.slice(0, limit)
  const next = rows.length > limit ? walk.cursorAfter(shown.at(-1)!) : null
  return { bodies: shown.map(({ body }) => body), next }
}

interface Walked {
  id: number | string
  key?: string
  body: string
}

async function readJoined(
  db: Reader,
  resource: Listed,
  owner: Owner,
  list: ListRequest,
  separator: string,
): Promise<{ data: Whole; total: number }> {
  const { brand_id } = owner
  const scan = isBounded(resource, owner, list) ? undefined : db.scan
  const { where } = list
  const narrowed = scan ? { ...list, where: { ...where, text: where.text + db.dialect.checkpoint } } : list
  const total = totalOf(resource, owner, list.where.text === '' ? list : narrowed)
  const page = pageOf(resource, owner, narrowed)
  const bodies = db.dialect.bytes(`string_agg(${page.body}, '${separator}'${page.order})`)
  // As an aggregate it answers one row, so that a page past the end has its total too.
  const text = `select ${bodies} as data, (${total.text}) as total from ${page.text}`
  const values = [...total.values, ...page.values]
  const [row] = await (scan ? scan<Joined>(brand_id, resource.table, text, values) : db.rows<Joined>(text, values))
  return { data: row!.data ?? '', total: row!.total ?? 0 }
}

type Whole = string | Uint8Array<ArrayBuffer>

interface Joined {
  data: Whole | null
  total: number | null
}

/** True if the page's cost does not depend on the number of rows: it begins at a mark or at an end, or its rows are named by id. */
function isBounded({ marked }: Listed, { venues }: Owner, { where, order, offset }: ListRequest): boolean {
  if (venues !== undefined) return false
  if (where.text !== '') return ONLY_IDS.test(where.text) // beside another condition SQLite may choose that one's index
  return order === 'id' ? marked : order === 'id desc' && offset <= NEAR
}

const ONLY_IDS = /^ and id (= \?|in \([?, ]+\))$/
const NEAR = 1_000

const bytesOf = (data: Whole) =>
  typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.length)

interface Part {
  readonly text: string
  readonly values: readonly Value[]
}

// Counting a large table takes longer than reading a page of it, so without a filter the total is one that is kept.
function totalOf({ table, countedBy }: Listed, owner: Owner, { where, days }: ListRequest): Part {
  const { brand_id } = owner
  const venues = countedVenues(owner)
  if (countedBy !== undefined && days !== undefined) return daysTotal(table, owner, days)
  if (where.text !== '') {
    const { text, values } = ownedBy(owner)
    return { text: `select count(*) from ${table} where ${text}${where.text}`, values: [...values, ...where.values] }
  }
  if (venues === undefined)
    return { text: `select value from counters where brand_id = ? and name = '${table}'`, values: [brand_id] }
  const names = venues.map((venue_id) => venueCounter(table, venue_id))
  return {
    text: `select cast(coalesce(sum(value), 0) as bigint) from counters where brand_id = ? and name in ${placesOrNone(names)}`,
    values: [brand_id, ...names],
  }
}

/** P3: of whole days it is kept too. */
function daysTotal(table: string, owner: Owner, { from, to }: Days): Part {
  const { brand_id } = owner
  const venues = countedVenues(owner)
  const ofVenues = venues === undefined ? '' : ` and venue_id in ${placesOrNone(venues)}`
  const ends = [from === undefined ? '' : ' and day >= ?', to === undefined ? '' : ' and day <= ?']
  return {
    text: `select cast(coalesce(sum(value), 0) as bigint) from day_totals
      where brand_id = ? and name = ?${ofVenues}${ends.join('')}`,
    values: [brand_id, table, ...(venues ?? []), ...[from, to].filter((day) => day !== undefined)],
  }
}

const countedVenues = ({ venues, orNone }: Owner) => (orNone && venues ? [...venues, NO_VENUE] : venues)

/** The condition of a brand's rows, or of those of some of its venues. */
export function ownedBy(owner: Owner): Part {
  const { text, values } = withinVenues(owner)
  return { text: `brand_id = ?${text}`, values: [owner.brand_id, ...values] }
}

/** Nothing, or the condition that rows are of the owner's venues; it begins with ` and `. */
export function withinVenues({ venues, orNone = false }: Pick<Owner, 'venues' | 'orNone'>): Part {
  if (venues === undefined) return NOTHING
  const within = `venue_id in ${placesOrNone(venues)}`
  return { text: ` and ${orNone ? `(${within} or venue_id is null)` : within}`, values: venues }
}

const placesOrNone = (values: readonly unknown[]) => (values.length === 0 ? '(null)' : places(values))

/** The texts of a page: what follows `from`, and how they are then to be ordered, where they are not already. */
function pageOf(resource: Listed, owner: Owner, list: ListRequest): Part & { body: string; order: string } {
  const { table, marked } = resource
  const { where, order, limit, offset, include } = list
  const body = rowText(resource, include)
  const { brand_id, venues } = owner
  const owned = ownedBy(owner)
  const rows = `from ${table} where ${owned.text}${where.text}`
  if (order !== 'id')
    // Bodies make a sort slow: it is made of ids, and then the bodies of one page are fetched.
    return {
      text: `(select id as place ${rows} order by ${order} limit ? offset ?) as page
        cross join ${table} where brand_id = ? and id = place`,
      values: [...owned.values, ...where.values, limit, offset, brand_id],
      body,
      order: ` order by ${order}`,
    }
  const skipped = where.text === '' && marked && venues === undefined ? offset - (offset % MARKED) : 0
  const after: Part = skipped === 0 ? NOTHING : { text: ` and id > (${MARK})`, values: [brand_id, table, skipped] }
  return {
    text: `(select ${body} as body ${rows}${after.text} order by id limit ? offset ?) as page`,
    values: [...owned.values, ...where.values, ...after.values, limit, offset - skipped],
    body: 'body',
    order: '',
  }
}

const NOTHING: Part = { text: '', values: [] }
export const MARKED = 250
const MARK = 'select id from page_marks where brand_id = ? and name = ? and position = ?'

/**
 * Marks where pages begin, in the transaction that changed rows of a list, from the first id that was changed: the marks before it
 * stay, so adding a row at the end only reads from the last mark on. The caller has locked the table's counter.
 */
export async function markPages(tx: Queries, { table, marked }: Listed, brand_id: number, from = 0): Promise<void> {
  if (!marked) return
  await tx.run('delete from page_marks where brand_id = ? and name = ? and id >= ?', [brand_id, table, from])
  const [last = { position: 0, id: 0 }] = await tx.rows<{ position: number; id: number }>(
    'select position, id from page_marks where brand_id = ? and name = ? order by position desc limit 1',
    [brand_id, table],
  )
  await tx.run(
    `insert into page_marks (brand_id, name, position, id) select brand_id, ?, position, id from
       (select brand_id, id, row_number() over (order by id) + ? as position from ${table}
        where brand_id = ? and id > ?) as numbered
       where position % ${MARKED} = 0`,
    [table, last.position, brand_id, last.id],
  )
}
