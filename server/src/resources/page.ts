import type { Page } from '../http/envelope.ts'
import { type ListRequest, pickMembers } from '../lists/list.ts'
import type { Database, Queries, Value } from '../storage/database.ts'
import { places } from '../storage/upsert.ts'
import { venueCounter } from './counters.ts'

/** Without `scan`, a store that requests do not wait for: there every read may take long. */
export type Reader = Pick<Queries, 'dialect' | 'rows'> & Partial<Pick<Database, 'scan'>>

/** What a page needs to know of a table. */
export interface Listed {
  readonly table: string
  /** Whether it is kept where pages begin, so that a late page costs what the first one does. */
  readonly marked: boolean
}

/** A page that is read at once. */
type WholePage = Page & { data: string | Uint8Array }

/** Whose rows: a brand's, or those of some of its venues. */
export interface Owner {
  readonly brand_id: number
  readonly venues?: readonly number[] | undefined
}

/** One page of a brand's rows, narrowed to the members asked for, and the total of all pages: one query. */
export async function readPage(db: Reader, of: Listed, caller: Owner, list: ListRequest): Promise<WholePage> {
  if (list.fields === undefined) return readJoined(db, of, caller, list, ',')
  const { data, total } = await readJoined(db, of, caller, list, '\n')
  return { data: pickMembers(bytesOf(data), list.fields), total }
}

/** The same page as the texts of its objects, whole. */
export async function readBodies(
  db: Reader,
  of: Listed,
  caller: Owner,
  list: ListRequest,
): Promise<{ bodies: string[]; total: number }> {
  const { data, total } = await readJoined(db, of, caller, list, '\n') // no JSON text holds a line break
  const text = typeof data === 'string' ? data : bytesOf(data).toString()
  return { bodies: text === '' ? [] : text.split('\n'), total }
}

async function readJoined(
  db: Reader,
  of: Listed,
  owner: Owner,
  list: ListRequest,
  separator: string,
): Promise<WholePage> {
  const { brand_id } = owner
  const scan = isBounded(of, owner, list) ? undefined : db.scan
  const { where } = list
  const narrowed = scan ? { ...list, where: { ...where, text: where.text + db.dialect.checkpoint } } : list
  const total = totalOf(of, owner, list.where.text === '' ? list : narrowed)
  const page = pageOf(of, owner, narrowed)
  const bodies = db.dialect.bytes(`string_agg(body, '${separator}'${page.order})`)
  // As an aggregate it answers one row, so that a page past the end has its total too.
  const text = `select ${bodies} as data, (${total.text}) as total from ${page.text}`
  const values = [...total.values, ...page.values]
  const [row] = await (scan ? scan<Joined>(brand_id, of.table, text, values) : db.rows<Joined>(text, values))
  return { data: row!.data ?? '', total: row!.total ?? 0 }
}

interface Joined {
  data: WholePage['data'] | null
  total: number | null
}

/** Whether a page costs the same however many rows there are: it begins at a mark or at an end, or its rows are named by their ids. */
function isBounded({ marked }: Listed, { venues }: Owner, { where, order, offset }: ListRequest): boolean {
  if (venues !== undefined) return false
  if (where.text !== '') return ONLY_IDS.test(where.text) // beside another condition SQLite may choose that one's index
  return order === 'id' ? marked : order === 'id desc' && offset <= NEAR
}

const ONLY_IDS = /^ and id (= \?|in \([?, ]+\))$/
const NEAR = 1_000

const bytesOf = (data: WholePage['data']) =>
  typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.length)

interface Part {
  readonly text: string
  readonly values: readonly Value[]
}

// Counting a large table takes longer than reading a page of it, so without a filter the total is one that is kept.
function totalOf({ table }: Listed, owner: Owner, { where }: ListRequest): Part {
  const { brand_id, venues } = owner
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

function ownedBy({ brand_id, venues }: Owner): Part {
  return venues === undefined
    ? { text: 'brand_id = ?', values: [brand_id] }
    : { text: `brand_id = ? and venue_id in ${placesOrNone(venues)}`, values: [brand_id, ...venues] }
}

const placesOrNone = (values: readonly unknown[]) => (values.length === 0 ? '(null)' : places(values))

/** The bodies of a page: what follows `from`, and how they are then to be ordered, where they are not already. */
function pageOf({ table, marked }: Listed, owner: Owner, list: ListRequest): Part & { order: string } {
  const { where, order, limit, offset } = list
  const { brand_id, venues } = owner
  const owned = ownedBy(owner)
  const rows = `from ${table} where ${owned.text}${where.text}`
  if (order !== 'id')
    // Bodies make a sort slow: it is made of ids, and then the bodies of one page are fetched.
    return {
      text: `(select id as place ${rows} order by ${order} limit ? offset ?) as page
        cross join ${table} where brand_id = ? and id = place`,
      values: [...owned.values, ...where.values, limit, offset, brand_id],
      order: ` order by ${order}`,
    }
  const skipped = where.text === '' && marked && venues === undefined ? offset - (offset % MARKED) : 0
  const after: Part = skipped === 0 ? NOTHING : { text: ` and id > (${MARK})`, values: [brand_id, table, skipped] }
  return {
    text: `(select body ${rows}${after.text} order by id limit ? offset ?) as page`,
    values: [...owned.values, ...where.values, ...after.values, limit, offset - skipped],
    order: '',
  }
}

const NOTHING: Part = { text: '', values: [] }
const MARKED = 250 // as in migration 0005
const MARK = 'select id from page_marks where brand_id = ? and name = ? and position = ?'

/**
 * Marks where pages begin, in the transaction that changed rows of a list, from the first id that was changed: the marks before it
 * stay, so adding a row at the end costs no more than the way from the last mark. Whoever changes rows holds the table's counter.
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
