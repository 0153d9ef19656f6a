import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { Directory } from '../directory/directory.ts'
import type { LimitDecision } from '../http/call.ts'
import { ErrorBody, One } from '../http/envelope.ts'
import { limits, remaining, seconds } from '../limits/tiers.ts'
import type { Windows } from '../limits/window.ts'
import type { Database } from '../storage/database.ts'
import { ANYONE, may } from './permissions.ts'

const Named = Type.Object({ id: Type.Integer(), name: Type.String() })
const Tier = (subject: string) =>
  Type.Object(
    {
      limit: Type.Integer(),
      remaining: Type.Integer(),
      reset: Type.Integer({ description: 'Seconds until one more' }),
    },
    { description: subject },
  )

/** An extension of ours, beside the contract: what a token stands for. */
const WhoAmI = Type.Object(
  {
    brand: Type.Object({ slug: Type.String(), name: Type.String() }),
    integrator: Type.Object({ id: Type.String(), name: Type.String() }),
    mode: Type.Enum(['test', 'live'], { description: 'The brand’s' }),
    venue: Named,
    venues: Type.Array(Named, { description: 'Venues that x-venue may name' }),
    permissions: Type.Array(Type.String(), { description: 'The staff user’s, which bound every call' }),
    expires_at: Type.Integer({ description: 'When the token expires, in seconds since 1970' }),
    tiers: Type.Object({
      sign_ins: Tier('Tier 1: POST /auth, by address'),
      failures: Tier('Tier 2: failed calls, by address'),
      calls: Tier('Tier 3: calls of this integrator for this brand'),
    }),
  },
  { $id: 'WhoAmI' },
)

interface WhoamiDeps {
  db: Database
  directory: Directory
  windows: Windows
  /** All that a role can allow (D5.8). */
  permissions: readonly string[]
}

export const whoami: FastifyPluginAsyncTypebox<WhoamiDeps> = async (app, { db, directory, windows, permissions }) => {
  const { decisions } = limits(windows)

  app.get(
    '/whoami',
    {
      config: { permission: ANYONE },
      schema: {
        operationId: 'whoAmI',
        summary: 'What this token stands for',
        description:
          'An extension of Comptoir, not part of the contract. It counts in tier 3 like every call, and tells where the three tiers stand.',
        tags: ['Authentication'],
        response: { 200: One(WhoAmI), 400: ErrorBody },
      },
    },
    async (request) => {
      const { caller, expiresAt } = request.call
      const { test } = (await directory.brand(caller.brand))!
      const { user } = caller
      const [names] = await db.rows<{ brand: string; integrator: string }>(
        'select brands.name as brand, integrators.name as integrator from brands, integrators where brands.id = ? and integrators.id = ?',
        [caller.brand_id, caller.integrator_id],
      )
      const venues = await db.rows<{ id: number; name: string }>(
        'select id, name from venues where brand_id = ? order by id',
        [caller.brand_id],
      )
      const { 1: signIns, 2: failures, 3: calls } = await decisions(request.call)
      return {
        success: true,
        data: {
          brand: { slug: caller.brand, name: names!.brand },
          integrator: { id: caller.integrator_id, name: names!.integrator },
          mode: test ? ('test' as const) : ('live' as const),
          venue: venues.find(({ id }) => id === caller.venue_id)!,
          venues: venues.filter(({ id }) => user.venues?.has(id) !== false),
          permissions: permissions.filter((permission) => may(user.permissions, permission)),
          expires_at: expiresAt,
          tiers: { sign_ins: shown(signIns), failures: shown(failures), calls: shown(calls) },
        },
      }
    },
  )
}

const shown = (decision: LimitDecision) => ({
  limit: decision.limit,
  remaining: remaining(decision),
  reset: seconds(decision),
})
