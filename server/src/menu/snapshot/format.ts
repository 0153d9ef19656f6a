import { lockDirectory } from '../../directory/audit.ts'
import type { Database, Queries } from '../../storage/database.ts'

/** Raised by each release that writes the body of GET /menu in another way: menu.test.ts holds the two together. */
export const MENU_FORMAT = 1

const readFormat = (db: Pick<Queries, 'text'>) => db.text(`select value from settings where name = 'menu_format'`, [])

/**
 * M6: equal ETags mean equal bodies. A release with another body publishes feed.resync to every brand, once, whichever of several
 * servers starts first; each menu has a new version then.
 */
export async function announceFormat(db: Database, format = MENU_FORMAT): Promise<void> {
  if ((await readFormat(db)) === String(format)) return
  await db.transaction(async (tx) => {
    await lockDirectory(tx)
    if ((await readFormat(tx)) === String(format)) return
    await tx.run(`update settings set value = ? where name = 'menu_format'`, [String(format)])
    for (const { id } of await tx.rows<{ id: number }>('select id from brands order by id', []))
      tx.publish({ brand_id: id, type: 'feed.resync', subject: '', data: { kinds: ['menu'] } })
  })
}
