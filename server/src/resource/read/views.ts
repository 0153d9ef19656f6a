import type { FastifyInstance } from 'fastify'
import Type, { type TObject, type TSchema } from 'typebox'
import type { Caller } from '../../http/call.ts'
import { asJson, asPage, ErrorBody, Many, One, one, type Page } from '../../http/envelope.ts'
import { noSuchRecord } from '../../http/errors.ts'
import type { Column } from '../../lists/filters.ts'
import { type List, type ListRequest, parseList, pickMembers, queryOf } from '../../lists/list.ts'
import { forTotals, listQuery, ofOneVenue, type ViewLanguage, viewOf } from '../../lists/parameters.ts'
import type { Database, Value } from '../../storage/database.ts'
import type { Resource } from '../resource.ts'
import { ownerOf, withShared } from '../serve.ts'
import { PathId, shown } from '../values.ts'
import { ownedBy } from './page.ts'

// Sums over a list, with its filters: of all that they leave (P2: an object), or row by row (a list).

interface Described {
  /** Path below the base path. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
}

/** The rows that count, as SQL: what follows `from <table> where`, whole and in its parts. */
export interface Selected {
  readonly brand_id: number
  readonly where: string
  readonly values: readonly Value[]
  readonly owned: ReturnType<typeof ownedBy>
  readonly query: ListRequest
  readonly checkpoint: string
  /** The instant of the call. */
  readonly now: number
}

type Deps = { readonly db: Database; readonly now: () => number }

/** GET …/total: one object. */
export function serveSums<Row>(
  app: FastifyInstance,
  { db, now }: Deps,
  resource: Resource,
  { path, ...words }: Described,
  schema: TSchema,
  { text, made }: { text: (where: string) => string; made: (row: Row) => object },
): void {
  const list = forTotals(resource.list!)
  app.get(
    `/${path}`,
    { config: { permission: resource.permission }, schema: described(resource, list, words, One(schema)) },
    async ({ call: { caller }, url }, reply) => {
      const { brand_id, where, values } = selected(resource, list, { caller, url, now: now(), db })
      const [row] = await db.scan<Row>(brand_id, resource.table, text(where), values)
      return asJson(reply, one(JSON.stringify(made(row!))))
    },
  )
}

/** A column of a view. It has the name that the query of the view gives it. */
export const viewColumn = (name: string, type: Column['type'], more: Partial<Column> = {}): Column => ({
  name,
  type,
  sql: name,
  folded: type === 'text' ? `${name}_folded` : name,
  nullable: false,
  ...more,
})

/** Rows that are made of those of a list. */
interface View<Row> extends Pick<ViewLanguage, 'key' | 'sortable' | 'filters'> {
  /** The rows, in any order, with the columns that `key` and `sortable` name. */
  readonly read: (selected: Selected) => { text: string; values: readonly Value[] }
  readonly made: (row: Row) => object
  /** The table that the query passes over, where it is not the resource's. */
  readonly scanned?: string
}

/** A view whose rows are of no table (P2): a list, with pages, walks, sorts and fields. All rows are summed up for any page. */
export function serveView<Row>(
  app: FastifyInstance,
  { db, now }: Deps,
  resource: Resource,
  { path, ...words }: Described,
  schema: TObject,
  view: View<Row>,
): void {
  const { key, sortable = [], filters = [], scanned = resource.table } = view
  const list = viewOf(resource.list!, { name: path, members: Object.keys(schema.properties), key, sortable, filters })
  const item = shown(schema, list.always)
  app.get(
    `/${path}`,
    { config: { permission: resource.permission }, schema: described(resource, list, words, Many(item, 'new')) },
    async ({ call: { caller }, url }, reply) => {
      const found = selected(resource, list, { caller, url, now: now(), db })
      const { rows, ...extent } = await readView<Row>(db, scanned, found, view)
      const { fields } = found.query
      const texts = rows.map((row) => JSON.stringify(view.made(row)))
      const data = fields === undefined ? texts.join(',') : pickMembers(Buffer.from(texts.join('\n')), fields)
      return asPage(reply, 'new', found.query, { data, ...extent } as Page)
    },
  )
}

async function readView<Row>(db: Database, scanned: string, found: Selected, { key, read }: View<Row>) {
  const { text, values } = read(found)
  const { walk, order, limit, offset } = found.query
  if (walk) {
    const stretch = `select * from (${text}) as listed where 1 = 1${walk.where.text} order by ${order} limit ?`
    const more = [...values, ...walk.where.values, limit + 1]
    const rows = await db.scan<Row>(found.brand_id, scanned, stretch, more)
    const shownRows = rows.slice(0, limit)
    const last = shownRows.at(-1) as Readonly<Record<string, string | number>> | undefined
    return { rows: shownRows, next: rows.length > limit ? walk.cursorAfter({ id: last![key.sql]! }) : null }
  }
  // A page past the end has its total too, in a row without a key.
  const page = `with listed as (${text}) select * from (select count(*) as all_listed from listed) as counted
    left join (select * from listed order by ${order} limit ? offset ?) as page on 1 = 1 order by ${order}`
  const rows = await db.scan<Row & { all_listed: number }>(found.brand_id, scanned, page, [...values, limit, offset])
  const total = rows[0]!.all_listed
  return { rows: rows.filter((row) => (row as Readonly<Record<string, unknown>>)[key.sql] !== null), total }
}

const described = ({ tag }: Resource, list: List, words: Omit<Described, 'path'>, answer: TSchema) => ({
  ...words,
  tags: [tag],
  querystring: listQuery(list),
  response: { 200: answer, 400: ErrorBody },
})

function selected(
  { scope }: Resource,
  list: List,
  { caller, url, now, db }: { caller: Caller; url: string; now: number; db: Database },
): Selected {
  const query = parseList(list, queryOf(url), caller.venue_id)
  const owner = ownerOf(caller, now)
  const venues = query.everyVenue ? owner.enterable : [caller.venue_id]
  const owned = ownedBy(scope === 'venue' ? { ...owner, venues } : withShared(scope, owner))
  const { checkpoint } = db.dialect
  return {
    brand_id: caller.brand_id,
    where: `${owned.text}${query.where.text}${checkpoint}`,
    values: [...owned.values, ...query.where.values],
    owned,
    query,
    checkpoint,
    now,
  }
}

/** GET /receipts/{id}/stock-operations: the rows of a list that belong to one row of another, in its venue. */
export function serveOwned(
  app: FastifyInstance,
  { db, now }: Deps,
  parent: Resource,
  resource: Resource,
  { column, path, ...words }: Described & { readonly column: string },
): void {
  const list = ofOneVenue(resource.list!)
  app.get(
    `/${path}`,
    {
      config: { permission: parent.permission },
      schema: {
        ...described(resource, list, words, Many(resource.item, 'new')),
        params: Type.Object({ id: PathId() }),
        response: { 200: Many(resource.item, 'new'), 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ call: { caller }, params, url }, reply) => {
      const { id } = params as { id: number }
      const { brand_id, venue_id } = caller
      const found = await db.rows(
        `select 1 as one from ${parent.table} where brand_id = ? and venue_id = ? and id = ?`,
        [brand_id, venue_id, id],
      )
      if (found.length === 0) throw noSuchRecord()
      const query = parseList({ ...list, name: `${list.name} of ${parent.table} ${id}` }, queryOf(url), venue_id)
      const where = { text: ` and ${column} = ?${query.where.text}`, values: [id, ...query.where.values] }
      const owner = { ...ownerOf(caller, now()), venues: [venue_id] }
      return asPage(reply, 'new', query, await resource.readList(db, owner, { ...query, where, days: undefined }))
    },
  )
}
