import { closeSync, fsyncSync, openSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// The thread of copy.ts.

const PAGES_A_STEP = 1_000
const WAIT_MS = 5_000

/** @type {import('../questions.ts').CopiedFile} */
const { source, part, mark, stop } = workerData
const asked = new Int32Array(stop)

const goOn = () => {
  if (Atomics.load(asked, 0) !== 0) throw new Error('the copy was stopped')
}

/** Reads it in one transaction: without one, SQLite starts over whenever somebody has written, and beside steady writes it never ends. */
async function copy() {
  const db = new DatabaseSync(source, { readOnly: true, timeout: WAIT_MS })
  try {
    db.exec('begin')
    db.prepare('select 1 from sqlite_schema').get() // from now on it sees nothing newer
    await backup(db, part, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => {
        goOn()
        parentPort?.postMessage({ done: totalPages - remainingPages, total: totalPages })
      },
    })
  } finally {
    db.close()
  }
}

/** What is wrong with the copy; undefined where nothing is. */
function finish() {
  const db = new DatabaseSync(part)
  try {
    db.exec('pragma journal_mode = delete') // one file, which can be read where nothing can be written
    db.prepare('insert or replace into settings (name, value) values (?, ?)').run(...mark)
    goOn()
    const [found] = db.prepare('pragma quick_check(1)').all()
    return found?.quick_check === 'ok' ? undefined : String(found?.quick_check)
  } finally {
    db.close()
  }
}

/** @param {string} file */
function keep(file) {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

try {
  await copy()
  const damage = finish()
  keep(part)
  parentPort?.postMessage({ damage })
} catch (error) {
  const { message = String(error), errcode } = Object(error)
  parentPort?.postMessage({ failure: { message, errcode } })
}
