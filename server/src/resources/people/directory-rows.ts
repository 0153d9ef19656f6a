import { lockDirectory, record } from '../../directory/audit.ts'
import { type Listed, markPages } from '../../resource/read/page.ts'
import { type Counted, recount } from '../../resource/write/counters.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import type { Value } from '../../storage/database.ts'
import { upsert } from '../../storage/upsert.ts'

// Venues, roles and users are the directory's: changes to them follow one another, and each has a row of the audit log.

/** Writes rows of one of its tables, one after the other. */
export async function writeDirectory<Row>(
  context: WriteContext,
  resource: Listed & Counted,
  rows: readonly Row[],
  put: (context: WriteContext, row: Row) => Promise<unknown>,
): Promise<string[]> {
  const { tx, brand_id, mode } = context
  await lockDirectory(tx)
  for (const row of rows) await put(context, row)
  if (mode !== 'import') {
    await recount(tx, brand_id, resource)
    await markPages(tx, resource, brand_id)
  }
  return rows.map((row) => JSON.stringify(row))
}

interface AuditedRow<Columns> {
  readonly table: string
  readonly kind: string
  /** What the audit log calls the row. */
  readonly subject: string
  /** Its columns. */
  readonly after: Columns
  /** Columns that follow from those and are not in the audit log. */
  readonly hidden?: Readonly<Record<string, Value>>
  /** Members that follow from other rows and have no column, as they were and as they are now. */
  readonly derived?: { readonly before: Members; readonly after: Members }
}

type Members = Readonly<Record<string, Value>>

/** The context of a row that changes because another one was written: it gets an audit row of its own. */
export const following = (context: WriteContext): WriteContext => ({
  ...context,
  auditAction: context.auditAction ?? 'change',
})

/** Puts one row in and writes its audit row, unless the caller does; answers how the row looked before, and whether that is now different. */
export async function putAudited<Columns extends Readonly<Record<string, Value>> & { id: number }>(
  context: WriteContext,
  { table, kind, subject, after: columns, hidden = {}, derived }: AuditedRow<Columns>,
): Promise<{ before: Columns | undefined; changed: boolean }> {
  const { tx, brand_id, actor, auditAction } = context
  const [existing] = await tx.rows<Columns>(
    `select ${Object.keys(columns).join(', ')} from ${table} where brand_id = ? and id = ?`,
    [brand_id, columns.id],
  )
  const before = existing && { ...existing, ...derived?.before }
  const after = { ...columns, ...derived?.after }
  if (JSON.stringify(before) === JSON.stringify(after)) return { before, changed: false }
  const row = { brand_id, ...columns, ...hidden }
  await upsert(tx, table, ['brand_id', 'id'], [row])
  if (auditAction) await record(tx, { actor, action: `${kind}.${auditAction}`, subject, brand_id, before, after })
  const changed = Object.keys(after).flatMap((name) =>
    changedMembers(name, before?.[name] ?? null, after[name] ?? null),
  )
  const isDeactivated = Boolean(before?.active && !after.active)
  publishDirectory(context, kind, before ? (isDeactivated ? 'deactivated' : 'updated') : 'created', after.id, changed)
  return { before, changed: true }
}

/** The members that a column's change is: the one it holds, as the wire calls it, or those inside it, where it holds several. */
function changedMembers(name: string, before: Value, after: Value): string[] {
  if (name === 'id' || before === after) return []
  if (name === 'active') return ['status']
  if (name !== 'settings') return [name]
  const [from, to] = [before, after].map((text) => JSON.parse(String(text ?? '{}')) as Record<string, unknown>)
  return [...new Set([...Object.keys(from!), ...Object.keys(to!)])].filter(
    (member) => JSON.stringify(from![member]) !== JSON.stringify(to![member]),
  )
}

/** E1: a change of the directory, for readers of the feed. */
const publishDirectory = (
  { tx, brand_id }: Pick<WriteContext, 'tx' | 'brand_id'>,
  kind: string,
  happened: 'created' | 'updated' | 'deactivated',
  id: number,
  changed: readonly string[],
) => tx.publish({ brand_id, type: `${kind}.${happened}`, subject: String(id), data: { id, changed } })
