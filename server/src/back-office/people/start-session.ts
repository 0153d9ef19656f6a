import type { FastifyReply, FastifyRequest } from 'fastify'
import { passwordWeak, unavailable } from '../../http/errors.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { isSecure } from '../guard.ts'
import type { Account } from './accounts.ts'
import { deviceCookie, rememberPlace } from './known-places.ts'
import type { PasswordQueue } from './password-queue.ts'
import { passwordHash, weakness } from './passwords.ts'
import { endSession, findSession, openSession, sessionCookie } from './sessions.ts'
import { nameOf, originOf } from './sign-in.ts'

/** Replaces whatever session came along by a new one, under the password that was proven; device and address are known from now on. Answers 204. */
export async function startSession(
  { config, db, now }: Pick<BackOfficeDeps, 'config' | 'db' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, password }: Account,
): Promise<void> {
  const cookie = sessionCookie(isSecure(config))
  const left = cookie.read(request.headers.cookie)
  const old = left && (await findSession(db, left, now()))
  if (old) await db.transaction((tx) => endSession(tx, old.hash))
  const token = await openSession(db, id, now(), password!)
  const tokens = await rememberPlace(db, id, originOf(config, request), now())
  reply.header('set-cookie', cookie.set(token))
  reply.header('set-cookie', deviceCookie(isSecure(config)).set(tokens))
  reply.status(204)
}

/** Hashes a new password; refuses one that is easily guessed. */
export function chosenPassword(
  hashing: PasswordQueue,
  { id }: FastifyRequest,
  account: Account,
  password: string,
): Promise<string> {
  const weak = weakness(password, [account.operator ?? account.username!, account.slug ?? 'comptoir'])
  if (weak) throw passwordWeak(weak)
  return hashing(
    { account: nameOf(account), known: true }, // signed in, or with a link that is good
    (cost) => passwordHash(password, cost),
    () => unavailable(id),
  )
}
