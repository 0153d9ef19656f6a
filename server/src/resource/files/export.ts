import type { Queries } from '../../storage/database.ts'

export interface ExportPage {
  objects: string[]
  /** The last id of this page, after which the next one begins; undefined on the last page. */
  next: number | string | undefined
}

export const EXPORT_PAGE = 1_000

/** One page of rows, each written by `text`. */
export function exportPage<Row extends { id: number | string }>(rows: Row[], text: (row: Row) => string): ExportPage {
  return { objects: rows.map(text), next: rows.length < EXPORT_PAGE ? undefined : rows.at(-1)!.id }
}

interface Exported {
  table: string
  /** A condition; absent: every row. */
  condition: string | undefined
  /** A line, as SQL. */
  text: string
  limit?: number | undefined
  /** What stands before every id: a number or, where ids are texts, the empty one. */
  first: number | string
}

/** One page of a table whose texts are also its lines. */
export async function exportBodies(
  db: Queries,
  { table, condition, text, limit = EXPORT_PAGE, first }: Exported,
  brand_id: number,
  after: number | string | undefined,
): Promise<ExportPage> {
  const rows = await db.rows<{ id: number; body: string }>(
    `select id, ${text} as body from ${table} where brand_id = ? and id > ?${condition === undefined ? '' : ` and ${condition}`}
     order by id limit ${limit}`,
    [brand_id, after ?? first],
  )
  return exportPage(rows, ({ body }) => body)
}
