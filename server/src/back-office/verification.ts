import { verifyAudit } from '../directory/audit.ts'
import type { KeyRing } from '../directory/keys.ts'
import type { Database } from '../storage/database.ts'
import type { Verification } from './schema.ts'

const GOOD_FOR_MS = 10_000

/** Verifies the chain of the audit log. It reads every row, so callers at about the same time share one run. */
export function verification(db: Database, keys: KeyRing, now: () => number) {
  let latest: { startedAt: number; result: Promise<Verification> } | undefined
  return (): Promise<Verification> => {
    const startedAt = now()
    if (!latest || startedAt - latest.startedAt >= GOOD_FOR_MS) {
      const result = verifyAudit(db, keys.audit).then(({ intact }) => ({
        intact,
        checked_at: new Date(startedAt).toISOString(),
      }))
      latest = { startedAt, result }
      result.catch(() => (latest = undefined))
    }
    return latest.result
  }
}
export type Verify = ReturnType<typeof verification>
