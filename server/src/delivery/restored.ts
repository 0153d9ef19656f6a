import type { Database } from '../storage/database.ts'
import { COPIED } from '../storage/feed/copied.ts'
import { instantOf } from '../values/values.ts'

// W7: a copy that was restored must not call real receivers, nor print once more what the original has printed since.

const IDENTITY = 'webhook_database'

/**
 * Pauses every endpoint and cancels every paper that waits, where this database is a copy of the one that was sent from. Whatever sends
 * calls it first. Returns how many.
 */
export function quietCopy(db: Database, now: number): Promise<{ endpoints: number; papers: number }> {
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
    if (!isCopied && (known === undefined || known === identity)) return { endpoints: 0, papers: 0 }
    const endpoints = await tx.run(
      `update webhook_endpoints set state = 'paused', reason = 'restored', state_since = ?, due_at = null, version = version + 1
       where state in ('pending', 'active', 'failing')`,
      [instantOf(now)],
    )
    const papers = await tx.run(
      `update print_jobs set state = 'cancelled', done_at = ? where state in ('waiting', 'sending', 'unsure')`,
      [instantOf(now)],
    )
    return { endpoints, papers }
  })
}
