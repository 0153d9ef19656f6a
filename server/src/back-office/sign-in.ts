import { createHash, randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { KeyRing } from '../auth/keys.ts'
import { shownKey } from '../http/address.ts'
import { signInRefused, tooManyAttempts, unavailable } from '../http/errors.ts'
import { fold } from '../http/fold.ts'
import type { Database } from '../storage/database.ts'
import { type Account, actorOf, totpSecretOf } from './accounts.ts'
import { isPassword, type Turnstile } from './passwords.ts'
import { matchingStep } from './totp.ts'

// Proving who one is, slower after each wrong attempt. The table of attempts is what the delay is computed from, so that
// every worker sees the same.

const REMEMBERED_MS = 15 * 60_000
const LONGEST_WAIT_MS = 5 * 60_000 // a delay that grows, and no lock: a stranger cannot shut somebody out for good
const FREE = { account: 3, address: 10 } // a restaurant's staff share one address
const MOST_KEPT = 10_000
const SWEEP_EVERY = 100

interface Needs {
  db: Database
  keys: KeyRing
  hashing: Turnstile
  now: () => number
}

interface Attempt {
  /** Whom they named, whether or not there is such an account. */
  named: string
  account: Account | undefined
  password: string
  /** Of the authenticator app, where the account has one. */
  code?: string | undefined
}

/** The same person under the same name, however they write it. */
const nameOf = ({ operator, slug, username }: Account) =>
  operator === null ? namedUser(slug!, username!) : namedOperator(operator)
export const namedUser = (brand: string, username: string) => `user:${brand}/${fold(username)}`
export const namedOperator = (name: string) => `operator:${name}`

export function signIn({ db, keys, hashing, now }: Needs) {
  let sinceSweep = 0

  async function waitMs(column: 'account' | 'address', value: string): Promise<number> {
    const since = new Date(now() - REMEMBERED_MS).toISOString()
    // A right password clears the account's wrong ones, not its address's: an attacker may own one account.
    const cleared =
      column === 'account'
        ? `and at > coalesce((select max(at) from sign_ins where account = ? and outcome = 'signed_in'), '')`
        : ''
    const [row] = await db.rows<{ failures: number; last: string | null }>(
      `select count(*) as failures, max(at) as last from sign_ins where ${column} = ? and outcome = 'refused' and at > ? ${cleared}`,
      cleared ? [value, since, value] : [value, since],
    )
    const beyond = row!.failures - FREE[column]
    if (beyond < 0) return 0
    return Date.parse(row!.last!) + Math.min(1000 * 2 ** beyond, LONGEST_WAIT_MS) - now()
  }

  async function note(account: string, actor: string | null, address: string, outcome: string): Promise<void> {
    const at = new Date(now()).toISOString()
    await db.transaction(async (tx) => {
      await tx.kysely
        .insertInto('sign_ins')
        .values({ id: randomUUID(), at, account, actor, address, outcome })
        .execute()
      if (++sinceSweep % SWEEP_EVERY === 0)
        await tx.run('delete from sign_ins where at < (select at from sign_ins order by at desc limit 1 offset ?)', [
          MOST_KEPT,
        ])
    })
  }

  // A code is good once: of two requests that bring the same one, the second changes no row.
  async function isFresh(account: Account, code: string | undefined): Promise<boolean> {
    const secret = totpSecretOf(keys, account.id, account)
    if (secret === undefined) return account.totp_kid === null
    const step = matchingStep(secret, code ?? '', now())
    if (step === undefined) return false
    const text = 'update accounts set totp_step = ? where id = ? and (totp_step is null or totp_step < ?)'
    return (await db.transaction((tx) => tx.run(text, [step, account.id, step]))) === 1
  }

  // Everything is asked inside the turnstile, so that attempts that arrive together cannot all pass before one is counted.
  function attempt(
    { addressKey, id }: FastifyRequest,
    { named, account, password }: Attempt,
    right: 'signed_in' | 'password_again',
    isProven = async () => true,
  ): Promise<void> {
    const key = createHash('sha256').update(named).digest('base64url')
    const address = String(shownKey(addressKey))
    return hashing(
      async () => {
        const wait = Math.max(await waitMs('account', key), await waitMs('address', address))
        if (wait > 0) throw tooManyAttempts(Math.ceil(wait / 1000))
        const proven = (await isPassword(account?.password ?? null, password)) && (await isProven())
        await note(key, account ? actorOf(account) : null, address, proven ? right : 'refused')
        if (!proven) throw signInRefused()
      },
      () => unavailable(id),
    )
  }

  return {
    /** Answers the account that was named, its password and code given; throws otherwise, with one text for every reason. */
    async prove(request: FastifyRequest, asked: Attempt): Promise<Account> {
      await attempt(request, asked, 'signed_in', () => isFresh(asked.account!, asked.code))
      return asked.account!
    },

    /** The password of who is signed in, before something that a borrowed browser must not do. */
    async again(request: FastifyRequest, password: string): Promise<void> {
      const { account } = request.person
      await attempt(request, { named: nameOf(account), account, password }, 'password_again')
    },
  }
}
export type SignIn = ReturnType<typeof signIn>
