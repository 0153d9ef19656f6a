import type { ColumnType } from '../lists/values.ts'
import type { Queries, Value } from '../storage/database.ts'
import { insert, places, upsert } from '../storage/upsert.ts'
import { fold, nfc } from '../values/fold.ts'
import { toScaled } from '../values/values.ts'
import { advance, type Counted, venueCounter } from './counters.ts'
import { type Listed, markPages } from './page.ts'

/** Where rows are written, and who brings them. */
export interface WriteContext {
  readonly tx: Queries
  readonly brand_id: number
  /** Who is held to account for changes to the directory. */
  readonly actor: string
  /** The instant of the write: what an absent timestamp becomes. */
  readonly now: string
  /** The ids come from `idsOfNew`: none of the rows is there yet, and they are counted. */
  readonly areNew?: boolean
  /** Totals are counted and pages marked when all rows are in: an import does it once for each table. */
  readonly countedLater?: boolean
}

/** Puts rows in by their ids, replacing those that are there; answers their bodies. */
export type Write<Row> = (context: WriteContext, rows: readonly Row[]) => Promise<string[]>

/** What tells where a row belongs. */
type KeyOf<Row> = keyof Row & ('id' | 'venue_id')

/** What can be done to the rows of one table. Nobody else writes there. */
export interface Store<Row> {
  readonly put: Write<Row>
  /** Throws ReferenceViolation where something points at the row. */
  readonly remove: (context: WriteContext, row: Pick<Row, KeyOf<Row>>) => Promise<void>
}

/** What a store knows of its table. */
export interface Stored extends Listed, Counted {
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly computed: Readonly<Record<string, (row: never) => Value>>
  readonly stamped: readonly string[]
  /** Of the wire's object, in its order. */
  readonly members: readonly string[]
}

export type Given = Readonly<Record<string, unknown>> & { readonly id: number | string; readonly venue_id?: number }

/** A value of the wire as its column holds it. */
const STORED: Readonly<Record<ColumnType, (value: never) => Value>> = {
  integer: (value: number) => value,
  decimal: (value: number) => toScaled(value) ?? null,
  boolean: (value: boolean) => Number(value),
  text: nfc,
  key: (value: unknown) => String(value),
  instant: (value: string) => value,
}

/** The store of one table: columns, body and totals are written here together, and nowhere else. */
export function storeOf(of: Stored): Store<Given> {
  const { id: idType = 'integer', ...others } = of.columns
  const columns = Object.entries({ id: idType, ...others }).flatMap(([name, type]) => [
    { name, member: name, store: STORED[type] as (value: unknown) => Value },
    ...(type === 'text' ? [{ name: `${name}_folded`, member: name, store: fold as (value: unknown) => Value }] : []),
  ])
  const computed = Object.values(of.computed) as ((row: Given) => Value)[]
  const names = ['brand_id', ...columns.map(({ name }) => name), ...Object.keys(of.computed), 'body']
  const KEY = 2

  const stampedAt = (now: string, row: Given): Given =>
    of.stamped.every((name) => row[name] !== undefined)
      ? row
      : { ...row, ...Object.fromEntries(of.stamped.map((name) => [name, row[name] ?? now])) }

  function valuesOf(brand_id: number, row: Given, body: string): Value[] {
    const values: Value[] = [brand_id]
    for (const { member, store } of columns) {
      const value = row[member]
      values.push(value === undefined || value === null ? null : store(value))
    }
    for (const make of computed) values.push(make(row))
    values.push(body)
    return values
  }

  return {
    async put(context, given) {
      const { tx, brand_id, now } = context
      const rows = given.map((row) => stampedAt(now, row))
      const bodies = rows.map((row) => bodyOf(of.members, row))
      const values = rows.map((row, index) => valuesOf(brand_id, row, bodies[index]!))
      if (context.areNew) {
        await insert(tx, of.table, names, values)
        await keepMarks(of, context, rows)
      } else if (context.countedLater) {
        await upsert(tx, of.table, KEY, names, values)
      } else {
        const before = await lockedBefore(of, context, rows)
        await upsert(tx, of.table, KEY, names, values)
        await keepTotals(of, context, rows, before)
      }
      return bodies
    },

    async remove(context, row) {
      const { tx, brand_id, countedLater } = context
      await tx.run(`delete from ${of.table} where brand_id = ? and id = ?`, [brand_id, row.id])
      if (!countedLater) await changeTotals(of, context, stepsOf(of, row, -1), [row])
    },
  }
}

/** The wire's text of a row: its members in the wire's order, and none that the wire does not have. */
function bodyOf(members: readonly string[], row: Given): string {
  const wire: Record<string, unknown> = {}
  for (const name of members) if (row[name] !== undefined) wire[name] = row[name]
  return JSON.stringify(wire)
}

/** Where the rows that are there already belong, by their ids. */
type Before = ReadonlyMap<number | string, Pick<Given, 'venue_id'>>
const NOBODY: Before = new Map()

// The counter is locked first: otherwise two could each take the same new row for theirs.
async function lockedBefore(of: Stored, { tx, brand_id }: WriteContext, rows: readonly Given[]): Promise<Before> {
  if (rows.length === 0) return NOBODY
  await advance(tx, brand_id, { [of.table]: 0 })
  const there = await tx.rows<Given>(
    `select id${of.scope === 'venue' ? ', venue_id' : ''} from ${of.table} where brand_id = ? and id in ${places(rows)}`,
    [brand_id, ...rows.map(({ id }) => id)],
  )
  return new Map(there.map((row) => [row.id, row]))
}

async function keepTotals(of: Stored, context: WriteContext, rows: readonly Given[], before: Before): Promise<void> {
  const steps: Record<string, number> = {}
  const add = (more: Readonly<Record<string, number>>) => {
    for (const [name, step] of Object.entries(more)) steps[name] = (steps[name] ?? 0) + step
  }
  const added: Given[] = []
  for (const row of rows) {
    const standing = before.get(row.id)
    if (standing === undefined) added.push(row)
    else if (standing.venue_id === row.venue_id || of.scope === 'brand') continue
    else add(stepsOf(of, { ...row, venue_id: standing.venue_id! }, -1))
    add(stepsOf(of, row, 1))
  }
  await changeTotals(of, context, steps, added)
}

/** One row more or less, in the counters that its list's totals come from. */
const stepsOf = (of: Counted, row: Pick<Given, 'venue_id'>, step: 1 | -1): Record<string, number> =>
  of.scope === 'venue' ? { [of.table]: step, [venueCounter(of.table, row.venue_id!)]: step } : { [of.table]: step }

/** Takes ids for one new row and counts it, in one statement: who must wait for others waits once. */
export const idsOfNew = <Name extends string>(
  of: Counted,
  { tx, brand_id }: Pick<WriteContext, 'tx' | 'brand_id'>,
  ids: Readonly<Record<Name, number>>,
  row: Pick<Given, 'venue_id'> = {},
): Promise<Record<Name, number>> => advance<string>(tx, brand_id, { ...ids, ...stepsOf(of, row, 1) })

/** Last in a transaction, since everybody who writes here waits for these counters; then no row is missing before the marks. */
async function changeTotals(
  of: Stored,
  context: WriteContext,
  steps: Readonly<Record<string, number>>,
  moved: readonly Given[],
): Promise<void> {
  if (Object.keys(steps).length === 0) return
  await advance(context.tx, context.brand_id, steps)
  await keepMarks(of, context, moved)
}

async function keepMarks(of: Stored, { tx, brand_id }: WriteContext, moved: readonly Given[]): Promise<void> {
  if (of.marked && moved.length > 0) await markPages(tx, of, brand_id, Math.min(...moved.map(({ id }) => Number(id))))
}
