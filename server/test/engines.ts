import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import pg from 'pg'
import { type Config, loadConfig } from '../src/config.ts'

/** The environment of one throw-away installation: a data folder, and on PostgreSQL a database of its own. */
export interface Installation {
  env: Record<string, string>
  config: Config
}

/** Makes one, with its tables; `empty`: as it is before the first migration; `demo`: for
 * `serve --demo`, which finds it filled already where the runner did that. */
export type Make = (how?: 'empty' | 'demo') => Promise<Installation>

/** What the runner made once, for every installation of the suite to be a copy of; without the runner each is made by itself. */
export interface Template {
  /** A data folder. */
  folder: string
  /** The name of a database on the PostgreSQL server. */
  database?: string
  /** A data folder with the demo restaurant, where a file wants it. */
  demo?: string
}

export const template = process.env.COMPTOIR_TEST_TEMPLATE
  ? (JSON.parse(process.env.COMPTOIR_TEST_TEMPLATE) as Template)
  : undefined

/** Runs the same promises on SQLite and on PostgreSQL; what they leave behind is removed. */
export function onEachEngine(name: string, promises: (make: Make, engine: 'SQLite' | 'PostgreSQL') => void): void {
  describe(`${name}, on SQLite`, () => promises(maker(undefined), 'SQLite'))
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
      const { url, drop } = await ownDatabase(server, from?.database)
      clean.push(drop)
      env.DATABASE_URL = url
    } else if (from) cpSync((how === 'demo' && from.demo) || from.folder, env.COMPTOIR_DATA!, { recursive: true })
    return { env, config: loadConfig(env) }
  }
}

async function ownDatabase(server: string, from = 'template1'): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `comptoir_test_${randomBytes(6).toString('hex')}`
  const admin = async (text: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await admin(`create database ${name} template ${from}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => admin(`drop database if exists ${name} with (force)`) }
}
