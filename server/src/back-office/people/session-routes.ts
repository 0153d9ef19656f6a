import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findBrand } from '../../directory/registry.ts'
import { readableTables } from '../data/tables.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { isSecure, personOf } from '../guard.ts'
import { findStaffName } from '../queries.ts'
import { EndSession, Me, NewPassword } from '../schema.ts'
import { changePassword } from './accounts.ts'
import { endSession, endSessions, sessionCookie } from './sessions.ts'
import { chosenPassword, startSession } from './start-session.ts'

/** Routes for everyone who is signed in: their own data, changing the password, signing out. */
export const sessionRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { config, db, hashing, signIn, resources } = deps
  const cookie = sessionCookie(isSecure(config))

  app.delete('/session', { config: { events: 'none' }, schema: { body: EndSession } }, async (request, reply) => {
    const { account, session } = personOf(request)
    await db.transaction((tx) => (request.body.everywhere ? endSessions(tx, account.id) : endSession(tx, session)))
    reply.header('set-cookie', cookie.cleared).status(204)
  })

  /** Ends all other sessions of this person; this browser stays signed in, with a new cookie. */
  app.put('/password', { config: { events: 'none' }, schema: { body: NewPassword } }, async (request, reply) => {
    const { account } = personOf(request)
    const { password, new_password } = request.body
    await signIn.again(request, password)
    const changed = await changePassword(db, account, await chosenPassword(hashing, request, account, new_password))
    await startSession(deps, request, reply, changed)
  })

  app.get('/me', { schema: { response: { 200: Me } } }, async (request): Promise<Me> => {
    const { account, staff } = personOf(request)
    const base_path = config.COMPTOIR_BASE_PATH
    if (!staff) return { kind: 'operator', name: account.operator!, base_path }
    const { brand, user } = staff
    const { slug, name, test } = await findBrand(db, brand.slug)
    const [money] = await db.rows<{ currency: string; money_places: number }>(
      'select currency, money_places from brands where id = ?',
      [brand.id],
    )
    return {
      kind: 'user',
      id: user.id,
      ...(await findStaffName(db, brand.id, user.id)),
      username: user.username,
      permissions: [...user.permissions],
      reads: readableTables(resources, user.permissions).map(({ resource }) => resource),
      brand: { slug, name, test: test === 1, ...money! },
      base_path,
    }
  })
}
