import type { FastifyInstance } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { EventsDeclared, StaffUser } from '../http/call.ts'
import type { ListEnvelope, Page } from '../http/envelope.ts'
import type { ColumnType } from '../lists/column-values.ts'
import type { List, ListRequest } from '../lists/list.ts'
import type { Database, Queries } from '../storage/database.ts'
import type { ExportPage } from './files/export.ts'
import type { NestedRows } from './read/nested-rows.ts'
import type { Listed, Owner, Reader, ReadIncluded } from './read/page.ts'
import type { AddCommand, CommandContext } from './write/commands.ts'
import type { Counted } from './write/counters.ts'
import type { WriteContext } from './write/write.ts'

// What everything else sees of a resource: define.ts makes it of a definition.

/** A member that `include` adds: the text of the row of another table that a column points at, or what `read` finds. */
export type Included = { readonly schema: TSchema } & (
  | { readonly table: string; readonly foreignKey: string; readonly column?: string }
  | { readonly read: ReadIncluded; readonly nested?: NestedRows }
)

/** What the API serves of a resource. A list that it does not serve is for the back office alone. */
export interface Api {
  readonly list?: Described & { readonly envelope?: ListEnvelope }
  /** `message` where the answer carries one, and the time (§2.1); `etag` is the column whose value is the ETag. */
  readonly get?: Described & { readonly message?: string; readonly etag?: string }
  /** What a role can allow besides reading. */
  readonly actions?: readonly string[]
  /** Operations beyond the list and the read by id. */
  readonly routes?: (app: FastifyInstance, deps: { db: Database; now: () => number; command: AddCommand }) => void
}

/** What the API's description says of an operation, where it is not what the definition implies. */
interface Described {
  readonly summary?: string
  readonly description?: string
}

/** How a resource is changed by hand. */
export interface Edit<Line = unknown> {
  readonly permission: string
  readonly members: readonly string[]
  readonly onlyNew: readonly string[]
  readonly reviewed: readonly string[]
  readonly isShared: boolean
  readonly series: boolean
  readonly removable: boolean
  /** Members that hold ids of another resource, with the plural of its name. */
  readonly pointers: Readonly<Record<string, string>>
  readonly copies: Readonly<Record<string, string>>
  readonly inside?: { readonly member: string; readonly members: readonly string[] }
  start(db: Queries, brand_id: number): Promise<Readonly<Record<string, unknown>>>
  /** What a form shows beside a row that is there. */
  beside(db: Queries, brand_id: number, id: number): Promise<object>
  isOpenTo(user: StaffUser, id: number): boolean
  /** Completes what was sent, before it is read: new parts get ids. */
  prepare(
    context: CommandContext,
    values: Readonly<Record<string, unknown>>,
    before: Line | undefined,
  ): Promise<Readonly<Record<string, unknown>>>
  apply(context: CommandContext, after: Line, before: Line | undefined): Promise<Line>
}

export type ReadList = (db: Database | Reader, owner: Owner, list: ListRequest) => Promise<Page>
export type ReadExport = (
  db: Queries,
  brand_id: number,
  after: number | string | undefined,
  /** How many rows are wanted; a small table may return more. */
  limit?: number,
) => Promise<ExportPage>

/** One row's reference to another resource; checked before the row is written, so that the error can name its line. */
export interface Reference {
  member: string
  table: string
  id: number | string | undefined
}

export interface Resource<Line = unknown> extends Listed, Counted {
  readonly name: { readonly one: string; readonly many: string }
  /** Path of its list, under the base path. */
  readonly path: string
  readonly tag: string
  readonly about: string
  readonly wire: TObject
  /** What a response can hold: the wire's members and the includes. */
  readonly item: TObject
  readonly line: TObject
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly edit: Edit<Line> | undefined
  /** Its name in import files. */
  readonly kind: string
  /** The permission to read it. */
  readonly permission: string
  /** Permissions that a role can grant. */
  readonly permissions: readonly string[]
  /** Event types that its writes publish. */
  readonly eventTypes: EventsDeclared
  readonly api: Api
  readonly list: List | undefined
  /** The list language of requests that compat/ translates, where it is wider. */
  readonly compatList: List | undefined
  readonly shown: {
    readonly columns?: readonly string[]
    readonly newestFirst?: boolean
    readonly query?: Readonly<Record<string, string>>
  }
  readonly readList: ReadList
  checkOwn(db: Database | Reader, owner: Owner, own: ListRequest['own']): Promise<void>
  /** Reads a line of an import; throws RowProblem. */
  read(line: Record<string, unknown>): Line
  idOf(line: Line): number | string
  references(line: Line): Reference[]
  laterReferences(line: Line): Reference[]
  /** Ids of rows of its own kind that an export writes before it. */
  follows(line: Line): Reference['id'][]
  complete(context: WriteContext, lines: readonly Line[]): Promise<readonly Line[]>
  /**
   * The one way to write, for the API, the import and the demo: columns, body, totals and events stay together. The rows have distinct
   * ids, and what they point at exists. Returns their bodies. `write` inserts or replaces, for rows that bring their ids.
   */
  write(context: WriteContext, rows: readonly Line[]): Promise<string[]>
  /** Inserts rows with ids that were reserved for them. */
  insert(context: WriteContext, rows: readonly Line[]): Promise<string[]>
  /** Changes rows that the transaction has locked. */
  update(context: WriteContext, rows: readonly Line[]): Promise<string[]>
  /** Locks a row until the transaction ends, and reads columns of it. Absent: there is none, or not in that venue. */
  lock<Stored>(
    context: Pick<WriteContext, 'tx' | 'brand_id'>,
    id: number | string,
    columns: string,
    venue_id?: number,
  ): Promise<Stored | undefined>
  /** Throws ReferenceViolation where something points at the row. */
  remove(context: WriteContext, row: { readonly id: number | string }): Promise<void>
  checkAfterImport(context: WriteContext): Promise<string | undefined>
  /** A page of the rows after `after`, in id order, each as the JSON object that an import reads. */
  readonly readExportPage: ReadExport
}
