import { createHash, randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { KeyRing } from '../../directory/keys.ts'
import { shownKey } from '../../http/edge/address.ts'
import { signInRefused, tooManyAttempts, unavailable } from '../../http/errors.ts'
import type { Database, Value } from '../../storage/database.ts'
import { insertRow } from '../../storage/rows.ts'
import { fold } from '../../values/fold.ts'
import { isSecure, personOf } from '../guard.ts'
import { type Account, actorOf, totpSecretOf } from './accounts.ts'
import { deviceCookie, findPlace, type Origin } from './known-places.ts'
import type { PasswordQueue } from './password-queue.ts'
import { isPassword } from './passwords.ts'
import { matchingStep, stepAt } from './totp.ts'

// Sign-in, slower after each wrong attempt. Wrong attempts from a place where the account signed in before have a count of their own, and
// strangers share one: a stranger who knows a username cannot keep its owner out. The delay is computed from the table of attempts, so
// that every worker sees the same.

const REMEMBERED_MS = 15 * 60_000
const MAX_WAIT_MS = 5 * 60_000 // a delay that grows, never a lock
const FREE = { account: 3, address: 10 } // a restaurant's staff share one address
const MAX_REMEMBERED = 10_000
const SWEEP_EVERY = 100

interface SignInDeps {
  config: Config
  db: Database
  keys: KeyRing
  hashing: PasswordQueue
  now: () => number
}

interface Attempt {
  /** The name that was entered, whether or not there is such an account. */
  named: string
  account: Account | undefined
  password: string
  /** Code of the authenticator app, where the account has one. */
  code?: string | undefined
}

/** The origin of an attempt, and the count of wrong attempts that it belongs to. */
interface Counted {
  /** Hash of the name that was entered. */
  key: string
  address: string
  /** The known place or the session; null for a stranger. */
  place: string | null
}

/** One key for a person, however they write their name. */
export const nameOf = ({ operator, slug, username }: Account) =>
  operator === null ? namedUser(slug!, username!) : namedOperator(operator)
export const namedUser = (brand: string, username: string) => `user:${brand}/${fold(username)}`
export const namedOperator = (name: string) => `operator:${name}`

export const originOf = (config: Config, { call: { addressKey }, headers }: FastifyRequest): Origin => ({
  tokens: deviceCookie(isSecure(config)).read(headers.cookie),
  address: String(shownKey(addressKey)),
})

export function signIn({ config, db, keys, hashing, now }: SignInDeps) {
  let sinceSweep = 0

  /** How long wrong attempts that match `condition` delay the next one. */
  async function delayMs(free: number, condition: string, values: Value[]): Promise<number> {
    const since = new Date(now() - REMEMBERED_MS).toISOString()
    // A clock that was ahead left attempts in the future: those beyond the longest delay are not counted.
    const until = new Date(now() + MAX_WAIT_MS).toISOString()
    const [row] = await db.rows<{ failures: number; last: string | null }>(
      `select count(*) as failures, max(at) as last from sign_ins
       where outcome = 'refused' and at > ? and at <= ? and ${condition}`,
      [since, until, ...values],
    )
    const beyond = row!.failures - free
    if (beyond < 0) return 0
    const delay = Math.min(1000 * 2 ** beyond, MAX_WAIT_MS)
    return Math.min(Date.parse(row!.last!) - now(), 0) + delay
  }

  async function waitMs({ key, address, place }: Counted): Promise<number> {
    // A right password clears only the wrong attempts of its own place: otherwise strangers would start again with every sign-in.
    const account =
      place === null
        ? await delayMs(FREE.account, 'account = ? and place is null', [key])
        : await delayMs(FREE.account, OWN_COUNT, [key, place, key, place, new Date(now()).toISOString()])
    if (place !== null && !place.startsWith('address:')) return account // a known device is not delayed by others at its address
    // Not cleared by a right password: an attacker may own one account.
    const strangers = 'address = ? and (place is null or place = ?)'
    return Math.max(account, await delayMs(FREE.address, strangers, [address, `address:${address}`]))
  }

  async function refuseEarly(counted: Counted): Promise<void> {
    const wait = await waitMs(counted)
    if (wait > 0) throw tooManyAttempts(Math.ceil(wait / 1000))
  }

  async function note({ key, address, place }: Counted, actor: string | null, outcome: string): Promise<void> {
    const at = new Date(now()).toISOString()
    await db.transaction(async (tx) => {
      await insertRow(tx, 'sign_ins', { id: randomUUID(), at, account: key, actor, address, outcome, place })
      if (++sinceSweep % SWEEP_EVERY === 0)
        await tx.run('delete from sign_ins where at < (select at from sign_ins order by at desc limit 1 offset ?)', [
          MAX_REMEMBERED,
        ])
    })
  }

  /** Checks the TOTP code and stores its time step, so that a code works once even in concurrent requests. */
  async function verifyAndConsumeTotpCode(account: Account, code: string | undefined): Promise<boolean> {
    const secret = totpSecretOf(keys, account.id, account)
    if (secret === undefined) return account.totp_kid === null
    const step = matchingStep(secret, code ?? '', now())
    if (step === undefined) return false
    // A step far ahead was left by a clock that was ahead; waiting for it would lock the account.
    const text =
      'update accounts set totp_step = ? where id = ? and (totp_step is null or totp_step < ? or totp_step > ?)'
    const farAhead = stepAt(now() + MAX_WAIT_MS)
    return (await db.transaction((tx) => tx.run(text, [step, account.id, step, farAhead]))) === 1
  }

  async function attempt(
    request: FastifyRequest,
    { named, account, password }: Attempt,
    { place, right }: { place: string | undefined; right: 'signed_in' | 'password_again' },
    isProven = async () => true,
  ): Promise<void> {
    const key = createHash('sha256').update(named).digest('base64url')
    const { address } = originOf(config, request)
    const counted = { key, address, place: place ?? null }
    await refuseEarly(counted) // before the queue, whose places are few
    await hashing(
      { account: key, known: place !== undefined },
      async (cost) => {
        await refuseEarly(counted) // attempts that arrived together must not all pass before one is counted
        const proven = (await isPassword(account?.password ?? null, password, cost)) && (await isProven())
        await note(counted, account ? actorOf(account) : null, proven ? right : 'refused')
        if (!proven) throw signInRefused()
      },
      () => unavailable(request.id),
    )
  }

  return {
    /** Returns the account if name, password and code are right; throws otherwise, with one text for every reason. */
    async prove(request: FastifyRequest, input: Attempt): Promise<Account> {
      const { account, code } = input
      const place = await findPlace(db, account?.id ?? 0, originOf(config, request), now())
      await attempt(request, input, { place, right: 'signed_in' }, () => verifyAndConsumeTotpCode(account!, code))
      return account!
    },

    /** Checks the signed-in person's password before anything that a borrowed browser must not do. Each session has its own count. */
    async again(request: FastifyRequest, password: string): Promise<void> {
      const { account, session } = personOf(request)
      const input = { named: nameOf(account), account, password }
      await attempt(request, input, { place: `session:${session}`, right: 'password_again' })
    },
  }
}
export type SignIn = ReturnType<typeof signIn>

const OWN_COUNT = `account = ? and place = ? and at > coalesce(
  (select max(at) from sign_ins where account = ? and place = ? and outcome = 'signed_in' and at <= ?), '')`
