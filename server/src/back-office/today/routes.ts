import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ANYONE, authorize, may, mayEnter } from '../../auth/permissions.ts'
import { venueForbidden } from '../../http/errors.ts'
import { asHook, sequence } from '../../http/rules.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { instantOf } from '../../values/values.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff } from '../guard.ts'
import { closed } from '../schema.ts'
import { checklist } from './checklist.ts'
import { NOTICE_SOURCES } from './notices.ts'
import { kitchenLoad, openReceipts, openShifts, type Place, runningOut, waitingOrders } from './rooms.ts'
import { salesToday, type VenueClock } from './sales.ts'
import { Checklist, Today } from './schema.ts'

const TodayQuery = Type.Object(
  {
    venue_id: Type.Optional(Type.Integer({ minimum: 1, description: 'Absent: every venue that the person may enter' })),
  },
  closed,
)

/** What goes on now, in one request: each part for those who may read it. */
export const todayRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { db, now } = deps
  app.addHook('onRequest', asHook(sequence(actAsStaff, authorize)))

  app.get(
    '/',
    { config: { permission: ANYONE }, schema: { querystring: TodayQuery, response: { 200: Today } } },
    async (request): Promise<Today> => {
      const { brand_id, user } = request.call.caller
      const venues = venuesOf(request, request.query.venue_id)
      const place: Place = { brand_id, venues }
      const nowMs = now()
      const at = instantOf(nowMs)
      const part = <Shown>(permission: string, read: () => Promise<Shown>) =>
        may(user.permissions, permission) ? read() : undefined
      const [sales, open, orders, kitchen, shifts, short, notices] = await Promise.all([
        part('receipts:read', async () => salesToday(db, brand_id, await clocksOf(db, place), nowMs)),
        part('receipts:read', () => openReceipts(db, place)),
        part('orders:read', () => waitingOrders(db, place, at)),
        part('kitchen:use', () => kitchenLoad(db, place, nowMs)),
        part('finance-cash-shifts:read', () => openShifts(db, place)),
        part('products:read', () => runningOut(db, place, at, may(user.permissions, 'stock:read'))),
        Promise.all(
          NOTICE_SOURCES.map(({ permission, find }) => part(permission, () => find(deps, place, nowMs)) ?? []),
        ),
      ])
      return {
        now: at,
        ...definedOnly({ sales, open, orders, kitchen, shifts, short }),
        notices: notices.flat(),
      }
    },
  )

  app.get(
    '/checklist',
    { config: { permission: 'settings:write' }, schema: { response: { 200: Checklist } } },
    async ({ call }): Promise<Checklist> => checklist(db, call.caller.brand_id),
  )
}

/** The venue that is named, else all that the person may enter. */
function venuesOf({ call: { caller, venues } }: FastifyRequest, venue_id: number | undefined): number[] {
  const enterable = [...venues].filter((id) => mayEnter(caller.user, id))
  if (venue_id === undefined) return enterable
  if (!enterable.includes(venue_id)) throw venueForbidden()
  return [venue_id]
}

async function clocksOf(db: Queries, { brand_id, venues }: Place): Promise<VenueClock[]> {
  if (venues.length === 0) return []
  const rows = await db.rows<{ id: number; time_zone: string; settings: string }>(
    `select id, time_zone, settings from venues where brand_id = ? and id in ${places(venues)} order by is_main desc, id`,
    [brand_id, ...venues],
  )
  return rows.map(({ settings, ...row }) => ({
    ...row,
    day_starts_at: (JSON.parse(settings) as { day_starts_at: string }).day_starts_at,
  }))
}
