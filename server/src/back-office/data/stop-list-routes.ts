import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { enterVenue } from '../../auth/authenticate.ts'
import { authorize } from '../../auth/permissions.ts'
import { lockDirectory, record } from '../../directory/audit.ts'
import { all, asJson, one } from '../../http/envelope.ts'
import { noSuchRecord, validationFailed } from '../../http/errors.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { writeRoutes } from '../../resources/idempotency.ts'
import { enterable } from '../../resources/serve.ts'
import { findEntry, findNamedEntries, removeEntry, stopList } from '../../resources/stop-list.ts'
import { DateTime, Decimal, Maybe, PathId } from '../../resources/values.ts'
import type { WriteContext } from '../../resources/write.ts'
import type { Transaction } from '../../storage/database.ts'
import { instantOf } from '../../values/values.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff, personOf } from '../guard.ts'
import { closed } from '../schema.ts'

const Limit = Type.Object({ limit: Decimal(), until: Maybe(DateTime()) }, closed)

/**
 * The stop list of the venue of x-venue, else of the person's main venue (Part 3 of docs/contract.md, Staff routes): 0 is sold out. Read
 * whole, it is that of every venue that the person may enter.
 */
export const stopListRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, { db, now, followChange }) => {
  app.addHook('onRequest', asHook(sequence(actAsStaff, enterVenue, authorize)))
  const writes = writeRoutes(app, { db, now })
  const route = {
    permission: 'stop-list:write',
    events: ['stop_list.changed'] as const,
    committed: followChange,
  }
  const params = Type.Object({ product: PathId() })

  app.get('/', { config: { permission: 'products:read' } }, async (request, reply) => {
    const { caller } = request.call
    const entries = await findNamedEntries(db, caller.brand_id, instantOf(now()), enterable(caller))
    return asJson(reply, all(entries.map((entry) => JSON.stringify(entry))))
  })

  app.get('/:product', { config: { permission: route.permission }, schema: { params } }, async (request, reply) => {
    const { brand_id, venue_id } = request.call.caller
    const { product } = request.params as Static<typeof params>
    const { entry } = (await findEntry(db, brand_id, venue_id, product)) ?? {}
    const isLive = entry && (entry.until === undefined || Date.parse(entry.until) > now())
    return asJson(reply, one(JSON.stringify(isLive ? entry : null)))
  })

  writes.write('PUT', '/:product', { ...route, schema: { params, body: Limit } }, async (tx, request, at) => {
    const { context, venue_id, product } = await contextOf(tx, request, at)
    const { limit, until } = request.body as Static<typeof Limit>
    if (limit < 0) throw validationFailed([{ field: 'limit', rule: 'minimum', message: 'limit must be at least 0.' }])
    if (until !== undefined && Date.parse(until) <= now())
      throw validationFailed([{ field: 'until', rule: 'future', message: 'until must be in the future.' }])
    const { entry: before, moves } = (await findEntry(tx, context.brand_id, venue_id, product)) ?? {}
    // Where portions were held, the same number says something new: this many are left, whatever comes back (P17).
    const isSame = before?.limit === limit && before.until === until && moves === 0
    if (isSame) return { data: JSON.stringify(before), message: 'Nothing changed.' }
    const entry = { id: product, venue_id, limit, timestamp: Date.parse(at), ...(until !== undefined && { until }) }
    await stopList.write(context, [entry])
    await note(context, 'set', venue_id, product, before && { limit: before.limit, until: before.until }, {
      limit,
      until,
    })
    const { venue_id: _, ...data } = entry
    return { data: JSON.stringify(data), message: 'Saved.' }
  })

  writes.write('DELETE', '/:product', { ...route, schema: { params } }, async (tx, request, at) => {
    const { context, venue_id, product } = await contextOf(tx, request, at)
    const limit = await removeEntry(context, venue_id, product)
    if (limit === undefined) throw noSuchRecord()
    await note(context, 'remove', venue_id, product, { limit }, undefined)
    return { data: JSON.stringify({ id: product }), message: 'Removed.' }
  })
}

async function contextOf(tx: Transaction, request: FastifyRequest, now: string) {
  const { brand_id, venue_id } = request.call.caller
  const { product } = request.params as { product: number } // as its schema read it
  await lockDirectory(tx) // before any other lock, as everything else that puts a change on record
  const found = await tx.rows('select id from products where brand_id = ? and id = ?', [brand_id, product])
  if (found.length === 0) throw noSuchRecord()
  const context: WriteContext = { tx, brand_id, now, actor: personOf(request).actor }
  return { context, venue_id, product }
}

const note = (
  { tx, brand_id, actor }: WriteContext,
  what: 'set' | 'remove',
  venue_id: number,
  product: number,
  before: object | undefined,
  after: object | undefined,
) =>
  record(tx, {
    actor,
    action: `stop_list.${what}`,
    subject: `${product} in venue ${venue_id}`,
    brand_id,
    before,
    after,
  })
