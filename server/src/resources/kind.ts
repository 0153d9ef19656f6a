import type { Queries } from '../storage/database.ts'
import type { Tables } from '../storage/tables.ts'

/** Where imported rows go, and who brings them. */
export interface ImportContext {
  tx: Queries
  brand_id: number
  /** Who is held to account for changes to the directory. */
  actor: string
  /** The instant of the import: what an absent timestamp becomes. */
  now: string
}

/** One row's pointer at another kind's; checked before the row is put in, so that its line can be named. */
export interface Reference {
  member: string
  table: 'venues' | 'roles' | 'users' | 'customer_groups' | 'customers' | 'products' | 'price_lists' | 'receipts'
  id: number | string | undefined
}

/** One kind of line in an import file: how it is read, what it points at, how rows are put in and given back. */
export interface Kind<Row> {
  readonly name: string
  readonly table: keyof Tables
  /** Throws RowProblem. */
  read(row: Record<string, unknown>): Row
  idOf(row: Row): number | string
  references(row: Row): Reference[]
  /** References to rows that may come later in the file; checked when all of it is in. */
  laterReferences?(row: Row): Reference[]
  /** Puts in rows whose ids are distinct and whose references exist; throws RowProblem about one of them. */
  put(context: ImportContext, rows: readonly Row[]): Promise<void>
  /** What the brand lacks once every row is in, as a sentence without its end; the last line of this kind is named with it. */
  lack?(context: ImportContext): Promise<string | undefined>
  /** The rows after `after`, a page of them in id order, each as the JSON object that an import would read. */
  page(db: Queries, brand_id: number, after: number | string | undefined): Promise<ExportPage>
}

export interface ExportPage {
  objects: string[]
  /** Where the next page begins; undefined after the last. */
  next: number | string | undefined
}

const PAGE = 1_000

/** One page of a kind whose rows come back as `text` makes them. */
export function exportPage<Row extends { id: number | string }>(rows: Row[], text: (row: Row) => string): ExportPage {
  return { objects: rows.map(text), next: rows.length < PAGE ? undefined : rows.at(-1)!.id }
}

/** One page of a kind whose stored body is also its line. */
export async function exportBodies(
  db: Queries,
  table: 'customer_groups' | 'products' | 'price_lists' | 'prices' | 'receipts' | 'stock_operations',
  brand_id: number,
  after: number | string | undefined,
): Promise<ExportPage> {
  const variants = table === 'products' ? 'and parent_id is null' : '' // they are inside their parents
  const rows = await db.rows<{ id: number; body: string }>(
    `select id, body from ${table} where brand_id = ? and id > ? ${variants} order by id limit ${PAGE}`,
    [brand_id, after ?? 0],
  )
  return exportPage(rows, ({ body }) => body)
}

/** `(?, ?, ?)` for a list of values. */
export const places = (values: readonly unknown[]) => `(${values.map(() => '?').join(', ')})`
