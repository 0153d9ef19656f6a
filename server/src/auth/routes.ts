import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Config } from '../config.ts'
import type { Directory } from '../directory/directory.ts'
import type { KeyRing } from '../directory/keys.ts'
import { DEMO_SECRET } from '../directory/secrets.ts'
import { isLocal } from '../http/edge/local.ts'
import {
  clientDisabled,
  credentialsMissing,
  credentialsRejected,
  integratorUnknown,
  testModeMismatch,
  userDeactivated,
} from '../http/errors.ts'
import type { Database } from '../storage/database.ts'
import { Credentials, CredentialsRejected, ModeMismatch, SignedIn, SignInRejected } from './schema.ts'
import { findCredential } from './sign-in.ts'
import { type Tokens, upstreamOf } from './token.ts'

interface Needs {
  config: Config
  db: Database
  directory: Directory
  keys: KeyRing
  tokens: Tokens
  now: () => number
}

// D5.2: this refusal leaves with the tick of a timer, so that a microsecond more or less of work tells nobody whether a client exists.
const TICK_MS = 1

const FIELDS = ['client_id', 'client_secret', 'brand', 'integrator_id'] as const
type Asked = Record<(typeof FIELDS)[number], string>

/** POST /auth: credentials for a token (§4.1). The order of the checks is the contract's (D5.1). */
export function signInRoute(app: FastifyInstance, { config, db, directory, keys, tokens, now }: Needs): void {
  app.post(
    '/auth',
    {
      schema: {
        operationId: 'signIn',
        summary: 'Exchange credentials for a token',
        description:
          'Check `success`: a test integrator that meets a live brand is answered 200 with `success: false` and no token.',
        tags: ['Authentication'],
        body: Credentials,
        response: { 200: Type.Union([SignedIn, ModeMismatch]), 400: SignInRejected, 401: CredentialsRejected },
      },
      validatorCompiler: () => () => true, // the contract has a sentence of its own for what is missing
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const asked = complete(request.body)
      const integrator = await directory.integrator(asked.integrator_id)
      if (!integrator?.active) throw integratorUnknown()
      const found = await findCredential(db, keys, asked, now())
      const usable = asked.client_secret !== DEMO_SECRET || isLocal(config, request)
      const proven = found?.proven && usable && found
      // For the log: whoever knows a brand and a client of it may knock there, under a name that is not theirs.
      if (found)
        request.call.party = {
          brand: found.brand,
          integrator_id: proven ? integrator.id : '',
          client_id: found.client_id,
        }
      if (!proven) {
        await sleep(TICK_MS)
        throw credentialsRejected()
      }
      if (!proven.enabled) throw clientDisabled()
      if (!proven.userActive) throw userDeactivated()
      if (integrator.test && !proven.test) throw testModeMismatch(200, asked.brand, asked.integrator_id)
      const { token, iat, exp } = await tokens.issue({
        brand: proven.brand,
        venue_id: proven.venue_id,
        integrator_id: integrator.id,
        upstream: upstreamOf(proven.client_id, proven.epoch, integrator.epoch),
      })
      return {
        success: true,
        token,
        token_type: 'Bearer',
        expires_in: exp - iat,
        expires_at: exp,
        message: 'Signed in.',
      }
    },
  )
}

// D5.1: absent, not a string, or empty, it counts as omitted.
function complete(body: unknown): Asked {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  for (const name of FIELDS)
    if (!Object.hasOwn(given, name) || typeof given[name] !== 'string' || given[name] === '') throw credentialsMissing()
  return given as Asked
}
