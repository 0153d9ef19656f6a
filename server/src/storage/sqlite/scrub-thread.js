import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

// The thread of scrub.ts.

const WAIT_MS = 2_000

/** @type {import('./questions.ts').ScrubbedFile} */
const { file, rewrittenBelow } = workerData
const db = new DatabaseSync(`${pathToFileURL(file).href}?mode=rw`, { timeout: WAIT_MS })
try {
  db.exec('pragma secure_delete = on; pragma temp_store = memory') // a temporary file would be one more copy
  if (statSync(file).size < rewrittenBelow) db.exec('vacuum')
  db.exec('pragma busy_timeout = 0') // waiting for readers it would hold writers up
  const [outcome] = db.prepare('pragma wal_checkpoint(truncate)').all()
  parentPort?.postMessage(outcome?.busy === 0)
} finally {
  db.close()
}
