import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { comptoir, comptoirJson } from '../../test/command.ts'
import { type Installation, onEmbeddedEngine } from '../../test/database/engines.ts'
import { MERGE_RULES } from '../events/merge.ts'
import type { Database } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { openDatabase } from '../storage/open.ts'

const BIN = fileURLToPath(new URL('../../bin/comptoir.js', import.meta.url))
const MIB = 2 ** 20

onEmbeddedEngine('comptoir backup', (make) => {
  /** A database of this many MiB, open here. */
  async function filled(installation: Installation, mib: number): Promise<Database> {
    const db = await openDatabase(installation.config, 'command', MERGE_RULES)
    await migrate(db)
    const piece = 'x'.repeat(MIB / 4)
    await db.transaction(async (tx) => {
      for (let i = 0; i < mib * 4; i++)
        await tx.run('insert into settings (name, value) values (?, ?)', [`filler ${i}`, piece])
    })
    return db
  }
  const inFolder = ({ config }: Installation, name: string) => join(dirname(config.COMPTOIR_DATA), name)

  test('ends beside steady writes, with a whole copy of one moment', async () => {
    const installation = await make()
    const db = await filled(installation, 40)
    const copy = inFolder(installation, 'copy/comptoir.db')
    mkdirSync(dirname(copy))
    let over = false
    let written = 0
    const writing = (async () => {
      while (!over) {
        await db.transaction((tx) => tx.run('insert into settings (name, value) values (?, ?)', [`w${++written}`, '']))
        await sleep(5)
      }
    })()
    try {
      assert.deepEqual(await comptoirJson(installation, ['backup', copy]), { file: copy })
    } finally {
      over = true
      await writing
      await db.close()
    }
    assert.equal(statSync(copy).mode & 0o777, 0o600)
    const copied = await openDatabase({ ...installation.config, COMPTOIR_DATA: dirname(copy) }, 'command', MERGE_RULES)
    assert.deepEqual(await copied.texts('pragma integrity_check', []), ['ok'])
    const names = await copied.texts(`select name from settings where name like 'w%' order by rowid`, [])
    await copied.close()
    assert.ok(written > 5, `${written} writes`)
    assert.deepEqual(
      names,
      names.map((_, i) => `w${i + 1}`),
    )
  })

  test('says in one sentence what is wrong with its file, and overwrites nothing', async () => {
    const installation = await make()
    await (await filled(installation, 1)).close()
    const there = inFolder(installation, 'there.db')
    writeFileSync(there, 'mine')
    const taken = await comptoir(installation, ['backup', there])
    assert.deepEqual([taken.code, taken.stderr], [1, `comptoir: ${there} already exists: name a new file\n`])
    assert.equal(statSync(there).size, 4)

    const missing = inFolder(installation, 'nowhere/copy.db')
    const refused = await comptoir(installation, ['backup', missing])
    const said = `comptoir: There is no folder ${dirname(missing)}: create it first\n`
    assert.deepEqual([refused.code, refused.stderr], [1, said])
    assert.ok(!existsSync(dirname(missing)))
  })

  const skip = !hasNamespaces() && 'no mount namespace can be had here (unshare -rm)'
  test('refuses where less than twice the size is free, and leaves nothing there', { skip }, async () => {
    const installation = await make()
    await (await filled(installation, 4)).close()
    const small = inFolder(installation, 'small')
    mkdirSync(small)
    const copy = join(small, 'copy.db')
    const script = `mount -t tmpfs -o size=1m none ${small} && ${process.execPath} ${BIN} backup ${copy}; ls ${small}`
    const { stdout, stderr } = await promisify(execFile)('unshare', ['-rm', 'sh', '-c', script], {
      env: { PATH: process.env.PATH, ...installation.env },
    })
    assert.match(
      stderr,
      new RegExp(`^comptoir: There is no room for ${copy}: \\d+ MiB are needed on its disk, and 1 MiB are free\n$`),
    )
    assert.equal(stdout, '')
    assert.deepEqual(readdirSync(small), [])
  })

  test('leaves nothing where a write fails half-way', async () => {
    const installation = await make()
    await (await filled(installation, 4)).close()
    const folder = inFolder(installation, 'copies')
    mkdirSync(folder)
    const copy = join(folder, 'copy.db')
    const script = `ulimit -f 2048; exec ${process.execPath} ${BIN} backup ${copy}` // in units of 512 bytes or 1 KiB
    const failed = await promisify(execFile)('sh', ['-c', script], {
      env: { PATH: process.env.PATH, ...installation.env },
    }).catch((error) => error)
    assert.equal(failed.code, 1)
    assert.equal(failed.stderr, `comptoir: ${copy} could not be read or written\n`)
    assert.deepEqual(readdirSync(folder), [])
  })
})

function hasNamespaces(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'true'], { stdio: 'ignore', timeout: 10_000 })
    return true
  } catch {
    return false
  }
}
