import { createHmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Database, type Queries, UnusableDatabase, type Value } from '../storage/database.ts'
import type { Tables } from '../storage/tables.ts'

/** One change to the directory: who did what to which row, and how it looked before and after. */
export interface Change {
  actor: string
  action: string
  subject: string
  brand_id: number | null
  before: unknown
  after: unknown
}

type AuditRow = Tables['audit']

const COLUMNS = 'id, at, actor, action, subject, brand_id, before, after, previous_hash, hash'

/** Makes directory changes follow one another, from here to the end of the transaction. */
export const lockDirectory = (tx: Queries) => tx.run('update directory_version set version = version where id = 1', [])

/** Replaces `db.transaction`, so that each `tx` carries the key that `record` signs audit rows with. */
export function addAuditKeyToTransactions(db: Database, auditKey: Buffer): void {
  const { transaction } = db
  db.transaction = (work, source) => transaction((tx) => work({ ...tx, auditKey }), source)
}

/** Writes the audit row of a directory change into the transaction that makes the change, and lets every process know. */
export async function record(tx: Queries, change: Change): Promise<void> {
  const [next] = await tx.rows<{ version: number }>(
    'update directory_version set version = version + 1 where id = 1 returning version',
    [],
  )
  const id = next!.version
  if (!tx.auditKey) throw new UnusableDatabase('A change is recorded with the key ring, which was not opened')
  const previous = await tx.text('select hash from audit where id = ?', [id - 1])
  const row = {
    id,
    at: new Date().toISOString(),
    actor: change.actor,
    action: change.action,
    subject: change.subject,
    brand_id: change.brand_id,
    before: change.before === undefined ? null : JSON.stringify(change.before),
    after: change.after === undefined ? null : JSON.stringify(change.after),
    previous_hash: previous ?? '',
  }
  const values: Value[] = [...Object.values(row), keyedHash(row, tx.auditKey)]
  await tx.run(`insert into audit (${COLUMNS}) values (${values.map(() => '?').join(', ')})`, values)
  if (tx.dialect.announce) await tx.rows(tx.dialect.announce, [])
}

/** Keyed, so that who writes to the database cannot make a row fit the chain. */
function keyedHash(row: Omit<AuditRow, 'hash'>, key: Buffer): string {
  const { id, at, actor, action, subject, brand_id, before, after, previous_hash } = row
  const members = [id, at, actor, action, subject, brand_id, before, after, previous_hash]
  return createHmac('sha256', key).update(JSON.stringify(members)).digest('hex')
}

const PAGE = 500

/** Every audit row, oldest first. Between two pages everybody else gets a turn, also where the store answers at once. */
export async function* auditRows(db: Queries): AsyncGenerator<AuditRow> {
  for (let after = 0; ; ) {
    const rows = await db.rows<AuditRow>(`select ${COLUMNS} from audit where id > ? order by id limit ${PAGE}`, [after])
    yield* rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!.id
    await setImmediate()
  }
}

export interface AuditFilter {
  /** Rows of this brand only; undefined: all of them. */
  brand_id?: number | undefined
  /** Older than this row. */
  before?: number | undefined
  /** Found anywhere in actor, action or subject. */
  search?: string | undefined
  limit: number
}

/** Audit rows, newest first. */
export function listAudit(db: Queries, { brand_id, before, search, limit }: AuditFilter): Promise<AuditRow[]> {
  const conditions: string[] = []
  const values: Value[] = []
  if (brand_id !== undefined) {
    conditions.push('brand_id = ?')
    values.push(brand_id)
  }
  if (before !== undefined) {
    conditions.push('id < ?')
    values.push(before)
  }
  if (search) {
    const found = ['actor', 'action', 'subject'].map((column) => `instr(lower(${column}), ?) > 0`)
    conditions.push(`(${found.join(' or ')})`)
    values.push(...found.map(() => search.toLowerCase()))
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  return db.rows(`select ${COLUMNS} from audit ${where} order by id desc limit ?`, [...values, limit])
}

export interface AuditCheck {
  rows: number
  intact: boolean
  /** The first id whose row is missing, changed or out of its place. */
  broken_at: number | null
}

/** Walks the whole chain, with the key of the ring. */
export async function verifyAudit(db: Database, key: Buffer): Promise<AuditCheck> {
  const version = async () =>
    (await db.rows<{ version: number }>('select version from directory_version where id = 1', []))[0]!.version
  const least = await version() // changes that are made during the walk may or may not be met by it
  let previous: AuditRow | undefined
  for await (const row of auditRows(db)) {
    const expected = (previous?.id ?? 0) + 1
    if (row.id !== expected) return { rows: expected - 1, intact: false, broken_at: expected }
    if (row.previous_hash !== (previous?.hash ?? '') || row.hash !== keyedHash(row, key))
      return { rows: row.id, intact: false, broken_at: row.id }
    previous = row
  }
  const rows = previous?.id ?? 0
  // Rows cut off at the end leave a chain that is sound in itself.
  const whole = least <= rows && rows <= (await version())
  return { rows, intact: whole, broken_at: whole ? null : rows + 1 }
}
