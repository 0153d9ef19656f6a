import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { type Client, Comptoir } from '@comptoir/sdk'
import { DEMO } from '../src/demo/fill.ts'
import { StaffMember } from '../src/demo/live/staff.ts'
import { MERGE_RULES } from '../src/events/merge.ts'
import { knownMigrations, migrate } from '../src/storage/migrate.ts'
import { openDatabase } from '../src/storage/open.ts'
import { comptoirJson, serving } from './command.ts'
import { type Installation, onEachEngine } from './database/engines.ts'

// The schema is frozen: what a released version stored is opened by every later one. Each folder in kept/ is the data of a restaurant that
// the version of its name made (`npm run keep-data`); its key ring guards nothing else.

const KEPT = fileURLToPath(new URL('kept/', import.meta.url))
/** Written by the migrations themselves, but for these of the file. */
const MIGRATIONS = 'comptoir_migrations'

/** An integration, and somebody at the back office with their password and the rights of a role. */
async function signedIn(url: string): Promise<{ client: Client; staff: StaffMember }> {
  const { client_id: clientId, client_secret: clientSecret, integrator_id: integratorId, brand } = DEMO
  const staff = new StaffMember(url)
  await staff.signIn()
  return { client: new Comptoir({ baseUrl: `${url}/v2`, clientId, clientSecret, integratorId, brand }), staff }
}

/** Pays an open receipt by card, and answers which. */
async function pay(client: Client): Promise<number> {
  const venue = client.venue(1)
  const [card] = await Array.fromAsync(venue.paymentMethods.list({ filters: [['kind', '=', 'CARD']] }))
  const [open] = await Array.fromAsync(venue.receipts.list({ filters: [['status', '=', 1]] }))
  const { remaining } = await venue.receipts.get(open!.id, { include: ['details'] })
  const closed = await venue.receipts.close(open!.id, { payment_methods: [{ id: card!.id, amount: remaining! }] })
  assert.equal(closed.status, 2)
  return closed.id!
}

onEachEngine('the data that earlier versions kept', (make, engine) => {
  for (const version of readdirSync(KEPT))
    test(`${version} is opened, its books are sound, and a bill is paid`, async () => {
      const installation = await opened(await make('empty'), join(KEPT, version))
      const json = <Answer>(...words: string[]) => comptoirJson<Answer>(installation, words)
      await json('migrate')
      const books = await json<{ sound: boolean; receipts: number }>('audit', 'books')
      assert.ok(books.sound && books.receipts > 50, JSON.stringify(books))
      await json('audit', 'verify')
      await json('events', 'verify')

      const server = await serving({ env: { ...installation.env, COMPTOIR_WEBHOOKS: 'off' } })
      try {
        const { client, staff } = await signedIn(server.url)
        const receipt = await pay(client)
        assert.equal((await staff.ask('GET', `/read/receipts/${receipt}`, { venue: 1 })).status, 2)
        assert.equal((await client.webhookEndpoints.list()).length, 1)
      } finally {
        await server.stop()
      }
      assert.ok((await json<{ sound: boolean }>('audit', 'books')).sound)
    })

  test('while a newer version expands every table, this one goes on, and starts again', async () => {
    const installation = await opened(await make('empty'), join(KEPT, readdirSync(KEPT).at(-1)!))
    const server = await serving({ env: { ...installation.env, COMPTOIR_WEBHOOKS: 'off' } })
    try {
      const { client, staff } = await signedIn(server.url)
      const work = async () => {
        await pay(client)
        await staff.ask('GET', '/printers', { venue: 1 })
        await client.webhookEndpoints.list()
        await client.events.list({ after: 'oldest' })
      }
      await work()
      await expand(installation)
      for (let turn = 0; turn < 2; turn++) await work()
    } finally {
      await server.stop()
    }
    assert.ok((await comptoirJson<{ sound: boolean }>(installation, ['audit', 'books'])).sound)
  })

  /** Every table gets a column that may be null and one with a default. */
  async function expand({ config }: Installation): Promise<void> {
    const db = await openDatabase(config, 'command', MERGE_RULES)
    const known = await knownMigrations()
    const tables = (await db.texts(db.dialect.tableNames, [])).filter((table) => table !== MIGRATIONS)
    const statements = tables.flatMap((table) => [
      `alter table ${table} add column added bigint`,
      `alter table ${table} add column added_text text not null default ''`,
    ])
    await migrate(db, [...known, { version: 9999, name: 'expand-everything', statements, activity: [] }])
    await db.close()
  }

  /** The data folder; on PostgreSQL a database of the same version with the same rows, and the folder with its key ring. */
  async function opened(installation: Installation, kept: string): Promise<Installation> {
    const { config } = installation
    mkdirSync(config.COMPTOIR_DATA, { recursive: true, mode: 0o700 })
    cpSync(join(kept, 'keys.json'), join(config.COMPTOIR_DATA, 'keys.json'))
    const file = join(config.COMPTOIR_DATA, engine === 'SQLite' ? 'comptoir.db' : 'kept.db')
    writeFileSync(file, brotliDecompressSync(readFileSync(join(kept, 'comptoir.db.br'))), { mode: 0o600 })
    if (engine === 'PostgreSQL')
      await copyRows(installation, file, JSON.parse(readFileSync(join(kept, 'postgresql.json'), 'utf8')))
    return installation
  }

  async function copyRows({ config }: Installation, file: string, hashes: readonly string[]): Promise<void> {
    const from = new DatabaseSync(file, { readOnly: true })
    const tables = from.prepare(`select name from sqlite_schema where type = 'table' order by rowid`).all()
    const db = await openDatabase(config, 'command', MERGE_RULES)
    await migrate(db, (await knownMigrations()).slice(0, hashes.length))
    await db.transaction(async (tx) => {
      for (const [index, hash] of hashes.entries())
        await tx.run(
          `update ${MIGRATIONS} set hash = ? where version = (select version from ${MIGRATIONS} order by version limit 1 offset ?)`,
          [hash, index],
        )
      for (const { name } of tables) {
        if (name === MIGRATIONS) continue
        await tx.run(`delete from ${name}`, [])
        const rows = JSON.stringify(from.prepare(`select * from ${name}`).all())
        await tx.run(`insert into ${name} select * from json_populate_recordset(null::${name}, ?)`, [rows])
      }
    })
    await db.close()
    from.close()
  }
})
