import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { type Installation, onEachEngine } from '../../../test/database/engines.ts'
import { putRows, staff } from '../../../test/database/store.ts'
import { loadConfig } from '../../config.ts'
import { quietCopy } from '../../delivery/restored.ts'
import { createCredential } from '../../directory/credentials.ts'
import { openKeyRing } from '../../directory/keys.ts'
import { addBrand } from '../../directory/registry.ts'
import { MERGE_RULES } from '../../events/merge.ts'
import type { Database } from '../../storage/database.ts'
import { openDatabase } from '../../storage/open.ts'
import { putEndpoint } from '../../webhooks/endpoint-fixture.ts'
import { enqueue } from '../queue/enqueue.ts'

const NOTHING = { endpoints: 0, papers: 0 }
const NOW = Date.parse('2026-03-01T12:00:00.000Z')

onEachEngine('a copy of a database', (make, engine) => {
  async function withEndpoints() {
    const installation = await make()
    const db = await openDatabase(installation.config, 'patient', MERGE_RULES)
    const ring = await openKeyRing(db, installation.config.COMPTOIR_KEYS)
    const { id: brand_id } = await addBrand(db, 'test', { slug: 'bistro', test: false })
    await putRows(db, brand_id, staff())
    const { client_id } = await createCredential(db, ring, 'test', { brand: 'bistro', username: 'owner' })
    for (const [index, state] of ['active', 'failing', 'pending', 'paused', 'disabled'].entries())
      await putEndpoint(db, { brand_id, client_id, url: `https://example.com/${index}`, state, reason: 'as before' })
    await putRows(db, brand_id, [{ kind: 'printer', id: 1, venue_id: 1, name: 'Kitchen', printer_kind: 'virtual' }])
    const states = ['waiting', 'sending', 'unsure', 'printed']
    await db.transaction(async (tx) => {
      const job = { printer_id: 1, venue_id: 1, kind: 'drawer' } as const
      await enqueue(
        tx,
        brand_id,
        new Date(NOW).toISOString(),
        states.map(() => job),
      )
      for (const [index, state] of states.entries())
        await tx.run('update print_jobs set state = ? where brand_id = ? and seq = ?', [state, brand_id, index + 1])
    })
    return { db, installation }
  }

  const jobs = (db: Database) => db.texts('select state from print_jobs order by seq', [])

  const states = (db: Database) => db.texts(`select state || ' ' || reason from webhook_endpoints order by url`, [])
  const AS_BEFORE = ['active', 'failing', 'pending', 'paused', 'disabled'].map((state) => `${state} as before`)
  const PAUSED = ['paused restored', 'paused restored', 'paused restored', 'paused as before', 'disabled as before']

  test('W7: what was sending is paused, and what waited for a printer cancelled, once in a copy; the original goes on', async () => {
    const { db, installation } = await withEndpoints()
    for (let start = 0; start < 2; start++) assert.deepEqual(await quietCopy(db, NOW), NOTHING, 'it is no copy')
    const { config, end } = engine === 'SQLite' ? await backupOf(db, installation) : await dumpOf(db, installation)
    const copy = await openDatabase(config, 'patient', MERGE_RULES)
    try {
      assert.deepEqual(await quietCopy(copy, NOW), { endpoints: 3, papers: 3 })
      assert.deepEqual(await jobs(copy), ['cancelled', 'cancelled', 'cancelled', 'printed'])
      assert.deepEqual(await states(copy), PAUSED)
      await copy.transaction((tx) =>
        tx.run(`update webhook_endpoints set state = 'active' where reason = 'restored'`, []),
      )
      assert.deepEqual(await quietCopy(copy, NOW), NOTHING, 'a person said that it sends from now on')
    } finally {
      await copy.close()
      await end()
    }
    const original = await openDatabase(installation.config, 'patient', MERGE_RULES)
    assert.deepEqual(await quietCopy(original, NOW), NOTHING)
    assert.deepEqual(await jobs(original), ['waiting', 'sending', 'unsure', 'printed'])
    assert.deepEqual(await states(original), AS_BEFORE)
    await original.close()
  })
})

async function backupOf(db: Database, { env }: Installation) {
  const folder = join(dirname(env.COMPTOIR_DATA!), 'copy')
  const config = loadConfig({ ...env, COMPTOIR_DATA: folder })
  mkdirSync(folder)
  await db.backup(join(folder, 'comptoir.db'), () => {})
  await db.close()
  return { config, end: async () => {} }
}

/** Another database of the same PostgreSQL with the same rows, as after pg_dump and psql. */
async function dumpOf(db: Database, { env }: Installation) {
  await db.close()
  const name = `comptoir_copy_${randomBytes(6).toString('hex')}`
  const from = new URL(env.DATABASE_URL!)
  const sql = async (text: string) => {
    const client = new pg.Client({ connectionString: new URL('/postgres', from).href })
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  await sql(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${from.pathname.slice(1)}'`)
  await sql(`create database ${name} template ${from.pathname.slice(1)}`)
  const config = loadConfig({ ...env, DATABASE_URL: new URL(`/${name}`, from).href })
  return { config, end: () => sql(`drop database ${name} with (force)`) }
}
