import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { readParameters } from '../../events/selection.ts'
import { asJson, ErrorBody, One } from '../../http/envelope.ts'
import { invalidParameter } from '../../http/errors.ts'
import { acceptsGzip, isHeld } from '../../http/static-file.ts'
import { Maybe } from '../../resource/values.ts'
import type { Database } from '../../storage/database.ts'
import { readId } from '../../values/values.ts'
import type { MenuCache } from './cache.ts'
import { Menu } from './schema.ts'
import { etagOf, readMark } from './version.ts'

const NAMES = ['sale_type_id', 'lang'] as const

/** Only for the documentation: what is sent is read below. */
const MenuQuery = Type.Object({
  sale_type_id: Type.Integer({ minimum: 1, description: 'Active at the venue', example: 1 }),
  lang: Maybe(
    Type.String({ description: 'One of the languages: entries have their words in it alone', example: 'fr' }),
  ),
})

const IfNoneMatch = Type.Object({
  'if-none-match': Maybe(
    Type.String({ description: 'The ETag of the menu that you have: 304 where it is still the same' }),
  ),
})

export function readSaleType(text: string | undefined): number {
  const id = text === undefined ? undefined : readId(text)
  if (id === undefined) throw invalidParameter('sale_type_id', 'sale_type_id is needed: the id of a sale type.')
  return id
}

/** GET /menu (M1), for integrators and for our own pages. */
export function menuRoute(app: FastifyInstance, { db, cache }: { db: Database; cache: MenuCache }): void {
  app.get(
    '/menu',
    {
      config: { permission: 'products:read', etag: true },
      schema: {
        operationId: 'getMenu',
        summary: 'Read the menu as a guest pays it',
        description:
          'All that is sold at the active venue by one sale type, with a version. No clock is in it: prices that hold at times ' +
          'come with their times. Ask again with If-None-Match when the feed has one of menu.*.',
        tags: ['Menu'],
        headers: IfNoneMatch,
        querystring: MenuQuery,
        response: { 200: One(Menu), 304: Type.Null(), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url, headers }, reply) => {
      const given = readParameters(url, NAMES)
      const { brand_id, venue_id } = caller
      const key = { brand_id, venue_id, sale_type_id: readSaleType(given.get('sale_type_id')), lang: given.get('lang') }
      const etag = etagOf(await readMark(db, key), key)
      reply.header('cache-control', 'private, no-cache').header('vary', 'accept-encoding')
      if (isHeld(headers['if-none-match'], etag)) return reply.header('etag', etag).status(304).send()
      const body = await cache.find(key, etag)
      reply.header('etag', body.etag)
      if (!acceptsGzip(headers['accept-encoding'])) return asJson(reply, body.bytes)
      reply.header('content-encoding', 'gzip')
      return asJson(reply, await body.gzipped())
    },
  )
}
