import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { freePort } from '../../scripts/services.ts'
import type { Env } from '../data.ts'
import { run, type Server, serve } from '../processes.ts'
import type { Request } from '../request.ts'
import type { Requests } from './comptoir.ts'
import { installed } from './packages.ts'
import { type ColumnType, KINDS, type Kind, rowsOf, TABLES, type Value } from './rows.ts'

export const DIRECTUS = 'Directus 12.4.0'
const PACKAGES = ['directus@12.4.0', 'sqlite3@6.0.1']
const TOKEN = 'bench-token-bench-token'
const BATCH = 500

/** Directus with the demo's rows and a static token. `databaseUrl`: PostgreSQL, empty; without it SQLite in `folder`. */
export async function startDirectus(
  folder: string,
  rows: string,
  databaseUrl?: string,
): Promise<Server & { requests: Requests }> {
  const { folder: packages, node } = await installed('directus-12.4.0', PACKAGES)
  const cli = join(packages, 'node_modules/directus/cli.js')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const file = join(folder, 'directus.db')
  const env: Env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    SECRET: 'bench-secret-bench-secret-bench-secret',
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: 'bench-password',
    ADMIN_TOKEN: TOKEN,
    TELEMETRY: 'false',
    PRESSURE_LIMITER_ENABLED: 'false', // it would answer 503 under this load
    NODE_ENV: 'production',
    ...(databaseUrl
      ? { DB_CLIENT: 'pg', DB_CONNECTION_STRING: databaseUrl }
      : { DB_CLIENT: 'sqlite3', DB_FILENAME: file }),
  }
  const program = { command: node, env, cwd: folder, log: join(folder, 'directus.log') }
  if (!databaseUrl) rmSync(file, { force: true })
  await run({ ...program, words: [cli, 'bootstrap'] })
  const store = databaseUrl ? await postgres(databaseUrl) : sqlite(file)
  await fill(store, rows)
  const requests = directusRequests()
  return { ...(await serve({ ...program, words: [cli, 'start'] }, url, requests.receipt!)), requests }
}

function directusRequests(): Requests {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const get = (path: string): Request => ({ method: 'GET', path: `/items/${path}`, headers, status: 200 })
  return {
    receipt: get('receipts/500'),
    page: get('products?limit=50&meta=total_count'),
    fields: get('products?limit=50&meta=total_count&fields=id,type,name,price'),
    customer: {
      method: 'POST',
      path: '/items/customers',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"name":"Camille Bench"}',
      status: 200,
    },
  }
}

interface Store {
  /** How it writes a key that counts by itself. */
  key: string
  /** The sign of the nth value. */
  sign(n: number): string
  execute(text: string, values?: Value[]): unknown
  close(): unknown
}

/** It serves any table of its database; which columns hold JSON it must be told. */
async function fill(store: Store, file: string): Promise<void> {
  await store.execute('begin')
  for (const kind of KINDS) {
    const columns = Object.entries(TABLES[kind])
    const written = columns.map(([name, type]) => `${name} ${SQL_TYPES[type]}`)
    await store.execute(`create table ${kind}s (id ${store.key}, ${written.join(', ')})`)
    await store.execute(`insert into directus_collections (collection) values ('${kind}s')`)
    for (const [name, type] of columns)
      if (type === 'json')
        await store.execute(
          `insert into directus_fields (collection, field, special) values ('${kind}s', '${name}', 'cast-json')`,
        )
  }
  const waiting = new Map<Kind, Value[][]>(KINDS.map((kind) => [kind, []]))
  const flush = async (kind: Kind) => {
    const batch = waiting.get(kind)!.splice(0)
    if (batch.length === 0) return
    let n = 0
    const signs = batch.map((values) => `(${values.map(() => store.sign(++n)).join(', ')})`)
    const columns = ['id', ...Object.keys(TABLES[kind])].join(', ')
    await store.execute(`insert into ${kind}s (${columns}) values ${signs.join(', ')}`, batch.flat())
  }
  for await (const { kind, id, values } of rowsOf(file))
    if (waiting.get(kind)!.push([id, ...values]) === BATCH) await flush(kind)
  for (const kind of KINDS) await flush(kind)
  await store.execute('commit')
  await store.close()
}

const SQL_TYPES: Record<ColumnType, string> = {
  string: 'varchar(255)',
  text: 'text',
  integer: 'integer',
  float: 'real',
  boolean: 'integer',
  json: 'json',
}

function sqlite(file: string): Store {
  const db = new DatabaseSync(file)
  return {
    key: 'integer primary key autoincrement',
    sign: () => '?',
    execute: (text, values = []) => db.prepare(text).run(...values),
    close: () => db.close(),
  }
}

async function postgres(url: string): Promise<Store> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    key: 'integer generated by default as identity (start with 1000000) primary key',
    sign: (n) => `$${n}`,
    execute: (text, values) => client.query(text, values),
    close: () => client.end(),
  }
}
