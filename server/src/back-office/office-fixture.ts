import assert from 'node:assert/strict'
import type { InjectOptions } from 'fastify'
import type { Installation } from '../../test/engines.ts'
import { services } from '../../test/service.ts'
import { inviteOperator, inviteUser } from './accounts.ts'
import { stepAt, totpCode } from './totp.ts'

export const PASSWORD = 'a long and quiet afternoon'
const HOST = 'pos.example.com'

/** A browser in the hands of one person: it keeps the cookie, and says where its requests come from as browsers do. */
export interface Browser {
  ask(method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answered>
  cookie: string | undefined
}

interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: what is asked for differs, and each test says what it expects
  body: any
  headers: Record<string, string>
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
        async ask(method, path, body) {
          const answer = await app.inject({
            method,
            url: `/back-office/api${path}`,
            remoteAddress: address,
            headers: {
              host,
              'sec-fetch-site': 'same-origin',
              'x-comptoir': '1',
              ...(held.cookie && { cookie: held.cookie }),
              ...headers,
            },
            ...(body && { payload: body }),
          } as InjectOptions)
          const set = answer.headers['set-cookie']
          if (typeof set === 'string') held.cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0]
          const parsed = answer.body.startsWith('{') ? JSON.parse(answer.body) : answer.body
          return { status: answer.statusCode, body: parsed, headers: answer.headers as Record<string, string> }
        },
      }
      return held
    }

    /** Someone of the brand's staff who took up an invitation, and is signed in by it. */
    async function staffBrowser(brand: string, username = 'owner', options = {}): Promise<Browser> {
      const token = await inviteUser(deps.db, 'test', brand, username, deps.now())
      const visitor = browser(options)
      const { status, body } = await visitor.ask('POST', '/invitation/acceptance', { token, password: PASSWORD })
      assert.equal(status, 204, JSON.stringify(body))
      return visitor
    }

    /** An operator who is signed in, and the secret in their authenticator app. */
    async function operatorBrowser(name: string): Promise<Browser & { totp: string }> {
      const token = await inviteOperator(deps.db, deps.keys, 'test', name, { isNew: true }, deps.now())
      const visitor = browser()
      const totp = (await visitor.ask('POST', '/invitation', { token })).body.totp.secret
      const code = totpCode(totp, stepAt(deps.now()))
      const { status } = await visitor.ask('POST', '/invitation/acceptance', { token, password: PASSWORD, code })
      assert.equal(status, 204)
      return Object.assign(visitor, { totp })
    }

    return { ...built, browser, staffBrowser, operatorBrowser }
  }
}
