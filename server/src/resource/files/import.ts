import type { Queries, Transaction } from '../../storage/database.ts'
import type { NewEvent } from '../../storage/feed/new-event.ts'
import { places } from '../../storage/upsert.ts'
import { markPages } from '../read/page.ts'
import type { Reference, Resource } from '../resource.ts'
import { bookedRows } from '../write/booked.ts'
import { keepIds, recount } from '../write/counters.ts'
import type { WriteContext } from '../write/write.ts'
import { RowProblem } from './read-row.ts'

const BATCH = 100
const REMEMBERED = 100_000 // ids of one table that are known to exist; more are looked up again

/** A row that cannot be imported, with the number of its line. */
export class LineProblem extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

interface Imported {
  rows: number
  kinds: Record<string, number>
}

/** A column by which rows of a table point to rows of another. */
export interface VenuePointer {
  readonly table: string
  readonly column: string
  readonly points: string
  /** The singular. */
  readonly subject: string
  /** The column that names the row, where it is not the id. */
  readonly name?: string
  /** SQL condition of the rows that have this pointer; by default all have it. */
  readonly where?: string | undefined
}

/** The kinds of rows that a file can bring, and how rows of a venue point to each other. */
export interface Catalogue {
  readonly resources: readonly Resource[]
  readonly venuePointers: readonly VenuePointer[]
}

const MAX_CHANGES = 1_000_000

/** Puts rows in as they come, in batches of one kind, so that memory stays flat and a row finds all that came before it. */
export function importer(
  given: Pick<WriteContext, 'tx' | 'brand_id' | 'actor' | 'now'>,
  { resources, venuePointers }: Catalogue,
  maxChanges = MAX_CHANGES,
) {
  const { brand_id } = given
  const changes = importedChanges(given, maxChanges)
  const tx: Transaction = { ...given.tx, publish: changes.add }
  const context: WriteContext = {
    ...given,
    tx,
    mode: 'import',
    auditAction: 'import',
    counted: [],
    refuseBooked: bookedRows(tx, brand_id),
  }
  const byKind = new Map(resources.map((resource) => [resource.kind, resource]))
  const counts = new Map<Resource, number>()
  const known = knownIds(tx, brand_id)
  const lastLines = new Map<Resource, number>()
  /** References to rows that were not imported yet, to be looked for again at the end. */
  const open: Pointer[] = []
  let resource: Resource | undefined
  let batch = new Map<number | string, { row: unknown; line: number }>()

  async function flush() {
    if (!resource || batch.size === 0) return
    const entries = [...batch.values()]
    batch = new Map()
    await refuseDangling(pointersOf(entries, resource.references))
    const lines = entries.map(({ row }) => row)
    let rows: readonly unknown[] = lines
    try {
      await refuseMoved(tx, brand_id, resource, lines, venuePointers)
      rows = await resource.complete(context, lines)
      await resource.write(context, rows)
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error
      const index = Math.max(lines.indexOf(error.row), rows.indexOf(error.row), 0)
      throw new LineProblem(entries[index]!.line, error.message)
    }
    for (const { row } of entries) known.add(resource.table, resource.idOf(row))
    counts.set(resource, (counts.get(resource) ?? 0) + entries.length)
    lastLines.set(resource, entries.at(-1)!.line)
    open.push(...(await dangling(pointersOf(entries, resource.laterReferences))))
  }

  async function refuseDangling(pointers: readonly Pointer[]) {
    const [first] = await dangling(pointers)
    if (!first) return
    const { member, id, table } = first.reference
    throw new LineProblem(first.line, `${member} ${id} points at no row of ${table.replaceAll('_', ' ')}`)
  }

  async function dangling(pointers: readonly Pointer[]): Promise<Pointer[]> {
    await known.ask(pointers.map(({ reference }) => reference))
    return pointers.filter(({ reference }) => !known.has(reference))
  }

  /** The resources that have rows more or less, by lines or by what came with them: their rows are counted again. */
  function touched(): Resource[] {
    const tables = new Set(
      [...counts.keys(), ...context.counted.map(({ resource }) => resource)].map(({ table }) => table),
    )
    return resources.filter(({ table }) => tables.has(table)).sort((one, other) => (one.table < other.table ? -1 : 1))
  }

  async function refuseIncomplete() {
    for (let at = 0; at < open.length; at += BATCH) await refuseDangling(open.slice(at, at + BATCH))
    for (const [each, line] of lastLines) {
      const problem = await each.checkAfterImport(context)
      if (problem) throw new LineProblem(line, problem)
    }
  }

  return {
    /** Takes one row; the promise, where there is one, must be awaited before the next. */
    add(value: unknown, line: number): Promise<void> | undefined {
      const next = resourceOf(byKind, value, line)
      const row = readLine(next, value as Record<string, unknown>, line)
      const id = next.idOf(row)
      const pointsIntoBatch = () => next.references(row).some((to) => to.table === next.table && batch.has(to.id!))
      const full = next !== resource || batch.size >= BATCH || batch.has(id) || pointsIntoBatch()
      if (!full) {
        batch.set(id, { row, line })
        return undefined
      }
      return flush().then(() => {
        resource = next
        batch.set(id, { row, line })
      })
    },

    async finish(): Promise<Imported> {
      await flush()
      await refuseIncomplete()
      for (const resource of touched()) {
        if (resource.columns.id === 'integer') await keepIds(tx, brand_id, resource)
        await recount(tx, brand_id, resource)
        await markPages(tx, resource, brand_id)
      }
      const kinds = Object.fromEntries([...counts].map(([{ kind }, count]) => [kind, count]))
      changes.publish(kinds)
      return { rows: Object.values(kinds).reduce((sum, count) => sum + count, 0), kinds }
    },
  }
}

/** E2: what the lines changed, then the event that ends an import. Of too many changes it is only said which kinds to read again. */
function importedChanges({ tx, brand_id }: Pick<WriteContext, 'tx' | 'brand_id'>, max: number) {
  const collected = tx.collector()
  let tooMany = false
  return {
    add(event: NewEvent): void {
      if (tooMany) return
      collected.add(event)
      if (collected.size <= max) return
      tooMany = true
      collected.clear()
    },
    publish(kinds: Imported['kinds']): void {
      const about = { brand_id, subject: '', source: 'import' } as const
      for (const event of collected.events()) tx.publish({ ...event, source: 'import' })
      if (tooMany) tx.publish({ ...about, type: 'feed.resync', data: { kinds: Object.keys(kinds) } })
      tx.publish({ ...about, type: 'import.completed', data: { kinds } })
    },
  }
}

/** A reference and the line that it stands on. */
interface Pointer {
  reference: Reference
  line: number
}

const pointersOf = (
  entries: readonly { row: unknown; line: number }[],
  references: (row: unknown) => Reference[],
): Pointer[] => entries.flatMap(({ row, line }) => references(row).map((reference) => ({ reference, line })))

function resourceOf(byKind: ReadonlyMap<string, Resource>, value: unknown, line: number): Resource {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new LineProblem(line, 'a line must be a JSON object')
  const { kind } = value as { kind?: unknown }
  const resource = typeof kind === 'string' ? byKind.get(kind) : undefined
  if (!resource)
    throw new LineProblem(line, `kind must be one of ${[...byKind.keys()].join(', ')}, not ${JSON.stringify(kind)}`)
  return resource
}

function readLine(resource: Resource, { kind: _, ...members }: Record<string, unknown>, line: number): unknown {
  try {
    return resource.read(members)
  } catch (error) {
    if (error instanceof RowProblem) throw new LineProblem(line, error.message)
    throw error
  }
}

interface Placed {
  readonly id: number | string
  readonly venue_id?: number | null
}

/** I13: a row that others name stays in its venue. */
async function refuseMoved(
  tx: Queries,
  brand_id: number,
  { table, columns, idOf }: Resource,
  lines: readonly unknown[],
  venuePointers: readonly VenuePointer[],
): Promise<void> {
  const placed = lines.filter((line): line is Placed => idOf(line) === (line as Placed).id)
  if (!('venue_id' in columns) || placed.length === 0) return
  const stored = await tx.rows<Placed>(
    `select id, venue_id from ${table} where brand_id = ? and id in ${places(placed)}`,
    [brand_id, ...placed.map(({ id }) => id)],
  )
  const venues = new Map(stored.map(({ id, venue_id }) => [id, venue_id]))
  for (const line of placed) {
    const { id, venue_id = null } = line
    const from = venues.get(id)
    if (from === undefined || from === venue_id) continue
    for (const { table: naming, column, subject, where } of venuePointers.filter(({ points }) => points === table)) {
      const [named] = await tx.rows(
        `select 1 as found from ${naming} as one where one.brand_id = ? and one.${column} = ?${where ? ` and ${where}` : ''} limit 1`,
        [brand_id, id],
      )
      if (named) throw new RowProblem(`id ${id} stays in venue ${from}, where a ${subject} names it`, line)
    }
  }
}

/** Which ids exist, looked up in batches and remembered, within bounds. */
function knownIds(tx: Queries, brand_id: number) {
  const tables = new Map<string, Set<number | string>>()
  const idsOf = (table: string) => {
    const ids = tables.get(table) ?? new Set()
    if (ids.size > REMEMBERED) ids.clear()
    tables.set(table, ids)
    return ids
  }
  return {
    add: (table: string, id: number | string) => void idsOf(table).add(id),
    has: ({ table, id }: Reference) => id === undefined || (tables.get(table)?.has(id) ?? false),
    async ask(references: readonly Reference[]) {
      for (const table of new Set(references.map((reference) => reference.table))) {
        const ids = idsOf(table)
        const wanted = new Set<number | string>()
        for (const { table: target, id } of references)
          if (target === table && id !== undefined && !ids.has(id)) wanted.add(id)
        if (wanted.size === 0) continue
        const found = await tx.rows<{ id: number | string }>(
          `select id from ${table} where brand_id = ? and id in ${places([...wanted])}`,
          [brand_id, ...wanted],
        )
        for (const { id } of found) ids.add(id)
      }
    },
  }
}
