import type { FastifyInstance } from 'fastify'
import Type, { type TObject, type TSchema } from 'typebox'
import type { Caller, EventsDeclared } from '../http/call.ts'
import { isTranslated } from '../http/edge/edge.ts'
import { asJson, asPage, ErrorBody, Many, One, OneTimed, one, oneTimed } from '../http/envelope.ts'
import { invalidParameter, noSuchRecord } from '../http/errors.ts'
import { type List, type ListRequest, parseList, queryOf } from '../lists/list.ts'
import { forOne, listQuery } from '../lists/parameters.ts'
import type { Database, Value } from '../storage/database.ts'
import { instantOf } from '../values/values.ts'
import { addIncluded, LINES, type Owner, type Reader, type ReadIncluded, rowText, withinVenues } from './read/page.ts'
import type { Resource } from './resource.ts'
import { PathId, PathText } from './values.ts'
import type { AddCommand } from './write/commands.ts'
import type { Scope } from './write/counters.ts'

interface ReadDeps {
  readonly db: Database
  readonly now: () => number
}

interface ServeDeps extends ReadDeps {
  readonly command: AddCommand
}

/** What commands over several resources add to one of them (pos/). */
export interface Extension {
  /** Members that a single row can include, besides those of the list. */
  readonly included?: Readonly<Record<string, { readonly schema: TSchema; readonly read: ReadIncluded }>>
  /** Members of a single row, which `fields` cannot leave out. */
  readonly whole?: TObject
  readonly routes?: (app: FastifyInstance, deps: ServeDeps) => void
  /** What has to happen before rows are read, where time alone changes them. */
  readonly beforeRead?: { readonly events: EventsDeclared; run(deps: ReadDeps, caller: Caller): Promise<void> }
}

/** The same once it knows its database. */
export type BeforeRead = { readonly events: EventsDeclared; run(caller: Caller): Promise<void> } | undefined

export const beforeReadOf = (deps: ReadDeps, { beforeRead }: Extension = {}): BeforeRead =>
  beforeRead && { events: beforeRead.events, run: (caller) => beforeRead.run(deps, caller) }

/** Registers the routes of a resource: its list, one row by id, and its further operations. */
export function serveResource(
  app: FastifyInstance,
  resource: Resource,
  deps: ServeDeps,
  extension: Extension = {},
): void {
  serveReads(app, resource, deps, extension)
  resource.api.routes?.(app, deps)
  extension.routes?.(app, deps)
}

/** Adds the routes that read: the list, and one row by id. */
export function serveReads(app: FastifyInstance, resource: Resource, deps: ReadDeps, extension: Extension = {}): void {
  const { included, whole } = extension
  const ready = beforeReadOf(deps, extension)
  if (resource.api.list) serveList(app, resource, { ...deps, path: resource.path, venuesOf: active, beforeRead: ready })
  const key = (resource.wire.properties.id as { format?: string }).format === 'uuid' ? BY_UUID : undefined
  if (resource.api.get) serveOne(app, resource, deps, { included, whole, key, beforeRead: ready })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const PathUuid = () => Type.String({ format: 'uuid', example: '0d6ef8c6-6f0e-4f59-9d3b-0c1a2f6a0001' })

/** A parameter of a path that is a UUID, as it is stored; another one is 400. */
export function readUuid(name: string, params: unknown): string {
  const text = (params as Readonly<Record<string, string>>)[name]!
  if (!UUID.test(text)) throw invalidParameter(name, `${name} is a UUID.`)
  return text.toLowerCase()
}

const BY_UUID: NonNullable<OneOptions['key']> = {
  path: ':id',
  params: Type.Object({ id: PathUuid() }),
  column: 'id',
  read: (params) => readUuid('id', params),
}

const active = ({ venue_id }: Caller) => [venue_id]

/** The venues that the staff user may enter; undefined: every one. */
export const enterable = ({ user }: Caller) => user.venues && [...user.venues]

interface ListDeps {
  readonly db: Database | Reader
  readonly now: () => number
  readonly path: string
  /** The venues whose rows are listed, where rows belong to venues; undefined: every one. */
  readonly venuesOf: (caller: Caller) => readonly number[] | undefined
  readonly beforeRead?: BeforeRead
}

/** P4: rows that belong to a venue or to none are those of every venue that the user may enter. */
export const withShared = (scope: Scope, owner: Owner): Owner =>
  scope === 'shared' ? { ...owner, venues: owner.enterable, orNone: true } : owner

/** For whom a list or a row is read. */
export const ownerOf = (caller: Caller, nowMs: number): Owner => ({
  brand_id: caller.brand_id,
  venue_id: caller.venue_id,
  enterable: enterable(caller),
  permissions: caller.user.permissions,
  now: instantOf(nowMs),
})

/** GET /products: one page (D2), or a stretch of a walk (P3). */
export function serveList(
  app: FastifyInstance,
  resource: Resource,
  { db, now, path, venuesOf, beforeRead }: ListDeps,
): void {
  const { name, item, tag, about, scope, permission, api, readList } = resource
  const list = resource.list!
  const wider = resource.compatList ?? list
  const { envelope = 'new', ...described } = api.list ?? {}
  app.get(
    `/${path}`,
    {
      config: { permission, ...(beforeRead && { events: beforeRead.events }) },
      schema: {
        operationId: `list${pascal(name.many)}`,
        summary: `List ${words(name.many)}`,
        description: about,
        tags: [tag],
        querystring: listQuery(list),
        response: { 200: Many(item, envelope), 400: ErrorBody },
        ...described,
      },
    },
    async (request, reply) => {
      const { caller } = request.call
      const query: ListRequest = isTranslated(request)
        ? { ...parseList(wider, queryOf(request.url), caller.venue_id), separator: LINES }
        : parseList(list, queryOf(request.url), caller.venue_id)
      await beforeRead?.run(caller)
      const owner = ownerOf(caller, now())
      await resource.checkOwn(db, owner, query.own)
      const venues = query.everyVenue ? owner.enterable : venuesOf(caller)
      const page = await readList(db, scope === 'venue' ? { ...owner, venues } : withShared(scope, owner), query)
      return asPage(reply, envelope, query, page)
    },
  )
}

/** How one row is found and read, where it is not simply by its id. */
interface OneOptions {
  readonly included?: Extension['included'] | undefined
  readonly whole?: Extension['whole'] | undefined
  readonly beforeRead?: BeforeRead
  readonly key?:
    | {
        /** After the resource's own: `cid/:cid`. */
        readonly path: string
        readonly params: TObject
        /** Compared with the path's parameter; of several rows the one with the lowest id answers. */
        readonly column: string
        readonly read: (params: unknown) => Value
        readonly described?: { readonly operationId: string; readonly summary: string }
      }
    | undefined
}

/** GET /receipts/:id. One of another brand or venue is not there, by the same query (D3.1). */
export function serveOne(
  app: FastifyInstance,
  resource: Resource,
  { db, now }: ReadDeps,
  { included = {}, whole, key, beforeRead }: OneOptions = {},
): void {
  const { name, path, tag, about, scope, permission, table, api } = resource
  const { message, etag, ...described } = api.get!
  const inVenue = scope === 'venue'
  const column = key?.column ?? 'id'
  const last = key ? ' order by id limit 1' : ''
  // The version comes before the text, so that both are one read of one text.
  const select = (text: string, within = inVenue ? ' and venue_id = ?' : '') =>
    `select ${etag ? `${table}.${etag} || ' ' || ` : ''}${text} from ${table} where brand_id = ? and ${column} = ?${within}${last}`
  const plain = select(rowText(resource, NOTHING))
  const single = { ...resource, readIncluded: { ...resource.readIncluded, ...mapped(included, ({ read }) => read) } }
  const query = resource.list && forOne(withIncluded(resource.list, Object.keys(included)))
  const item = withMembers(resource.item, {
    ...whole?.properties,
    ...mapped(included, ({ schema }) => Type.Optional(schema)),
  })
  app.get(
    `/${path}/${key?.path ?? ':id'}`,
    {
      config: { permission, etag: etag !== undefined, ...(beforeRead && { events: beforeRead.events }) },
      schema: {
        operationId: `get${pascal(name.one)}`,
        summary: `Read one ${words(name.one)}`,
        description: inVenue ? 'One row of the active venue.' : about,
        tags: [tag],
        params:
          key?.params ?? Type.Object({ id: resource.list?.columns.get('id')?.type === 'key' ? PathText() : PathId() }),
        ...(query && { querystring: listQuery(query) }),
        response: { 200: message === undefined ? One(item) : OneTimed(item), 400: ErrorBody, 404: ErrorBody },
        ...described,
        ...key?.described,
      },
    },
    async ({ call: { caller }, params, url }, reply) => {
      const { brand_id, venue_id } = caller
      const value = key ? key.read(params) : (params as { id: number }).id // as its schema read it
      const listRequest = query && parseList(query, queryOf(url), venue_id)
      await beforeRead?.run(caller)
      const owner = ownerOf(caller, now())
      if (listRequest) await resource.checkOwn(db, owner, listRequest.own)
      const include = listRequest && listRequest.include.size > 0 ? listRequest.include : undefined
      const within = scope === 'shared' ? withinVenues(withShared(scope, owner)) : undefined
      const text = include || within ? select(rowText(resource, include ?? NOTHING), within?.text) : plain
      const stored = await db.text(text, [brand_id, value, ...(within?.values ?? (inVenue ? [venue_id] : []))])
      if (stored === undefined) throw noSuchRecord()
      const start = etag ? stored.indexOf(' ') : -1
      if (etag) reply.header('etag', `"${stored.slice(0, start)}"`)
      const body = stored.slice(start + 1)
      const [data] =
        listRequest || resource.compose ? await addIncluded(db, single, owner, [body], listRequest ?? NO_QUERY) : [body]
      return asJson(reply, message === undefined ? one(data!) : oneTimed(reply, data!, message, now()))
    },
  )
}

const mapped = <From, To>(values: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]))

/** Named after the last of them. */
function withMembers(item: TObject, more: Readonly<Record<string, TSchema>>): TObject {
  const last = Object.keys(more).at(-1)
  if (last === undefined) return item
  const { $id } = item as { $id?: string }
  return Type.Object({ ...item.properties, ...more }, { $id: `${$id}With${pascal(last)}` })
}

const withIncluded = (list: List, names: readonly string[]): List =>
  names.length === 0
    ? list
    : { ...list, members: list.members.union(new Set(names)), include: list.include.union(new Set(names)) }

const NOTHING: ReadonlySet<string> = new Set()
const NO_QUERY = { include: NOTHING, own: {} }
const words = (name: string) => name.replaceAll('-', ' ')
const pascal = (name: string) => name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
