import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { isWithin, mayEnter } from '../auth/permissions.ts'
import { createCredential, displayCredential, setCredentialEnabled } from '../directory/credentials.ts'
import { Rejected } from '../directory/registry.ts'
import { beyondOwnRights } from '../http/errors.ts'
import type { BackOfficeDeps } from './deps.ts'
import { personOf, staffOf } from './guard.ts'
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

/** The brand's side: the Open API module (§5.1) and the audit log, of the signed-in user's own brand and no other. */
export const brandRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { db, directory, keys, signIn, verify, followChange, searches, resources, now } = deps

  app.get('/credentials', { schema: { response: { 200: Credentials } } }, async (request) => ({
    credentials: await listShownCredentials(db, staffOf(request).brand, now()),
  }))

  /** The staff as it is now: a binding or a role that was changed a moment ago counts. */
  async function staffNow(request: FastifyRequest) {
    const { brand: held, user } = staffOf(request)
    await directory.refresh()
    const brand = (await directory.brand(held.slug))!
    return { brand, own: brand.users.get(user.id)! }
  }

  /** Displaying a secret, or switching a credential on again, gives the rights of its staff user. */
  const refuseBeyondOwn = ({ brand, own }: Awaited<ReturnType<typeof staffNow>>, client_id: string) => {
    const credential = brand.credentials.get(client_id)
    if (credential && !isWithin(brand.users.get(credential.user_id)!, own)) throw beyondOwnRights()
  }

  const permissions = [...resources.flatMap((resource) => resource.permissions), 'events:read']

  /** The staff that this person may bind credentials to, and the venues that they may enter. */
  app.get('/staff', { schema: { response: { 200: Staff } } }, async (request) => {
    const { brand, own } = await staffNow(request)
    const { users, venues } = await listStaff(db, brand)
    const isBindable = ({ id }: { id: number }) => {
      const user = brand.users.get(id)
      return user !== undefined && isWithin(user, own)
    }
    return { users: users.filter(isBindable), venues: venues.filter(({ id }) => mayEnter(own, id)), permissions }
  })

  app.post(
    '/credentials',
    { config: { events: ['credential.created'] }, schema: { body: NewCredential, response: { 200: Secret } } },
    async (request) => {
      const { name, user_id, venue_id } = request.body
      const { brand, own } = await staffNow(request)
      const user = brand.users.get(user_id)
      if (user === undefined) throw new Rejected('There is no such staff user')
      if (!isWithin(user, own)) throw beyondOwnRights()
      const { username } = user
      const created = await createCredential(db, keys, personOf(request).actor, {
        brand: brand.slug,
        username,
        name,
        venue_id,
      })
      await followChange()
      return created
    },
  )

  app.patch(
    '/credentials/:client_id',
    {
      config: { events: ['credential.enabled', 'credential.disabled'] },
      schema: { params: ClientId, body: CredentialChange },
    },
    async (request, reply) => {
      const { params, body } = request
      const { actor } = personOf(request)
      if (body.enabled) refuseBeyondOwn(await staffNow(request), params.client_id)
      await setCredentialEnabled(db, actor, params.client_id, body.enabled, staffOf(request).brand)
      await followChange() // at once here, within a second elsewhere (D5.6)
      reply.status(204)
    },
  )

  app.post(
    '/credentials/:client_id/secret',
    { config: { events: 'none' }, schema: { params: ClientId, body: PasswordAgain, response: { 200: Secret } } },
    async (request) => {
      const { params, body } = request
      const staff = await staffNow(request)
      refuseBeyondOwn(staff, params.client_id)
      await signIn.again(request, body.password)
      return displayCredential(db, keys, personOf(request).actor, params.client_id, staff.brand)
    },
  )

  app.get(
    '/audit',
    { onRequest: searches.start, schema: { querystring: AuditQuery, response: { 200: AuditPage } } },
    async (request) => auditPage(db, { ...request.query, brand_id: staffOf(request).brand.id }),
  )

  app.get('/audit/verification', { schema: { response: { 200: Verification } } }, verify)
}
