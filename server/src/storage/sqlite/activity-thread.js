import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { makeFile } from './make-file.js'

// A thread of its own for one SQLite connection: asked by activity-store.ts, one question after the other.

/** @type {import('./questions.ts').ActivityFiles} */
const { file, data, schema } = workerData
class OtherVersion extends Error {}
const db = opened()
db.prepare('attach ? as data').run(`${pathToFileURL(data).href}?mode=ro`) // the data is only read here
/** @type {Map<string, import('node:sqlite').StatementSync>} */
const prepared = new Map()

parentPort?.on('message', (question) => parentPort?.postMessage(answer(question)))

/** @param {import('./questions.ts').ActivityQuestion & { id: number }} question @returns {import('./thread.ts').Reply} */
function answer({ id, kind, text, values }) {
  try {
    const statement = prepared.get(text) ?? db.prepare(text)
    prepared.set(text, statement)
    if (prepared.size > 200) prepared.delete(String(prepared.keys().next().value))
    const result = kind === 'rows' ? statement.all(...values) : Number(statement.run(...values).changes)
    for (const value of values) if (value instanceof Uint8Array) value.buffer.transfer(0) // freed now, not when garbage is collected
    return { id, result }
  } catch (error) {
    const { message = String(error), errcode } = Object(error)
    return { id, failure: { message, errcode } }
  }
}

/** The file as it is; a new one where it was made by another version or is no sound file. Any other failure may pass, and ends the thread. */
function opened() {
  try {
    return open()
  } catch (error) {
    const broken = [11, 26].includes(Number(Object(error).errcode) & 0xff) // SQLITE_CORRUPT, SQLITE_NOTADB
    if (!broken && !(error instanceof OtherVersion)) throw error
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
    return open()
  }
}

function open() {
  makeFile(file)
  const connection = new DatabaseSync(file, { timeout: 5_000 })
  try {
    prepare(connection)
  } catch (error) {
    connection.close() // one that is closed later would remove the log of the file that takes its place
    throw error
  }
  return connection
}

/** @param {DatabaseSync} connection */
function prepare(connection) {
  connection.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -2000')
  connection.exec('pragma trusted_schema = off; pragma secure_delete = on')
  connection.enableDefensive(true)
  const described = schema.join(';\n')
  const [made] = connection.prepare(`select name from sqlite_schema where name = 'made_by'`).all()
  if (!made) {
    connection.exec(`begin; ${described}; create table made_by (schema text not null)`)
    connection.prepare('insert into made_by values (?)').run(described)
    connection.exec('commit')
  } else if (connection.prepare('select schema from made_by').get()?.schema !== described) throw new OtherVersion()
}
