import type { ColumnType } from '../../lists/column-values.ts'
import type { Transaction, Value } from '../../storage/database.ts'
import { places, type StatementWriter, type Target, upsertValues } from '../../storage/upsert.ts'
import { fold, nfc } from '../../values/fold.ts'
import { isSameJson } from '../../values/same-json.ts'
import { laterOf, sumToScaled } from '../../values/values.ts'
import { type Listed, markPages } from '../read/page.ts'
import { bookedColumn, type RefuseBooked } from './booked.ts'
import { add, advanceDays, type Counted, type DayStep, dayOf, NO_VENUE, summedDays, venueCounter } from './counters.ts'
import type { RowChange, RowEvents } from './row-events.ts'

/** The transaction, brand and actor of a write. */
export interface WriteContext {
  readonly tx: Transaction
  readonly brand_id: number
  /** The actor in the audit log, for changes to the directory. */
  readonly actor: string
  /** The instant of the write: what an absent timestamp becomes. */
  readonly now: string
  /** P16: rows added to lists and removed from them. Counted when the write is over, because totals are the whole brand's. */
  readonly counted: CountedRow[]
  /** How rows are written: `insert` and `update` of a resource set it. An import marks pages when all rows are in. */
  readonly mode?: 'insert' | 'update' | 'import'
  /** The action of the audit row that a row of the directory gets; absent: the caller writes that row. */
  readonly auditAction?: 'import' | 'change' | 'create'
  /** The rows are parts of an object that publishes for them (E2). */
  readonly unpublished?: boolean
  /** Set by an import: refuses changes of what is booked (P22). */
  readonly refuseBooked?: RefuseBooked
  /** The balances that the rows show have been booked: they bring no amounts (P22). */
  readonly balancesBooked?: boolean
}

/** Inserts rows with their ids, replacing existing ones; returns their bodies. */
export type Write<Row> = (context: WriteContext, rows: readonly Row[]) => Promise<string[]>

/** The only way to write to one table. It counts what it adds and removes. */
export interface TableWriter<Row> {
  /** Inserts or replaces rows, as the mode of the context says. */
  readonly put: Write<Row>
  /** Throws ReferenceViolation where something points at the row. */
  readonly remove: (context: WriteContext, row: Pick<Row, keyof Row & 'id'>) => Promise<void>
}

/** What a writer knows of its table. */
interface TableDefinition extends Listed, Counted {
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly computed: Readonly<Record<string, (row: never) => Value>>
  readonly stamped: readonly string[]
  /** Members of the wire object, in its order. */
  readonly members: readonly string[]
  /** What a written row publishes. */
  readonly events: RowEvents<never>
  /** Rows of a table without a list are not counted: nobody shows their total. */
  readonly isListed: boolean
}

export type RowInput = Readonly<Record<string, unknown>> & { readonly id: number | string; readonly venue_id?: number }

/** A value of the wire as its column holds it. */
export const TO_COLUMN: Readonly<Record<ColumnType, (value: never) => Value>> = {
  integer: (value: number) => value,
  decimal: (value: number) => sumToScaled(value) ?? null, // its schema has read it
  boolean: (value: boolean) => Number(value),
  text: nfc,
  key: (value: unknown) => String(value),
  instant: (value: string) => value,
}

/** Venues of a brand-wide event: it is published once, without a venue. */
const NO_VENUES = [undefined]

/** Writes one table: columns, body and totals are written here together, and nowhere else. */
export function tableWriter(definition: TableDefinition): TableWriter<RowInput> {
  const { id: idType = 'integer', ...others } = definition.columns
  const columns = Object.entries({ id: idType, ...others }).flatMap(([name, type]) => [
    { name, member: name, toColumn: TO_COLUMN[type] as (value: unknown) => Value },
    ...(type === 'text' ? [{ name: `${name}_folded`, member: name, toColumn: fold as (value: unknown) => Value }] : []),
  ])
  const computed = Object.values(definition.computed) as ((row: RowInput) => Value)[]
  const names = ['brand_id', ...columns.map(({ name }) => name), ...Object.keys(definition.computed), 'body']
  const key = ['brand_id', 'id']
  const inserted: Target = { table: definition.table, columns: names, key: [], fixed: [] }
  const upserted: Target = { table: definition.table, columns: names, key, fixed: key }

  function valuesOf(brand_id: number, row: RowInput, body: string): Value[] {
    const values: Value[] = [brand_id]
    for (const { member, toColumn } of columns) {
      const value = row[member]
      values.push(value === undefined || value === null ? null : toColumn(value))
    }
    for (const make of computed) values.push(make(row))
    values.push(body)
    return values
  }

  /** A row as it will be stored, compared with the stored one. Unchanged values need no write. */
  function compared(context: WriteContext, given: RowInput, stored: StoredRow | undefined): Compared {
    const { brand_id, now } = context
    const parsed = stored && { details: parsedDetails(stored.details), body: JSON.parse(stored.body) as RowInput }
    const before = parsed && { ...parsed.details, ...parsed.body }
    const comparedWith = (stamps: (name: string) => unknown): Compared => {
      const row = definition.stamped.every((name) => given[name] !== undefined)
        ? given
        : { ...given, ...Object.fromEntries(definition.stamped.map((name) => [name, given[name] ?? stamps(name)])) }
      const shown = shownOf(definition.members, row)
      const body = JSON.stringify(shown)
      const values = valuesOf(brand_id, row, body)
      return { row, body, values, before, changed: stored ? changedMembers({ ...parsed!, stored }, values, shown) : [] }
    }
    if (!before) return comparedWith(() => now)
    const kept = comparedWith((name) => before[name] ?? now)
    return kept.changed.length === 0 || given.updated_at !== undefined || !definition.stamped.includes('updated_at')
      ? kept
      : comparedWith((name) =>
          name === 'updated_at' ? laterOf(now, before.updated_at as string | undefined) : (before[name] ?? now),
        )
  }

  function changedMembers(
    { stored, details, body: was }: { stored: StoredRow; details: Members; body: Members },
    values: readonly Value[],
    shown: Members,
  ): string[] {
    const differing = names.filter((name, index) => name !== 'brand_id' && stored[name] !== values[index])
    const changed = new Set(differing.filter((name) => name in definition.columns))
    if (differing.includes('body')) for (const name of differingMembers(was, shown)) changed.add(name)
    if (differing.includes('details'))
      for (const name of differingMembers(details, parsedDetails(values[names.indexOf('details')]))) changed.add(name)
    if (changed.size === 0) return differing.filter((name) => !isSameText(stored[name], values[names.indexOf(name)]))
    if (changed.size > 1) changed.delete('updated_at') // it only says that something else changed
    return [...changed]
  }

  const isPublished = ({ unpublished }: WriteContext) => definition.events.eventsOf !== undefined && !unpublished

  function publish({ tx, brand_id }: WriteContext, changes: readonly RowChange<RowInput>[]): void {
    for (const change of changes) {
      const { id } = (change.after ?? change.before) as RowInput
      for (const { type, subject = String(id), data } of definition.events.eventsOf!(change as RowChange<never>))
        for (const venue_id of venuesOf(change)) tx.publish({ brand_id, type, subject, venue_id, data })
    }
  }

  /** Venues whose readers get the event: a row that moves to another venue disappears from the one it was in. */
  function venuesOf({ before, after }: RowChange<RowInput>): Iterable<number | undefined> {
    if (definition.scope !== 'venue') return NO_VENUES
    return new Set([before?.venue_id, after?.venue_id].filter((venue_id) => venue_id !== undefined))
  }

  /** The rows that exist already, by id. */
  async function storedRows(context: WriteContext, ids: readonly RowInput['id'][]): Promise<Before> {
    const { tx, brand_id } = context
    const booked = context.refuseBooked ? bookedColumn(definition.table) : ''
    const found = new Map<RowInput['id'], StoredRow>()
    for (let start = 0; start < ids.length; start += ROWS_A_STATEMENT) {
      const some = ids.slice(start, start + ROWS_A_STATEMENT)
      const rows = await tx.rows<StoredRow>(
        `select ${names.join(', ')}${booked} from ${definition.table} where brand_id = ? and id in ${places(some)}${tx.dialect.lockRows}`,
        [brand_id, ...some],
      )
      for (const row of rows) found.set(row.id, row)
    }
    return found
  }

  /** Updates only the changed columns, so that indexes on the others are not rewritten. */
  async function change({ tx, brand_id }: WriteContext, { row, values }: Compared, stored: StoredRow): Promise<void> {
    const differing = names.flatMap((name, index) =>
      index >= key.length && stored[name] !== values[index] ? [index] : [],
    )
    await tx.run(
      `update ${definition.table} set ${differing.map((index) => `${names[index]} = ?`).join(', ')} where brand_id = ? and id = ?`,
      [...differing.map((index) => values[index]!), brand_id, row.id],
    )
  }

  return {
    async put(context, given) {
      const { tx, brand_id, counted, mode } = context
      if (given.length === 0) return []
      if (mode === 'insert') {
        const rows = given.map((row) => compared(context, row, undefined))
        await upsertValues(
          tx,
          inserted,
          rows.map(({ values }) => values),
        )
        if (definition.isListed) for (const { row } of rows) counted.push({ resource: definition, row })
        await keepMarks(definition, context, given)
        if (isPublished(context)) publish(context, rows.map(asCreated))
        return rows.map(({ body }) => body)
      }
      // Lock the counter first: otherwise two transactions could both count the same new row as theirs.
      if (mode === undefined) await add(tx, brand_id, { [definition.table]: 0 })
      const before = await storedRows(
        context,
        given.map(({ id }) => id),
      )
      const rows = given.map((row) => compared(context, row, before.get(row.id)))
      const isWritten = ({ before, changed }: Compared) => before === undefined || changed.length > 0
      const written = rows.filter(isWritten)
      await context.refuseBooked?.(
        definition.table,
        rows.flatMap((one, index) =>
          isWritten(one) ? [{ row: given[index]!, stored: before.get(one.row.id), changed: one.changed }] : [],
        ),
      )
      const [only] = written
      const existing = written.length === 1 && only ? before.get(only.row.id) : undefined
      if (existing) await change(context, only!, existing)
      else
        await upsertValues(
          tx,
          upserted,
          written.map(({ values }) => values),
        )
      const changes = written.map(({ row }) => ({ row, stored: before.get(row.id) }))
      if (definition.isListed)
        for (const { row, stored } of changes) counted.push(...stepsBetween(definition, stored, row))
      if (mode === undefined)
        await keepMarks(
          definition,
          context,
          changes.filter(({ stored }) => stored === undefined).map(({ row }) => row),
        )
      if (isPublished(context))
        publish(
          context,
          written.map((one) =>
            one.before ? { before: one.before, after: one.row, changed: one.changed } : asCreated(one),
          ),
        )
      return rows.map(({ body }) => body)
    },

    async remove(context, row) {
      const { tx, brand_id } = context
      const stored = (await storedRows(context, [row.id])).get(row.id)
      await tx.run(`delete from ${definition.table} where brand_id = ? and id = ?`, [brand_id, row.id])
      if (!stored) return
      if (definition.isListed) context.counted.push({ resource: definition, row: countedOf(stored), step: -1 })
      if (context.mode !== 'import') await keepMarks(definition, context, [row])
      if (isPublished(context)) publish(context, [{ before: JSON.parse(stored.body) as RowInput, changed: [] }])
    },
  }
}

/** A stored row, by its columns. */
type StoredRow = Readonly<Record<string, Value>> & { readonly id: RowInput['id']; readonly body: string }

interface Compared {
  readonly row: RowInput
  readonly body: string
  readonly values: Value[]
  readonly before: RowInput | undefined
  readonly changed: readonly string[]
}

const ROWS_A_STATEMENT = 100

/** Change of a new row: every member it has is new. */
const asCreated = ({ row }: Compared): RowChange<RowInput> => ({
  after: row,
  changed: Object.keys(row).filter((name) => name !== 'id' && row[name] !== undefined),
})

/** True if equal, or equal as JSON. */
const isSameText = (one: Value | undefined, other: Value | undefined) =>
  one === other || (isJson(one) && isJson(other) && isSameJson(JSON.parse(one), JSON.parse(other)))

const isJson = (value: Value | undefined): value is string => typeof value === 'string' && value.startsWith('{')

/** Members that are stored beside the body (P1). */
const parsedDetails = (text: Value | undefined) => JSON.parse(String(text ?? '{}')) as Members

type Members = Readonly<Record<string, unknown>>

const differingMembers = (one: Members, other: Members) =>
  Object.keys({ ...one, ...other }).filter((name) => !isSameJson(one[name], other[name]))

/** The wire's text of a row: only members of the wire, in its order. */
export const bodyOf = (members: readonly string[], row: RowInput): string => JSON.stringify(shownOf(members, row))

function shownOf(members: readonly string[], row: RowInput): Members {
  const shown: Record<string, unknown> = {}
  for (const name of members) if (row[name] !== undefined) shown[name] = row[name]
  return shown
}

/** The stored rows before the write, by id. */
type Before = ReadonlyMap<RowInput['id'], StoredRow>

/** Counter steps of a row that was inserted or changed: one that moved to another venue or day is counted there instead. */
function stepsBetween(definition: TableDefinition, stored: StoredRow | undefined, row: RowInput): CountedRow[] {
  if (stored === undefined) return [{ resource: definition, row }]
  const isMoved = definition.scope !== 'brand' && (stored.venue_id ?? undefined) !== row.venue_id
  const isOtherTime = definition.countedBy !== undefined && stored[definition.countedBy] !== row[definition.countedBy]
  return isMoved || isOtherTime
    ? [
        { resource: definition, row: countedOf(stored), step: -1 },
        { resource: definition, row },
      ]
    : []
}

/** A stored row as counters see it. */
const countedOf = (stored: StoredRow): RowInput => ({ ...stored, venue_id: (stored.venue_id ?? NO_VENUE) as number })

/** Steps of the counters behind a list's totals, for one row added or removed. */
const stepsOf = (resource: Counted, row: Pick<RowInput, 'venue_id'>, step: 1 | -1): Record<string, number> =>
  resource.scope === 'brand'
    ? { [resource.table]: step }
    : { [resource.table]: step, [venueCounter(resource.table, row.venue_id ?? NO_VENUE)]: step }

function daySteps(resource: Counted, row: Readonly<Record<string, unknown>>, step: 1 | -1): DayStep[] {
  const instant = resource.countedBy === undefined ? undefined : row[resource.countedBy]
  return instant === undefined
    ? []
    : [{ venue_id: (row.venue_id ?? NO_VENUE) as number, day: dayOf(String(instant)), step }]
}

/** A row added to a list, or removed from it. */
export interface CountedRow {
  readonly resource: Counted
  readonly row: Readonly<Record<string, unknown>> & { readonly venue_id?: number }
  readonly step?: 1 | -1
}

/** Runs a write, then counts the rows it added and removed. */
export async function counting<Result>(
  given: Omit<WriteContext, 'counted'>,
  write: (context: WriteContext) => Promise<Result>,
): Promise<Result> {
  const counted: CountedRow[] = []
  const result = await write({ ...given, counted })
  await countRows(given, counted)
  return result
}

/** Counts rows of several lists, last in a transaction: other writers of the brand wait for these counters. */
export async function countRows(
  { tx, brand_id }: { tx: StatementWriter; brand_id: number },
  counted: readonly CountedRow[],
): Promise<void> {
  const steps: Record<string, number> = {}
  for (const { resource, row, step = 1 } of counted)
    for (const [name, amount] of Object.entries(stepsOf(resource, row, step))) steps[name] = (steps[name] ?? 0) + amount
  const moved = Object.entries(steps).filter(([, step]) => step !== 0)
  if (moved.length > 0) await add(tx, brand_id, Object.fromEntries(moved))
  const lists = Map.groupBy(counted, ({ resource }) => resource)
  for (const [resource, rows] of [...lists].sort(([one], [other]) => (one.table < other.table ? -1 : 1)))
    await advanceDays(
      tx,
      brand_id,
      resource.table,
      summedDays(rows.flatMap(({ row, step = 1 }) => daySteps(resource, row, step))),
    )
}

async function keepMarks(
  definition: TableDefinition,
  { tx, brand_id }: WriteContext,
  moved: readonly RowInput[],
): Promise<void> {
  if (definition.marked && moved.length > 0)
    await markPages(tx, definition, brand_id, Math.min(...moved.map(({ id }) => Number(id))))
}
