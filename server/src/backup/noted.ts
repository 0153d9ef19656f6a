import type { Queries } from '../storage/database.ts'

// What the database knows of its copies: when the last one was made, for a notice when that was long ago, and why the next one failed.

const MADE = 'backed_up_at'
const FAILED = 'backup_failed'

/** `full`: the disk has no room. `folder`: it is gone, as a stick that was pulled out. */
export type Reason = 'full' | 'folder' | 'other'

export interface Failed {
  readonly at: string
  readonly reason: Reason
}

const put = (tx: Queries, name: string, value: string) =>
  tx.run('insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value', [
    name,
    value,
  ])

export async function noteBackup(tx: Queries, at: string): Promise<void> {
  await put(tx, MADE, at)
  await tx.run('delete from settings where name = ?', [FAILED])
}

export const noteFailed = (tx: Queries, failed: Failed) => put(tx, FAILED, JSON.stringify(failed))

const setting = (db: Queries, name: string) => db.text('select value from settings where name = ?', [name])

/** Undefined where none was made. */
export const lastBackup = (db: Queries) => setting(db, MADE)

/** Undefined where the last attempt was good. */
export async function lastFailed(db: Queries): Promise<Failed | undefined> {
  const text = await setting(db, FAILED)
  return text === undefined ? undefined : (JSON.parse(text) as Failed)
}

const AHEAD_MS = 3_600_000

/** How old the last copy is; that of a clock that was ahead is as good as none. Undefined where there is nothing to lose yet. */
export async function backupAgeMs(db: Queries, nowMs: number): Promise<number | undefined> {
  const made = await lastBackup(db)
  if (made !== undefined && Date.parse(made) < nowMs + AHEAD_MS) return Math.max(0, nowMs - Date.parse(made))
  const first = await db.text('select min(created_at) from brands', [])
  return first ? Math.max(0, nowMs - Date.parse(first)) : undefined // of no brand the minimum is null
}
