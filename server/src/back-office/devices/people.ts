import { may, mayEnter } from '../../auth/permissions.ts'
import type { HeldBrand } from '../../directory/directory.ts'
import type { Queries } from '../../storage/database.ts'
import { APPROVABLE } from '../../values/approvable.ts'

/** Somebody who can be tapped at a device. */
export interface PersonAtDevice {
  readonly id: number
  /** First name and initial. */
  readonly name: string
  /** What they can approve (T19). */
  readonly approves: readonly string[]
}

/** Staff with a PIN who may enter the venue, by name. */
export async function peopleAt(db: Queries, brand: HeldBrand, venue_id: number): Promise<PersonAtDevice[]> {
  const rows = await db.rows<{ id: number; name: string; username: string }>(
    `select users.id, users.name, username from users
     join accounts on accounts.brand_id = users.brand_id and accounts.user_id = users.id
     join pins on pins.account_id = accounts.id
     where users.brand_id = ? and users.active = 1 order by users.name, users.id`,
    [brand.id],
  )
  return rows.flatMap(({ id, name, username }) => {
    const user = brand.users.get(id)
    if (!user?.active || !mayEnter(user, venue_id)) return []
    return { id, name: shortName(name || username), approves: APPROVABLE.filter((each) => may(user.permissions, each)) }
  })
}

/** Anyone who passes the till can read the names, so the last one is an initial. */
function shortName(name: string): string {
  const [first, ...others] = name.trim().split(/\s+/)
  const last = others.at(-1)
  return last ? `${first} ${[...last][0]!.toUpperCase()}.` : first!
}
