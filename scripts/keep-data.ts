import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import server from '../server/package.json' with { type: 'json' }
import { addDemoAccounts } from '../server/src/back-office/people/accounts.ts'
import { passwordHash } from '../server/src/back-office/people/passwords.ts'
import { type Config, loadConfig } from '../server/src/config.ts'
import { DEMO, DEMO_PEOPLE } from '../server/src/demo/fill.ts'
import { historyOptions, makeDay } from '../server/src/demo/history.ts'
import { StaffMember } from '../server/src/demo/live/staff.ts'
import { Website } from '../server/src/demo/live/website.ts'
import { ACTOR, openToday } from '../server/src/demo/open-house.ts'
import { DAY, dayIndex, firstDay } from '../server/src/demo/opening-hours.ts'
import { takeOrders } from '../server/src/demo/orders.ts'
import { demoRows } from '../server/src/demo/restaurant.ts'
import type { Row } from '../server/src/demo/rows.ts'
import { createCredential } from '../server/src/directory/credentials.ts'
import { openKeyRing } from '../server/src/directory/keys.ts'
import { addBrand, addIntegrator, setQuota } from '../server/src/directory/registry.ts'
import { MERGE_RULES } from '../server/src/events/merge.ts'
import { importer } from '../server/src/resource/files/import.ts'
import { CATALOGUE } from '../server/src/resources/venue-pointers.ts'
import { postgresDialect } from '../server/src/storage/dialect.ts'
import { hashOf, knownMigrations, migrate } from '../server/src/storage/migrate.ts'
import { openDatabase } from '../server/src/storage/open.ts'
import { serving } from '../server/test/command.ts'

// `npm run keep-data`, once for each release: the data folder of a restaurant that this version made, which every later version must open
// (server/test/kept.test.ts). It is the demo on its second day, small enough for the repository.

/** A Tuesday at lunch: Monday's shifts are closed, today's receipts are open. */
const NOW = new Date('2026-03-10T13:30:00.000Z')
const FOLDER = fileURLToPath(new URL(`../server/test/kept/${server.version}/`, import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'comptoir-keep-'))
const env = { COMPTOIR_DATA: join(folder, 'data'), COMPTOIR_WEBHOOKS: 'off', PORT: '0' }
try {
  await fill(loadConfig(env))
  await work()
  await keep()
} finally {
  rmSync(folder, { recursive: true })
}

async function fill(config: Config): Promise<void> {
  const db = await openDatabase(config, 'command', MERGE_RULES)
  await migrate(db)
  const keys = await openKeyRing(db, config.COMPTOIR_KEYS)
  const { client_id, client_secret, integrator_id, brand } = DEMO
  await addIntegrator(db, ACTOR, { name: 'Demo integrator', id: integrator_id, test: true })
  const { id } = await addBrand(db, ACTOR, { slug: brand, name: 'Le Comptoir', test: true })
  const today = dayIndex(NOW)
  const options = historyOptions(NOW, undefined)
  await db.transaction(async (tx) => {
    const at = new Date(firstDay(NOW) - 2 * DAY).toISOString()
    const into = importer({ tx, brand_id: id, actor: ACTOR, now: at }, CATALOGUE)
    for (const [index, row] of house().entries()) await into.add(row, index + 1)
    await into.finish()
  })
  for (const day of [today - 1, today]) await db.transaction((tx) => makeDay(tx, { id, slug: brand }, day, options))
  await db.transaction(async (tx) => {
    await openToday(tx, id, NOW)
    await takeOrders(tx, { id, slug: brand }, { client: DEMO, now: NOW.toISOString() })
  })
  const fixed = { client_id, client_secret }
  await createCredential(db, keys, ACTOR, { brand, username: 'owner', name: 'Demo', fixed })
  await setQuota(db, ACTOR, brand, integrator_id, 5000)
  const password = await passwordHash(DEMO_PEOPLE.password)
  await addDemoAccounts(db, ACTOR, { ...DEMO_PEOPLE, brand, password })
  await db.close()
}

/** The rows of the house before its first guest; of its pictures one dish's, because pictures do not get smaller. */
function house(): Row[] {
  const rows = demoRows({ today: NOW }).filter(({ kind }) => kind !== 'stop_list_entry' && kind !== 'print_route')
  const shown = rows.find((row) => row.kind === 'menu_entry' && row.images !== undefined)
  const kept = new Set(
    shown?.kind === 'menu_entry' ? shown.images?.flatMap(({ small, medium, large }) => [small, medium, large]) : [],
  )
  return rows
    .filter((row) => row.kind !== 'image' || kept.has(row.id))
    .map((row) => (row.kind === 'menu_entry' && row.images && row !== shown ? { ...row, images: [] } : row))
}

/** What only the service writes: sessions, keys of writes, a device, a PIN, an endpoint that is not sent to. */
async function work(): Promise<void> {
  const server = await serving({ env })
  const staff = new StaffMember(server.url)
  await staff.signIn()
  await staff.ask('PUT', '/pin', { body: { password: DEMO_PEOPLE.password, pin: '4711' } })
  await staff.ask('POST', '/terminals/1/devices', { body: { name: 'Comptoir', use: 'till' } })
  const { client } = new Website(server.url)
  await client.webhookEndpoints.create({ name: 'Delivery hub', url: 'https://hub.example.com/events' })
  await client.customers.create({ name: 'Camille Durand' }, { idempotencyKey: 'kept-1' })
  await server.stop()
}

async function keep(): Promise<void> {
  const file = join(folder, 'copy.db')
  const db = new DatabaseSync(join(env.COMPTOIR_DATA, 'comptoir.db'))
  db.prepare('vacuum into ?').run(file) // without the pages that are free
  db.close()
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  writeFileSync(join(FOLDER, 'comptoir.db.br'), brotliCompressSync(readFileSync(file), { params }))
  writeFileSync(join(FOLDER, 'keys.json'), readFileSync(join(env.COMPTOIR_DATA, 'keys.json')))
  // What a database on PostgreSQL notes of the same migrations: its rows are those of the file.
  const hashes = (await knownMigrations()).map((migration) => hashOf(postgresDialect, migration))
  writeFileSync(join(FOLDER, 'postgresql.json'), `${JSON.stringify(hashes, undefined, 2)}\n`)
}
