import type { Queries } from '../../storage/database.ts'
import type { Colleague } from '../schema.ts'

interface Row {
  id: number
  name: string
  username: string
  role_id: number
  role: string
  venue_ids: string | null
  active: number
  has_password: number
  link_until: string | null
  seen_at: string | null
}

/** A brand's staff, active ones first, with how each gets in: a password, a link that was not used, or neither yet. */
export async function listColleagues(
  db: Queries,
  brand_id: number,
  now: number,
): Promise<Omit<Colleague, 'is_own' | 'can_invite'>[]> {
  const at = new Date(now).toISOString()
  const rows = await db.rows<Row>(
    `select users.id, users.name, username, role_id, roles.name as role, venue_ids, active, accounts.seen_at,
            case when password is null then 0 else 1 end as has_password,
            case when expires_at > ? then expires_at end as link_until
     from users
     join roles on roles.brand_id = users.brand_id and roles.id = users.role_id
     left join accounts on accounts.brand_id = users.brand_id and accounts.user_id = users.id
     left join invitations on invitations.account_id = accounts.id
     where users.brand_id = ? order by active desc, roles.id, users.name, users.id`,
    [at, brand_id],
  )
  return rows.map(({ role_id, role, venue_ids, active, has_password, ...row }) => ({
    ...row,
    role: { id: role_id, name: role },
    venue_ids: venue_ids === null ? null : (JSON.parse(venue_ids) as number[]),
    state: active === 0 ? 'off' : has_password === 1 ? 'active' : row.link_until === null ? 'new' : 'invited',
  }))
}
