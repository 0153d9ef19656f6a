import {
  findOperatorAccount,
  findUserAccount,
  inviteOperator,
  inviteUser,
} from '../../server/src/back-office/people/accounts.ts'
import { cheapHash, cookieOf } from '../harness/back-office.ts'
import type { Service } from '../harness/in-process.ts'
import { BRANDS, namesOf, ROLES } from './neighbours.ts'

/** Somebody who is signed in to the back office. */
export interface Person {
  /** 0 for an operator. */
  brand: number
  username: string
  permissions: readonly string[]
  account: number
  cookie: string
}

export const passwordOf = (brand: number) => `an afternoon of ${brand === 0 ? 'all' : namesOf(brand).slug}`

/** The four roles of each brand and one more user, whom no other brand has, all with their brand's password; and an operator. */
export async function openPeople(service: Service): Promise<Person[]> {
  const { db, keys, now } = service.deps
  const people: Person[] = []
  const enter = async (brand: number, username: string, permissions: readonly string[], account: number) => {
    const hash = cheapHash(passwordOf(brand))
    await db.transaction((tx) => tx.run('update accounts set password = ? where id = ?', [hash, account]))
    people.push({ brand, username, permissions, account, cookie: await cookieOf(service, account) })
  }
  for (const brand of BRANDS) {
    const { slug, username: clerk } = namesOf(brand)
    for (const { username, permissions } of [...ROLES, { username: clerk, permissions: [] }]) {
      await inviteUser(db, 'trust', slug, username, now())
      await enter(brand, username, permissions, (await findUserAccount(db, slug, username))!.id)
    }
  }
  await inviteOperator(db, keys, 'trust', 'olga', { isNew: true }, now())
  await enter(0, 'olga', [], (await findOperatorAccount(db, 'olga'))!.id)
  return people
}
