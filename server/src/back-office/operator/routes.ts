import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { rotateCredential } from '../../directory/credentials.ts'
import { addBrand, addIntegrator, findBrand, setBrandMode, setIntegrator, setQuota } from '../../directory/registry.ts'
import { brandSetupLink } from '../../setup/links.ts'
import { webhooksOverview } from '../../webhooks/overview.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { personOf } from '../guard.ts'
import { inviteUser } from '../people/accounts.ts'
import {
  auditPage,
  listBrandStaff,
  listSharedBrands,
  listShownBrands,
  listShownCredentials,
  listShownIntegrators,
  listSignIns,
} from '../queries.ts'
import {
  AuditPage,
  AuditQuery,
  BrandAndClient,
  BrandAndIntegrator,
  BrandChange,
  BrandSlug,
  BrandStaff,
  Brands,
  Credentials,
  Health,
  IntegratorChange,
  IntegratorId,
  Integrators,
  InvitationToken,
  NewBrand,
  NewIntegrator,
  NewInvitation,
  Quota,
  Rotation,
  Secret,
  SetupToken,
  SharedBrands,
  SignIns,
  Verification,
  WebhooksOverview,
} from '../schema.ts'
import { checkStores } from './health.ts'
import { listWorkers } from './workers.ts'

/** The operator's pages: the same changes as on the command line. */
export const operatorRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { db, keys, signIn, verify, followChange, searches, now } = deps

  app.get('/brands', { schema: { response: { 200: Brands } } }, async () => ({ brands: await listShownBrands(db) }))

  app.post(
    '/brands',
    { config: { events: ['customer_group.created'] }, schema: { body: NewBrand } },
    async (request, reply) => {
      await addBrand(db, personOf(request).actor, request.body)
      await followChange()
      reply.status(204)
    },
  )

  app.patch(
    '/brands/:slug',
    { config: { events: ['brand.updated'] }, schema: { params: BrandSlug, body: BrandChange } },
    async (request, reply) => {
      const { params, body } = request
      await setBrandMode(db, personOf(request).actor, params.slug, body.test)
      await followChange()
      reply.status(204)
    },
  )

  /** As `comptoir brand add SLUG --setup`: a link that opens the brand in the browser, as long as it has nothing yet. */
  app.post(
    '/brands/:slug/setup-link',
    { config: { events: 'none' }, schema: { params: BrandSlug, response: { 200: SetupToken } } },
    async (request) => brandSetupLink(db, personOf(request).actor, request.params.slug, now()),
  )

  app.put(
    '/brands/:slug/quotas/:integrator_id',
    { config: { events: ['brand.updated'] }, schema: { params: BrandAndIntegrator, body: Quota } },
    async (request, reply) => {
      const { params, body } = request
      await setQuota(db, personOf(request).actor, params.slug, params.integrator_id, body.per_minute)
      await followChange()
      reply.status(204)
    },
  )

  app.get(
    '/brands/:slug/credentials',
    { schema: { params: BrandSlug, response: { 200: Credentials } } },
    async ({ params }) => ({
      credentials: await listShownCredentials(db, await findBrand(db, params.slug), now()),
    }),
  )

  app.get('/brands/:slug/staff', { schema: { params: BrandSlug, response: { 200: BrandStaff } } }, async ({ params }) =>
    listBrandStaff(db, await findBrand(db, params.slug), now()),
  )

  /** As `comptoir user invite`. Anyone with the link can become that user, so the operator enters the password again. */
  app.post(
    '/brands/:slug/invitations',
    {
      config: { events: 'none' },
      schema: { params: BrandSlug, body: NewInvitation, response: { 200: InvitationToken } },
    },
    async (request) => {
      const { params, body } = request
      await signIn.again(request, body.password)
      return { token: await inviteUser(db, personOf(request).actor, params.slug, body.username, now()) }
    },
  )

  /** §3: rotation is the operator's task. It displays a secret, so the operator enters the password again. */
  app.post(
    '/brands/:slug/credentials/:client_id/rotation',
    {
      config: { events: ['credential.rotated'] },
      schema: { params: BrandAndClient, body: Rotation, response: { 200: Secret } },
    },
    async (request) => {
      const { params, body } = request
      await signIn.again(request, body.password)
      const brand = await findBrand(db, params.slug)
      const rotated = await rotateCredential(db, keys, personOf(request).actor, params.client_id, body.overlap_s, brand)
      await followChange()
      return rotated
    },
  )

  app.get('/integrators', { schema: { response: { 200: Integrators } } }, async () => ({
    integrators: await listShownIntegrators(db),
  }))

  app.post(
    '/integrators',
    { config: { events: 'none' }, schema: { body: NewIntegrator, response: { 200: IntegratorId } } },
    async (request) => {
      const { id } = await addIntegrator(db, personOf(request).actor, request.body)
      await followChange()
      return { integrator_id: id }
    },
  )

  app.patch(
    '/integrators/:integrator_id',
    { config: { events: 'none' }, schema: { params: IntegratorId, body: IntegratorChange } },
    async (request, reply) => {
      const { params, body } = request
      await setIntegrator(db, personOf(request).actor, params.integrator_id, body)
      await followChange()
      reply.status(204)
    },
  )

  app.get('/shared-brands', { schema: { response: { 200: SharedBrands } } }, async () => ({
    brands: await listSharedBrands(db, now()),
  }))

  app.get('/health', { schema: { response: { 200: Health } } }, async () => ({
    stores: await checkStores(deps),
    workers: await listWorkers(db, now()),
  }))

  app.get('/webhooks', { schema: { response: { 200: WebhooksOverview } } }, async () => webhooksOverview(db, now()))

  app.get('/sign-ins', { schema: { response: { 200: SignIns } } }, async () => ({ attempts: await listSignIns(db) }))

  app.get(
    '/audit',
    { onRequest: searches.start, schema: { querystring: AuditQuery, response: { 200: AuditPage } } },
    async ({ query }) => auditPage(db, query),
  )

  app.get('/audit/verification', { schema: { response: { 200: Verification } } }, verify)
}
