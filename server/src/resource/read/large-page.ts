import { setImmediate as nextTurn } from 'node:timers/promises'
import { pageTooLarge } from '../../http/errors.ts'
import type { Database, Queries } from '../../storage/database.ts'

// D2.1: one page may be many megabytes. It is read in pieces, so that others are served in between, one page of a brand at a time.

/** Without `scan`, a store that requests do not wait for: there every read may take long. */
export type Reader = Pick<Queries, 'dialect' | 'rows'> & Partial<Pick<Database, 'scan' | 'inTurn'>>

/** More than this is not read in one turn of the event loop. */
export const SMALL_BYTES = 1024 * 1024
export const MAX_PAGE_BYTES = 16 * SMALL_BYTES
const PIECE_BYTES = SMALL_BYTES / 2

/** Refuses a page above 16 MiB, with the limit that fits; one row is always answered. `sizes` are the bytes of its rows. */
export function refuseTooLarge(sizes: readonly number[]): void {
  if (sizes.length < 2) return
  let bytes = 0
  for (const [index, size] of sizes.entries()) {
    bytes += size + 1
    if (bytes > MAX_PAGE_BYTES) throw pageTooLarge(Math.max(1, index))
  }
}

/** The same for a page that is there already, by its whole size. */
export function refuseLength(data: string | Uint8Array, rows: number): void {
  const bytes = typeof data === 'string' && 3 * data.length > MAX_PAGE_BYTES ? Buffer.byteLength(data) : data.length
  if (bytes > MAX_PAGE_BYTES && rows > 1) throw pageTooLarge(Math.max(1, Math.floor((rows * MAX_PAGE_BYTES) / bytes)))
}

/** Makes a large page: `make` gets the stretches of rows that make up a piece, and reads with what it is given. */
export async function inPieces<Part>(
  db: Reader,
  brand_id: number,
  weigh: (scanning: Reader) => Promise<readonly number[]>,
  make: (scanning: Reader, from: number, to: number) => Promise<Part>,
): Promise<Part[]> {
  const { dialect, scan, inTurn = (_brand: number, work: () => Promise<Part[]>) => work() } = db
  const rows: Reader['rows'] = scan ? (text, values) => scan(brand_id, undefined, text, values) : db.rows
  const scanning: Reader = { dialect, rows }
  return inTurn(brand_id, async () => {
    const parts: Part[] = []
    for (const [from, to] of stretches(await weigh(scanning))) {
      parts.push(await make(scanning, from, to))
      await nextTurn() // on to others, also where the store answers at once
    }
    return parts
  })
}

/** The rows of each piece, from and to: as many as fit, at least one. */
export function* stretches(sizes: readonly number[]): Generator<[from: number, to: number]> {
  for (let from = 0; from < sizes.length; ) {
    let to = from + 1
    for (let bytes = sizes[from]!; to < sizes.length && bytes + sizes[to]! <= PIECE_BYTES; to++) bytes += sizes[to]!
    yield [from, to]
    from = to
  }
}

/** Joins the texts of a page: one part, or several of a large one, which is refused above 16 MiB. */
export function partsOf(texts: readonly string[]): string[] {
  const lengths = texts.map(({ length }) => length)
  refuseTooLarge(lengths) // a text has at least as many bytes, which takes longer to count
  const length = lengths.reduce((sum, each) => sum + each, 0)
  if (length <= SMALL_BYTES) return [texts.join(',')]
  const sizes = texts.map((text) => Buffer.byteLength(text))
  refuseTooLarge(sizes)
  return Array.from(stretches(sizes), ([from, to]) => texts.slice(from, to).join(','))
}

/** A page whose pieces are sent one after the other. */
export async function* sent(parts: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  for (const [index, part] of parts.entries()) {
    if (index > 0) yield ','
    yield part
  }
}
