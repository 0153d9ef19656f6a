import type { Database } from '../../storage/database.ts'
import { COPIED } from '../../storage/feed/copied.ts'
import { instantOf } from '../../values/values.ts'

// W7: a copy that was restored must not call real receivers.

const IDENTITY = 'webhook_database'

/** Pauses every endpoint where this database is a copy of the one that was sent from. Returns how many. */
export function pauseInCopy(db: Database, now: number): Promise<number> {
  return db.transaction(async (tx) => {
    const setting = (name: string) => tx.text('select value from settings where name = ?', [name])
    const identity = tx.dialect.identity && (await tx.text(tx.dialect.identity, []))
    const known = await setting(IDENTITY)
    const isCopied = (await setting(COPIED)) !== undefined
    await tx.run('delete from settings where name = ?', [COPIED])
    if (identity !== undefined)
      await tx.run(
        'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
        [IDENTITY, identity],
      )
    if (!isCopied && (known === undefined || known === identity)) return 0
    return tx.run(
      `update webhook_endpoints set state = 'paused', reason = 'restored', state_since = ?, due_at = null, version = version + 1
       where state in ('pending', 'active', 'failing')`,
      [instantOf(now)],
    )
  })
}
