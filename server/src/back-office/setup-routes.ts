import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { changeDirectory, isSlugTaken } from '../directory/registry.ts'
import { shownKey } from '../http/edge/address.ts'
import { setupLinkSpent, tooManyCalls, unavailable, validationFailed } from '../http/errors.ts'
import { seconds } from '../limits/tiers.ts'
import { COUNTRIES } from '../setup/countries.ts'
import { linkedBrand, useLink } from '../setup/links.ts'
import { checkRestaurant, openRestaurant, SETUP_EVENTS } from '../setup/open-restaurant.ts'
import { OWNER } from '../setup/rows.ts'
import { NewRestaurant, SETUP_BODY_LIMIT } from '../setup/schema.ts'
import { instantOf } from '../values/values.ts'
import type { BackOfficeDeps } from './deps.ts'
import { addAccount } from './people/accounts.ts'
import { passwordHash, weakness } from './people/passwords.ts'
import { startSession } from './people/start-session.ts'
import { SetupInfo } from './schema.ts'

/** The secret of the link, in a header: no log of addresses holds it, and it is checked before a body is read. */
const LINK = 'x-setup'
const TOKEN = /^[A-Za-z0-9_-]{43}$/
/** At most this many from one address in a minute. */
const CALLS = 60

/** Open to a visitor with a link: a restaurant is opened, in one transaction, and its owner is signed in. */
export const setupRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { db, hashing, windows, followChange, now } = deps

  app.addHook('onRequest', async ({ call }) => {
    const decision = await windows.take(3, `setup:${shownKey(call.addressKey)}`, CALLS)
    if (!decision.admitted) throw tooManyCalls(decision.limit, seconds(decision))
  })
  app.addHook('onRequest', async (request) => void (await linkedBrand(db, tokenOf(request), now())))

  app.get('/', { schema: { response: { 200: SetupInfo } } }, async (request): Promise<SetupInfo> => {
    const brand = await linkedBrand(db, tokenOf(request), now())
    return { brand: brand ? { slug: brand.slug, name: brand.name } : null, countries: [...COUNTRIES] as never }
  })

  app.post(
    '/',
    {
      bodyLimit: SETUP_BODY_LIMIT,
      config: { events: SETUP_EVENTS },
      schema: { body: NewRestaurant },
    },
    async (request, reply) => {
      const { body } = request
      const token = tokenOf(request)
      const linked = await linkedBrand(db, token, now())
      checkRestaurant(body, linked === undefined)
      const { username, password: chosen } = body.owner
      const weak = weakness(chosen, [username, body.brand.slug ?? linked!.slug])
      if (weak) throw validationFailed([{ field: 'owner.password', rule: 'weak', message: weak }])
      const password = await hashing(
        { account: 'setup', known: true }, // who has the link
        () => passwordHash(chosen),
        () => unavailable(request.id),
      )
      const account = await opened(body, token, password)
      await followChange()
      await startSession(deps, request, reply, account)
    },
  )

  async function opened(body: NewRestaurant, token: string, password: string) {
    const actor = `user:${body.brand.slug ?? ''}/${body.owner.username}`
    try {
      return await changeDirectory(db, actor, async (tx) => {
        const empty = await useLink(tx, token, now())
        const { brand } = await openRestaurant(tx, body, empty, instantOf(now()))
        return addAccount(tx, { brand_id: brand.id, user_id: OWNER }, password)
      })
    } catch (error) {
      if (!isSlugTaken(error)) throw error
      throw validationFailed([
        { field: 'brand.slug', rule: 'taken', message: `There is already a brand "${body.brand.slug}".` },
      ])
    }
  }
}

function tokenOf({ headers }: FastifyRequest): string {
  const token = String(headers[LINK] ?? '')
  if (!TOKEN.test(token)) throw setupLinkSpent('unknown')
  return token
}
