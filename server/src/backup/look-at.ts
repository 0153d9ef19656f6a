import type { Queries } from '../storage/database.ts'

// What a restored copy allows again: people, programs and guests' data that were switched off or erased after it was made.

export interface LookAt {
  readonly kind: 'user' | 'password' | 'pin' | 'device' | 'operator' | 'integrator' | 'credential' | 'customer'
  /** Empty where it belongs to none. */
  readonly brand: string
  readonly name: string
}

interface Row extends LookAt {
  /** Whether it may do something, or still has what was erased. */
  readonly live: number
  /** What must be the same: a role, a secret, a password. */
  readonly same: string
}

const ROWS: readonly string[] = [
  `select 'user' as kind, slug as brand, username as name, active as live, role_id || coalesce(venue_ids, '') as same
   from users join brands on brands.id = brand_id`,
  `select 'password' as kind, coalesce(slug, '') as brand, coalesce(operator, username) as name, 1 as live, password as same
   from accounts left join brands on brands.id = accounts.brand_id
   left join users on users.brand_id = accounts.brand_id and users.id = accounts.user_id where password is not null`,
  `select 'pin' as kind, slug as brand, username as name, case when locked_at is null then 1 else 0 end as live, hash as same
   from pins join accounts on accounts.id = pins.account_id join brands on brands.id = accounts.brand_id
   join users on users.brand_id = accounts.brand_id and users.id = accounts.user_id`,
  // Several may have one name.
  `select 'device' as kind, slug as brand, devices.name || ' (' || devices.id || ')' as name,
     case when revoked_at is null then 1 else 0 end as live, '' as same
   from devices join brands on brands.id = devices.brand_id`,
  `select 'operator' as kind, '' as brand, operator as name, 1 as live, '' as same from accounts where operator is not null`,
  `select 'integrator' as kind, '' as brand, id as name, active as live, '' as same from integrators`,
  `select 'credential' as kind, slug as brand, client_id as name, enabled as live, cast(epoch as text) as same
   from credentials join brands on brands.id = brand_id`,
]

// Only those of one side, since there may be a million customers: who is erased here and is not there.
const ERASED = `select 'customer' as kind, slug as brand, customers.id as name
  from customers join brands on brands.id = brand_id where erased_at is not null`
const PRESENT = `select 1 as one from customers join brands on brands.id = brand_id
  where slug = ? and customers.id = ? and erased_at is null`

const keyOf = ({ kind, brand, name }: LookAt) => JSON.stringify([kind, brand, name])

/** What is live in the copy, and is not in what it replaces, or is otherwise there. */
export async function whatToLookAt(copy: Queries, replaced: Queries): Promise<LookAt[]> {
  const found: LookAt[] = []
  for (const text of ROWS) {
    const now = new Map((await replaced.rows<Row>(text, [])).map((row) => [keyOf(row), row]))
    for (const row of await copy.rows<Row>(text, [])) {
      const other = now.get(keyOf(row))
      if (row.live === 1 && (other?.live !== 1 || other.same !== row.same)) found.push(shown(row))
    }
  }
  for (const erased of await replaced.rows<LookAt>(ERASED, []))
    if ((await copy.rows(PRESENT, [erased.brand, erased.name])).length > 0) found.push(shown(erased))
  return found
}

const shown = ({ kind, brand, name }: LookAt): LookAt => ({ kind, brand, name })
