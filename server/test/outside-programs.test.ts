import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createCredential } from '../src/directory/credentials.ts'
import { openKeyRing } from '../src/directory/keys.ts'
import { addBrand, addIntegrator, setQuota } from '../src/directory/registry.ts'
import { MERGE_RULES } from '../src/events/merge.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openDatabase } from '../src/storage/open.ts'
import { serving } from './command.ts'
import { type Installation, onEmbeddedEngine } from './database/engines.ts'
import { putRows, staff } from './database/store.ts'

// A program that reads the embedded database while it is served must not damage it: the last to close a SQLite file removes its
// write-ahead log, unless the server's lock tells that it is not the last.

const run = promisify(execFile)
const WRITES = 200
const READ_EVERY = 40

type Look = (file: string, text: string) => Promise<string>

const PYTHON =
  'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); print(c.execute(sys.argv[2]).fetchone()[0]); c.close()'
const NODE =
  'const { DatabaseSync } = require("node:sqlite"); const [file, text] = process.argv.slice(1); const db = new DatabaseSync(file); console.log(Object.values(db.prepare(text).get())[0]); db.close()'

/** A program that opens the file, reads and closes it. The older its SQLite, the more it relies on our lock. */
async function outsider(): Promise<{ name: string; look: Look }> {
  const programs: [name: string, words: string[]][] = [
    ['sqlite3', []],
    ['python3', ['-c', PYTHON]],
    [process.execPath, ['-e', NODE]],
  ]
  for (const [name, words] of programs) {
    const look: Look = async (file, text) => (await run(name, [...words, file, text])).stdout.trim()
    const version = await look(':memory:', 'select sqlite_version()').catch(() => undefined)
    if (version) return { name: `${name} with SQLite ${version}`, look }
  }
  throw new Error('this Node has no SQLite')
}

onEmbeddedEngine('another program on the embedded database', (make) => {
  async function withBrand({ config }: Installation): Promise<object> {
    const db = await openDatabase(config, 'command', MERGE_RULES)
    await migrate(db)
    const keys = await openKeyRing(db, config.COMPTOIR_KEYS)
    const { id } = await addBrand(db, 'test', { slug: 'bistro', test: false })
    await putRows(db, id, staff())
    await addIntegrator(db, 'test', { name: 'hub', id: 'hub', test: false })
    await setQuota(db, 'test', 'bistro', 'hub', 1e6)
    const credential = await createCredential(db, keys, 'test', { brand: 'bistro', username: 'owner' })
    await db.close()
    return { ...credential, brand: 'bistro', integrator_id: 'hub' }
  }

  test('reads beside writes, and a SIGKILL then loses nothing that was acknowledged', async (t) => {
    const installation = await make()
    const credentials = await withBrand(installation)
    const file = join(installation.config.COMPTOIR_DATA, 'comptoir.db')
    const { name, look } = await outsider()
    t.diagnostic(`read by ${name}`)
    const server = await serving(installation)
    const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${server.url}/v2${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: (await answer.json()) as { token?: string } }
    }
    const { token } = (await post('/auth', credentials)).body
    const acknowledged: string[] = []
    for (let number = 1; number <= WRITES; number++) {
      const { status } = await post('/customers', { name: `c${number}` }, { 'x-token': token! })
      assert.equal(status, 200)
      acknowledged.push(`c${number}`)
      if (number % READ_EVERY === 0) {
        assert.equal(await look(file, 'select count(*) from customers'), String(number), 'it sees what was written')
        if (existsSync('/proc/locks')) assert.ok(isLockedBy(server.pid, file), 'the server keeps its lock')
      }
    }
    await server.stop('SIGKILL')

    const db = await openDatabase(installation.config, 'command', MERGE_RULES)
    const there = await db.texts('select name from customers order by id', [])
    assert.deepEqual(await db.texts('pragma integrity_check', []), ['ok'])
    await db.close()
    assert.deepEqual(new Set(there), new Set(acknowledged))
  })
})

const isLockedBy = (pid: number, file: string) =>
  readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .some((line) => line.includes(` ${pid} `) && line.includes(`:${statSync(file).ino} `))
