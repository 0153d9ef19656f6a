import { argon2Sync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { isSecure } from '../../../server/src/back-office/guard.ts'
import {
  findOperatorAccount,
  findUserAccount,
  inviteOperator,
  inviteUser,
} from '../../../server/src/back-office/people/accounts.ts'
import { openSession, sessionCookie } from '../../../server/src/back-office/people/sessions.ts'
import { stepAt, totpCode } from '../../../server/src/back-office/people/totp.ts'
import { type Reply, type Route, type Service, untilFree } from '../in-process.ts'
import { cidOf, resolved, type Schema } from '../openapi.ts'

export const API = '/back-office/api'

/** People who are signed in to the back office: the owner of a brand, and an operator. */
export interface Office {
  routes: Route[]
  /** Returns the cookie of the person whose pages the route belongs to. */
  cookieFor(route: Route): Promise<string>
  ask: ReturnType<typeof askOffice>
  /** What they know and nobody else may. */
  secrets: { password: string; invitation: string; operatorInvitation: string; totp: string }
}

/** Endpoints of webhooks, as in openapi.ts; and what nobody is answered without a link, which is good once. */
const NEEDS_MORE = new RegExp(`^${API}/(?:webhook-endpoints|setup)(?:/|$)`)

export const officeRoutes = ({ routes }: Service): Route[] =>
  routes.filter(({ url, method }) => url.startsWith(`${API}/`) && method !== 'HEAD')

/** Asks as a browser with this cookie would; from this machine, unless an address is given. */
export const askOffice =
  ({ app }: Service) =>
  async (
    method: string,
    url: string,
    cookie: string,
    body?: unknown,
    { address, headers = {} }: { address?: string; headers?: Record<string, string> | undefined } = {},
  ): Promise<Reply> => {
    const sent = {
      host: 'pos.example.com',
      'sec-fetch-site': 'same-origin',
      'x-comptoir': '1',
      cookie,
      ...(address !== undefined && { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    if (url.startsWith(LIVE) && method === 'GET') return readStream(app, url, sent)
    const answer = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: sent,
      ...(body !== undefined && {
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    })
    return { status: answer.statusCode, text: answer.body, headers: answer.headers }
  }

/** It does not end by itself. */
export const LIVE = `${API}/live`
const QUIET_MS = 150

/** What a stream has to say, until nothing more comes for a moment. */
async function readStream(app: FastifyInstance, path: string, headers: Record<string, string>): Promise<Reply> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const outgoing = request({ port, host: '127.0.0.1', path, headers, agent: false }).end()
  try {
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    let text = ''
    let quiet: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      const restart = () => {
        clearTimeout(quiet)
        quiet = setTimeout(resolve, QUIET_MS)
      }
      restart()
      answer.setEncoding('utf8').on('close', resolve).on('error', resolve)
      answer.on('data', (piece: string) => {
        text += piece
        restart()
      })
    })
    clearTimeout(quiet)
    return { status: answer.statusCode!, text, headers: answer.headers }
  } finally {
    outgoing.on('error', () => {}).destroy()
  }
}

/** A session of this account, as its cookie. */
export async function cookieOf({ deps: { db, config, now } }: Service, account: number): Promise<string> {
  return sessionCookie(isSecure(config))
    .set(await openSession(db, account, now()))
    .split(';')[0]!
}

export async function openOffice(service: Service, brand: string, password: string): Promise<Office> {
  const { db, keys, now } = service.deps
  const ask = askOffice(service)
  const accept = async (token: string, code?: string) => {
    const body = { token, password, ...(code && { code }) }
    const { status, text } = await untilFree(() => ask('POST', `${API}/invitation/acceptance`, '', body))
    if (status !== 204) throw new Error(`the invitation was answered ${status}: ${text}`)
  }
  const invitation = await inviteUser(db, 'trust', brand, 'owner', now())
  await accept(invitation)
  const operatorInvitation = await inviteOperator(db, keys, 'trust', 'olga', { isNew: true }, now())
  const shown = await untilFree(() => ask('POST', `${API}/invitation`, '', { token: operatorInvitation }))
  const totp = JSON.parse(shown.text).totp.secret as string
  await accept(operatorInvitation, totpCode(totp, stepAt(now())))
  const owner = (await findUserAccount(db, brand, 'owner'))!.id
  const operator = (await findOperatorAccount(db, 'olga'))!.id

  return {
    routes: officeRoutes(service).filter(({ url }) => !NEEDS_MORE.test(url)),
    cookieFor: ({ url }) => cookieOf(service, url.startsWith(`${API}/operator/`) ? operator : owner),
    ask,
    secrets: { password, invitation, operatorInvitation, totp },
  }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Makes a body by a schema with `text` in every text; all other values vary with `turn`. */
export function sampleOf(given: Schema, text: string, turn: number): unknown {
  const schema = resolved(given)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return sampleOf(either[0]!, text, turn)
  if (schema.enum) return schema.enum[turn % schema.enum.length]
  if (schema.const !== undefined) return schema.const
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, part]) => [name, sampleOf(part, text, turn)]),
    )
  if (schema.type === 'array') return [sampleOf(schema.items ?? {}, text, turn)]
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (schema.type === 'boolean') return turn % 2 === 0
  if (schema.format === 'date-time') return '2099-01-01T00:00:00.000Z'
  if (schema.format === 'date') return '2000-01-01'
  if (schema.format === 'idn-email') return `${text}@example.com`
  if (schema['x-phone']) return `+99450${text}`
  if (schema.format === 'uuid') return UUID.test(text) ? text : cidOf(1) // of a row that there is
  return text.slice(0, schema.maxLength ?? text.length)
}

/** A stored password hash of the lowest cost: thousands are made, and their time is not what is tried. */
export function cheapHash(password: string): string {
  const nonce = randomBytes(16)
  const cost = { memory: 8, passes: 1, parallelism: 1 }
  const tag = argon2Sync('argon2id', { ...cost, message: password, nonce, tagLength: 32 })
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`
}
