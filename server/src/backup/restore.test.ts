import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Installation, onEmbeddedEngine } from '../../test/database/engines.ts'
import { putRows, staff } from '../../test/database/store.ts'
import { revokeDevice } from '../back-office/devices/devices.ts'
import { loadConfig } from '../config.ts'
import { verifyAudit } from '../directory/audit.ts'
import { createCredential, setCredentialEnabled } from '../directory/credentials.ts'
import { openKeyRing } from '../directory/keys.ts'
import { addBrand } from '../directory/registry.ts'
import { MERGE_RULES } from '../events/merge.ts'
import type { Database } from '../storage/database.ts'
import { lockEngine, openDatabase } from '../storage/open.ts'
import { insertRow } from '../storage/rows.ts'
import { putEndpoint } from '../webhooks/endpoint-fixture.ts'
import { lastBackup } from './noted.ts'
import { restore } from './restore.ts'

const AT = '2026-03-01T12:00:00.000Z'
const DEVICE = { venue_id: 1, terminal_id: 1, name: 'Tablet', used_for: 'till', created_by: 1 }

onEmbeddedEngine('comptoir restore', (make) => {
  const open = ({ config }: Pick<Installation, 'config'>) => openDatabase(config, 'command', MERGE_RULES)
  const quiet = { actor: 'test', copying() {}, checking() {} }
  const names = (db: Database) => db.texts('select name from settings where name like ? order by name', ['note %'])
  const note = (db: Database, name: string) =>
    db.transaction((tx) => tx.run('insert into settings (name, value) values (?, ?)', [`note ${name}`, '']))

  /** A brand with a copy, and something that was written after it. */
  async function house() {
    const installation = await make()
    const { config } = installation
    const db = await open(installation)
    const ring = await openKeyRing(db, config.COMPTOIR_KEYS)
    const { id: brand_id } = await addBrand(db, 'test', { slug: 'bistro', test: false })
    await putRows(db, brand_id, [...staff(), { kind: 'user', id: 2, username: 'ada', name: 'Ada', role_id: 1 }])
    const { client_id } = await createCredential(db, ring, 'test', { brand: 'bistro', username: 'owner' })
    await putEndpoint(db, { brand_id, client_id, url: 'https://example.com/', state: 'active', reason: null })
    await db.transaction(async (tx) => {
      await insertRow(tx, 'accounts', { id: 9, brand_id, user_id: 1, loopback_only: 0 })
      await insertRow(tx, 'pins', { account_id: 9, kid: 'k', hash: 'old', set_by: null, set_at: AT })
      for (const id of ['lost', 'kept'])
        await insertRow(tx, 'devices', { ...DEVICE, id, hash: id, brand_id, created_at: AT })
    })
    await note(db, 'before')
    const copy = join(dirname(config.COMPTOIR_DATA), 'copy.db')
    const { at } = await db.backup(copy)
    await note(db, 'after')
    await setCredentialEnabled(db, 'test', client_id, false)
    await revokeDevice(db, { brand_id, venues: new Set([1]), actor: 'test' }, 'lost', AT)
    await db.transaction((tx) => tx.run(`update pins set hash = 'new' where account_id = 9`, []))
    await putRows(db, brand_id, [{ kind: 'user', id: 2, username: 'ada', name: 'Ada', role_id: 1, active: false }])
    await db.close()
    return { installation, config, copy, at, client_id, folder: config.COMPTOIR_DATA }
  }

  /** Every file of a folder by what it holds; who locked it last is beside the point. */
  const filesOf = (folder: string) =>
    globSync('**/*', { cwd: folder })
      .filter((name) => !name.includes('.lock') && statSync(join(folder, name)).isFile())
      .map(
        (name) =>
          `${name} ${createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex')}`,
      )
      .sort()

  test('puts the copy in place, keeps what was there, and says what to look at', async () => {
    const { installation, config, copy, at, client_id, folder } = await house()
    const copied = filesOf(dirname(copy)).filter((line) => line.startsWith('copy.db'))
    const restored = await restore(config, copy, quiet)
    assert.deepEqual(
      { ...restored, kept: null },
      {
        ...{ file: copy, made_at: at, kept: null, brands: ['bistro'], receipts: 0, findings: [], audit_intact: true },
        webhooks_paused: 1,
        papers_cancelled: 0,
        look_at: [
          { kind: 'user', brand: 'bistro', name: 'ada' },
          { kind: 'pin', brand: 'bistro', name: 'owner' },
          { kind: 'device', brand: 'bistro', name: 'Tablet (lost)' },
          { kind: 'credential', brand: 'bistro', name: client_id },
        ],
      },
    )
    assert.deepEqual(
      filesOf(dirname(copy)).filter((line) => line.startsWith('copy.db')),
      copied,
      'the copy is as it was',
    )
    assert.deepEqual(
      globSync('*', { cwd: folder }).filter((name) => /part$|-wal$/.test(name)),
      [],
    )
    const kept = await open({ config: loadConfig({ ...installation.env, COMPTOIR_DATA: restored.kept! }) })
    assert.deepEqual(await names(kept), ['note after', 'note before'])
    await kept.close()

    const db = await open(installation)
    const keys = await openKeyRing(db, config.COMPTOIR_KEYS)
    assert.deepEqual(await names(db), ['note before'])
    assert.deepEqual(await db.texts(`select state || ' ' || reason from webhook_endpoints`, []), ['paused restored'])
    assert.deepEqual(await db.texts('select type from events order by position desc limit 1', []), ['feed.resync'])
    assert.equal((await verifyAudit(db, keys.audit)).intact, true)
    const [action] = await db.texts('select action from audit order by id desc limit 1', [])
    assert.equal(action, 'backup.restore')
    assert.equal(await lastBackup(db), at)
    await db.close()
  })

  test('goes back to what it has put aside', async () => {
    const { installation, config, copy } = await house()
    const { kept } = await restore(config, copy, quiet)
    await restore(config, join(kept!, 'comptoir.db'), quiet)
    const db = await open(installation)
    assert.deepEqual(await names(db), ['note after', 'note before'])
    await db.close()
  })

  test('works into an empty folder, and over a file that is damaged', async () => {
    const { config, copy, folder } = await house()
    writeFileSync(join(folder, 'comptoir.db'), 'not a database any more')
    const over = await restore(config, copy, quiet)
    assert.equal(over.look_at, null)
    assert.equal(readFileSync(join(over.kept!, 'comptoir.db'), 'latin1'), 'not a database any more')
    const elsewhere = { ...config, COMPTOIR_DATA: join(dirname(folder), 'new machine') }
    assert.equal((await restore(elsewhere, copy, quiet)).kept, null)
    const db = await open({ config: elsewhere })
    assert.deepEqual(await names(db), ['note before'])
    await db.close()
  })

  test('refuses in a sentence, and leaves everything as it is, to the byte', async () => {
    const { installation, config, copy, folder } = await house()
    const before = filesOf(folder)
    const beside = (name: string, bytes: string | Buffer) => {
      const file = join(dirname(copy), name)
      writeFileSync(file, bytes)
      return file
    }
    const bytes = readFileSync(copy)
    const short = beside('short.db', bytes)
    truncateSync(short, bytes.length - 4096)
    const torn = beside('torn.db', Buffer.concat([bytes.subarray(0, 16_384), Buffer.alloc(bytes.length - 16_384, 7)]))
    const other = beside('other.db', '')
    const sql = new DatabaseSync(other)
    sql.exec('create table t (a)')
    sql.close()
    const newer = beside('newer.db', bytes)
    const changed = new DatabaseSync(newer)
    changed.exec(`update comptoir_migrations set hash = 'another' where version = 3`)
    changed.close()
    const WRONG: [file: string, sentence: RegExp][] = [
      [join(dirname(copy), 'nowhere.db'), /^There is no file /],
      [folder, / is not a file$/],
      [join(folder, 'comptoir.db'), / is the database itself: name a copy of it$/],
      [beside('text.txt', 'x'.repeat(5_000)), / is not a backup$/],
      [beside('empty.db', ''), / is not a backup$/],
      [short, / is cut off: it has \d+ bytes, and says that it has \d+$/],
      [torn, /damaged|not a valid SQLite file/],
      [other, /not one of Comptoir's$/],
      [newer, /^The database was made by another version of Comptoir/],
    ]
    const refused = (file: string, sentence: RegExp, given = config) =>
      assert.rejects(restore(given, file, quiet), ({ message }) => sentence.test(message), String(sentence))
    for (const [file, sentence] of WRONG) await refused(file, sentence)

    const rings = await house()
    await refused(copy, /does not fit /, { ...config, COMPTOIR_KEYS: rings.config.COMPTOIR_KEYS })
    await refused(copy, /^There is no key ring at /, { ...config, COMPTOIR_KEYS: join(folder, 'gone.json') })
    await refused(copy, /^The data is in PostgreSQL/, { ...config, DATABASE_URL: 'postgres://localhost/x' })
    assert.deepEqual(filesOf(folder), before)

    const release = await lockEngine(config)
    await refused(copy, /is already served by process \d+$/)
    release()
    assert.deepEqual(filesOf(folder), before)
    const db = await open(installation)
    await refused(copy, /^Another program has .+ open: end it first$/)
    assert.deepEqual(await names(db), ['note after', 'note before'])
    await db.close()
    assert.ok(!existsSync(join(folder, 'restore.part')))
  })

  test('a command that began meanwhile keeps its data', async () => {
    const { installation, config, copy, folder } = await house()
    let command: DatabaseSync | undefined
    const watch = {
      ...quiet,
      get actor() {
        command = new DatabaseSync(join(folder, 'comptoir.db'))
        command.exec(`insert into settings (name, value) values ('note meanwhile', '')`)
        return 'test'
      },
    }
    await assert.rejects(restore(config, copy, watch), /^Error: Another program has .+ open: end it first$/)
    command!.close()
    const db = await open(installation)
    assert.deepEqual(await names(db), ['note after', 'note before', 'note meanwhile'])
    await db.close()
  })

  test('a link in the place of the file is refused; root restores for the account that owns the folder', async () => {
    const { config, copy, folder } = await house()
    const elsewhere = join(dirname(folder), 'linked')
    mkdirSync(elsewhere)
    symlinkSync(join(folder, 'comptoir.db'), join(elsewhere, 'comptoir.db'))
    await assert.rejects(restore({ ...config, COMPTOIR_DATA: elsewhere }, copy, quiet), / is a link: set COMPTOIR_DATA/)
    assert.deepEqual(readdirSync(elsewhere), ['comptoir.db'])

    const isRoot = process.getuid?.() === 0
    const owner = isRoot ? 4711 : process.getuid!()
    if (isRoot) chownSync(folder, owner, owner)
    const { kept } = await restore(config, copy, quiet)
    const files = [join(folder, 'comptoir.db'), kept!].map((path) => statSync(path))
    assert.deepEqual(
      files.map(({ uid, mode }) => [uid, mode & 0o777]),
      [
        [owner, 0o600],
        [owner, 0o700],
      ],
    )
  })

  test('what a kill has left is of no account', async () => {
    const { config, copy, folder } = await house()
    await restore(config, copy, quiet)
    const half = join(folder, 'before-restore-20200101T000000Z')
    for (const left of [join(folder, 'restore.part'), half]) {
      mkdirSync(left)
      linkSync(join(folder, 'comptoir.db'), join(left, 'comptoir.db'))
    }
    await restore(config, copy, quiet)
    assert.ok(!existsSync(half), 'a second name of the file that was in use')
    assert.equal(globSync('before-restore-*', { cwd: folder }).length, 2)
  })
})
