import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../server/src/config.ts'
import { currentDays, writeDays } from '../server/src/demo/days-file.ts'
import { openKeyRing } from '../server/src/directory/keys.ts'
import { addBrand } from '../server/src/directory/registry.ts'
import { MERGE_RULES } from '../server/src/events/merge.ts'
import { migrate } from '../server/src/storage/migrate.ts'
import { openDatabase } from '../server/src/storage/open.ts'

// Part of `npm ci`: the days of the demo are made by their commands once, and every demo begins with a copy.

if (currentDays() === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-days-'))
  const config = loadConfig({ COMPTOIR_DATA: folder })
  const db = await openDatabase(config, 'command', MERGE_RULES)
  await migrate(db)
  await openKeyRing(db, config.COMPTOIR_KEYS)
  const { id } = await addBrand(db, 'demo', { slug: 'demo', test: true })
  await writeDays(db, { id, slug: 'demo' })
  await db.close()
  rmSync(folder, { recursive: true })
}
