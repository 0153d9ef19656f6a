import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { findBrand } from '../../directory/registry.ts'
import { invitationSpent, signInRefused } from '../../http/errors.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { findPerson, isDemoPlace } from '../guard.ts'
import { Acceptance, InvitationToken, Invited, NewOperatorSession, NewSession } from '../schema.ts'
import {
  type Account,
  acceptInvitation,
  findAccount,
  findInvitation,
  findOperatorAccount,
  findUserAccount,
  totpSecretOf,
} from './accounts.ts'
import { namedOperator, namedUser } from './sign-in.ts'
import { chosenPassword, startSession } from './start-session.ts'
import { matchingStep, totpUri } from './totp.ts'

/** Open to everybody: signing in, for brands' users and operators, and accepting an invitation. */
export const signInRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { config, db, directory, keys, hashing, signIn, now } = deps

  const isActive = async (account: Account) => (await findPerson(directory, account, '')) !== undefined

  // An account that may not be used from there, or no longer, is none: as much is computed, and the same is answered.
  async function usable(request: FastifyRequest, account: Account | undefined): Promise<Account | undefined> {
    if (!account || (account.loopback_only === 1 && !isDemoPlace(config, request))) return undefined
    return (await isActive(account)) ? account : undefined
  }

  app.post('/session', { config: { events: 'none' }, schema: { body: NewSession } }, async (request, reply) => {
    const { brand, username, password } = request.body
    const account = await usable(request, await findUserAccount(db, brand, username))
    const named = namedUser(brand, username)
    await startSession(deps, request, reply, await signIn.prove(request, { named, account, password }))
  })

  app.post(
    '/operator/session',
    { config: { events: 'none' }, schema: { body: NewOperatorSession } },
    async (request, reply) => {
      const { name, password, code } = request.body
      const account = await usable(request, await findOperatorAccount(db, name))
      const named = namedOperator(name)
      await startSession(deps, request, reply, await signIn.prove(request, { named, account, password, code }))
    },
  )

  /** What the link's page shows. The secret comes in the body, so that no log of addresses holds it. */
  app.post(
    '/invitation',
    { config: { events: 'none' }, schema: { body: InvitationToken, response: { 200: Invited } } },
    async ({ body: { token } }): Promise<Invited> => {
      const { invitation, account, secret } = await opened(token)
      const brand = account.slug === null ? null : await findBrand(db, account.slug)
      const name = account.operator ?? account.username!
      return {
        name,
        brand: brand && { slug: brand.slug, name: brand.name },
        totp: secret === undefined ? null : { secret, uri: totpUri(secret, name) },
        expires_at: invitation.expires_at,
      }
    },
  )

  app.post(
    '/invitation/acceptance',
    { config: { events: 'none' }, schema: { body: Acceptance } },
    async (request, reply) => {
      const { token, password, code } = request.body
      const { account, secret } = await opened(token)
      // An app that shows another code would lock the operator out at the next sign-in.
      const step = secret === undefined ? null : matchingStep(secret, code ?? '', now())
      if (step === undefined) throw signInRefused()
      const hash = await chosenPassword(hashing, request, account, password)
      const accepted = await acceptInvitation(db, token, { password: hash, totp_step: step }, now())
      if (!accepted) throw invitationSpent()
      await startSession(deps, request, reply, accepted)
    },
  )

  async function opened(token: string) {
    const invitation = await findInvitation(db, token, now())
    const account = invitation && (await findAccount(db, invitation.account_id))
    if (!account || !(await isActive(account))) throw invitationSpent()
    return { invitation, account, secret: totpSecretOf(keys, account.id, invitation) }
  }
}
