import type { FastifyInstance } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Page } from '../http/envelope.ts'
import { defineList, type List, type ListRequest } from '../lists/list.ts'
import type { ColumnType } from '../lists/values.ts'
import type { Database, Queries, Value } from '../storage/database.ts'
import type { Counted } from './counters.ts'
import { type ExportPage, exportBodies } from './export.ts'
import { type Listed, type Owner, type Reader, readPage } from './page.ts'
import { rowReader } from './read-row.ts'
import { type Given, type Store, storeOf, type Write, type WriteContext } from './write.ts'

// A resource is said once: its table, its permissions, its routes, what filters and sorts know of it, its lines in an import and an
// export, and its totals all follow from one definition. What is peculiar to one resource is plain code beside its definition.

type Names<Schema extends TObject> = readonly (keyof Static<NoInfer<Schema>> & string)[]
type OfMembers<Schema extends TObject, To> = { readonly [Name in keyof Static<NoInfer<Schema>>]?: To }

export interface Definition<Wire extends TObject, Line extends TObject, Row extends TObject> {
  /** In the path's words: the table, the import's kind and the permissions are made of them. */
  readonly name: { readonly one: string; readonly many: string }
  /** The group of operations that the API's description puts it in. */
  readonly tag: string
  /** What it is, for whoever reads the API's description. */
  readonly about: string
  /** As answers show it. */
  readonly wire: Wire
  /** As a line of an import has it; like the wire unless said otherwise. */
  readonly line?: Line
  /** As its table has it; like the line, where there are no columns besides. */
  readonly row?: Row
  /** Whether a row belongs to the brand or, by its venue_id, to one venue. */
  readonly scope: 'brand' | 'venue'
  /** The table's columns, and what each holds; brand_id and body need no saying. A text has a twin, `name_folded`. */
  readonly columns: OfMembers<Row, ColumnType>
  /** Columns that are made of the others. */
  readonly computed?: Readonly<Record<string, (row: Static<NoInfer<Row>>) => Value>>
  /** Members that are the time of the write when they are absent. */
  readonly stamped?: Names<Row>
  /** Members that hold an id of another resource, or several, with the plural of its name. */
  readonly references?: OfMembers<Line, string>
  /** References to rows that may come later in the file. */
  laterReferences?(line: Static<NoInfer<Line>>): Reference[]
  /** The list language (D2); without it there is no list. */
  readonly list?: {
    readonly maxLimit: number
    /** What `fields` cannot leave out; the id unless said otherwise. */
    readonly always?: Names<Wire>
    /** The columns that may be filtered; all of them unless said otherwise. */
    readonly filters?: Names<Row>
    readonly nullable?: Names<Row>
    readonly sortable: Names<Row>
    readonly include?: Names<Wire>
    readonly embedded?: Names<Wire>
    readonly date?: Names<Row>[number]
    /** Where a page is more than the bodies of its rows. */
    readonly read?: ReadList
  }
  readonly api?: Api
  /** Refuses with RowProblem what the line's schema cannot. */
  check?(line: Static<NoInfer<Line>>): void
  /** Fills in what lines of an import leave out, and refuses with RowProblem those that cannot be put in. */
  complete?(context: WriteContext, lines: readonly Static<NoInfer<Line>>[]): Promise<Static<NoInfer<Line>>[]>
  /** Where a write is more than rows of the table. */
  write?(
    context: WriteContext,
    rows: readonly Static<NoInfer<Line>>[],
    store: Store<Static<NoInfer<Row>>>,
  ): Promise<string[]>
  /** What the brand lacks once every line of an import is in, as a sentence without its end. */
  lack?(context: WriteContext): Promise<string | undefined>
  /** The rows that are lines of their own, as a condition; all of them unless said otherwise. */
  readonly exported?: string
  /** Where a line is not the stored body. */
  readonly page?: ReadExport
}

/** What the API serves of a resource. A list that it does not serve is for the back office alone. */
export interface Api {
  readonly list?: Described
  /** `message` where the answer carries one, and the time (§2.1). */
  readonly get?: Described & { readonly message?: string }
  /** What a role can allow besides reading. */
  readonly actions?: readonly string[]
  /** Operations beyond the list and the read by id. */
  readonly routes?: (app: FastifyInstance, deps: { db: Database; now: () => number }) => void
}

/** What the API's description says of an operation, where it is not what the definition implies. */
interface Described {
  readonly summary?: string
  readonly description?: string
}

type ReadList = (db: Database | Reader, owner: Owner, list: ListRequest) => Promise<Page>
type ReadExport = (db: Queries, brand_id: number, after: number | string | undefined) => Promise<ExportPage>

/** One row's pointer at another resource's; checked before the row is put in, so that its line can be named. */
export interface Reference {
  member: string
  table: string
  id: number | string | undefined
}

export interface Resource<Line = unknown> extends Listed, Counted {
  readonly name: { readonly one: string; readonly many: string }
  readonly tag: string
  readonly about: string
  readonly wire: TObject
  /** What an import file calls it. */
  readonly kind: string
  /** What a role can allow. */
  readonly permissions: readonly string[]
  readonly api: Api
  readonly list: List | undefined
  readonly readList: ReadList
  /** Reads a line of an import; throws RowProblem. */
  read(line: Record<string, unknown>): Line
  idOf(line: Line): number | string
  references(line: Line): Reference[]
  laterReferences(line: Line): Reference[]
  complete(context: WriteContext, lines: readonly Line[]): Promise<readonly Line[]>
  /**
   * The one way to write, for the API, the import and the demo: columns, body and totals stay together. The rows have distinct ids,
   * and what they point at exists. It answers their bodies.
   */
  write(context: WriteContext, rows: readonly Line[]): Promise<string[]>
  lack(context: WriteContext): Promise<string | undefined>
  /** The rows after `after`, a page of them in id order, each as the JSON object that an import would read. */
  readonly page: ReadExport
}

export const readPermission = ({ name }: Pick<Resource, 'name'>) => `${name.many}:read`

const underscored = (name: string) => name.replaceAll('-', '_')

export function defineResource<Wire extends TObject, Line extends TObject = Wire, Row extends TObject = Line>(
  definition: Definition<Wire, Line, Row>,
): Resource<Static<Line>> {
  const { name, tag, about, wire, scope, stamped = [], computed = {}, api = {}, write } = definition
  const columns = definition.columns as Readonly<Record<string, ColumnType>>
  const members = Object.keys(wire.properties)
  const of = {
    table: underscored(name.many),
    scope,
    // Venues have no marks of their own: their lists are read on from where a page ended.
    marked: api.list !== undefined && scope === 'brand',
  }
  const store = storeOf({ ...of, columns, computed, stamped, members }) as Store<Given> & Store<Static<Row>>
  const list = definition.list && listOf(definition.list, members, columns)
  const actions = [...(list || api.get ? ['read'] : []), ...(api.actions ?? [])]
  const readLine = rowReader(definition.line ?? wire)
  const pointers = Object.entries((definition.references ?? {}) as Readonly<Record<string, string>>)

  return {
    ...{ ...of, name, tag, about, wire, api, list },
    kind: underscored(name.one),
    permissions: actions.map((action) => `${name.many}:${action}`),
    readList: definition.list?.read ?? ((db, owner, asked) => readPage(db, of, owner, asked)),
    read(given) {
      const line = readLine(given) as Static<Line>
      definition.check?.(line)
      return line
    },
    idOf: (line) => (line as Given).id,
    references: (line) =>
      pointers.flatMap(([member, many]) =>
        [(line as Given)[member]].flat().map((value) => ({
          member,
          table: underscored(many),
          id: columns[member] === 'key' ? value?.toString() : (value as number | undefined),
        })),
      ),
    laterReferences: (line) => definition.laterReferences?.(line) ?? [],
    complete: async (context, lines) => (await definition.complete?.(context, lines)) ?? lines,
    write: write ? (context, rows) => write(context, rows, store) : (store.put as Write<unknown>),
    lack: async (context) => definition.lack?.(context),
    page:
      definition.page ??
      ((db, brand_id, after) => exportBodies(db, { table: of.table, exported: definition.exported }, brand_id, after)),
  }
}

interface ListGiven {
  readonly maxLimit: number
  readonly always?: readonly string[]
  readonly filters?: readonly string[]
  readonly nullable?: readonly string[]
  readonly sortable: readonly string[]
  readonly include?: readonly string[]
  readonly embedded?: readonly string[]
  readonly date?: string
}

function listOf(given: ListGiven, members: readonly string[], columns: Readonly<Record<string, ColumnType>>): List {
  const { maxLimit, always = ['id'], filters = Object.keys(columns), ...rest } = given
  const filtered = Object.fromEntries(filters.map((name) => [name, columns[name]!]))
  return defineList<string, string>({ ...rest, maxLimit, always, members, columns: filtered })
}
