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
 * one more of each, with the demo restaurant.
 */
export async function makeTemplate(
  databaseUrl: string | undefined,
  withDemo: boolean,
): Promise<{ template: Template; remove(): Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'comptoir-template-'))
  const [folder, demo, keys] = ['migrated', 'demo', 'keys'].map((name) => join(root, name)) as [string, string, string]
  const made = async (env: Record<string, string>, isDemo: boolean) => {
    const config = loadConfig(env)
    const db = await openDatabase(config, 'command')
    await migrate(db)
    if (isDemo) await fillDemo(db, await openKeyRing(db, config.COMPTOIR_KEYS), { now: new Date() })
    await db.close()
  }
  const embedded = withDemo && made({ COMPTOIR_DATA: demo }, true) // beside the others: it takes longest
  await made({ COMPTOIR_DATA: folder }, false)
  if (!databaseUrl) {
    await embedded
    const template = {
      folder,
      database: undefined,
      ...(withDemo && { demo: { folder: demo, keys, database: undefined } }),
    }
    return { template, remove: async () => rmSync(root, { recursive: true }) }
  }
  const database = `comptoir_template_${randomBytes(6).toString('hex')}`
  const admin = async (text: string) => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  const at = (name: string) => Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href
  await admin(`create database ${database}`)
  await made({ COMPTOIR_DATA: folder, DATABASE_URL: at(database) }, false)
  const full = `${database}_demo`
  if (withDemo) {
    await admin(`create database ${full} template ${database}`)
    await made({ COMPTOIR_DATA: keys, DATABASE_URL: at(full) }, true)
  }
  await embedded
  return {
    template: { folder, database, ...(withDemo && { demo: { folder: demo, keys, database: full } }) },
    async remove() {
      rmSync(root, { recursive: true })
      await admin(`drop database ${database}`)
      await admin(`drop database if exists ${full}`)
    },
  }
}
