import type { Database, Value } from '../../storage/database.ts'
import type { Dialect } from '../../storage/dialect.ts'

// Part 3 of docs/contract.md, "Sound books": what must hold on sound books. Each finding is one row that breaks one of them.

export type Invariant =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'I11'
  | 'I12'
  | 'I13'
  | 'I14'
  | 'I15'
  | 'I16'
  | 'I17'
  | 'I19'
  | 'I20'
  | 'I21'
  | 'I22'
  | 'I23'

export interface Finding {
  readonly invariant: Invariant
  /** What it is about, as `receipt 17`. */
  readonly subject: string
  readonly problem: string
}

/** At most this many findings per invariant: broken books repeat the same fault. */
export const MAX_FINDINGS = 200

/**
 * An invariant as one query that returns no row on sound books. One statement sees one moment, so sales that go on meanwhile are no
 * finding. What it returns is a row's `id` and what `problem` says of it.
 */
export interface RowCheck {
  readonly invariant: Invariant
  /** Before the id: `stock`. */
  readonly subject: string
  /** Each `?` is the brand. */
  readonly query: string | ((dialect: Dialect) => string)
  /** How many rows are read, if the query also finds sound ones; by default MAX_FINDINGS. */
  readonly candidates?: number
  /** Undefined if the row is sound after all. */
  problem(row: FoundRow): string | undefined
}

export type FoundRow = { readonly id: number | string } & Readonly<Record<string, Value>>

export async function rowFindings(
  db: Database,
  brand_id: number,
  { invariant, subject, query: source, candidates = MAX_FINDINGS, problem }: RowCheck,
): Promise<Finding[]> {
  const query = typeof source === 'string' ? source : source(db.dialect)
  const brands = Array.from(query.matchAll(/\?/g), () => brand_id)
  const { beforeLargeJoins } = db.dialect
  const read = (text: string) => {
    const limited = `${text} limit ${candidates}`
    if (beforeLargeJoins === undefined) return db.rows<FoundRow>(limited, brands)
    return db.transaction(async (tx) => {
      await tx.rows(beforeLargeJoins, [])
      return tx.rows<FoundRow>(limited, brands)
    })
  }
  const found = (row: FoundRow, said: string): Finding => ({
    invariant,
    subject: `${subject} ${row.id}`,
    problem: said,
  })
  try {
    return (await read(query)).flatMap((row) => {
      const said = problem(row)
      return said === undefined ? [] : [found(row, said)]
    })
  } catch (error) {
    if (!isTooLarge(error)) throw error
  }
  // Unreadable rows: report what can still be read.
  try {
    return (await read(`select id from (${query}) as broken`)).map((row) => found(row, 'an amount of it is too large'))
  } catch (error) {
    if (!isTooLarge(error)) throw error
    return [{ invariant, subject, problem: 'amounts are too large to be added up' }]
  }
}

/** A number that JSON cannot hold, or a sum that the store cannot. */
const isTooLarge = (error: unknown) =>
  error instanceof RangeError || (error instanceof Error && /integer overflow|out of range/.test(error.message))

/** An amount or a quantity as people read it. */
export const decimal = (scaled: Value | undefined): string =>
  typeof scaled === 'number' ? String(scaled / 10_000) : 'none'
