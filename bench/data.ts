import { createHash } from 'node:crypto'
import {
  cpSync,
  createReadStream,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { output, run } from './processes.ts'

// What the systems hold: made once, by the command line, and kept in the cache folder. A benchmark that writes gets a copy.

export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'comptoir-bench')
export const BIN = fileURLToPath(new URL('../server/bin/comptoir.js', import.meta.url))
const SERVER = fileURLToPath(new URL('../server', import.meta.url))
const BRANDS = 1000

export type Env = Record<string, string>

/** Whom the load comes from. */
export interface Credentials {
  client_id: string
  client_secret: string
  brand: string
  integrator_id: string
}
const DEMO = {
  client_id: 'demo-client',
  client_secret: 'demo-secret',
  brand: 'demo',
  integrator_id: 'demo-integrator',
}
/** An integrator that may make no call: what a pair is that has spent its minute. */
export const SPENT = 'bench-spent'

const CREDENTIALS = 'credentials.json'

/** Runs `comptoir` as a person would. */
export const comptoir = (env: Env, ...words: string[]) =>
  run({ command: process.execPath, words: [BIN, ...words], env, log: join(CACHE, 'comptoir.log') })

/** Fills a database with the demo restaurant: scale × 200 products and about scale × 2,000 receipts. */
export async function fillDemo(env: Env, scale: number): Promise<void> {
  await comptoir(env, 'demo', '--scale', String(scale))
  await addPairs(env)
  // The published secret is good on loopback only, and some requests come from other addresses, as a proxy says.
  await keepCredentials(env, 'rotate', 'demo-client')
}

/** Fills a database with an export: on PostgreSQL a large demo takes an hour to be sold again, and minutes to be imported. */
export async function fillByImport(env: Env, file: string): Promise<void> {
  await comptoir(env, 'brand', 'add', 'demo', '--test')
  await comptoir(env, 'integrator', 'add', 'Bench', '--id', DEMO.integrator_id, '--test')
  await comptoir(env, 'import', file, '--brand', 'demo')
  await addPairs(env)
  await keepCredentials(env, 'create', '--brand', 'demo', '--user', 'owner')
}

async function keepCredentials(env: Env, ...words: string[]): Promise<void> {
  const answer = await output(process.execPath, [BIN, 'credentials', ...words, '--json'], env)
  writeFileSync(join(env.COMPTOIR_DATA!, CREDENTIALS), answer)
}

// Tier 3 is not bypassed: the pair's quota is raised, as an operator would. Books that were never checked would be checked under load.
async function addPairs(env: Env): Promise<void> {
  await comptoir(env, 'brand', 'set', 'demo', '--books-check', 'off')
  await comptoir(env, 'brand', 'set', 'demo', '--integrator', 'demo-integrator', '--quota', '1000000000')
  await comptoir(env, 'integrator', 'add', 'Spent', '--id', SPENT, '--test')
  await comptoir(env, 'brand', 'set', 'demo', '--integrator', SPENT, '--quota', '0')
}

export const demo = (scale: number) => once(`demo-${scale}`, (folder) => fillDemo({ COMPTOIR_DATA: folder }, scale))
export const hasDemo = (scale: number) => existsSync(place(`demo-${scale}`))

/** The rows of the demo at a scale, as `comptoir export` writes them. */
export const exported = (scale: number) =>
  once(`export-${scale}.ndjson`, async (file) => {
    const words = [BIN, 'export', '--brand', 'demo']
    await run({ command: process.execPath, words, env: { COMPTOIR_DATA: await demo(scale) }, log: file })
  })

/** What names receipts, some of which are left out, and what lists of products and receipts do not need: it is copied a thousand times. */
const LEFT_OUT = [
  'stock_operation',
  'transaction',
  'receipt_act',
  'order',
  'portion_move',
  'operation',
  'operation_item',
  'stock',
]

/** One brand of 1,000 products and 1,000 receipts. */
export const thousand = () =>
  once('thousand', async (folder) => {
    const env = { COMPTOIR_DATA: folder }
    const rows: string[] = []
    let receipts = 0
    for await (const line of createInterface({ input: createReadStream(await exported(5)) })) {
      const { kind, parent_id, order_id } = JSON.parse(line) as Record<string, unknown>
      if (LEFT_OUT.includes(String(kind))) continue
      if (kind === 'receipt' && (parent_id || order_id || ++receipts > 1000)) continue
      rows.push(line)
    }
    mkdirSync(folder, { recursive: true })
    const file = join(folder, 'rows.ndjson')
    writeFileSync(file, rows.join('\n'))
    await fillByImport(env, file)
    rmSync(file)
  })

/** That brand a thousand times over, each time as another brand: a million products. */
export const million = () =>
  once('million', async (folder) => {
    cpSync(await thousand(), folder, { recursive: true })
    const db = new DatabaseSync(join(folder, 'comptoir.db'))
    db.exec('pragma foreign_keys = off; pragma synchronous = off; begin')
    const last = db.prepare("select id from brands where slug = 'demo'").get()!.id as number
    const addBrand = db.prepare(
      "insert into brands (id, slug, name, test, created_at) select ?, ?, name, test, created_at from brands where slug = 'demo'",
    )
    for (let n = 1; n < BRANDS; n++) addBrand.run(last + n, `demo-${n}`)
    for (const { table, columns } of brandTables(db))
      db.exec(
        `insert into ${table} (brand_id, ${columns.join(', ')}) select b.id, ${columns.map((name) => `t.${name}`).join(', ')} from brands b, ${table} t ` +
          `where t.brand_id = ${last} and b.id > ${last} order by b.id`,
      )
    db.exec('commit')
    db.close()
  })

const DAYS_OF_DEMO = 32 // the days that it fills, with the present one

/** The demo at scale 1, and its receipts over again for the months before, until there are so many. For lists: no line and no money is made. */
export const receipts = (count: number) =>
  once(`receipts-${count}`, async (folder) => {
    cpSync(await demo(1), folder, { recursive: true })
    const db = new DatabaseSync(join(folder, 'comptoir.db'))
    db.exec('pragma foreign_keys = off; pragma synchronous = off; begin')
    const own = db.prepare('select count(*) as count, max(id) as last from receipts').get() as Record<string, number>
    const changed: Record<string, string> = {
      id: 'id + $n * $last',
      cid: "cid || '-' || $n",
      cid_key: "cid_key || '-' || $n",
      created_at: earlier('created_at', '%Y-%m-%dT%H:%M:%fZ'),
      shift_date: earlier('shift_date', '%Y-%m-%d'),
      body: `'{"id":' || (id + $n * $last) || substr(body, instr(body, ','))`,
    }
    const columns = db
      .prepare("select name from pragma_table_info('receipts')")
      .all()
      .map(({ name }) => String(name))
    const months = Math.ceil(count / own.count!) - 1
    const copy = db.prepare(
      `insert into receipts (${columns.join(', ')}) select ${columns.map((name) => changed[name] ?? name).join(', ')}
       from receipts where id <= $last`,
    )
    const days = db.prepare(
      `insert into day_totals (brand_id, name, venue_id, day, value)
       select brand_id, name, venue_id, ${earlier('day', '%Y-%m-%d')}, value from day_totals where name = 'receipts' and day >= $first`,
    )
    const first = db.prepare("select min(day) as day from day_totals where name = 'receipts'").get()!.day as string
    for (let n = 1; n <= months; n++) {
      copy.run({ n, last: own.last! })
      days.run({ n, first })
    }
    db.prepare("update counters set value = value * ? where name = 'receipts' or name like 'receipts:%'").run(
      months + 1,
    )
    db.exec('commit')
    db.close()
  })

const earlier = (column: string, form: string) =>
  `strftime('${form}', ${column}, '-' || ($n * ${DAYS_OF_DEMO}) || ' days')`

/** The tables whose key begins with the brand, and their other columns. */
function brandTables(db: DatabaseSync): { table: string; columns: string[] }[] {
  const tables = db.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").all()
  return tables.flatMap(({ name }) => {
    const columns = db.prepare('select name, pk from pragma_table_info(?)').all(name!)
    if (!columns.some((column) => column.name === 'brand_id' && column.pk === 1)) return []
    const others = columns.filter((column) => column.name !== 'brand_id').map((column) => `"${column.name}"`)
    return [{ table: String(name), columns: others }]
  })
}

export function credentialsOf(folder: string): Credentials {
  const file = join(folder, CREDENTIALS)
  return existsSync(file) ? { ...DEMO, ...JSON.parse(readFileSync(file, 'utf8')) } : DEMO
}

/** Makes a folder or a file of the cache, all of it or nothing, where it is not there yet. */
export async function once(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = place(name)
  if (existsSync(path)) return path
  const unfinished = `${path}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(CACHE, { recursive: true })
  await make(unfinished)
  renameSync(unfinished, path)
  return path
}

// What is stored changes with a migration, with the demo or with this file, so each makes new data.
const version = createHash('sha256').update(readFileSync(import.meta.filename))
for (const file of globSync(['migrations/*.ts', 'src/demo/*.ts'], { cwd: SERVER }).sort())
  version.update(readFileSync(join(SERVER, file)))
const suffix = version.digest('hex').slice(0, 8)
const place = (name: string) => join(CACHE, `${suffix}-${name}`)
