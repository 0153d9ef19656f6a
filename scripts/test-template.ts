import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loadConfig } from '../server/src/config.ts'
import { fillDemo } from '../server/src/demo/fill.ts'
import { openKeyRing } from '../server/src/directory/keys.ts'
import { migrate } from '../server/src/storage/migrate.ts'
import { openDatabase } from '../server/src/storage/open.ts'
import type { Template } from '../server/test/engines.ts'

/**
 * Migrates one installation on each engine, once for the whole suite: to copy it takes a tenth of the time. With `withDemo` there is
 * one more with the demo restaurant, embedded: on PostgreSQL it takes as long as the few tests that need it there.
 */
export async function makeTemplate(
  databaseUrl: string | undefined,
  withDemo: boolean,
): Promise<{ template: Template; remove(): Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'comptoir-template-'))
  const [folder, full] = [join(root, 'migrated'), join(root, 'demo')]
  const made = async (env: Record<string, string>, isDemo = false) => {
    const config = loadConfig(env)
    const db = await openDatabase(config, 'command')
    await migrate(db)
    if (isDemo) await fillDemo(db, await openKeyRing(db, config.COMPTOIR_KEYS), { now: new Date() })
    await db.close()
  }
  await made({ COMPTOIR_DATA: folder })
  if (withDemo) await made({ COMPTOIR_DATA: full }, true)
  const template = { folder, ...(withDemo && { demo: full }) }
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
  await made({ COMPTOIR_DATA: folder, DATABASE_URL: url })
  return {
    template: { ...template, database },
    async remove() {
      rmSync(root, { recursive: true })
      await admin(`drop database ${database}`)
    },
  }
}
