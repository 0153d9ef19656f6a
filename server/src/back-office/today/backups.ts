import type { Queries } from '../../storage/database.ts'

// When `comptoir backup` last made a copy, for a notice when that was long ago.

const NAME = 'backed_up_at'

export const noteBackup = (tx: Queries, now: string) =>
  tx.run('insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value', [
    NAME,
    now,
  ])

/** Undefined where none was made. */
export const lastBackup = (db: Queries) => db.text('select value from settings where name = ?', [NAME])
