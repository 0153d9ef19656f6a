import manifest from '../../../../package.json' with { type: 'json' }
import type { Queries, Transaction } from '../../../storage/database.ts'
import { upsert } from '../../../storage/upsert.ts'
import { type Audited, CHECKED } from '../audit.ts'
import type { Finding, Invariant } from '../finding.ts'

// The last result of `comptoir audit books`, for the back office to show.

export interface LastAudit extends Audited {
  readonly at: string
  readonly ms: number
  /** Version of Comptoir that ran it, which may have checked less or more than this one does. */
  readonly version: string
  readonly checked: readonly Invariant[]
}

export const keepAudit = (
  tx: Transaction,
  brand_id: number,
  { receipts, findings }: Audited,
  { at, ms }: Pick<LastAudit, 'at' | 'ms'>,
): Promise<void> =>
  upsert(
    tx,
    'book_audits',
    ['brand_id'],
    [
      {
        brand_id,
        at,
        ms: Math.round(ms),
        version: manifest.version,
        receipts,
        checked: JSON.stringify(CHECKED),
        findings: JSON.stringify(findings),
      },
    ],
  )

export async function findLastAudit(db: Queries, brand_id: number): Promise<LastAudit | undefined> {
  const [row] = await db.rows<Omit<LastAudit, 'checked' | 'findings'> & { checked: string; findings: string }>(
    'select at, ms, version, receipts, checked, findings from book_audits where brand_id = ?',
    [brand_id],
  )
  return (
    row && { ...row, checked: JSON.parse(row.checked) as Invariant[], findings: JSON.parse(row.findings) as Finding[] }
  )
}
