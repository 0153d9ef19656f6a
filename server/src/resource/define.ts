import Type, { type Static, type TObject } from 'typebox'
import type { StaffUser } from '../http/call.ts'
import type { ColumnType } from '../lists/column-values.ts'
import { type Compared, defineList, type List, type ListRequest, type OwnParameter } from '../lists/list.ts'
import type { Database, Queries, Value } from '../storage/database.ts'
import { definedOnly } from '../values/defined-only.ts'
import { exportBodies } from './files/export.ts'
import { rowReader } from './files/read-row.ts'
import type { NestedRows } from './read/nested-rows.ts'
import { type Compose, type Owner, type Reader, type ReadIncluded, readPage, rowText } from './read/page.ts'
import type { Api, Included, ReadExport, ReadList, Reference, Resource } from './resource.ts'
import { shown } from './values.ts'
import type { CommandContext } from './write/commands.ts'
import type { Scope } from './write/counters.ts'
import { type RowEvents, writtenEvents } from './write/row-events.ts'
import { bodyOf, type RowInput, type TableWriter, tableWriter, type Write, type WriteContext } from './write/write.ts'

// A resource is defined once: its table, its permissions, its routes, its filters and sorts, its lines in an import and an export, and
// its totals all follow from one definition. What is peculiar to one resource is plain code beside its definition.

type Names<Schema extends TObject> = readonly (keyof Static<NoInfer<Schema>> & string)[]
type OfMembers<Schema extends TObject, To> = { readonly [Name in keyof Static<NoInfer<Schema>>]?: To }

interface Definition<Wire extends TObject, Line extends TObject, Row extends TObject> {
  /** The table, the import's kind, the path and the permissions are derived from them. */
  readonly name: { readonly one: string; readonly many: string }
  /** The path, where it is not the plural: `finance/taxes`. */
  readonly path?: string
  /** The permission to read it, where that is another resource's. */
  readonly permission?: string
  /** The group of operations that the API's description puts it in. */
  readonly tag: string
  /** What it is, for readers of the API's description. */
  readonly about: string
  /** As responses show it. */
  readonly wire: Wire
  /** Members that come with include=details (P1): stored beside the body, in the column `details`. */
  readonly details?: TObject
  /** What else can be included, by the member's name; it comes after the others. */
  readonly included?: Readonly<Record<string, Included>>
  /** SQL of a row's text, where the stored body is not all of it. */
  readonly text?: string
  /** As a line of an import has it; like the wire by default. */
  readonly line?: Line
  /** The row as its table has it. Absent where that is like the line, without further columns. */
  readonly row?: Row
  readonly scope: Scope
  /** The table's columns and their types; brand_id and body are implied. A text has a twin, `name_folded`. */
  readonly columns: OfMembers<Row, ColumnType>
  /** Columns that are computed from the others. */
  readonly computed?: Readonly<Record<string, (row: Static<NoInfer<Row>>) => Value>>
  /** Members that default to the time of the write. */
  readonly stamped?: Names<Row>
  /** Members that hold an id of another resource, or several, with the plural of its name. */
  readonly references?: OfMembers<Line, string>
  /** Members besides the references that hold an id of a row of this kind, which an export writes first. */
  readonly follows?: Names<Line>
  /** References to rows that may come later in the file. */
  laterReferences?(line: Static<NoInfer<Line>>): Reference[]
  /** The list language (D2); without it there is no list. */
  readonly list?: {
    /** 200 by default (P3). */
    readonly maxLimit?: number
    /** What `fields` cannot leave out; by default the id. */
    readonly always?: Names<Wire>
    /** The columns that may be filtered; by default all of them. */
    readonly filters?: Names<Row>
    readonly compared?: Readonly<Record<string, Compared>>
    /** A higher limit and further filters, for requests that compat/ translates. */
    readonly compat?: { readonly maxLimit?: number; readonly compared: Readonly<Record<string, Compared>> }
    /** By default id, name, position, the list's time and updated_at, as far as it has them. */
    readonly sortable?: Names<Row>
    readonly include?: Names<Wire>
    readonly embedded?: readonly string[]
    readonly includeIsLater?: boolean
    /** The list's time; by default created_at, if there is one. */
    readonly date?: Names<Row>[number]
    /** Where `date` bounds another time than the one that orders the list. */
    readonly time?: Names<Row>[number]
    readonly newestFirst?: boolean
    readonly parameters?: Readonly<Record<string, OwnParameter>>
    readonly unlessFiltered?: Readonly<Record<string, string>>
    /** Refuses values of its own parameters that point at nothing, also on a read by id. */
    check?(db: Database | Reader, owner: Owner, own: ListRequest['own']): Promise<void>
    /** Where a page is more than the texts of its rows. */
    readonly read?: ReadList
    /** True if one body may be large: then the sizes of a page's bodies are read first (D2.1). */
    readonly heavy?: boolean
    /** Makes the texts of rows whole, also of one that is read by its id. */
    readonly compose?: Compose
    /** The back office's table of it, where it is not the usual one (back-office/data/tables.ts). */
    readonly shown?: {
      readonly columns?: Names<Wire>
      readonly newestFirst?: boolean
      /** Parameters of the list that its page sends. */
      readonly query?: Readonly<Record<string, string>>
    }
  }
  readonly api?: Api
  /** What a written row publishes (E1); by default created, updated and deleted of its kind. */
  readonly events?: RowEvents<Static<NoInfer<Row>>>
  /** What staff change by hand in the back office; without it nothing. */
  readonly edit?: {
    /** The permission that they need. */
    readonly permission: 'menu:write' | 'settings:write'
    /** In the order of the form. */
    readonly members: Names<Line>
    /** The ones among `members` that are set when a row is created, and never change. */
    readonly onlyNew?: Names<Line>
    /** Members whose change people look at once more before they save it. */
    readonly reviewed?: Names<Line>
    /** False for rows that no venue shares with another, although they are the brand's. */
    readonly isShared?: false
    /** Whether several can be made at once, with numbers in their names. */
    readonly series?: true
    /** Whether staff can remove a row that nothing points at. */
    readonly removable?: true
    /** Members besides the references that hold an id of another resource, with the plural of its name. */
    readonly pointers?: OfMembers<Line, string>
    /** Members that hold copies of rows of another resource, with the plural of its name: a form has their ids. */
    readonly copies?: OfMembers<Line, string>
    /**
     * Rows of the same table inside a row (D3.6), such as modifications of a product: the member that holds them, and the members
     * that staff may change.
     */
    readonly inside?: { readonly member: Names<Line>[number]; readonly members: readonly string[] }
    /** Defaults of a new row, as form values. */
    start?(db: Queries, brand_id: number): Promise<OfMembers<Line, unknown>>
    /** What a form shows beside an existing row, such as what else decides about it. */
    beside?(db: Queries, brand_id: number, id: number): Promise<object>
    /** Whether the row exists for this person; by default every row does. */
    isOpenTo?(user: StaffUser, id: number): boolean
    /** Completes what was sent, before it is read: new parts get ids. */
    prepare?(
      context: CommandContext,
      values: Readonly<Record<string, unknown>>,
      before?: Static<NoInfer<Line>>,
    ): Promise<Readonly<Record<string, unknown>>>
    /** Adjusts other members after a change, and refuses a change that this person may not make. */
    apply?(
      context: CommandContext,
      after: Static<NoInfer<Line>>,
      before?: Static<NoInfer<Line>>,
    ): Promise<Static<NoInfer<Line>>>
  }
  /** Key of a line among its kind, where that is not its id alone. */
  idOf?(line: Static<NoInfer<Line>>): string
  /** Checks what the line's schema cannot; throws RowProblem. */
  check?(line: Static<NoInfer<Line>>): void
  /** Fills in what lines of an import leave out; throws RowProblem for lines that cannot be written. */
  complete?(context: WriteContext, lines: readonly Static<NoInfer<Line>>[]): Promise<Static<NoInfer<Line>>[]>
  /** Where a write is more than rows of the table. */
  write?(
    context: WriteContext,
    rows: readonly Static<NoInfer<Line>>[],
    writer: TableWriter<Static<NoInfer<Row>>>,
  ): Promise<string[]>
  /** Runs after the last line of an import; returns what the brand lacks, as a message without a full stop. */
  checkAfterImport?(context: WriteContext): Promise<string | undefined>
  /** An SQL condition: which rows an export writes as lines. All, if absent. */
  readonly exportCondition?: string
  /** A line of an export as SQL, where it is not the row's text with its details. */
  readonly exportText?: string
  /** Replaces the default, which writes that text as the line. */
  readonly readExportPage?: ReadExport
}

const underscored = (name: string) => name.replaceAll('-', '_')

/** The table of a resource, by the plural of its name. */
export const tableOf = underscored

export function defineResource<Wire extends TObject, Line extends TObject = Wire, Row extends TObject = Line>(
  definition: Definition<Wire, Line, Row>,
): Resource<Static<Line>> {
  const { name, tag, about, scope, stamped = [], computed = {}, api = {}, write, details, included = {} } = definition
  const events = (definition.events ?? writtenEvents(underscored(name.one))) as RowEvents<never>
  const columns = definition.columns as Readonly<Record<string, ColumnType>>
  const members = Object.keys(definition.wire.properties)
  const detailed = Object.keys(details?.properties ?? {})
  const path = definition.path ?? name.many
  const permissionName = path.replaceAll('/', '-')
  const table = underscored(name.many)
  const listed = {
    table,
    scope,
    countedBy: scope !== 'brand' && definition.list?.newestFirst ? (definition.list.date as string) : undefined,
    // Lists of one venue have no page marks: each page is read from where the previous one ended.
    marked: api.list !== undefined && scope === 'brand' && columns.id === 'integer',
    ...definedOnly({ text: definition.text }),
    added: addedTexts(table, details, included),
    readIncluded: readersOf(included),
    nested: nestedOf(included),
    heavy: definition.list?.heavy ?? false,
    unbounded: api.list?.envelope === 'specified',
    compose: definition.list?.compose,
  }
  const besides = details ? { details: (row: RowInput) => bodyOf(detailed, row) } : {}
  const writer = tableWriter({
    ...listed,
    columns,
    computed: { ...computed, ...besides },
    stamped,
    members,
    events,
    isListed: definition.list !== undefined,
  }) as TableWriter<RowInput> & TableWriter<Static<Row>>
  const languageOf = (list: NonNullable<typeof definition.list>) =>
    listOf({
      ...list,
      name: table,
      columns,
      members: [...members, ...detailed, ...Object.keys(included)],
      details: detailed,
      include: [...(list.include ?? []), ...Object.keys(included)],
      ofVenues: scope === 'venue',
      required: [...(definition.row ?? definition.line ?? definition.wire).required, ...stamped],
    })
  const list = definition.list && languageOf(definition.list)
  const compat = definition.list?.compat
  const compatList =
    compat &&
    languageOf({ ...definition.list, ...compat, compared: { ...definition.list!.compared, ...compat.compared } })
  const wire = api.list ? shown(definition.wire, list!.always) : definition.wire
  const actions = [...(list || api.get ? ['read'] : []), ...(api.actions ?? [])]
  const line: TObject = definition.line ?? definition.wire
  const readLine = rowReader(line)
  const first = columns.id === 'key' ? '' : 0
  const exportText = definition.exportText ?? rowText(listed, DETAILS)
  const put: Write<Static<Line>> = write
    ? (context, rows) => write(context, rows, writer)
    : (writer.put as Write<unknown>)
  const pointers = (definition.references ?? {}) as Readonly<Record<string, string>>
  const references = (line: Static<Line>): Reference[] =>
    Object.entries(pointers).flatMap(([member, many]) =>
      [(line as RowInput)[member]].flat().map((value) => ({
        member,
        table: underscored(many),
        id: columns[member] === 'key' ? value?.toString() : (value as number | undefined),
      })),
    )
  const laterReferences = (line: Static<Line>) => definition.laterReferences?.(line) ?? []

  return {
    ...listed,
    name,
    path,
    tag,
    about,
    wire,
    line,
    columns,
    api,
    list,
    compatList,
    item: itemOf(wire, details, included),
    edit: definition.edit && {
      onlyNew: [],
      reviewed: [],
      isShared: scope === 'brand',
      series: false,
      removable: false,
      start: async () => ({}),
      beside: async () => ({}),
      isOpenTo: () => true,
      prepare: async (_context: CommandContext, values: Readonly<Record<string, unknown>>) => values,
      apply: async (_context: CommandContext, after: Static<Line>) => after,
      ...definition.edit,
      pointers: { ...pointers, ...definition.edit.pointers, ...definition.edit.copies } as Readonly<
        Record<string, string>
      >,
      copies: (definition.edit.copies ?? {}) as Readonly<Record<string, string>>,
    },
    shown: definition.list?.shown ?? {},
    kind: underscored(name.one),
    eventTypes: events.types,
    permission: definition.permission ?? `${permissionName}:read`,
    permissions: definition.permission ? [] : actions.map((action) => `${permissionName}:${action}`),
    checkOwn: async (db, owner, own) => definition.list?.check?.(db, owner, own),
    readList: definition.list?.read ?? ((db, owner, query) => readPage(db, listed, owner, query)),
    read(given) {
      const read = readLine(given) as Static<Line>
      definition.check?.(read)
      return read
    },
    idOf: definition.idOf ?? ((line) => (line as RowInput).id),
    references,
    laterReferences,
    follows: (line) => [
      ...[...references(line), ...laterReferences(line)].flatMap(({ table: to, id }) => (to === table ? [id] : [])),
      ...(definition.follows ?? []).map((member) => (line as RowInput)[member] as number | undefined),
    ],
    complete: async (context, lines) => (await definition.complete?.(context, lines)) ?? lines,
    write: put,
    insert: (context, rows) => put({ ...context, mode: 'insert' }, rows),
    update: (context, rows) => put({ ...context, mode: 'update' }, rows),
    async lock<Stored>(
      { tx, brand_id }: Pick<WriteContext, 'tx' | 'brand_id'>,
      id: number | string,
      columns: string,
      venue_id?: number,
    ) {
      const [row] = await tx.rows<Stored>(
        `select ${columns} from ${table} where brand_id = ? and id = ?${venue_id === undefined ? '' : ' and venue_id = ?'}${tx.dialect.lockRows}`,
        venue_id === undefined ? [brand_id, id] : [brand_id, id, venue_id],
      )
      return row
    },
    remove: writer.remove as Resource<Static<Line>>['remove'],
    checkAfterImport: async (context) => definition.checkAfterImport?.(context),
    readExportPage:
      definition.readExportPage ??
      ((db, brand_id, after, limit) =>
        exportBodies(
          db,
          { table, condition: definition.exportCondition, text: exportText, limit, first },
          brand_id,
          after,
        )),
  }
}

const DETAILS: ReadonlySet<string> = new Set(['details'])

/** What includes add to a row's text, as SQL. A column without a value adds nothing. */
function addedTexts(table: string, details: TObject | undefined, included: Readonly<Record<string, Included>>) {
  const texts: Record<string, string> = {}
  if (details)
    texts.details = `coalesce(',' || nullif(substr(${table}.details, 2, length(${table}.details) - 2), ''), '')`
  for (const [name, relation] of Object.entries(included))
    if ('table' in relation)
      texts[name] =
        `coalesce(',"${name}":' || (select related.${relation.column ?? 'body'} from ${relation.table} as related
        where related.brand_id = ${table}.brand_id and related.id = ${table}.${relation.foreignKey}), '')`
  return texts
}

const readersOf = (included: Readonly<Record<string, Included>>): Record<string, ReadIncluded> =>
  Object.fromEntries(
    Object.entries(included).flatMap(([name, relation]) => ('read' in relation ? [[name, relation.read]] : [])),
  )

const nestedOf = (included: Readonly<Record<string, Included>>): Record<string, NestedRows> =>
  Object.fromEntries(
    Object.entries(included).flatMap(([name, relation]) =>
      'nested' in relation && relation.nested ? [[name, relation.nested]] : [],
    ),
  )

function itemOf(wire: TObject, details: TObject | undefined, included: Readonly<Record<string, Included>>): TObject {
  const more = {
    ...details?.properties,
    ...Object.fromEntries(Object.entries(included).map(([k, v]) => [k, v.schema])),
  }
  if (Object.keys(more).length === 0) return wire
  const optional = Object.fromEntries(Object.entries(more).map(([name, schema]) => [name, Type.Optional(schema)]))
  const { properties, required: _, ...options } = wire as TObject & { required?: unknown }
  return Type.Object({ ...properties, ...optional }, options)
}

interface ListGiven {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly members: readonly string[]
  readonly details: readonly string[]
  readonly include: readonly string[]
  readonly ofVenues: boolean
  /** Members that every row has: their order can come from an index. */
  readonly required: readonly string[]
  readonly maxLimit?: number
  readonly always?: readonly string[]
  readonly filters?: readonly string[]
  readonly sortable?: readonly string[]
  readonly embedded?: readonly string[]
  readonly includeIsLater?: boolean
  readonly date?: string
  readonly time?: string
}

function listOf(given: ListGiven): List {
  const { columns, required, maxLimit = 200, always = ['id'], filters = Object.keys(columns), ...rest } = given
  const date = given.date ?? (columns.created_at ? 'created_at' : undefined)
  const sortable = given.sortable ?? ['id', 'name', 'position', date, 'updated_at'].filter((name) => name! in columns)
  return defineList<string, string>({
    ...rest,
    maxLimit,
    always,
    sortable: sortable as string[],
    ...definedOnly({ date }),
    columns: Object.fromEntries(filters.map((name) => [name, columns[name]!])),
    nullable: Object.keys(columns).filter((name) => !required.includes(name)),
  })
}
