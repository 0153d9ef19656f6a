import type { Database, Queries } from '../../storage/database.ts'
import { upsertRow } from '../../storage/rows.ts'
import { newToken, tokenHash } from './accounts.ts'

// Devices and addresses from which an account signed in before. Being known proves nothing; it only gives the attempts from
// there a count of their own, so that strangers' wrong attempts do not delay the owner.

const KEPT_DAYS = 90
const KEPT_MS = KEPT_DAYS * 86_400_000
const MAX_PLACES = 20 // of one account; the most recently used stay
const MAX_TOKENS = 8 // people who share a browser: each account has a token of its own

/** Where a request comes from. */
export interface Origin {
  readonly tokens: readonly string[]
  readonly address: string
}

const devicePlace = (token: string) => `device:${tokenHash(token)}`
const addressPlace = (address: string) => `address:${address}`

/** The known place of an account that a request comes from, its device rather than its address; undefined for a stranger. */
export async function findPlace(
  db: Queries,
  account_id: number,
  { tokens, address }: Origin,
  now: number,
): Promise<string | undefined> {
  const places = [...tokens.map(devicePlace), addressPlace(address)]
  const known = await db.texts(
    `select place from known_places
     where account_id = ? and used_at > ? and place in (${places.map(() => '?').join(', ')})`,
    [account_id, new Date(now - KEPT_MS).toISOString(), ...places],
  )
  return places.find((place) => known.includes(place))
}

/** Remembers device and address after a sign-in. Answers the tokens that the browser keeps from now on. */
export async function rememberPlace(db: Database, account_id: number, origin: Origin, now: number): Promise<string[]> {
  const known = await findPlace(db, account_id, origin, now)
  const token = origin.tokens.find((each) => devicePlace(each) === known) ?? newToken()
  const used_at = new Date(now).toISOString()
  await db.transaction(async (tx) => {
    for (const place of [devicePlace(token), addressPlace(origin.address)])
      await upsertRow(tx, 'known_places', ['account_id', 'place'], { account_id, place, used_at })
    await tx.run(
      `delete from known_places where account_id = ? and (used_at <= ? or place not in
         (select place from known_places where account_id = ? order by used_at desc, place limit ${MAX_PLACES}))`,
      [account_id, new Date(now - KEPT_MS).toISOString(), account_id],
    )
  })
  return [token, ...origin.tokens.filter((each) => each !== token)].slice(0, MAX_TOKENS)
}

/** The cookie with a browser's tokens. It outlives the session. */
export function deviceCookie(secure: boolean) {
  const name = secure ? '__Secure-device' : 'device'
  const attributes = `Path=/back-office/api; Max-Age=${KEPT_DAYS * 86_400}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  const value = new RegExp(`(?:^|; )${name}=([\\w-]{43}(?:\\.[\\w-]{43}){0,${MAX_TOKENS - 1}})(?:;|$)`)
  return {
    read: (header: string | undefined) => value.exec(header ?? '')?.[1]?.split('.') ?? [],
    set: (tokens: readonly string[]) => `${name}=${tokens.join('.')}; ${attributes}`,
  }
}
