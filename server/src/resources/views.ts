import type { FastifyInstance } from 'fastify'
import Type, { type TSchema } from 'typebox'
import type { Caller } from '../../http/call.ts'
import { asJson, asPage, ErrorBody, Many, One, one } from '../../http/envelope.ts'
import { noSuchRecord } from '../../http/errors.ts'
import { type List, type ListRequest, parseList, queryOf } from '../../lists/list.ts'
import { forTotals, listQuery, withOnly } from '../../lists/parameters.ts'
import { ownedBy } from '../../resources/page.ts'
import type { Resource } from '../../resources/resource.ts'
import { ownerOf } from '../../resources/serve.ts'
import { PathId } from '../../resources/values.ts'
import type { Database, Value } from '../../storage/database.ts'

// Sums over a list, with its filters: of all that they leave (P2: an object), or of each group (a list).

interface Described {
  /** Under the base path. */
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
  readonly asked: ListRequest
  readonly checkpoint: string
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

/** A page of groups. There are as many as products, and all are summed up for any page. */
export function serveGroups<Row>(
  app: FastifyInstance,
  { db, now }: Deps,
  resource: Resource,
  { path, ...words }: Described,
  schema: TSchema,
  {
    read,
    made,
  }: { read: (selected: Selected) => { text: string; values: readonly Value[] }; made: (row: Row) => object },
): void {
  const list = withOnly(resource.list!, ['page', 'limit', 'filters', 'date', 'venue'])
  app.get(
    `/${path}`,
    { config: { permission: resource.permission }, schema: described(resource, list, words, Many(schema, 'new')) },
    async ({ call: { caller }, url }, reply) => {
      const found = selected(resource, list, { caller, url, now: now(), db })
      const { text, values } = read(found)
      const rows = await db.scan<Row>(found.brand_id, resource.table, text, values)
      const { offset, limit } = found.asked
      const data = rows.slice(offset, offset + limit).map((row) => JSON.stringify(made(row)))
      return asPage(reply, 'new', found.asked, { data: data.join(','), total: rows.length })
    },
  )
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
  const asked = parseList(list, queryOf(url), caller.venue_id)
  const owner = ownerOf(caller, now)
  const venues = asked.everyVenue ? owner.enterable : [caller.venue_id]
  const owned = ownedBy(scope === 'venue' ? { ...owner, venues } : owner)
  const { checkpoint } = db.dialect
  return {
    brand_id: caller.brand_id,
    where: `${owned.text}${asked.where.text}${checkpoint}`,
    values: [...owned.values, ...asked.where.values],
    owned,
    asked,
    checkpoint,
  }
}

/** GET /receipts/{id}/stock-operations: the rows of a list that belong to one row of another, in its venue. */
export function serveOwned(
  app: FastifyInstance,
  { db, now }: Deps,
  of: Resource,
  resource: Resource,
  { column, path, ...words }: Described & { readonly column: string },
): void {
  const list = resource.list!
  app.get(
    `/${path}`,
    {
      config: { permission: of.permission },
      schema: {
        ...described(resource, list, words, Many(resource.item, 'new')),
        params: Type.Object({ id: PathId() }),
        response: { 200: Many(resource.item, 'new'), 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ call: { caller }, params, url }, reply) => {
      const { id } = params as { id: number }
      const { brand_id, venue_id } = caller
      const found = await db.rows(`select 1 as one from ${of.table} where brand_id = ? and venue_id = ? and id = ?`, [
        ...[brand_id, venue_id, id],
      ])
      if (found.length === 0) throw noSuchRecord()
      const asked = parseList({ ...list, name: `${list.name} of ${of.table} ${id}` }, queryOf(url), venue_id)
      const where = { text: ` and ${column} = ?${asked.where.text}`, values: [id, ...asked.where.values] }
      const owner = { ...ownerOf(caller, now()), venues: [venue_id] }
      return asPage(reply, 'new', asked, await resource.readList(db, owner, { ...asked, where, days: undefined }))
    },
  )
}
