import type { Caller } from '../http/call.ts'
import type { Page } from '../http/envelope.ts'
import { type ListRequest, pickMembers } from '../http/list.ts'
import type { Database, Queries, Value } from '../storage/database.ts'

/** Without `scan`, a store that requests do not wait for: there every read may take long. */
type Reader = Pick<Queries, 'dialect' | 'rows'> & Partial<Pick<Database, 'scan'>>
type Listed = 'products' | 'price_lists' | 'customers' | 'receipts' | 'stock_operations'
/** A page that is read at once. */
type WholePage = Page & { data: string | Uint8Array }
type Owner = Pick<Caller, 'brand_id'>
/** The lists of the contract, whose late pages must cost what the first one does. */
const PAGES_MARKED: ReadonlySet<string> = new Set<Listed>(['products', 'price_lists'])

/** One page of a brand's rows, narrowed to the members asked for, and the total of all pages: one query. */
export async function readPage(db: Reader, table: Listed, caller: Owner, list: ListRequest): Promise<WholePage> {
  if (list.fields === undefined) return readJoined(db, table, caller, list, ',')
  const { data, total } = await readJoined(db, table, caller, list, '\n')
  return { data: pickMembers(bytesOf(data), list.fields), total }
}

/** The same page as the texts of its objects, whole. */
export async function readBodies(
  db: Reader,
  table: Listed,
  caller: Owner,
  list: ListRequest,
): Promise<{ bodies: string[]; total: number }> {
  const { data, total } = await readJoined(db, table, caller, list, '\n') // no JSON text holds a line break
  const text = typeof data === 'string' ? data : bytesOf(data).toString()
  return { bodies: text === '' ? [] : text.split('\n'), total }
}

async function readJoined(
  db: Reader,
  table: Listed,
  { brand_id }: Owner,
  list: ListRequest,
  separator: string,
): Promise<WholePage> {
  const scan = isBounded(table, list) ? undefined : db.scan
  const { where } = list
  const narrowed = scan ? { ...list, where: { ...where, text: where.text + db.dialect.checkpoint } } : list
  const total = totalOf(table, brand_id, list.where.text === '' ? list : narrowed)
  const page = pageOf(table, brand_id, narrowed)
  const bodies = db.dialect.bytes(`string_agg(body, '${separator}'${page.order})`)
  // As an aggregate it answers one row, so that a page past the end has its total too.
  const text = `select ${bodies} as data, (${total.text}) as total from ${page.text}`
  const values = [...total.values, ...page.values]
  const [row] = await (scan ? scan<Joined>(brand_id, table, text, values) : db.rows<Joined>(text, values))
  return { data: row!.data ?? '', total: row!.total ?? 0 }
}

interface Joined {
  data: WholePage['data'] | null
  total: number | null
}

/** Whether a page costs the same however many rows there are: it begins at a mark or at an end, or its rows are named by their ids. */
function isBounded(table: Listed, { where, order, offset }: ListRequest): boolean {
  if (where.text !== '') return ONLY_IDS.test(where.text) // beside another condition SQLite may choose that one's index
  return order === 'id' ? PAGES_MARKED.has(table) : order === 'id desc' && offset <= NEAR
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
function totalOf(table: Listed, brand_id: number, { where }: ListRequest): Part {
  return where.text === ''
    ? { text: `select value from counters where brand_id = ? and name = '${table}'`, values: [brand_id] }
    : { text: `select count(*) from ${table} where brand_id = ?${where.text}`, values: [brand_id, ...where.values] }
}

/** The bodies of a page: what follows `from`, and how they are then to be ordered, where they are not already. */
function pageOf(table: Listed, brand_id: number, list: ListRequest): Part & { order: string } {
  const { where, order, limit, offset } = list
  const rows = `from ${table} where brand_id = ?${where.text}`
  if (order !== 'id')
    // Bodies make a sort slow: it is made of ids, and then the bodies of one page are fetched.
    return {
      text: `(select id as place ${rows} order by ${order} limit ? offset ?) as page
        cross join ${table} where brand_id = ? and id = place`,
      values: [brand_id, ...where.values, limit, offset, brand_id],
      order: ` order by ${order}`,
    }
  const skipped = where.text === '' && PAGES_MARKED.has(table) ? offset - (offset % MARKED) : 0
  const after: Part = skipped === 0 ? NOTHING : { text: ` and id > (${MARK})`, values: [brand_id, table, skipped] }
  return {
    text: `(select body ${rows}${after.text} order by id limit ? offset ?) as page`,
    values: [brand_id, ...where.values, ...after.values, limit, offset - skipped],
    order: '',
  }
}

const NOTHING: Part = { text: '', values: [] }
const MARKED = 250 // as in migration 0005
const MARK = 'select id from page_marks where brand_id = ? and name = ? and position = ?'

/** Marks where pages begin, in the transaction that changed the rows of a list. */
export async function markPages(tx: Queries, brand_id: number, table: string): Promise<void> {
  if (!PAGES_MARKED.has(table)) return
  await tx.run('delete from page_marks where brand_id = ? and name = ?', [brand_id, table])
  await tx.run(
    `insert into page_marks (brand_id, name, position, id) select brand_id, ?, position, id from
       (select brand_id, id, row_number() over (order by id) as position from ${table} where brand_id = ?) as numbered
       where position % ${MARKED} = 0`,
    [table, brand_id],
  )
}
