import type { FastifyPluginAsync } from 'fastify'
import Type, { type Static } from 'typebox'
import { enterVenue } from '../../auth/authenticate.ts'
import { authorize } from '../../auth/permissions.ts'
import { all, asJson, one } from '../../http/envelope.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { PathId } from '../../resource/values.ts'
import { prices } from '../../resources/menu/prices.ts'
import { products } from '../../resources/menu/products.ts'
import { instantOf } from '../../values/values.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff } from '../guard.ts'
import { changeChoices, findChoices, NewChoices } from './choices.ts'
import { findHistory } from './history.ts'
import { changeOrder, findMenu, NewOrder } from './overview.ts'
import {
  changeListPrices,
  findGuestPrices,
  findListPrices,
  findPriceLists,
  findProductPrices,
  GuestQuery,
  NewPrices,
} from './prices.ts'

/** The menu as somebody sees it who changes it, and the changes that are of several rows. One row is changed by its form. */
export const menuEditorRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, { db, now, command, followChange }) => {
  app.addHook('onRequest', asHook(sequence(actAsStaff, enterVenue, authorize)))
  const permission = 'menu:write'
  const params = Type.Object({ id: PathId() })
  const byId = { config: { permission }, schema: { params } }
  const ofKind = Type.Object({ kind: Type.Enum(['product', 'category']), id: PathId() })
  const history = { config: { permission }, schema: { params: ofKind } }
  const write = { permission, committed: followChange }
  const idOf = (request: { params: unknown }) => (request.params as Static<typeof params>).id

  app.get('/menu-editor', { config: { permission } }, async ({ call: { caller } }, reply) =>
    asJson(reply, one(JSON.stringify(await findMenu(db, caller.brand_id)))),
  )
  command(app, {
    ...write,
    method: 'PUT',
    url: '/menu-editor/order',
    events: ['category.updated', 'product.updated'],
    body: NewOrder,
    message: 'Saved.',
    run: async (context, { body }) => JSON.stringify(await changeOrder(context, body)),
  })

  app.get('/menu-editor/products/:id/choices', byId, async (request, reply) =>
    asJson(reply, one(JSON.stringify(await findChoices(db, request.call.caller, idOf(request))))),
  )
  command(app, {
    ...write,
    method: 'PUT',
    url: '/menu-editor/products/:id/choices',
    events: products.eventTypes,
    params,
    body: NewChoices,
    versioned: 'if-match',
    message: 'Saved.',
    run: async (context, { params, body, ifMatch }) =>
      JSON.stringify(await changeChoices(context, params.id, body, ifMatch)),
  })

  app.get('/menu-editor/products/:id/prices', byId, async (request, reply) =>
    asJson(
      reply,
      one(JSON.stringify(await findProductPrices(db, request.call.caller, idOf(request), instantOf(now())))),
    ),
  )
  app.get(
    '/menu-editor/guest-prices',
    { config: { permission }, schema: { querystring: GuestQuery } },
    async (request, reply) => {
      const { sale_type_id, at = instantOf(now()) } = request.query as Static<typeof GuestQuery>
      return asJson(reply, one(JSON.stringify(await findGuestPrices(db, request.call.caller, { sale_type_id, at }))))
    },
  )

  app.get('/menu-editor/history/:kind/:id', history, async (request, reply) => {
    const { kind, id } = request.params as Static<typeof ofKind>
    return asJson(reply, all(await findHistory(db, request.call.caller.brand_id, kind, id)))
  })

  app.get('/price-lists', { config: { permission } }, async ({ call: { caller } }, reply) =>
    asJson(reply, one(JSON.stringify(await findPriceLists(db, caller)))),
  )
  app.get('/price-lists/:id/prices', byId, async (request, reply) =>
    asJson(reply, one(JSON.stringify(await findListPrices(db, request.call.caller, idOf(request))))),
  )
  command(app, {
    ...write,
    method: 'PUT',
    url: '/price-lists/:id/prices',
    events: prices.eventTypes,
    params,
    body: NewPrices,
    versioned: 'if-match',
    message: 'Saved.',
    run: async (context, { params, body, ifMatch }) =>
      JSON.stringify(await changeListPrices(context, params.id, body, ifMatch)),
  })
}
