import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createCredential, displayCredential, Rejected, setCredentialEnabled } from '../auth/registry.ts'
import { identify, mayManageAddons } from './guard.ts'
import type { Needs } from './needs.ts'
import { auditPage, listShownCredentials, listStaff } from './queries.ts'
import {
  AuditPage,
  AuditQuery,
  ClientId,
  CredentialChange,
  Credentials,
  NewCredential,
  PasswordAgain,
  Secret,
  Staff,
  Verification,
} from './schema.ts'
import type { Verify } from './verification.ts'

/** The brand's side: the Open API module (§5.1) and the audit log, of the signed-in user's own brand and no other. */
export const brandRoutes: FastifyPluginAsyncTypebox<Needs & { verify: Verify }> = async (app, needs) => {
  const { db, keys, signIn, verify, followChange, searches, now } = needs
  app.addHook('onRequest', identify(needs))
  app.addHook('onRequest', mayManageAddons)

  app.get('/credentials', { schema: { response: { 200: Credentials } } }, async ({ person }) => ({
    credentials: await listShownCredentials(db, person.staff!.brand, now()),
  }))

  app.get('/staff', { schema: { response: { 200: Staff } } }, async ({ person }) => listStaff(db, person.staff!.brand))

  app.post(
    '/credentials',
    { schema: { body: NewCredential, response: { 200: Secret } } },
    async ({ person, body: { name, user_id, venue_id } }) => {
      const { brand } = person.staff!
      const username = brand.users.get(user_id)?.username
      if (username === undefined) throw new Rejected('There is no such staff user')
      const created = await createCredential(db, keys, person.actor, { brand: brand.slug, username, name, venue_id })
      await followChange()
      return created
    },
  )

  app.patch(
    '/credentials/:client_id',
    { schema: { params: ClientId, body: CredentialChange } },
    async ({ person, params, body }, reply) => {
      await setCredentialEnabled(db, person.actor, params.client_id, body.enabled, person.staff!.brand)
      await followChange() // at once here, within a second elsewhere (D5.6)
      reply.status(204)
    },
  )

  app.post(
    '/credentials/:client_id/secret',
    { schema: { params: ClientId, body: PasswordAgain, response: { 200: Secret } } },
    async (request) => {
      const { person, params, body } = request
      await signIn.again(request, body.password)
      return displayCredential(db, keys, person.actor, params.client_id, person.staff!.brand)
    },
  )

  app.get(
    '/audit',
    { onRequest: searches.start, schema: { querystring: AuditQuery, response: { 200: AuditPage } } },
    async ({ person, query }) => auditPage(db, { ...query, brand_id: person.staff!.brand.id }),
  )

  app.get('/audit/verification', { schema: { response: { 200: Verification } } }, verify)
}
