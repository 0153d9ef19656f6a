import { createHash } from 'node:crypto'
import type { TObject } from 'typebox'
import { mayEnter } from '../auth/permissions.ts'
import { lockDirectory, record } from '../directory/audit.ts'
import type { Caller, StaffUser } from '../http/call.ts'
import {
  type FieldProblem,
  fieldProblem,
  noSuchRecord,
  Refusal,
  rejected,
  validationFailed,
  versionMismatch,
} from '../http/errors.ts'
import type { IfMatch } from '../http/if-match.ts'
import { refusalOf } from '../http/validate.ts'
import { type Queries, ReferenceViolation, UniqueViolation } from '../storage/database.ts'
import { places } from '../storage/upsert.ts'
import { definedOnly } from '../values/defined-only.ts'
import { fold } from '../values/fold.ts'
import { laterOf } from '../values/values.ts'
import { tableOf } from './define.ts'
import { RowProblem } from './files/read-row.ts'
import type { Edit, Resource } from './resource.ts'
import type { CommandContext } from './write/commands.ts'
import { advance, idCounter } from './write/counters.ts'

// Rows that staff create and change by hand. The body is merged into the row as an export writes it and read as an import reads it, so a
// form follows the same rules as every other write (P7); then the resource's own `write` stores it.

/** One member that is now different. A value that is absent on one side is left out there. */
export interface Changed {
  readonly member: string
  readonly from?: unknown
  readonly to?: unknown
}

/** A row as a form holds it. */
export interface EditedRow {
  readonly id: number
  readonly values: Readonly<Record<string, unknown>>
  /** Hash of all its values, so that a change can say which version it is based on. */
  readonly version: string
  /** Members that can be changed, where that is not the whole form. */
  readonly members?: readonly string[]
}

export type Line = Readonly<Record<string, unknown>> & { readonly id: number }

/** Refuses what may not be stored in this installation; it throws. */
export type RefuseSaved = (caller: Caller, line: Readonly<Record<string, unknown>>) => Promise<void>
export type FormValues = Readonly<Record<string, unknown>>

/** Where a row is looked up, and for whom: in the brand, or in the venue where rows belong to venues. */
interface Place {
  readonly brand_id: number
  readonly venue_id: number
  readonly user: StaffUser
}

/** Names of rows that members point at, by member and id. */
type Names = Readonly<Record<string, Readonly<Record<number, string>>>>

interface Start {
  readonly values: FormValues
  readonly names: Names
}

/** A row for a form, with the names of the rows it points at. A member without a value is left out. */
export async function findEdited(
  db: Queries,
  resource: Resource,
  place: Place,
  id: number,
): Promise<EditedRow & { names: Names }> {
  const beside = await resource.edit!.beside(db, place.brand_id, id)
  const nested = await findNested(db, resource, place, id)
  if (nested) return { ...nestedRow(resource, nested.row), names: {}, ...beside }
  const line = await findLine(db, resource, place, id)
  if (!line) throw noSuchRecord()
  const row = editedRow(resource, line)
  const names = await namesOf(db, resource, place, row.values)
  const copied = Object.keys(resource.edit!.copies).flatMap((member) => {
    const called = copiesIn(line[member]).flatMap(({ id, name }) => (name === undefined ? [] : [[id, name]]))
    return called.length === 0 ? [] : [[member, { ...Object.fromEntries(called), ...names[member] }]]
  })
  return { ...row, names: { ...names, ...Object.fromEntries(copied) }, ...beside }
}

/** Initial values of a new row's form. */
export async function findStart(db: Queries, resource: Resource, place: Reader): Promise<Start> {
  const values = await resource.edit!.start(db, place.brand_id)
  return { values, names: await namesOf(db, resource, place, values) }
}

type Reader = Pick<Place, 'brand_id' | 'user'>

async function namesOf(
  db: Queries,
  { edit }: Resource,
  { brand_id, user }: Reader,
  values: FormValues,
): Promise<Names> {
  const names: Record<string, Record<number, string>> = {}
  for (const [member, many] of Object.entries(edit!.pointers)) {
    const ids = ([values[member] ?? []].flat() as number[]).filter((id) => many !== 'venues' || mayEnter(user, id))
    if (ids.length === 0) continue
    const rows = await db.rows<{ id: number; name: string }>(
      `select id, name from ${tableOf(many)} where brand_id = ? and id in ${places(ids)}`,
      [brand_id, ...ids],
    )
    names[member] = Object.fromEntries(rows.map((row) => [row.id, row.name]))
  }
  return names
}

/** Creates a row with the next id, which no row ever had. */
export async function createRow(
  context: CommandContext,
  resource: Resource,
  given: unknown,
  refuse?: RefuseSaved,
): Promise<EditedRow> {
  const { tx, brand_id, caller } = context
  const edit = resource.edit!
  await lockDirectory(tx) // before any other lock, like every other change that is audited
  const start = await edit.start(tx, brand_id)
  const copied = await withCopies(context, resource, { ...start, ...readFormValues(given, edit.members, []) })
  const values = await edit.prepare(context, copied, undefined)
  const row = resource.scope === 'venue' ? { venue_id: caller.venue_id } : {}
  const counter = idCounter(resource.kind)
  const { [counter]: id } = await advance(tx, brand_id, { [counter]: 1, [resource.table]: 0 }) // both now: the order of locks
  const line = await validateAndWrite(context, resource, { ...values, ...row, id }, undefined, refuse)
  await recordAudit(context, resource, 'create', line, undefined, line)
  return editedRow(resource, line)
}

const LONGEST_SERIES = 200
const HIGHEST = 9_999

/** Makes rows that are called alike: `T1` to `T20`. A name that is there already, in the venue where rows are a venue's, is left out. */
export async function createSeries(
  context: CommandContext,
  resource: Resource,
  { name, from, to, values }: { name: string; from: number; to: number; values: FormValues },
): Promise<{ created: string[]; skipped: string[] }> {
  const { tx, brand_id, caller } = context
  if (to < from || to > HIGHEST || to - from >= LONGEST_SERIES)
    throw validationFailed([
      {
        field: 'to',
        rule: 'range',
        message: `to must be from ${from} to ${Math.min(from + LONGEST_SERIES - 1, HIGHEST)}.`,
      },
    ])
  await lockDirectory(tx) // nobody else makes rows by hand meanwhile
  const inVenue = resource.scope === 'venue'
  const taken = new Set(
    await tx.texts(
      `select name_folded from ${resource.table} where brand_id = ?${inVenue ? ' and venue_id = ?' : ''}`,
      inVenue ? [brand_id, caller.venue_id] : [brand_id],
    ),
  )
  const names = Array.from({ length: to - from + 1 }, (_, index) => `${name.trim()}${from + index}`)
  const created = names.filter((each) => !taken.has(fold(each)))
  for (const each of created) await createRow(context, resource, { ...values, name: each })
  return { created, skipped: names.filter((each) => !created.includes(each)) }
}

/** Changes the members in the body; null removes a value. */
export async function changeRow(
  context: CommandContext,
  resource: Resource,
  id: number,
  given: unknown,
  ifMatch: IfMatch | undefined,
  refuse?: RefuseSaved,
): Promise<EditedRow & { changed: Changed[] }> {
  const edit = resource.edit!
  await lockDirectory(context.tx)
  await lockRow(context, resource, id)
  const nested = await findNested(context.tx, resource, context.caller, id)
  if (nested) return changeNested(context, resource, nested, given, ifMatch)
  const read = (before: Line) =>
    withCopies(context, resource, readFormValues(given, edit.members, edit.onlyNew), before)
  return changeLine(context, resource, id, read, ifMatch, refuse)
}

/** Changes members of a row that is not inside another; `change` makes their values of the row as it stands. */
export async function changeLine(
  context: CommandContext,
  resource: Resource,
  id: number,
  change: (before: Line) => Promise<FormValues>,
  ifMatch: IfMatch | undefined,
  refuse?: RefuseSaved,
): Promise<EditedRow & { changed: Changed[] }> {
  const edit = resource.edit!
  await lockDirectory(context.tx)
  await lockRow(context, resource, id)
  const before = await findLine(context.tx, resource, context.caller, id)
  if (!before) throw noSuchRecord()
  const version = versionOf(before)
  if (ifMatch && !ifMatch.includes(version)) throw versionMismatch(version)
  const values = await edit.prepare(context, await change(before), before)
  const after = await validateAndWrite(context, resource, { ...before, ...values }, before, refuse)
  const changed = changesOf(resource, before, after)
  if (changed.length === 0) return { ...editedRow(resource, before), changed }
  const side = (end: 'from' | 'to') => Object.fromEntries(changed.map((change) => [change.member, change[end]]))
  await recordAudit(context, resource, 'change', before, side('from'), side('to'))
  const shown = changed.map(({ member, from, to }) => ({
    member,
    ...(from !== undefined && { from: formValue(edit, member, from) }),
    ...(to !== undefined && { to: formValue(edit, member, to) }),
  }))
  return { ...editedRow(resource, after), changed: shown }
}

/** Removes a row. Refused while something points at it. */
export async function removeRow(
  context: CommandContext,
  resource: Resource,
  id: number,
  ifMatch: IfMatch | undefined,
): Promise<{ id: number }> {
  await lockDirectory(context.tx)
  await lockRow(context, resource, id)
  const before = await findLine(context.tx, resource, context.caller, id)
  if (!before) throw noSuchRecord()
  const version = versionOf(before)
  if (ifMatch && !ifMatch.includes(version)) throw versionMismatch(version)
  try {
    await resource.remove(context, { id })
  } catch (error) {
    if (error instanceof ReferenceViolation)
      throw rejected('Something still uses this. Take it off there first, or make it inactive.')
    throw error
  }
  await recordAudit(context, resource, 'remove', before, before, undefined)
  return { id }
}

/** A row inside another one: both as an export writes them. */
interface NestedRow {
  readonly holder: Line
  readonly row: Line
}

async function findNested(db: Queries, resource: Resource, place: Place, id: number): Promise<NestedRow | undefined> {
  const { inside } = resource.edit!
  if (!inside) return undefined
  const [found] = await db.rows<{ parent_id: number | null }>(
    `select parent_id from ${resource.table} where brand_id = ? and id = ?`,
    [place.brand_id, id],
  )
  if (!found?.parent_id) return undefined
  const holder = (await findLine(db, resource, place, found.parent_id))!
  return { holder, row: rowIn(holder, inside.member, id) }
}

const rowIn = (holder: Line, member: string, id: number) => (holder[member] as Line[]).find((row) => row.id === id)!

const nestedRow = (resource: Resource, row: Line): EditedRow => ({
  id: row.id,
  values: pick(withStatus(resource, row), resource.edit!.inside!.members),
  version: versionOf(row),
  members: resource.edit!.inside!.members,
})

/** Changes a row inside another one, by writing the one that holds it. */
async function changeNested(
  context: CommandContext,
  resource: Resource,
  { holder, row: before }: NestedRow,
  given: unknown,
  ifMatch: IfMatch | undefined,
): Promise<EditedRow & { changed: Changed[] }> {
  const edit = resource.edit!
  const { member, members } = edit.inside!
  const version = versionOf(before)
  if (ifMatch && !ifMatch.includes(version)) throw versionMismatch(version)
  const values = { ...before, ...readFormValues(given, members, []) }
  const rows = (holder[member] as Line[]).map((row) => (row.id === before.id ? values : row))
  await lockRow(context, resource, holder.id)
  const written = await validateAndWrite(context, resource, { ...holder, [member]: rows }, holder).catch((error) => {
    throw atItsOwnMembers(error, member)
  })
  const after = rowIn(written, member, before.id)
  const changed = differences(members, before, after)
  if (changed.length > 0) {
    const side = (end: 'from' | 'to') => Object.fromEntries(changed.map((change) => [change.member, change[end]]))
    await recordAudit(
      context,
      resource,
      'change',
      { ...before, name: before.full_name ?? before.name },
      side('from'),
      side('to'),
    )
  }
  return { ...nestedRow(resource, after), changed }
}

/** Renames `modifications[2].price` to `price`, its name in the form of the nested row. */
function atItsOwnMembers(error: unknown, member: string): unknown {
  const { errors } = ((error instanceof Refusal && error.body.details) || {}) as { errors?: FieldProblem[] }
  if (!errors) return error
  const own = (text: string) => text.replace(new RegExp(`^${member}\\[\\d+\\]\\.`), '')
  const [first, ...others] = errors.map(({ field, message, ...rest }) => ({
    ...rest,
    field: own(field),
    message: own(message),
  }))
  return validationFailed([first!, ...others])
}

/** Reads, checks and writes one line; returns it as it is stored. A line that did not change is not written. */
async function validateAndWrite(
  context: CommandContext,
  resource: Resource,
  values: FormValues,
  before: Line | undefined,
  refuse?: RefuseSaved,
): Promise<Line> {
  try {
    const input = resource.read({ ...values }) as Line
    const applied = (await (resource.edit as Edit<Line>).apply(context, input, before)) as Line
    const [complete] = (await resource.complete(context, [applied])) as Line[]
    await refuse?.(context.caller, complete!)
    await refuseDangling(context, resource, complete!)
    if (before && changesOf(resource, before, complete!).length === 0) return before
    const stamped =
      before && 'updated_at' in resource.line.properties
        ? { ...complete!, updated_at: laterOf(context.now, before.updated_at as string | undefined) }
        : complete!
    await (before ? resource.write(context, [stamped]) : resource.insert(context, [stamped]))
    const problem = await resource.checkAfterImport(context)
    if (problem) throw new RowProblem(problem)
    return (await findLine(context.tx, resource, context.caller, stamped.id))!
  } catch (error) {
    if (error instanceof RowProblem) throw refusalOfRow(resource, error)
    if (error instanceof UniqueViolation)
      throw rejected('Another user created the same record at the same time. Try again.')
    throw error
  }
}

/** The refusal of a body that is not a row of the resource. */
export const refusalOfRow = (resource: Resource, error: RowProblem): Refusal =>
  refusalOf(error.problems) ?? validationFailed([problemOf(resource, error)])

/** Problems that a schema cannot detect name their member in the first word. */
function problemOf(resource: Resource, { message }: RowProblem): FieldProblem {
  const [path = '', word = ''] = /^([a-z_]+)(?:\[\d+\]|\.[a-z_]+)*/.exec(message) ?? []
  return { field: word in resource.line.properties ? path : 'body', rule: 'refused', message: `${message}.` }
}

/** Accepts only members that may be sent, whatever their values; the line's schema checks those. */
function readFormValues(given: unknown, members: readonly string[], fixed: readonly string[]): FormValues {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw validationFailed([{ field: 'body', rule: 'type', message: 'body must be a JSON object.' }])
  const problems = Object.keys(given).flatMap((field): FieldProblem[] => {
    if (!members.includes(field)) return [fieldProblem(field, 'unknown', 'is not a known member')]
    return fixed.includes(field) ? [fieldProblem(field, 'fixed', 'cannot be changed')] : []
  })
  const [first, ...others] = problems
  if (first) throw validationFailed([first, ...others])
  return given as FormValues
}

/** A value as a form has it: ids instead of copies. */
const formValue = ({ copies }: Edit, member: string, value: unknown): unknown =>
  member in copies && Array.isArray(value) ? value.map(({ id }: { id: number }) => id) : value

/**
 * Replaces ids by copies, which hold the members that the line's schema has. A copy that an import brought without its row stays as it
 * is.
 */
async function withCopies(
  { tx, brand_id }: CommandContext,
  resource: Resource,
  given: FormValues,
  before?: FormValues,
): Promise<FormValues> {
  const values: Record<string, unknown> = { ...given }
  for (const [member, many] of Object.entries(resource.edit!.copies)) {
    const ids = given[member]
    if (!Array.isArray(ids) || ids.length === 0) continue
    const { items } = resource.line.properties[member] as unknown as { items: TObject }
    const known = ids.filter((id) => Number.isSafeInteger(id))
    const rows = await tx.rows<{ id: number; body: string }>(
      `select id, body from ${tableOf(many)} where brand_id = ? and id in ${places([...known, 0])}`,
      [brand_id, ...known, 0],
    )
    const names = Object.keys(items.properties)
    const copies = new Map([
      ...copiesIn(before?.[member]).map((copy) => [copy.id, copy] as const),
      ...rows.map(({ id, body }) => [id, pick(JSON.parse(body), names)] as const),
    ])
    const missing = ids.find((id) => !copies.has(id))
    if (missing !== undefined)
      throw validationFailed([
        { field: member, rule: 'exists', message: `${member} has an id that is none of the ${many}.` },
      ])
    values[member] = ids.map((id) => copies.get(id))
  }
  return values
}

const copiesIn = (value: unknown) => (value ?? []) as { id?: number; name?: string }[]

const pick = (row: FormValues, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in row ? [[name, row[name]]] : [])))

// An id in a body that does not exist is 400.
export async function refuseDangling<Row>(
  { tx, brand_id }: Pick<CommandContext, 'tx' | 'brand_id'>,
  resource: Pick<Resource<Row>, 'references' | 'laterReferences'>,
  line: Row,
): Promise<void> {
  const problems: FieldProblem[] = []
  for (const { member, table, id } of [...resource.references(line), ...resource.laterReferences(line)]) {
    if (id === undefined) continue
    const found = await tx.rows(`select id from ${table} where brand_id = ? and id = ?`, [brand_id, id])
    if (found.length === 0)
      problems.push({
        field: member,
        rule: 'exists',
        message: `${member}: there is no record with id ${id} in ${table.replaceAll('_', ' ')}.`,
      })
  }
  const [first, ...others] = problems
  if (first) throw validationFailed([first, ...others])
}

/** Locks the row until the end of the transaction. */
async function lockRow({ tx, brand_id }: CommandContext, { table }: Resource, id: number): Promise<void> {
  await tx.run(`update ${table} set brand_id = brand_id where brand_id = ? and id = ?`, [brand_id, id])
}

export async function findLine(db: Queries, resource: Resource, place: Place, id: number): Promise<Line | undefined> {
  const { objects } = await resource.readExportPage(db, place.brand_id, id - 1, 1)
  const [text] = objects
  const line = text === undefined ? undefined : (resource.read(JSON.parse(text)) as Line)
  if (!resource.edit!.isOpenTo(place.user, id)) return undefined
  if (line?.id !== id || (resource.scope === 'venue' && line.venue_id !== place.venue_id)) return undefined
  return line
}

const TIMESTAMPS = ['created_at', 'updated_at']

const changesOf = ({ line }: Resource, before: Line, after: Line): Changed[] =>
  differences(Object.keys(line.properties), before, after)

function differences(members: readonly string[], before: Line, after: Line): Changed[] {
  return members.flatMap((member) => {
    const [from, to] = [before[member], after[member]]
    if (TIMESTAMPS.includes(member) || JSON.stringify(from) === JSON.stringify(to)) return []
    return [{ member, ...definedOnly({ from, to }) }]
  })
}

function editedRow(resource: Resource, line: Line): EditedRow {
  const edit = resource.edit!
  const row = withStatus(resource, line)
  const values = edit.members.flatMap((name) => (name in row ? [[name, formValue(edit, name, row[name])]] : []))
  return { id: line.id, values: Object.fromEntries(values), version: versionOf(line) }
}

/** A row without a status is active: it is priced and sold, so a form shows it as active. */
function withStatus({ line }: Resource, row: Line): Line {
  const { status } = line.properties as { status?: { type?: string } }
  return status === undefined || row.status !== undefined
    ? row
    : { ...row, status: status.type === 'boolean' ? true : 1 }
}

/** Hash of a row, so that a change can say which version it is based on. */
export const versionOf = (line: object) =>
  createHash('sha256').update(JSON.stringify(line)).digest('base64url').slice(0, 22)

const recordAudit = (
  { tx, brand_id, actor }: CommandContext,
  { kind }: Resource,
  what: 'create' | 'change' | 'remove',
  line: Line,
  before: FormValues | undefined,
  after: FormValues | undefined,
) => record(tx, { actor, action: `${kind}.${what}`, subject: subjectOf(line), brand_id, before, after })

/** A row's name in the audit log: its id, and what people call it. */
const subjectOf = (line: Line) => [line.id, line.username ?? line.name].filter((part) => part !== undefined).join(' ')
