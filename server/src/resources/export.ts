import type { Queries } from '../storage/database.ts'

export interface ExportPage {
  objects: string[]
  /** Where the next page begins; undefined after the last. */
  next: number | string | undefined
}

export const EXPORT_PAGE = 1_000

/** One page of rows that come back as `text` makes them. */
export function exportPage<Row extends { id: number | string }>(rows: Row[], text: (row: Row) => string): ExportPage {
  return { objects: rows.map(text), next: rows.length < EXPORT_PAGE ? undefined : rows.at(-1)!.id }
}

/** One page of a table whose stored bodies are also its lines. */
export async function exportBodies(
  db: Queries,
  { table, exported }: { table: string; exported: string | undefined },
  brand_id: number,
  after: number | string | undefined,
): Promise<ExportPage> {
  const rows = await db.rows<{ id: number; body: string }>(
    `select id, body from ${table} where brand_id = ? and id > ?${exported === undefined ? '' : ` and ${exported}`}
     order by id limit ${EXPORT_PAGE}`,
    [brand_id, after ?? 0],
  )
  return exportPage(rows, ({ body }) => body)
}
