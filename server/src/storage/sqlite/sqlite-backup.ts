import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StoreFull, UnusableDatabase } from '../database.ts'
import { COPIED } from '../feed/copied.ts'

const PAGES_A_STEP = 1_000

/**
 * Copies a database to a new file, as it is at this moment. It is read in one transaction: without one, SQLite starts over whenever
 * somebody has written, and beside steady writes it never ends. A copy that fails leaves nothing behind.
 */
export async function copyTo(
  source: DatabaseSync,
  target: string,
  progress: (done: number, total: number) => void,
): Promise<void> {
  makeTarget(target)
  try {
    source.exec('begin')
    source.prepare('select 1 from sqlite_schema').get() // from now on it sees nothing newer
    await backup(source, target, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => progress(totalPages - remainingPages, totalPages),
    })
    mark(target)
  } catch (error) {
    for (const ending of ['', '-journal']) rmSync(target + ending, { force: true })
    if ((Number(Object(error).errcode) & 0xff) === 13) throw full(target) // SQLITE_FULL
    throw error
  }
}

/** W7: what is served from a copy must not send what the original sends. */
function mark(target: string): void {
  const copy = new DatabaseSync(target)
  copy.prepare('insert or replace into settings (name, value) values (?, ?)').run(COPIED, new Date().toISOString())
  copy.close()
}

/** Never overwrites a file. */
function makeTarget(target: string): void {
  try {
    closeSync(openSync(target, 'wx', 0o600))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UnusableDatabase(`${target} already exists: name a new file`)
    if (code === 'ENOENT') throw new UnusableDatabase(`There is no folder ${dirname(target)}: create it first`)
    if (code === 'ENOSPC') throw full(target)
    throw new UnusableDatabase(`${target} cannot be written: ${message}`)
  }
}

const full = (target: string) => new StoreFull(`There is no room for ${target}: the disk is full, and no copy was kept`)
