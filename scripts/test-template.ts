import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loadConfig } from '../server/src/config.ts'
import { migrate } from '../server/src/storage/migrate.ts'
import { openDatabase } from '../server/src/storage/open.ts'
import type { Template } from '../server/test/engines.ts'

/** Migrates one installation on each engine, once for the whole suite: to copy it takes a tenth of the time. */
export async function makeTemplate(
  databaseUrl: string | undefined,
): Promise<{ template: Template; remove(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-template-'))
  const migrated = async (env: Record<string, string>) => {
    const db = await openDatabase(loadConfig(env), 'command')
    await migrate(db)
    await db.close()
  }
  await migrated({ COMPTOIR_DATA: folder })
  if (!databaseUrl)
    return { template: { folder, database: undefined }, remove: async () => rmSync(folder, { recursive: true }) }
  const database = `comptoir_template_${randomBytes(6).toString('hex')}`
  const admin = async (text: string) => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await admin(`create database ${database}`)
  await migrated({
    COMPTOIR_DATA: folder,
    DATABASE_URL: Object.assign(new URL(databaseUrl), { pathname: `/${database}` }).href,
  })
  return {
    template: { folder, database },
    async remove() {
      rmSync(folder, { recursive: true })
      await admin(`drop database ${database}`)
    },
  }
}
