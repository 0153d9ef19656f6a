import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { authorize, type Permission } from '../auth/permissions.ts'
import type { Caller } from '../http/call.ts'
import { sendPage } from '../http/envelope.ts'
import { type List, type ListRequest, listQuery, parseList, queryOf } from '../http/list.ts'
import { asHook, sequence } from '../http/rules.ts'
import { validatorCompiler } from '../http/validate.ts'
import { withGroup } from '../resources/customers/queries.ts'
import { readBodies, readPage } from '../resources/page.ts'
import { priceLists } from '../resources/price-lists/routes.ts'
import { products } from '../resources/products/routes.ts'
import type { Aside } from '../storage/aside.ts'
import { customerList, receiptList, stockOperationList } from './data-lists.ts'
import type { Needs } from './deps.ts'
import { staffOf } from './guard.ts'

/** A brand's data as the API serves it, for the staff user's own eyes: each list needs their own permission for it. */
export const dataRoutes: FastifyPluginAsync<Needs> = async (app, needs) => {
  const { db, aside, searches, now } = needs
  app.setValidatorCompiler(validatorCompiler(now)) // the list language is read by the list
  app.addHook('onRequest', asHook(sequence(actAsOneself, authorize)))
  app.addHook('onRequest', searches.start)
  app.register(products, { db })
  app.register(priceLists, { db })

  app.get('/customers', of('customers:read', customerList), async ({ call: { caller }, url }, reply) => {
    const list = parseList(customerList, queryOf(url))
    const [{ bodies, total }, groups] = await Promise.all([
      readBodies(aside, 'customers', caller, list),
      readGroups(aside, caller.brand_id),
    ])
    const data = bodies.map((body) => withGroup(body, groups.get((JSON.parse(body) as { group_id: number }).group_id)!))
    return sendPage(reply, list, { data: data.join(','), total })
  })

  app.get('/receipts', of('receipts:read', receiptList), async ({ call: { caller }, url }, reply) => {
    const list = inVenues(caller, parseList(receiptList, queryOf(url)))
    return sendPage(reply, list, await readPage(aside, 'receipts', caller, list))
  })

  app.get(
    '/stock-operations',
    of('stock-operations:read', stockOperationList),
    async ({ call: { caller }, url }, reply) => {
      const list = inVenues(caller, parseList(stockOperationList, queryOf(url)))
      return sendPage(reply, list, await readPage(aside, 'stock_operations', caller, list))
    },
  )
}

const of = (permission: Permission, list: List) => ({
  config: { permission },
  schema: { querystring: listQuery(list) },
})

/** The signed-in staff user stands where an integration's caller would. */
function actAsOneself(request: FastifyRequest): undefined {
  const { brand, user } = staffOf(request)
  const venue_id = [...(user.venues ?? brand.venues)][0] ?? 0
  request.call.caller = { brand_id: brand.id, brand: brand.slug, integrator_id: '', client_id: '', venue_id, user }
  return undefined
}

/** Where the staff user may enter some venues only, they see those. */
function inVenues({ user }: Caller, list: ListRequest): ListRequest {
  if (user.venues === undefined) return list
  const venues = [...user.venues]
  const text = `${list.where.text} and venue_id in (${venues.map(() => '?').join(', ') || 'null'})`
  return { ...list, where: { text, values: [...list.where.values, ...venues] } }
}

async function readGroups(aside: Aside, brand_id: number): Promise<ReadonlyMap<number, string>> {
  const rows = await aside.rows<{ id: number; body: string }>(
    'select id, body from customer_groups where brand_id = ?',
    [brand_id],
  )
  return new Map(rows.map(({ id, body }) => [id, body]))
}
