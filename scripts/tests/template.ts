import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loadConfig } from '../../server/src/config.ts'
import { MERGE_RULES } from '../../server/src/events/merge.ts'
import { migrate } from '../../server/src/storage/migrate.ts'
import { openDatabase } from '../../server/src/storage/open.ts'
import type { Template } from '../../server/test/database/engines.ts'
import { fillForTests } from '../../server/test/database/fill-for-tests.ts'

/**
 * Migrates one installation on each engine, once for the whole suite: to copy it takes a tenth of the time. With `demoDay` there is
 * one more with the demo restaurant of that day, embedded: on PostgreSQL the first file that needs it fills it, while others run.
 */
export async function makeTemplate(
  databaseUrl: string | undefined,
  demoDay: Date | undefined,
): Promise<{ template: Template; remove(): Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'comptoir-template-'))
  const [folder, full] = [join(root, 'migrated'), join(root, 'demo')]
  const migrated = async (env: Record<string, string>) => {
    const db = await openDatabase(loadConfig(env), 'command', MERGE_RULES)
    await migrate(db)
    await db.close()
  }
  await migrated({ COMPTOIR_DATA: folder })
  if (demoDay) await fillForTests(loadConfig({ COMPTOIR_DATA: full }), demoDay)
  const template = { folder, ...(demoDay && { demo: full }) }
  if (!databaseUrl) return { template, remove: async () => rmSync(root, { recursive: true }) }
  const database = `comptoir_template_${randomBytes(6).toString('hex')}`
  const admin = async (text: string) => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await admin(`create database ${database}`)
  const url = Object.assign(new URL(databaseUrl), { pathname: `/${database}` }).href
  await migrated({ COMPTOIR_DATA: folder, DATABASE_URL: url })
  const onServer = { database: `${database}_demo`, folder: join(root, 'demo-on-server') }
  return {
    template: { ...template, database, onServer },
    async remove() {
      rmSync(root, { recursive: true })
      for (const name of [database, onServer.database]) await admin(`drop database if exists ${name} with (force)`)
    },
  }
}
