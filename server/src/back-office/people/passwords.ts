import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { nfc } from '../../values/fold.ts'

// Passwords are stored as argon2id with their parameters, so that better ones can follow without a migration.

const derive = promisify(argon2) as (algorithm: string, parameters: Argon2Parameters) => Promise<Buffer>

/** What a hash takes to make and to check. */
export interface Cost {
  /** KiB. */
  memory: number
  passes: number
  parallelism: number
}
export const COST: Cost = { memory: 64 * 1024, passes: 2, parallelism: 1 } // about 200 ms of one core
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

export async function passwordHash(password: string, cost = COST): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { ...cost, message: nfc(password), nonce, tagLength: 32 })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** Constant work: without a stored password, as much is computed and nothing matches. */
export async function isPassword(hash: string | null, password: string, usual = COST): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, tag] = PHC.exec(hash ?? '') ?? []
  const cost = tag ? { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) } : usual
  const given = await derive('argon2id', {
    ...cost,
    message: nfc(password),
    nonce: Buffer.from(nonce ?? 'bm8gc3VjaCBhY2NvdW50IQ', 'base64'),
    tagLength: 32,
  })
  return timingSafeEqual(given, tag ? Buffer.from(tag, 'base64') : Buffer.alloc(32)) && tag !== undefined
}

const MIN_LENGTH = 12
const MIN_DISTINCT_CHARACTERS = 5

// Passwords from the top of long lists of leaked ones that are long enough to be chosen here.
const COMMON = new Set(
  `password1234 password12345 password123456 passwordpassword passw0rd1234 p@ssw0rd1234 mypassword123 123456789012
   1234567890123 12345678901234 0123456789012 098765432109 987654321098 qwerty123456 qwerty1234567 qwertyuiop12 qwertyuiop123
   qwertyuiop1234 qwertyqwerty qwertyuiopasdf 1q2w3e4r5t6y 1q2w3e4r5t6y7u q1w2e3r4t5y6 1qaz2wsx3edc 1qaz2wsx3edc4rfv
   zaq12wsxcde3 qazwsxedcrfv asdfghjkl123 asdfghjkl1234 asdfasdfasdf zxcvbnm12345 abcdefghijkl abcd12345678 abc123456789
   iloveyou1234 iloveyou12345 ilovemyfamily iloveyouforever letmein12345 welcome12345 welcome123456 changeme1234
   changeme12345 admin1234567 admin12345678 administrator administrator1 football1234 baseball1234 basketball12 superman1234
   princess1234 sunshine1234 monkey123456 dragon123456 master123456 shadow123456 trustno1trustno1 whateverwhatever
   correcthorsebatterystaple secretsecret secret123456 restaurant12 restaurant123 restaurant1234`.split(/\s+/),
)

/** Why a new password is too weak, as a sentence. There are no rules about its composition. */
export function weakness(password: string, names: readonly string[]): string | undefined {
  const folded = nfc(password).toLowerCase()
  if ([...password].length < MIN_LENGTH) return `A password has at least ${MIN_LENGTH} characters.`
  if (new Set(folded).size < MIN_DISTINCT_CHARACTERS) return 'This password repeats too few characters.'
  if (COMMON.has(folded)) return 'This password is one of the first that would be guessed.'
  if (names.some((name) => folded.replaceAll(name.toLowerCase(), '').length < MIN_LENGTH / 2))
    return 'This password is mostly your name.'
  return undefined
}
