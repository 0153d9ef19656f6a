import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findBrand } from '../auth/registry.ts'
import { invitationSpent, passwordWeak, signInRefused, unavailable } from '../http/errors.ts'
import {
  type Account,
  acceptInvitation,
  changePassword,
  findAccount,
  findInvitation,
  findOperatorAccount,
  findUserAccount,
  totpSecretOf,
} from './accounts.ts'
import { identify, isDemoPlace, isSecure, personOf } from './guard.ts'
import { deviceCookie, rememberPlace } from './known-places.ts'
import type { Needs } from './needs.ts'
import { passwordHash, weakness } from './passwords.ts'
import { findStaffName } from './queries.ts'
import {
  Acceptance,
  EndSession,
  InvitationToken,
  Invited,
  Me,
  NewOperatorSession,
  NewPassword,
  NewSession,
} from './schema.ts'
import { endSession, endSessions, findSession, openSession, sessionCookie } from './sessions.ts'
import { namedOperator, namedUser, nameOf, originOf } from './sign-in.ts'
import { matchingStep, totpUri } from './totp.ts'

/** Signing in and out, for brands' users and operators, and taking up an invitation. */
export const sessionRoutes: FastifyPluginAsyncTypebox<Needs> = async (app, needs) => {
  const { config, db, directory, keys, hashing, signIn, now } = needs
  const cookie = sessionCookie(isSecure(config))
  const device = deviceCookie(isSecure(config))

  /** A new session in place of whatever cookie came along; device and address are known from now on. */
  async function enter(request: FastifyRequest, reply: FastifyReply, account: Account): Promise<void> {
    const left = cookie.read(request.headers.cookie)
    const old = left && (await findSession(db, left, now()))
    if (old) await db.transaction((tx) => endSession(tx, old.hash))
    const tokens = await rememberPlace(db, account.id, originOf(config, request), now())
    reply.header('set-cookie', cookie.set(await openSession(db, account.id, now())))
    reply.header('set-cookie', device.set(tokens))
    reply.status(204)
  }

  /** The hash of a password that was just chosen; one that is easily guessed is refused. */
  function chosenPassword({ id }: FastifyRequest, account: Account, password: string): Promise<string> {
    const weak = weakness(password, [account.operator ?? account.username!, account.slug ?? 'comptoir'])
    if (weak) throw passwordWeak(weak)
    return hashing(
      { account: nameOf(account), known: true }, // signed in, or with a link that is good
      () => passwordHash(password),
      () => unavailable(id),
    )
  }

  const isActive = async (account: Account) => (await personOf(directory, account, '')) !== undefined

  // An account that may not be used from there, or no longer, is none: as much is computed, and the same is answered.
  async function usable(request: FastifyRequest, account: Account | undefined): Promise<Account | undefined> {
    if (!account || (account.loopback_only === 1 && !isDemoPlace(config, request))) return undefined
    return (await isActive(account)) ? account : undefined
  }

  app.post('/session', { schema: { body: NewSession } }, async (request, reply) => {
    const { brand, username, password } = request.body
    const account = await usable(request, await findUserAccount(db, brand, username))
    const named = namedUser(brand, username)
    await enter(request, reply, await signIn.prove(request, { named, account, password }))
  })

  app.post('/operator/session', { schema: { body: NewOperatorSession } }, async (request, reply) => {
    const { name, password, code } = request.body
    const account = await usable(request, await findOperatorAccount(db, name))
    const named = namedOperator(name)
    await enter(request, reply, await signIn.prove(request, { named, account, password, code }))
  })

  /** What the link's page shows. The secret comes in the body, so that no log of addresses holds it. */
  app.post(
    '/invitation',
    { schema: { body: InvitationToken, response: { 200: Invited } } },
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

  app.post('/invitation/acceptance', { schema: { body: Acceptance } }, async (request, reply) => {
    const { token, password, code } = request.body
    const { account, secret } = await opened(token)
    // An app that shows another code would lock the operator out at the next sign-in.
    const step = secret === undefined ? null : matchingStep(secret, code ?? '', now())
    if (step === undefined) throw signInRefused()
    const hash = await chosenPassword(request, account, password)
    const accepted = await acceptInvitation(db, token, { password: hash, totp_step: step }, now())
    if (!accepted) throw invitationSpent()
    await enter(request, reply, accepted)
  })

  async function opened(token: string) {
    const invitation = await findInvitation(db, token, now())
    const account = invitation && (await findAccount(db, invitation.account_id))
    if (!account || !(await isActive(account))) throw invitationSpent()
    return { invitation, account, secret: totpSecretOf(keys, account.id, invitation) }
  }

  app.register(async (signedIn: typeof app) => {
    signedIn.addHook('onRequest', identify(needs))

    signedIn.delete('/session', { schema: { body: EndSession } }, async ({ body, person }, reply) => {
      await db.transaction((tx) =>
        body.everywhere ? endSessions(tx, person.account.id) : endSession(tx, person.session),
      )
      reply.header('set-cookie', cookie.cleared).status(204)
    })

    /** The others who are signed in as this person are out; whoever knew the old password stays here, under a new cookie. */
    signedIn.put('/password', { schema: { body: NewPassword } }, async (request, reply) => {
      const { account } = request.person
      const { password, new_password } = request.body
      await signIn.again(request, password)
      await changePassword(db, account, await chosenPassword(request, account, new_password))
      await enter(request, reply, account)
    })

    signedIn.get('/me', { schema: { response: { 200: Me } } }, async ({ person }): Promise<Me> => {
      const base_path = config.COMPTOIR_BASE_PATH
      if (!person.staff) return { kind: 'operator', name: person.account.operator!, base_path }
      const { brand, user } = person.staff
      const { slug, name, test } = await findBrand(db, brand.slug)
      return {
        kind: 'user',
        ...(await findStaffName(db, brand.id, user.id)),
        username: user.username,
        permissions: [...user.permissions],
        brand: { slug, name, test: test === 1 },
        base_path,
      }
    })
  })
}
