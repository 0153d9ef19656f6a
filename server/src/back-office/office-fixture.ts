import assert from 'node:assert/strict'
import type { InjectOptions } from 'fastify'
import type { Installation } from '../../test/database/engines.ts'
import { services } from '../../test/service.ts'
import { inviteOperator, inviteUser } from './people/accounts.ts'
import { passwordHash } from './people/passwords.ts'
import { stepAt, totpCode } from './people/totp.ts'

export const PASSWORD = 'a long and quiet afternoon'
const HOST = 'pos.example.com'
// Checked in no time, so that a busy machine misses no deadline. Only the account's own first hash is made at full cost.
const QUICK = passwordHash(PASSWORD, { memory: 8, passes: 1, parallelism: 1 })

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
}

interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: what is asked for differs, and each test says what it expects
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
        async ask(method, path, body, more = {}) {
          const answer = await app.inject({
            method,
            url: `/back-office/api${path}`,
            remoteAddress: address,
            headers: {
              host,
              'sec-fetch-site': 'same-origin',
              'x-comptoir': '1',
              ...((held.cookie || held.device) && { cookie: [held.cookie, held.device].filter(Boolean).join('; ') }),
              ...headers,
              ...more,
            },
            ...(body && { payload: body }),
          } as InjectOptions)
          const cookies = [answer.headers['set-cookie'] ?? []].flat()
          for (const set of cookies) {
            const kept = set.includes('Max-Age=0') ? undefined : set.split(';')[0]
            if (/^(__Secure-)?sid=/.test(set)) held.cookie = kept
            else held.device = kept
          }
          const parsed = answer.body.startsWith('{') ? JSON.parse(answer.body) : answer.body
          return { status: answer.statusCode, body: parsed, headers: answer.headers as Record<string, string>, cookies }
        },
      }
      return held
    }

    const checkQuickly = async () => {
      const password = await QUICK
      await deps.db.transaction((tx) =>
        tx.run('update accounts set password = ? where password is not null and loopback_only = 0', [password]),
      )
    }

    /**
     * Hashing a password can take a busy machine longer than a request may last. The answer is then 503, and the invitation may be
     * used by it: the person tries again, or signs in.
     */
    async function accept(visitor: Browser, invitation: object, signIn: () => ReturnType<Browser['ask']>) {
      for (let tries = 1; ; tries++) {
        const answer = await visitor.ask('POST', '/invitation/acceptance', invitation)
        if (tries > 1 && answer.status === 404) return signIn()
        if (answer.status !== 503 || tries === 10) return answer
      }
    }

    /** Someone of the brand's staff who took up an invitation, and is signed in by it. */
    async function staffBrowser(brand: string, username = 'owner', options = {}): Promise<Browser> {
      const token = await inviteUser(deps.db, 'test', brand, username, deps.now())
      const visitor = browser(options)
      const { status, body } = await accept(visitor, { token, password: PASSWORD }, () =>
        visitor.ask('POST', '/session', { brand, username, password: PASSWORD }),
      )
      assert.equal(status, 204, JSON.stringify(body))
      await checkQuickly()
      return visitor
    }

    /** An operator who is signed in, and the secret in their authenticator app. */
    async function operatorBrowser(name: string): Promise<Browser & { totp: string }> {
      const token = await inviteOperator(deps.db, deps.keys, 'test', name, { isNew: true }, deps.now())
      const visitor = browser()
      const totp = (await visitor.ask('POST', '/invitation', { token })).body.totp.secret
      const code = totpCode(totp, stepAt(deps.now()))
      const { status } = await accept(visitor, { token, password: PASSWORD, code }, () =>
        visitor.ask('POST', '/operator/session', { name, password: PASSWORD, code }),
      )
      assert.equal(status, 204)
      await checkQuickly()
      return Object.assign(visitor, { totp })
    }

    return { ...built, browser, staffBrowser, operatorBrowser }
  }
}
