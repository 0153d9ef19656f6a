import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findTerms } from '../../directory/brand-terms.ts'
import { findBrand } from '../../directory/registry.ts'
import type { Database } from '../../storage/database.ts'
import { readableTables } from '../data/tables.ts'
import type { BackOfficeDeps } from '../deps.ts'
import type { Device } from '../devices/devices.ts'
import { isSecure, personOf } from '../guard.ts'
import { findStaffName, findVenues } from '../queries.ts'
import { ChosenLanguage, EndSession, Me, NewPassword } from '../schema.ts'
import { changePassword, chooseLanguage } from './accounts.ts'
import { endSession, endSessions, sessionCookie } from './sessions.ts'
import { chosenPassword, startSession } from './start-session.ts'

/** Routes for everyone who is signed in: their own data, changing the password, signing out. */
export const sessionRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { config, db, hashing, signIn, resources, connection } = deps
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

  app.put('/language', { config: { events: 'none' }, schema: { body: ChosenLanguage } }, async (request, reply) => {
    await chooseLanguage(db, personOf(request).account, request.body.language)
    reply.status(204)
  })

  app.get('/me', { schema: { response: { 200: Me } } }, async (request): Promise<Me> => {
    const { account, staff, device, isByPin = false } = personOf(request)
    const base_path = config.COMPTOIR_BASE_PATH
    const connect = connection()
    const service = { language: account.language, base_path, ...(connect && { connect }) }
    if (!staff) return { kind: 'operator', name: account.operator!, ...service }
    const { brand, user } = staff
    const { slug, test } = await findBrand(db, brand.slug)
    const { name, currency, money_places, languages } = await findTerms(db, brand.id)
    return {
      kind: 'user',
      id: user.id,
      ...(await findStaffName(db, brand.id, user.id)),
      username: user.username,
      permissions: [...user.permissions],
      ...(device && { device: await shownDevice(db, device, isByPin) }),
      reads: readableTables(resources, user.permissions).map(({ resource }) => resource),
      brand: { slug, name, test: test === 1, currency, money_places, languages: [...languages] },
      venues: (await findVenues(db, brand.id, user)).filter(({ id }) => !isByPin || id === device?.venue_id),
      ...service,
    }
  })
}

async function shownDevice(db: Database, { id, name, use, terminal_id, venue_id, brand_id }: Device, by_pin: boolean) {
  const settings = await db.text('select settings from venues where brand_id = ? and id = ?', [brand_id, venue_id])
  const { lock_s = 120 } = JSON.parse(settings ?? '{}') as { lock_s?: number }
  return { id, name, use, terminal_id, venue_id, lock_s, by_pin }
}
