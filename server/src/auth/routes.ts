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
import { verifyClientSecret } from './sign-in.ts'
import { type Tokens, upstreamOf } from './token.ts'

interface SignInDeps {
  config: Config
  db: Database
  directory: Directory
  keys: KeyRing
  tokens: Tokens
  now: () => number
}

// D5.2: this refusal is sent by a timer, so that its timing does not reveal whether the client exists.
const TICK_MS = 1

const FIELDS = ['client_id', 'client_secret', 'brand', 'integrator_id'] as const
type SignInFields = Record<(typeof FIELDS)[number], string>

/** POST /auth: credentials for a token (§4.1). The order of the checks is the contract's (D5.1). */
export function signInRoute(app: FastifyInstance, { config, db, directory, keys, tokens, now }: SignInDeps): void {
  app.post(
    '/auth',
    {
      config: { events: 'none' },
      schema: {
        operationId: 'signIn',
        summary: 'Exchange credentials for a token',
        description:
          'Check `success`: a test integrator that meets a live brand is answered 200 with `success: false` and no token.',
        tags: ['Authentication'],
        body: Credentials,
        response: { 200: Type.Union([SignedIn, ModeMismatch]), 400: SignInRejected, 401: CredentialsRejected },
      },
      validatorCompiler: () => () => true, // the contract has its own message for missing fields (D5.1)
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const credentials = readCredentials(request.body)
      const integrator = await directory.integrator(credentials.integrator_id)
      if (!integrator?.active) throw integratorUnknown()
      const check = await verifyClientSecret(db, keys, credentials, now())
      const usable = credentials.client_secret !== DEMO_SECRET || isLocal(config, request)
      const client = check?.secretMatches && usable && check
      // For the request log: an unverified caller can name any brand and client, so the integrator is recorded only when the secret
      // matched.
      if (check)
        request.call.party = {
          brand: check.brand,
          integrator_id: client ? integrator.id : '',
          client_id: check.client_id,
        }
      if (!client) {
        await sleep(TICK_MS)
        throw credentialsRejected()
      }
      if (!client.enabled) throw clientDisabled()
      if (!client.userActive) throw userDeactivated()
      if (integrator.test && !client.test) throw testModeMismatch(200, credentials.brand, credentials.integrator_id)
      const { token, iat, exp } = await tokens.issue({
        brand: client.brand,
        venue_id: client.venue_id,
        integrator_id: integrator.id,
        upstream: upstreamOf(client.client_id, client.epoch, integrator.epoch),
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

// D5.1: a field that is absent, empty or not a string counts as missing.
function readCredentials(body: unknown): SignInFields {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  for (const name of FIELDS)
    if (!Object.hasOwn(given, name) || typeof given[name] !== 'string' || given[name] === '') throw credentialsMissing()
  return given as SignInFields
}
