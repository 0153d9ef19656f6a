import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Database, Transaction, Value } from '../storage/database.ts'
import type { NewEvent } from '../storage/feed/new-event.ts'
import { upsertValues } from '../storage/upsert.ts'
import { historyOptions, makeDay } from './history.ts'
import { openHouse } from './open-house.ts'
import { dayIndex, firstDay, MIN_DAYS } from './opening-hours.ts'

// The days of the demo that are over, as the rows that their commands left (history.ts): writing them takes a tenth of the time.
// `npm run prepare` makes the file; a file of other code than this is not used, and the commands run instead.

const SERVER = fileURLToPath(new URL('../../', import.meta.url))
const FILE = `${SERVER}dist/demo-days.json.zst`
const IS_BUILT = import.meta.url.endsWith('.js')

/** Folders with a part in what the commands write. */
const CODE = 'src/{demo,directory,events,pos,resource,resources,storage,values}/**/*.ts'

/** A Monday, when more days are over than on any other. The dates in the file are of the weeks before it. */
const FILE_DAY = new Date('2024-03-11T12:00:00.000Z')

/** On a Tuesday. */
const FEWEST_OVER = MIN_DAYS - 1

interface DaysFile {
  readonly code: string
  readonly tables: readonly TableRows[]
  /** Published on the fewest days that may be over, then on each of the six more. */
  readonly events: readonly (readonly Omit<NewEvent, 'brand_id'>[])[]
}

interface TableRows {
  readonly table: string
  readonly key: readonly string[]
  /** Without `brand_id`. */
  readonly columns: readonly string[]
  /** What a row was after `from` days beyond the fewest, up to but not including `to`. */
  readonly rows: readonly (readonly [from: number, to: number, values: Value[]])[]
}

/** Fingerprint of the code that makes the days. */
function codeOfDays(): string {
  const hash = createHash('sha256')
  const files = globSync([CODE, 'migrations/*.ts'], { cwd: SERVER }).filter((file) => !file.endsWith('.test.ts'))
  for (const file of files.sort()) hash.update(file).update(readFileSync(SERVER + file))
  return hash.digest('hex')
}

/** Text of the file, where this code made it. A build has both from one checkout. */
export function currentDays(): string | undefined {
  if (!existsSync(FILE)) return undefined
  const text = zstdDecompressSync(readFileSync(FILE)).toString()
  return IS_BUILT || text.startsWith(`{"code":"${codeOfDays()}"`) ? text : undefined
}

/** Writes the days that are over. Returns false where the file was not made by this code. */
export async function loadDays(tx: Transaction, brand_id: number, now: Date, over: number): Promise<boolean> {
  const text = currentDays()
  if (text === undefined) return false
  const { tables, events } = JSON.parse(shifted(text, firstDay(now) - firstDay(FILE_DAY))) as DaysFile
  const more = over - FEWEST_OVER
  for (const { table, key, columns, rows } of tables) {
    const own = rows.filter(([from, to]) => from <= more && more < to).map(([, , values]) => [brand_id, ...values])
    const all = ['brand_id', ...columns]
    // Rows of the house may have changed since; one that is nothing but its key cannot.
    await upsertValues(tx, { table, columns: all, key: key.length < all.length ? key : [], fixed: key }, own)
  }
  for (const event of events.slice(0, more + 1).flat()) tx.publish({ ...event, brand_id })
  return true
}

/** Whole weeks of UTC: no time of a day changes, and no weekday. Birthdays are of the century before. */
function shifted(text: string, ms: number): string {
  const known = new Map<string, string>()
  return text.replace(/\b202\d-\d\d-\d\d/g, (date) => {
    const moved = known.get(date) ?? new Date(Date.parse(date) + ms).toISOString().slice(0, 10)
    known.set(date, moved)
    return moved
  })
}

/** Makes the days by their commands in a house that just opened, in an embedded database, and writes the file. */
export async function writeDays(db: Database, brand: { id: number; slug: string }): Promise<void> {
  const code = codeOfDays()
  await db.transaction(async (tx) => {
    await openHouse(tx, brand.id, { now: FILE_DAY })
    const tables = await tablesOf(tx)
    const house = await rowsOf(tx, brand.id, tables)
    const versions = tables.map(() => new Map<string, { from: number; to: number }>())
    const events: NewEvent[][] = []
    let published = tx.collector()
    const publishing = { ...tx, publish: (event: NewEvent) => published.add(event) }
    const options = historyOptions(FILE_DAY, undefined)
    for (let index = 0; index < dayIndex(FILE_DAY); index++) {
      await makeDay(publishing, brand, index, options)
      const more = index + 1 - FEWEST_OVER
      if (more < 0) continue
      const after = await rowsOf(tx, brand.id, tables)
      for (const [place, rows] of after.entries())
        for (const row of rows) {
          const version = versions[place]!.get(row)
          if (version?.to === more) version.to = more + 1
          else if (!house[place]!.has(row)) versions[place]!.set(row, { from: more, to: more + 1 })
        }
      events.push(published.events())
      published = tx.collector()
    }
    const file: DaysFile = {
      code,
      tables: tables.map((table, place) => ({
        ...table,
        rows: [...versions[place]!].map(([row, { from, to }]) => [from, to, JSON.parse(row)] as const),
      })),
      events: events.map((each) => each.map(({ brand_id: _, ...event }) => event)),
    }
    mkdirSync(dirname(FILE), { recursive: true })
    writeFileSync(FILE, zstdCompressSync(JSON.stringify(file)))
  })
}

/** A set of texts for each table. */
const rowsOf = (tx: Transaction, brand_id: number, tables: readonly Omit<TableRows, 'rows'>[]) =>
  Promise.all(
    tables.map(async ({ table, columns }) => {
      const text = `select ${columns.map((name) => `"${name}"`).join(', ')} from ${table} where brand_id = ?`
      const rows = await tx.rows<Record<string, Value>>(text, [brand_id])
      return new Set(rows.map((row) => JSON.stringify(Object.values(row))))
    }),
  )

/** Tables of a brand's rows; the feed is written by what is published. */
async function tablesOf(tx: Transaction): Promise<Omit<TableRows, 'rows'>[]> {
  const columns = await tx.rows<{ table: string; name: string; pk: number }>(
    `select tables.name as "table", columns.name, columns.pk from sqlite_master tables, pragma_table_info(tables.name) columns
     where tables.type = 'table' order by tables.rowid, columns.cid`,
    [],
  )
  return [...Map.groupBy(columns, ({ table }) => table)]
    .filter(([table]) => !['events', 'feeds', 'menu_marks'].includes(table))
    .map(([table, own]) => ({
      table,
      key: own
        .filter(({ pk }) => pk > 0)
        .sort((one, other) => one.pk - other.pk)
        .map(({ name }) => name),
      columns: own.map(({ name }) => name).filter((name) => name !== 'brand_id'),
    }))
    .filter(({ key }) => key[0] === 'brand_id')
}
