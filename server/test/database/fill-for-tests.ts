import type { Config } from '../../src/config.ts'
import { fillDemo } from '../../src/demo/fill.ts'
import { openKeyRing } from '../../src/directory/keys.ts'
import { MERGE_RULES } from '../../src/events/merge.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open.ts'

/** The demo restaurant as it is on that day, in a database that has none. */
export async function fillForTests(config: Config, now: Date): Promise<void> {
  const db = await openDatabase(config, 'command', MERGE_RULES)
  await migrate(db)
  await fillDemo(db, await openKeyRing(db, config.COMPTOIR_KEYS), { now })
  await db.close()
}
