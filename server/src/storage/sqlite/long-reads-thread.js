import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// The thread of long-reads.ts.

/** @type {import('./questions.ts').ReadFile} */
const { file } = workerData
const db = new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
db.exec('pragma trusted_schema = off; pragma cache_size = -2000; pragma temp_store = memory')

// node:sqlite cannot interrupt a statement, so a long one calls this every few hundred rows (`Dialect.checkpoint`).
let until = 0
db.function('within_deadline', () => {
  if (performance.now() < until) return 1
  throw Object.assign(new Error('the read took too long'), { errcode: 9 }) // SQLITE_INTERRUPT
})

/** @type {Map<string, import('node:sqlite').StatementSync>} */
const prepared = new Map()

parentPort?.on('message', (question) => {
  const reply = answer(question)
  // Pages are moved, not copied.
  const buffers = 'result' in reply ? reply.result.flatMap((row) => Object.values(row).filter(isBytes)) : []
  parentPort?.postMessage(
    reply,
    buffers.map(({ buffer }) => buffer),
  )
})

/** @param {unknown} value @returns {value is Uint8Array<ArrayBuffer>} */
const isBytes = (value) => value instanceof Uint8Array

/** @param {import('./questions.ts').LongRead & { id: number }} question */
function answer({ id, text, values, ms }) {
  try {
    until = performance.now() + ms
    const statement = prepared.get(text) ?? db.prepare(text)
    prepared.set(text, statement)
    if (prepared.size > 200) prepared.delete(String(prepared.keys().next().value))
    return { id, result: statement.all(...values) }
  } catch (error) {
    const { message = String(error), errcode } = Object(error)
    return { id, failure: { message, errcode } }
  }
}
