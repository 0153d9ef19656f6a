import { places } from '../../storage/upsert.ts'
import { type Reader, SMALL_BYTES } from './large-page.ts'

/** Rows that belong to others and are shown inside them: the lines of receipts, the items of documents. */
export interface NestedRows {
  readonly table: string
  /** The column that holds the id of the row that each belongs to. */
  readonly foreignKey: string
  readonly order: string
  /** True if they are only summed up: their texts are not shown. */
  readonly summed?: boolean
}

/** What `include` adds of them: for each row the array of their texts. */
export const readNested =
  ({ table, foreignKey, order }: NestedRows) =>
  async (
    db: Reader,
    { brand_id }: { readonly brand_id: number },
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, string>> => {
    const rows = await db.rows<{ owner_id: number; texts: string }>(
      `select ${foreignKey} as owner_id, string_agg(body, ',' order by ${order}) as texts from ${table}
       where brand_id = ? and ${foreignKey} in ${places(ids)} group by ${foreignKey}`,
      [brand_id, ...ids],
    )
    const found = new Map(rows.map(({ owner_id, texts }) => [owner_id, texts]))
    return new Map(ids.map((id) => [id, `[${found.get(id) ?? ''}]`]))
  }

/** Beyond this many, their sizes alone take long to add up. */
const MAX_ROWS = 2_000

/** Whether the nested rows of some rows are too many, or too large, to be read in one turn of the event loop. Sizes are kept beside texts: no text is read. */
export async function areMany(
  db: Reader,
  { table, foreignKey }: NestedRows,
  brand_id: number,
  ids: readonly number[],
): Promise<boolean> {
  const [few] = await db.rows<{ count: number; bytes: number }>(
    `select count(*) as count, coalesce(sum(octet_length(body)), 0) as bytes from
       (select body from ${table} where brand_id = ? and ${foreignKey} in ${places(ids)} limit ${MAX_ROWS + 1}) as few`,
    [brand_id, ...ids],
  )
  return few!.count > MAX_ROWS || few!.bytes > SMALL_BYTES
}

/** The bytes of the nested rows of each row that has some. */
export async function nestedBytes(
  db: Reader,
  { table, foreignKey }: NestedRows,
  brand_id: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db.rows<{ owner_id: number; bytes: number }>(
    `select ${foreignKey} as owner_id, cast(sum(octet_length(body)) as bigint) as bytes from ${table}
     where brand_id = ? and ${foreignKey} in ${places(ids)} group by ${foreignKey}`,
    [brand_id, ...ids],
  )
  return new Map(rows.map(({ owner_id, bytes }) => [owner_id, bytes]))
}
