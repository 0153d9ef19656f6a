import {
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { UnusableDatabase } from '../../database.ts'
import { keepFolder } from './copy.ts'

// A database file that takes the place of another. At every moment the folder has the one or the other, whole.

const NAME = 'comptoir.db'
const KEPT = 'before-restore-'

/** Refuses what cannot be a copy, before SQLite opens it. Reads the file's own header. */
export function checkFile(file: string, folder: string): void {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) throw new UnusableDatabase(`There is no file ${file}`)
  if (!stat.isFile()) throw new UnusableDatabase(`${file} is not a file`)
  const place = join(folder, NAME)
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new UnusableDatabase(`${place} is a link: set COMPTOIR_DATA to the folder it leads to`)
  const current = statSync(place, { throwIfNoEntry: false })
  if (current?.ino === stat.ino && current.dev === stat.dev)
    throw new UnusableDatabase(`${file} is the database itself: name a copy of it`)
  const header = headerOf(file)
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw new UnusableDatabase(`${file} is not a backup`)
  const stored = header.readUInt16BE(16)
  const whole = (stored === 1 ? 65_536 : stored) * header.readUInt32BE(28)
  if (stat.size < whole)
    throw new UnusableDatabase(`${file} is cut off: it has ${stat.size} bytes, and says that it has ${whole}`)
}

function headerOf(file: string): Buffer {
  const header = Buffer.alloc(100)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, header)
  } finally {
    closeSync(descriptor)
  }
  return header
}

/** Refuses while a program has the database of the folder open. What is wrong with the file itself does not matter. */
export function requireAlone(folder: string): void {
  const file = join(folder, NAME)
  if (!existsSync(file)) return
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { timeout: 0 })
    db.exec('pragma locking_mode = exclusive; begin immediate; rollback')
  } catch (error) {
    if ((Number(Object(error).errcode) & 0xff) === 5)
      throw new UnusableDatabase(`Another program has ${file} open: end it first`) // SQLITE_BUSY
  } finally {
    db?.close() // moves the log into the file
  }
}

/** Where a file is made ready. */
export function workFolder(folder: string): string {
  const work = join(folder, 'restore.part')
  rmSync(work, { recursive: true, force: true }) // left by a kill
  mkdirSync(work, { mode: 0o700 })
  return work
}

/** Puts the file of `work` in place, and returns the folder that has what was there; undefined where nothing was. */
export function putInPlace(folder: string, work: string, now: string): string | undefined {
  const current = join(folder, NAME)
  if (existsSync(join(work, `${NAME}-wal`))) throw new Error('the file of a restore is still open')
  const kept = existsSync(current) ? keep(folder, now) : undefined
  giveToOwner(folder, join(work, NAME))
  renameSync(join(work, NAME), current)
  keepFolder(folder)
  rmSync(work, { recursive: true, force: true })
  return kept
}

function keep(folder: string, now: string): string {
  removeUnused(folder)
  const kept = join(folder, KEPT + now.replaceAll(/[-:]/g, '')) // to the millisecond
  mkdirSync(kept, { mode: 0o700 })
  giveToOwner(folder, kept)
  const endings = ['', '-wal'].filter((ending) => existsSync(join(folder, NAME + ending)))
  for (const ending of endings) linkSync(join(folder, NAME + ending), join(kept, NAME + ending))
  keepFolder(kept)
  keepFolder(folder)
  // Only a damaged file still has a log, and the file that comes must not meet it.
  for (const ending of ['-wal', '-shm']) rmSync(join(folder, NAME + ending), { force: true })
  return kept
}

/** Root restores for the account that serves, which could not open a file of root's. */
function giveToOwner(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(folder)
  chownSync(path, uid, gid)
}

/** Removes second names of the file in use, which a kill has left. */
function removeUnused(folder: string): void {
  const { ino } = statSync(join(folder, NAME))
  for (const name of readdirSync(folder)) {
    const file = join(folder, name, NAME)
    if (name.startsWith(KEPT) && statSync(file, { throwIfNoEntry: false })?.ino === ino)
      rmSync(join(folder, name), { recursive: true })
  }
}
