import { withFreshDeadline } from '../../http/edge/deadline.ts'
import type { Page } from '../../http/envelope.ts'
import { type ListRequest, pickMembers } from '../../lists/list.ts'
import { idOf, type Listed, type Owner, readBodies } from '../../resource/read/page.ts'
import type { Database } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'

// GET /price-lists?include=prices (D2.6): the entries of the lists of a page.

const FEW_PRICES = 500 // of a page that the store joins in one statement
const MAX_PRICES = 20_000 // of a page that is made at once
const CHUNK = 500 // prices of a longer one that are read at once

/**
 * One page of price lists with the entries of all of them, by a second query. A page with more of them than fit into memory is streamed,
 * so that it can always be read.
 */
export async function listWithPrices(db: Database, resource: Listed, owner: Owner, list: ListRequest): Promise<Page> {
  const { bodies, ...extent } = await readBodies(db, resource, owner, list)
  const lists = bodies.map((body): ListText => {
    const narrowed = list.fields === undefined ? body : pickMembers(Buffer.from(body), list.fields).toString()
    return { id: idOf(body), body, begin: `${narrowed.slice(0, -1)},"prices":[` }
  })
  if (lists.length === 0) return { data: '', ...extent }
  const { count, few } = await readFewPrices(db, owner, lists)
  if (count > MAX_PRICES) return { data: streamLists(db, owner, lists), ...extent }
  const prices = count > FEW_PRICES ? await readPrices(db, owner, lists) : few
  const parts = lists.flatMap(({ id, begin }, index) => [
    Buffer.from(index === 0 ? begin : `,${begin}`),
    ...(prices.get(id) ?? []),
    END,
  ])
  return { data: Buffer.concat(parts), ...extent }
}

interface ListText {
  readonly id: number
  readonly body: string
  /** Its own text, up to its first entry. */
  readonly begin: string
}

/** The entries of each list, as pieces of the answer. */
type Prices = ReadonlyMap<number, readonly Uint8Array[]>

const SUMMARY: ReadonlySet<string> = new Set(['id', 'name']) // D2.6: what an entry shows of its list
const END = Buffer.from(']}')

const endOfEntry = ({ body }: ListText) => `,"list":${pickMembers(Buffer.from(body), SUMMARY)}}`

// A price as the wire has it, up to its list. Its last member is a number, so one brace ends it.
const ENTRY = `rtrim(prices.body, '}') || ',"product":' || products.summary`
const PRICES = 'prices join products on products.brand_id = prices.brand_id and products.id = prices.product_id'

/** How many entries the lists of a page have, counted not far past what is made at once, and the entries themselves if they are few. */
async function readFewPrices(
  db: Database,
  { brand_id }: Owner,
  lists: readonly ListText[],
): Promise<{ count: number; few: Prices }> {
  const ids = lists.map(({ id }) => id)
  const end = `',"list":' || price_lists.summary || '}'`
  const joined = db.dialect.bytes(`string_agg(entry, ${end} || ',') || ${end}`)
  const rows = await db.rows<{ id: number; count: number; data: Uint8Array | null }>(
    `select id, counted.count, (select ${joined} from
       (select ${ENTRY} as entry from ${PRICES}
        where prices.brand_id = price_lists.brand_id and prices.list_id = price_lists.id and counted.count <= ${FEW_PRICES}
        order by prices.id) as ordered) as data
     from (select count(*) as count from
       (select 1 from prices where brand_id = ? and list_id in ${places(ids)} limit ${MAX_PRICES + 1}) as those) as counted
     cross join price_lists where brand_id = ? and id in ${places(ids)}`,
    [brand_id, ...ids, brand_id, ...ids],
  )
  const few = new Map(rows.map(({ id, data }) => [id, data === null ? [] : [data]]))
  return { count: rows[0]?.count ?? 0, few }
}

/**
 * The entries of each list of the page, in id order and complete. There can be megabytes of them: they become bytes batch by batch, so
 * that no turn of the event loop is much longer than another.
 */
async function readPrices(db: Database, { brand_id }: Owner, lists: readonly ListText[]): Promise<Prices> {
  const ids = lists.map(({ id }) => id)
  const query = `select prices.list_id, ${ENTRY} from ${PRICES}
    where prices.brand_id = ? and prices.list_id in ${places(ids)} order by prices.list_id, prices.id`
  const ends = new Map(lists.map((list) => [list.id, endOfEntry(list)]))
  const prices = new Map<number, Buffer[]>()
  for await (const batch of db.batches<[list_id: number, text: string]>(brand_id, query, [brand_id, ...ids])) {
    for (const [id, entries] of Map.groupBy(batch, ([list_id]) => list_id)) {
      const text = entries.map(([, entry]) => entry + ends.get(id)).join(',')
      const before = prices.get(id)
      if (before) before.push(Buffer.from(`,${text}`))
      else prices.set(id, [Buffer.from(text)])
    }
  }
  return prices
}

async function* streamLists(db: Database, owner: Owner, lists: readonly ListText[]) {
  for (const [index, list] of lists.entries()) {
    if (index > 0) yield ','
    yield* streamList(db, owner, list)
  }
}

/**
 * One list and its entries, in id order, a chunk at a time as the client takes them. Each chunk is a scan of its own: a slow client
 * holds neither a transaction nor a connection, and a brand that reads many long lists takes turns with the others.
 */
async function* streamList(db: Database, { brand_id }: Owner, list: ListText) {
  const joined = db.dialect.bytes(`? || string_agg(entry || ?, ',')`)
  const query = `select ${joined} as data, max(id) as last, count(*) as entries from
    (select ${ENTRY} as entry, prices.id from ${PRICES}
     where prices.brand_id = ? and prices.list_id = ? and prices.id > ? order by prices.id limit ${CHUNK}) as chunk`
  const { id, begin } = list
  const end = endOfEntry(list)
  let before = begin
  for (let after = 0; ; ) {
    const values = [before, end, brand_id, id, after]
    const [chunk] = await withFreshDeadline(db, () => db.scan<Chunk>(brand_id, undefined, query, values))
    const { data, last, entries } = chunk!
    if (data !== null) {
      yield data
      before = ','
      after = last!
    }
    if (entries < CHUNK) break
  }
  yield before === begin ? `${begin}]}` : ']}'
}

interface Chunk {
  /** Its entries with commas between; null when there is none. */
  data: string | Uint8Array | null
  last: number | null
  entries: number
}
