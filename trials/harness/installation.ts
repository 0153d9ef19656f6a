import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Config, loadConfig } from '../../server/src/config.ts'
import { createCredential } from '../../server/src/directory/credentials.ts'
import { type KeyRing, openKeyRing } from '../../server/src/directory/keys.ts'
import { addBrand, addIntegrator, setQuota } from '../../server/src/directory/registry.ts'
import { MERGE_RULES } from '../../server/src/events/merge.ts'
import type { Database } from '../../server/src/storage/database.ts'
import { migrate } from '../../server/src/storage/migrate.ts'
import { openDatabase } from '../../server/src/storage/open.ts'
import { putRows, type Row, staff } from '../../server/test/database/store.ts'
import { type Answer, type Credentials, call, forwardedFor, freshAddress, type Request, signIn } from './client.ts'
import type { Env } from './server.ts'
import type { Trial } from './trial.ts'

export type { Credentials } from './client.ts'

export type Engine = 'SQLite' | 'PostgreSQL'
export const ENGINES: readonly Engine[] = ['SQLite', 'PostgreSQL']

/** A database of its own with one brand, `bistro`, whose integrator has no quota to speak of. */
export interface Installation {
  env: Env
  config: Config
  brand_id: number
  credentials: Credentials
  /** The same database from here; closed after the experiment. */
  db: Database
  keys: KeyRing
}

export async function install(trial: Trial, engine: Engine, rows: readonly Row[] = []): Promise<Installation> {
  const { env, config } = await emptyInstallation(trial, engine)
  const db = await openDatabase(config, 'command', MERGE_RULES)
  trial.after(() => db.close())
  await migrate(db)
  const keys = await openKeyRing(db, config.COMPTOIR_KEYS)
  const { brand_id, credentials } = await addTenant(db, keys, 'bistro', 'hub', [...staff(), ...rows])
  return { env, config, brand_id, credentials, db, keys }
}

/** A place for a database, with nothing in it. */
export async function emptyInstallation(trial: Trial, engine: Engine): Promise<{ env: Env; config: Config }> {
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-trust-'))
  trial.after(() => rmSync(folder, { recursive: true, force: true }))
  const env: Env = {
    COMPTOIR_DATA: join(folder, 'data'),
    COMPTOIR_TRUSTED_PROXIES: '127.0.0.1/32', // so that each call can come from an address of its own
    PORT: '0',
    ...(engine === 'PostgreSQL' && { DATABASE_URL: await ownDatabase(trial) }),
  }
  return { env, config: loadConfig(env) }
}

async function ownDatabase(trial: Trial): Promise<string> {
  const { url } = await trial.postgres()
  const name = `trust_${randomBytes(6).toString('hex')}`
  await sqlOn(url, `create database ${name}`)
  trial.after(() => sqlOn(url, `drop database ${name} with (force)`))
  return databaseUrl(url, name)
}

/** The address of a database on this server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export async function sqlOn<Result extends pg.QueryResultRow>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Result[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // its query fails
  await client.connect()
  try {
    return (await client.query<Result>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** A brand with rows, and credentials of its user `owner` for an integrator, which is made if need be. */
export async function addTenant(
  db: Database,
  keys: KeyRing,
  slug: string,
  integrator: string,
  rows: readonly Row[],
): Promise<{ brand_id: number; credentials: Credentials }> {
  const { id: brand_id } = await addBrand(db, 'trust', { slug, test: false })
  await putRows(db, brand_id, rows)
  await addIntegrator(db, 'trust', { name: integrator, id: integrator, test: false })
  await setQuota(db, 'trust', slug, integrator, 1e9)
  const credential = await createCredential(db, keys, 'trust', { brand: slug, username: 'owner' })
  return { brand_id, credentials: { ...credential, brand: slug, integrator_id: integrator } }
}

/** A client of such a server, with a token that outlives its restarts. */
export interface Client {
  token: string
  ask(path: string, request?: Request): Promise<Answer>
  /** Uses this address from now on. */
  moveTo(url: string): void
}

export async function client(trial: Trial, url: string, credentials: Credentials): Promise<Client> {
  const agent = new Agent({ keepAlive: true })
  trial.after(() => agent.destroy())
  let base = url
  const { status, body } = await retryWhileBusy(() => signIn(url, credentials))
  if (status !== 200) throw new Error(`POST /auth answered ${status}: ${JSON.stringify(body)}`)
  const token = String(body.token)
  return {
    token,
    ask: (path, { headers, ...request } = {}) =>
      call(`${base}/v2${path}`, {
        agent,
        ...request,
        headers: { 'x-token': token, ...forwardedFor(freshAddress()), ...headers },
      }),
    moveTo(next) {
      base = next
    },
  }
}

const MAX_TRIES = 400

/** The answer once the service is no longer too busy to give one; it may say so for a while on a machine that does other things too. */
export async function retryWhileBusy(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask()
    if (answer.status !== 503 || tries === MAX_TRIES) return answer
    await sleep(50)
  }
}
