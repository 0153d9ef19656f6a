import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Caller } from '../http/call.ts'
import { ErrorBody, Many, One, OneTimed, one, oneTimed, sendJson, sendPage } from '../http/envelope.ts'
import { noSuchRecord } from '../http/errors.ts'
import { listQuery, parseList, queryOf } from '../lists/list.ts'
import type { Database } from '../storage/database.ts'
import { type Resource, readPermission } from './define.ts'
import type { Reader } from './page.ts'
import { PathId } from './values.ts'

interface Needs {
  readonly db: Database
  readonly now: () => number
}

/** What the API serves of a resource: its list, one by its id, and what is peculiar to it. */
export function serveResource(app: FastifyInstance, resource: Resource, needs: Needs): void {
  if (resource.api.list) serveList(app, resource, { db: needs.db, venuesOf: active })
  if (resource.api.get) serveOne(app, resource, needs)
  resource.api.routes?.(app, needs)
}

const active = ({ venue_id }: Caller) => [venue_id]

interface ListNeeds {
  readonly db: Database | Reader
  /** The venues whose rows are listed, where rows belong to venues; undefined: every one. */
  readonly venuesOf: (caller: Caller) => readonly number[] | undefined
}

/** GET /products: one page (D2). */
export function serveList(app: FastifyInstance, resource: Resource, { db, venuesOf }: ListNeeds): void {
  const { name, wire, tag, about, scope, api, readList } = resource
  const list = resource.list!
  app.get(
    `/${name.many}`,
    {
      config: { permission: readPermission(resource) },
      schema: {
        operationId: `list${pascal(name.many)}`,
        summary: `List ${words(name.many)}`,
        description: about,
        tags: [tag],
        querystring: listQuery(list),
        response: { 200: Many(wire), 400: ErrorBody },
        ...api.list,
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const asked = parseList(list, queryOf(url))
      const owner = scope === 'venue' ? { brand_id: caller.brand_id, venues: venuesOf(caller) } : caller
      return sendPage(reply, asked, await readList(db, owner, asked))
    },
  )
}

/** GET /receipts/:id. One of another brand or venue is not there, by the same query (D3.1). */
function serveOne(app: FastifyInstance, resource: Resource, { db, now }: Needs): void {
  const { name, wire, tag, about, scope, table, api } = resource
  const { message, ...described } = api.get!
  const inVenue = scope === 'venue'
  const text = `select body from ${table} where brand_id = ? and id = ?${inVenue ? ' and venue_id = ?' : ''}`
  app.get(
    `/${name.many}/:id`,
    {
      config: { permission: readPermission(resource) },
      schema: {
        operationId: `get${pascal(name.one)}`,
        summary: `Read one ${words(name.one)}`,
        description: inVenue ? 'Of the active venue.' : about,
        tags: [tag],
        params: Type.Object({ id: PathId() }),
        response: { 200: message === undefined ? One(wire) : OneTimed(wire), 400: ErrorBody, 404: ErrorBody },
        ...described,
      },
    },
    async ({ call: { caller }, params }, reply) => {
      const { brand_id, venue_id } = caller
      const { id } = params as { id: number } // as its schema read it
      const body = await db.text(text, inVenue ? [brand_id, id, venue_id] : [brand_id, id])
      if (body === undefined) throw noSuchRecord()
      return sendJson(reply, message === undefined ? one(body) : oneTimed(reply, body, message, now()))
    },
  )
}

const words = (name: string) => name.replaceAll('-', ' ')
const pascal = (name: string) => name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
