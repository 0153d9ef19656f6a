import { lockDirectory, record } from '../directory/audit.ts'
import type { Value } from '../storage/database.ts'
import { upsert } from '../storage/upsert.ts'
import { recount } from './counters.ts'
import type { WriteContext } from './write.ts'

// Venues, roles and users are the directory's: changes to them follow one another, and each is recorded.

/** Writes rows of one of its tables, one after the other. */
export async function writeDirectory<Row>(
  context: WriteContext,
  table: string,
  rows: readonly Row[],
  put: (context: WriteContext, row: Row) => Promise<unknown>,
): Promise<string[]> {
  const { tx, brand_id, countedLater } = context
  await lockDirectory(tx)
  for (const row of rows) await put(context, row)
  if (!countedLater) await recount(tx, brand_id, { table, scope: 'brand' })
  return rows.map((row) => JSON.stringify(row))
}

interface Recorded<Columns> {
  readonly table: string
  readonly kind: string
  /** What the record calls the row. */
  readonly subject: string
  /** Its columns, the id first. */
  readonly after: Columns
  /** Columns that follow from those and are not recorded. */
  readonly hidden?: Readonly<Record<string, Value>>
}

/** Puts one row in and records the change; answers how the row looked before, and whether that is now different. */
export async function putRecorded<Columns extends Readonly<Record<string, Value>> & { id: number }>(
  { tx, brand_id, actor }: WriteContext,
  { table, kind, subject, after, hidden = {} }: Recorded<Columns>,
): Promise<{ before: Columns | undefined; changed: boolean }> {
  const [before] = await tx.rows<Columns>(
    `select ${Object.keys(after).join(', ')} from ${table} where brand_id = ? and id = ?`,
    [brand_id, after.id],
  )
  if (JSON.stringify(before) === JSON.stringify(after)) return { before, changed: false }
  const row = { brand_id, ...after, ...hidden }
  await upsert(tx, table, 2, Object.keys(row), [Object.values(row)])
  await record(tx, { actor, action: `${kind}.import`, subject, brand_id, before, after })
  return { before, changed: true }
}
