import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { authorize, isWithin, may } from '../../auth/permissions.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { PathId } from '../../resource/values.ts'
import { MAKES_USERS } from '../../resources/people/own-rights.ts'
import { fold } from '../../values/fold.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff, personOf, staffOf } from '../guard.ts'
import { Colleagues, ColleaguesQuery, NewLink, PasswordAgain } from '../schema.ts'
import { inviteColleague } from './accounts.ts'
import { listColleagues } from './colleagues.ts'

const MOST_SHOWN = 200

/** The people of a brand, and the links that let them in. */
export const staffRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { db, directory, signIn, now } = deps
  app.addHook('onRequest', asHook(sequence(actAsStaff, authorize)))

  app.get(
    '/',
    {
      config: { permission: 'users:read' },
      schema: { querystring: ColleaguesQuery, response: { 200: Colleagues } },
    },
    async (request) => {
      const { brand: held, user: own } = staffOf(request)
      await directory.refresh() // what was changed a moment ago counts
      const brand = (await directory.brand(held.slug))!
      const makes = may(own.permissions, MAKES_USERS)
      const sought = fold(request.query.search?.trim() ?? '')
      const all = await listColleagues(db, brand.id, now())
      const found = all.filter(({ name, username }) => [name, username].some((text) => fold(text).includes(sought)))
      const people = found.slice(0, MOST_SHOWN).map((person) => {
        const user = brand.users.get(person.id)
        const isOwn = person.id === own.id
        const isOpen = makes && !isOwn && user?.active === true && isWithin(user, own)
        return { ...person, is_own: isOwn, can_invite: isOpen }
      })
      return { people, total: found.length }
    },
  )

  /** Anyone with the link can become that person, so its maker gives their password again. */
  app.post(
    '/:id/link',
    {
      config: { permission: MAKES_USERS, events: 'none' },
      schema: { params: Type.Object({ id: PathId() }), body: PasswordAgain, response: { 200: NewLink } },
    },
    async (request) => {
      const { brand, user } = staffOf(request)
      await signIn.again(request, request.body.password)
      const link = { brand_id: brand.id, maker_id: user.id, user_id: request.params.id }
      return inviteColleague(db, personOf(request).actor, link, now())
    },
  )
}
