import {
  findOperatorAccount,
  findUserAccount,
  inviteOperator,
  inviteUser,
} from '../../../server/src/back-office/people/accounts.ts'
import type { Service } from '../../harness/in-process.ts'
import { cheapHash, cookieOf } from '../../harness/office/back-office.ts'
import { BRANDS, namesOf, ROLES, venuesOf } from '../neighbours.ts'

/** Somebody who is signed in to the back office. */
export interface Person {
  /** 0 for an operator. */
  brand: number
  username: string
  permissions: readonly string[]
  /** Where they may go. */
  venues: readonly number[]
  account: number
  cookie: string
}

export const passwordOf = (brand: number) => `an afternoon of ${brand === 0 ? 'all' : namesOf(brand).slug}`

/** The four roles of each brand and one more user, whom no other brand has, all with their brand's password; and an operator. */
export async function openPeople(service: Service): Promise<Person[]> {
  const { db, keys, now } = service.deps
  const people: Person[] = []
  const enter = async (who: Omit<Person, 'account' | 'cookie'>, account: number) => {
    const hash = cheapHash(passwordOf(who.brand))
    await db.transaction((tx) => tx.run('update accounts set password = ? where id = ?', [hash, account]))
    people.push({ ...who, account, cookie: await cookieOf(service, account) })
  }
  for (const brand of BRANDS) {
    const { slug, username: clerk } = namesOf(brand)
    for (const { username, permissions, venue_ids } of [
      ...ROLES,
      { username: clerk, permissions: [], venue_ids: undefined },
    ]) {
      await inviteUser(db, 'trust', slug, username, now())
      const venues = venuesOf(brand, venue_ids)
      await enter({ brand, username, permissions, venues }, (await findUserAccount(db, slug, username))!.id)
    }
  }
  await inviteOperator(db, keys, 'trust', 'olga', { isNew: true }, now())
  await enter({ brand: 0, username: 'olga', permissions: [], venues: [] }, (await findOperatorAccount(db, 'olga'))!.id)
  return people
}
