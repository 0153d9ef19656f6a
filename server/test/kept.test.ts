import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { Comptoir } from '@comptoir/sdk'
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
        const { client_id: clientId, client_secret: clientSecret, integrator_id: integratorId, brand } = DEMO
        const client = new Comptoir({ baseUrl: `${server.url}/v2`, clientId, clientSecret, integratorId, brand })
        const venue = client.venue(1)
        const [card] = await Array.fromAsync(venue.paymentMethods.list({ filters: [['kind', '=', 'CARD']] }))
        const [open] = await Array.fromAsync(venue.receipts.list({ filters: [['status', '=', 1]] }))
        const { total } = await venue.receipts.get(open!.id)
        const closed = await venue.receipts.close(open!.id, { payment_methods: [{ id: card!.id, amount: total! }] })
        assert.equal(closed.status, 2)

        const staff = new StaffMember(server.url)
        await staff.signIn() // the password, and the rights of a role
        assert.equal((await staff.ask('GET', `/read/receipts/${open!.id}`, { venue: 1 })).status, 2)
        assert.equal((await client.webhookEndpoints.list()).length, 1)
      } finally {
        await server.stop()
      }
      assert.ok((await json<{ sound: boolean }>('audit', 'books')).sound)
    })

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
