import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import pg from 'pg'
import { type Config, loadConfig } from '../../src/config.ts'

/** The environment of one throw-away installation: a data folder, and on PostgreSQL a database of its own. */
export interface Installation {
  env: Record<string, string>
  config: Config
}

/** Makes one, with its tables; `empty`: as it is before the first migration; `demo`: for
 * `serve --demo`, which finds it filled already where the suite has a demo to copy. */
export type Make = (how?: 'empty' | 'demo') => Promise<Installation>

/** What the runner made once, for every installation of the suite to be a copy of; without the runner each is made by itself. */
export interface Template {
  /** A data folder. */
  folder: string
  /** The name of a database on the PostgreSQL server. */
  database?: string
  /** A data folder with the demo restaurant, where a file wants it: of `DEMO_DAY`, and of today for flows. */
  demo?: string
  /** A database with the demo restaurant of `DEMO_DAY`, and its data folder. The first file that wants it fills it. */
  onServer?: { database: string; folder: string }
  /** SQLite alone. */
  isQuick?: boolean
}

export const DEMO_DAY = new Date('2026-03-14T19:30:00.000Z') // a Saturday evening

export const template = process.env.COMPTOIR_TEST_TEMPLATE
  ? (JSON.parse(process.env.COMPTOIR_TEST_TEMPLATE) as Template)
  : undefined

/** Runs the same promises on SQLite and on PostgreSQL; what they leave behind is removed. */
export function onEachEngine(name: string, promises: (make: Make, engine: 'SQLite' | 'PostgreSQL') => void): void {
  describe(`${name}, on SQLite`, () => promises(maker(undefined), 'SQLite'))
  if (template?.isQuick) return
  const url = process.env.DATABASE_URL
  // The runner says in capital letters that this half is missing, and fails where CI is set.
  describe(`${name}, on PostgreSQL`, { skip: url ? false : 'DATABASE_URL is not set' }, () =>
    promises(maker(url), 'PostgreSQL'),
  )
}

/** For promises that no database has a part in. */
export const onEmbeddedEngine = (name: string, promises: (make: Make) => void): void =>
  void describe(name, () => promises(maker(undefined)))

function maker(server: string | undefined): Make {
  const clean: (() => Promise<void> | void)[] = []
  after(async () => {
    for (const remove of clean.reverse()) await remove()
  })
  return async (how) => {
    const from = how === 'empty' ? undefined : template
    const folder = mkdtempSync(join(tmpdir(), 'comptoir-test-'))
    clean.push(() => rmSync(folder, { recursive: true, force: true }))
    const env: Record<string, string> = { COMPTOIR_DATA: join(folder, 'data'), COMPTOIR_LOG_LEVEL: 'silent', PORT: '0' }
    if (server) {
      const full = how === 'demo' ? from?.onServer : undefined
      if (full) {
        await fillOnce(server, full, from?.database)
        cpSync(full.folder, env.COMPTOIR_DATA!, { recursive: true })
      }
      const { url, drop } = await ownDatabase(server, full?.database ?? from?.database)
      clean.push(drop)
      env.DATABASE_URL = url
    } else if (from) cpSync((how === 'demo' && from.demo) || from.folder, env.COMPTOIR_DATA!, { recursive: true })
    return { env, config: loadConfig(env) }
  }
}

const ownDatabase = async (server: string, from?: string) => {
  const name = `comptoir_test_${randomBytes(6).toString('hex')}`
  await withClient(server, (client) => create(client, name, from))
  const drop = () => withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`))
  return { url: urlOf(server, name), drop: async () => void (await drop()) }
}

/** The lock is the server's: the runner fills it beside the first files, and a file that runs alone may be the first. */
export const fillOnce = (
  server: string,
  { database: name, folder }: { database: string; folder: string },
  from?: string,
) =>
  withClient(server, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rows.length > 0) return
    const filling = `${name}_filling`
    await create(client, filling, from)
    const { fillForTests } = await import('./fill-for-tests.ts')
    await fillForTests(loadConfig({ COMPTOIR_DATA: folder, DATABASE_URL: urlOf(server, filling) }), DEMO_DAY)
    await client.query(`alter database ${filling} rename to ${name}`)
  })

const create = (client: pg.Client, name: string, from = 'template1') =>
  client.query(`create database ${name} template ${from} strategy file_copy`) // it writes no log of what is copied

const urlOf = (server: string, name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href

async function withClient<Result>(server: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
