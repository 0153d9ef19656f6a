import assert from 'node:assert/strict'
import type { InjectOptions } from 'fastify'
import type { Installation } from '../../test/database/engines.ts'
import { QUICK_PASSWORDS, services } from '../../test/service.ts'
import { acceptInvitation, inviteOperator, inviteUser } from './people/accounts.ts'
import { passwordHash } from './people/passwords.ts'
import { stepAt, totpCode } from './people/totp.ts'

export const PASSWORD = 'a long and quiet afternoon'
const HOST = 'pos.example.com'
const HASH = passwordHash(PASSWORD, QUICK_PASSWORDS)

/** A browser in the hands of one person: it keeps the cookies of session and device, and says where its requests come from as browsers do. */
export interface Browser {
  ask(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Answered>
  cookie: string | undefined
  device: string | undefined
  /** T16: the terminal that this browser is enrolled at. */
  terminal: string | undefined
}

interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ, and each test says what it expects
  body: any
  headers: Record<string, string>
  cookies: string[]
}

/** Services with a back office to walk into. */
export function offices(make: () => Promise<Installation>) {
  const service = services(make)

  return async (settings: Parameters<typeof service>[0] = {}) => {
    const built = await service(settings)
    const { app, deps } = built

    function browser({ address = '192.0.2.1', host = HOST, headers = {} } = {}): Browser {
      const held: Browser = {
        cookie: undefined,
        device: undefined,
        terminal: undefined,
        async ask(method, path, body, more = {}) {
          const answer = await app.inject({
            method,
            url: `/back-office/api${path}`,
            remoteAddress: address,
            headers: {
              host,
              'sec-fetch-site': 'same-origin',
              'x-comptoir': '1',
              ...((held.cookie || held.device || held.terminal) && {
                cookie: [held.cookie, held.device, held.terminal].filter(Boolean).join('; '),
              }),
              ...headers,
              ...more,
            },
            ...(body && { payload: body }),
          } as InjectOptions)
          const cookies = [answer.headers['set-cookie'] ?? []].flat()
          for (const set of cookies) {
            const kept = set.includes('Max-Age=0') ? undefined : set.split(';')[0]
            if (/^(__Secure-)?sid=/.test(set)) held.cookie = kept
            else if (/^(__Secure-)?terminal=/.test(set)) held.terminal = kept
            else held.device = kept
          }
          const parsed = answer.body.startsWith('{') ? JSON.parse(answer.body) : answer.body
          return { status: answer.statusCode, body: parsed, headers: answer.headers as Record<string, string>, cookies }
        },
      }
      return held
    }

    /** Takes an invitation up as its link would. */
    const accept = async (token: string, totp_step: number | null = null) =>
      acceptInvitation(deps.db, token, { password: await HASH, totp_step }, deps.now())

    /** Someone of the brand's staff who is signed in. */
    async function staffBrowser(brand: string, username = 'owner', options = {}): Promise<Browser> {
      await accept(await inviteUser(deps.db, 'test', brand, username, deps.now()))
      const visitor = browser(options)
      const { status, body } = await visitor.ask('POST', '/session', { brand, username, password: PASSWORD })
      assert.equal(status, 204, JSON.stringify(body))
      return visitor
    }

    /** An operator who is signed in, and the secret in their authenticator app. */
    async function operatorBrowser(name: string): Promise<Browser & { totp: string }> {
      const token = await inviteOperator(deps.db, deps.keys, 'test', name, { isNew: true }, deps.now())
      const visitor = browser()
      const totp = (await visitor.ask('POST', '/invitation', { token })).body.totp.secret
      const step = stepAt(deps.now())
      await accept(token, step - 1)
      const code = totpCode(totp, step)
      const { status } = await visitor.ask('POST', '/operator/session', { name, password: PASSWORD, code })
      assert.equal(status, 204)
      return Object.assign(visitor, { totp })
    }

    return { ...built, browser, staffBrowser, operatorBrowser }
  }
}
