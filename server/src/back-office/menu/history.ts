import type { Database } from '../../storage/database.ts'

/** One change of a product or a category, as the audit log has it. */
export interface HistoryRow {
  readonly id: number
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

const MAX_ROWS = 50

/** The latest changes of one thing on the menu, newest first, as JSON texts. */
export async function findHistory(
  db: Database,
  brand_id: number,
  kind: 'product' | 'category',
  id: number,
): Promise<string[]> {
  const rows = await db.scan<{ id: number; at: string; actor: string; action: string; before: string; after: string }>(
    brand_id,
    'audit',
    `select id, at, actor, action, before, after from audit
     where brand_id = ? and action in (?, ?) and (subject = ? or substr(subject, 1, ?) = ?)${db.dialect.checkpoint}
     order by id desc limit ${MAX_ROWS}`,
    [brand_id, `${kind}.create`, `${kind}.change`, String(id), String(id).length + 1, `${id} `],
  )
  return rows.map(({ before, after, ...row }) =>
    JSON.stringify({ ...row, before: JSON.parse(before), after: JSON.parse(after) } satisfies HistoryRow),
  )
}
