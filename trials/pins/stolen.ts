import { createHmac } from 'node:crypto'
import { isPassword } from '../../server/src/back-office/people/passwords.ts'
import type { Installation } from '../harness/installation.ts'
import type { ReportFailure } from '../harness/trial.ts'

/** What a hash takes here. */
export const CHEAP = { memory: 8, passes: 1, parallelism: 1 }

export interface Pin {
  account: number
  pin: string
}

interface StoredPin {
  account_id: number
  kid: string
  hash: string
}

/** Every PIN of four digits, against what is stored of one, with all that a copy of the database could hold a key in. */
export async function stolen(
  { db, keys }: Installation,
  pins: ReadonlyMap<number, Pin>,
  reportFailure: ReportFailure,
): Promise<string> {
  const stored = await db.rows<StoredPin>('select account_id, kid, hash from pins order by account_id', [])
  const [first] = stored
  if (!first) throw new Error('no PIN is stored')
  const texts = await textsOf(db)
  const ring = keys.key(first.kid, 'pin')!
  for (const form of ['hex', 'base64', 'base64url'] as const)
    if (texts.some((text) => text.includes(ring.toString(form))))
      reportFailure(`the key is in the database, in ${form}`)

  const formed = (pin: string) => `${first.account_id}:${pin}`
  const guessedKeys = ['', first.kid, first.hash]
  const messages: ((pin: string) => string)[] = [
    (pin) => pin,
    formed,
    ...guessedKeys.map((key) => (pin: string) => createHmac('sha256', key).update(formed(pin)).digest('base64url')),
  ]
  let tried = 0
  for (const message of messages) {
    for (let number = 0; number < 10_000; number += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, index) => String(number + index).padStart(4, '0'))
      const fits = await Promise.all(some.map((pin) => isPassword(first.hash, message(pin), CHEAP)))
      tried += some.length
      for (const [index, pin] of some.entries()) if (fits[index]) reportFailure(`${pin} was found without the key ring`)
    }
  }
  // With it the PIN is found, or else nothing was tried.
  for (const { account_id, kid, hash } of stored) {
    const { pin } = [...pins.values()].find(({ account }) => account === account_id)!
    const keyed = createHmac('sha256', keys.key(kid, 'pin')!).update(`${account_id}:${pin}`).digest('base64url')
    if (!(await isPassword(hash, keyed, CHEAP))) reportFailure('with the key ring no PIN is found either')
    if (texts.some((text) => text === pin)) reportFailure(`a PIN is stored in clear`)
  }
  return `${tried} hashes of one PIN, ${texts.length} texts looked at`
}

const AT_ONCE = 100

/** Every text that is stored. */
async function textsOf(db: Installation['db']): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await db.rows<{ name: string }>(db.dialect.tableNames, []))
    for (const row of await db.rows<Record<string, unknown>>(`select * from ${name}`, []))
      found.push(...Object.values(row).filter((value) => typeof value === 'string'))
  return found
}
