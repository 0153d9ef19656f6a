import type { FastifyPluginAsync } from 'fastify'
import Type, { type Static } from 'typebox'
import { enterVenue } from '../../auth/authenticate.ts'
import { authorize } from '../../auth/permissions.ts'
import { lockDirectory, record } from '../../directory/audit.ts'
import { all, asJson, one } from '../../http/envelope.ts'
import { noSuchRecord, validationFailed } from '../../http/errors.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { enterable } from '../../resource/serve.ts'
import { DateTime, Decimal, Maybe, PathId } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { findEntry, findNamedEntries, removeEntry, stopList } from '../../resources/menu/stop-list.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { instantOf } from '../../values/values.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff } from '../guard.ts'
import { closed } from '../schema.ts'

const Limit = Type.Object({ limit: Decimal(), until: Maybe(DateTime()) }, closed)

/**
 * The stop list of the venue of x-venue, else of the person's main venue (Part 3 of docs/contract.md, Staff routes): 0 is sold out. Read
 * whole, it is that of every venue that the person may enter.
 */
export const stopListRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, { db, now, command, followChange }) => {
  app.addHook('onRequest', asHook(sequence(actAsStaff, enterVenue, authorize)))
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

  command(app, {
    ...route,
    method: 'PUT',
    url: '/:product',
    params,
    body: Limit,
    message: 'Saved.',
    async run(context, { params: { product }, body: { limit, until } }) {
      await enterProduct(context, product)
      if (limit < 0) throw validationFailed([{ field: 'limit', rule: 'minimum', message: 'limit must be at least 0.' }])
      if (until !== undefined && until <= context.now)
        throw validationFailed([{ field: 'until', rule: 'future', message: 'until must be in the future.' }])
      const { venue_id } = context.caller
      const { entry: before, moves } = (await findEntry(context.tx, context.brand_id, venue_id, product)) ?? {}
      // Where portions were held, the same number says something new: this many are left, whatever comes back (P17).
      const isSame = before?.limit === limit && before.until === until && moves === 0
      if (isSame) return { data: JSON.stringify(before), message: 'Nothing changed.' }
      const timestamp = Date.parse(context.now)
      const entry = { id: product, venue_id, limit, timestamp, ...definedOnly({ until }) }
      await stopList.write(context, [entry])
      await note(context, 'set', product, before && { limit: before.limit, until: before.until }, { limit, until })
      const { venue_id: _, ...data } = entry
      return JSON.stringify(data)
    },
  })

  command(app, {
    ...route,
    method: 'DELETE',
    url: '/:product',
    params,
    message: 'Removed.',
    async run(context, { params: { product } }) {
      await enterProduct(context, product)
      const limit = await removeEntry(context, context.caller.venue_id, product)
      if (limit === undefined) throw noSuchRecord()
      await note(context, 'remove', product, { limit }, undefined)
      return JSON.stringify({ id: product })
    },
  })
}

async function enterProduct({ tx, brand_id }: CommandContext, product: number): Promise<void> {
  await lockDirectory(tx) // before any other lock, as everything else that puts a change on record
  const found = await tx.rows('select id from products where brand_id = ? and id = ?', [brand_id, product])
  if (found.length === 0) throw noSuchRecord()
}

const note = (
  { tx, brand_id, actor, caller }: CommandContext,
  what: 'set' | 'remove',
  product: number,
  before: object | undefined,
  after: object | undefined,
) =>
  record(tx, {
    actor,
    action: `stop_list.${what}`,
    subject: `${product} in venue ${caller.venue_id}`,
    brand_id,
    before,
    after,
  })
