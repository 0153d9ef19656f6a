import { withFreshDeadline } from '../../http/edge/deadline.ts'
import type { Page } from '../../http/envelope.ts'
import { type ListRequest, pickMembers } from '../../lists/list.ts'
import { type Listed, type Owner, readBodies } from '../../resource/read/page.ts'
import type { Database } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'

// GET /price-lists?include=prices (D2.6): the entries of the lists of a page.

const MAX_PRICES = 20_000 // of a page that is made at once
const CHUNK = 500 // prices of a longer one that are read at once

/**
 * One page of price lists with the entries of all of them, by a second query. A page with more of them than fit into memory is streamed,
 * so that it can always be read.
 */
export async function listWithPrices(db: Database, resource: Listed, owner: Owner, list: ListRequest): Promise<Page> {
  const { bodies, ...extent } = await readBodies(db, resource, owner, list)
  const lists = bodies.map((body) => {
    const bytes = Buffer.from(body)
    const summary = pickMembers(bytes, SUMMARY).toString()
    const narrowed = list.fields === undefined ? body : pickMembers(bytes, list.fields).toString()
    return { id: (JSON.parse(summary) as { id: number }).id, summary, begin: `${narrowed.slice(0, -1)},"prices":[` }
  })
  const prices = lists.length === 0 ? new Map() : await readPrices(db, owner, lists)
  if (prices === undefined) return { data: streamLists(db, owner, lists), ...extent }
  const parts = lists.flatMap(({ id, begin }, index) => [
    Buffer.from(index === 0 ? begin : `,${begin}`),
    ...(prices.get(id) ?? []),
    END,
  ])
  return { data: Buffer.concat(parts), ...extent }
}

interface ListText {
  readonly id: number
  /** What its entries show of it. */
  readonly summary: string
  /** Its own text, up to its first entry. */
  readonly begin: string
}

const SUMMARY: ReadonlySet<string> = new Set(['id', 'name']) // D2.6: what an entry shows of its list
const END = Buffer.from(']}')

// A price as the wire has it, up to its list.
const ENTRY = `substr(prices.body, 1, length(prices.body) - 1) || ',"product":' || products.summary`
const PRICES = 'prices join products on products.brand_id = prices.brand_id and products.id = prices.product_id'

/**
 * The entries of each list of the page, in id order and complete; undefined when there are more than `MAX_PRICES`. There can be megabytes of them: they become bytes batch by
 * batch, so that no turn of the event loop is much longer than another.
 */
async function readPrices(
  db: Database,
  { brand_id }: Owner,
  lists: readonly ListText[],
): Promise<Map<number, Buffer[]> | undefined> {
  const ids = lists.map(({ id }) => id)
  // They are counted first, and not far past what is allowed; of too many only one is read, which tells.
  const query = `
    with counted as (select count(*) as entries from
      (select 1 from prices where brand_id = ? and list_id in ${places(ids)} limit ${MAX_PRICES + 1}) as few)
    select prices.list_id, (select entries from counted), ${ENTRY} from ${PRICES}
    where prices.brand_id = ? and prices.list_id in ${places(ids)}
    order by prices.list_id, prices.id
    limit (select case when entries > ${MAX_PRICES} then 1 else ${MAX_PRICES} end from counted)`
  const values = [brand_id, ...ids, brand_id, ...ids]
  const ends = new Map(lists.map(({ id, summary }) => [id, `,"list":${summary}}`]))
  const prices = new Map<number, Buffer[]>()
  for await (const batch of db.batches<[list_id: number, entries: number, text: string]>(brand_id, query, values)) {
    if (batch.length > 0 && batch[0]![1] > MAX_PRICES) return undefined
    for (const [id, entries] of Map.groupBy(batch, ([list_id]) => list_id)) {
      const text = entries.map(([, , entry]) => entry + ends.get(id)).join(',')
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
async function* streamList(db: Database, { brand_id }: Owner, { id, summary, begin }: ListText) {
  const joined = db.dialect.bytes(`? || string_agg(entry || ?, ',')`)
  const query = `select ${joined} as data, max(id) as last, count(*) as entries from
    (select ${ENTRY} as entry, prices.id from ${PRICES}
     where prices.brand_id = ? and prices.list_id = ? and prices.id > ? order by prices.id limit ${CHUNK}) as chunk`
  const end = `,"list":${summary}}`
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
