import { Agent } from 'node:http'
import { findUserAccount, inviteUser } from '../../../server/src/back-office/people/accounts.ts'
import { openSession } from '../../../server/src/back-office/people/sessions.ts'
import { type Answer, call, forwardedFor, freshAddress } from '../client.ts'
import type { Installation } from '../installation.ts'
import type { Trial } from '../trial.ts'
import { API } from './back-office.ts'

export interface StaffRequest {
  body?: object
  venue?: number
  key?: string
}

/** The owner of `bistro`, who works through the routes of the back office at this address. */
export type Staff = (url: string, method: string, path: string, input: StaffRequest) => Promise<Answer>

export async function signedInOwner({ after }: Trial, { db }: Installation): Promise<Staff> {
  await inviteUser(db, 'trust', 'bistro', 'owner', Date.now())
  const account = (await findUserAccount(db, 'bistro', 'owner'))!
  const cookie = `__Secure-sid=${await openSession(db, account.id, Date.now())}`
  const agent = new Agent({ keepAlive: true })
  after(() => agent.destroy())
  return (url, method, path, { body, venue = 1, key }) =>
    call(`${url}${API}${path}`, {
      agent,
      method,
      body,
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-comptoir': '1',
        'x-forwarded-proto': 'https',
        'x-venue': String(venue),
        cookie,
        ...forwardedFor(freshAddress()),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    })
}
