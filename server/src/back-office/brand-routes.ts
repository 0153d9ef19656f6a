import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { isWithin } from '../auth/permissions.ts'
import { createCredential, displayCredential, Rejected, setCredentialEnabled } from '../auth/registry.ts'
import { beyondOwnRights } from '../http/errors.ts'
import { identify, mayManageAddons, type Person } from './guard.ts'
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
  const { db, directory, keys, signIn, verify, followChange, searches, now } = needs
  app.addHook('onRequest', identify(needs))
  app.addHook('onRequest', mayManageAddons)

  app.get('/credentials', { schema: { response: { 200: Credentials } } }, async ({ person }) => ({
    credentials: await listShownCredentials(db, person.staff!.brand, now()),
  }))

  /** The staff as it is now: a binding or a role that was changed a moment ago counts. */
  async function staffNow({ staff }: Person) {
    await directory.refresh()
    const brand = (await directory.brand(staff!.brand.slug))!
    return { brand, own: brand.users.get(staff!.user.id)! }
  }

  /** Those whom this person may bind credentials to. */
  app.get('/staff', { schema: { response: { 200: Staff } } }, async ({ person }) => {
    const { brand, own } = await staffNow(person)
    const { users, venues } = await listStaff(db, brand)
    const isBindable = ({ id }: { id: number }) => {
      const user = brand.users.get(id)
      return user !== undefined && isWithin(user, own)
    }
    return { users: users.filter(isBindable), venues }
  })

  app.post(
    '/credentials',
    { schema: { body: NewCredential, response: { 200: Secret } } },
    async ({ person, body: { name, user_id, venue_id } }) => {
      const { brand, own } = await staffNow(person)
      const user = brand.users.get(user_id)
      if (user === undefined) throw new Rejected('There is no such staff user')
      if (!isWithin(user, own)) throw beyondOwnRights()
      const { username } = user
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
      const { brand, own } = await staffNow(person)
      const credential = brand.credentials.get(params.client_id)
      if (credential && !isWithin(brand.users.get(credential.user_id)!, own)) throw beyondOwnRights()
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
