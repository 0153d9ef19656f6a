import { isWithin, may } from '../../auth/permissions.ts'
import { beyondOwnRights, ownRights, roleBeyondOwnRights, roleInOtherVenues } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { Queries } from '../../storage/database.ts'

// Staff who may change users and roles must not be able to gain, give or take what they may not do themselves. Rights are read in the
// transaction of the change: what the directory holds in memory can be a second old.

type Rights = Parameters<typeof isWithin>[0]

interface Role {
  readonly id: number
  readonly permissions: readonly string[]
}

interface User {
  readonly id: number
  readonly username: string
  readonly role_id: number
  /** Absent: every venue. */
  readonly venue_ids?: readonly number[]
  readonly active?: boolean
}

/**
 * Refuses to change a role that allows more than this person may do, before or after the change; to change the permissions of their own
 * role; and to change a role of staff of venues that they may not enter, also of inactive staff, who may come back.
 */
export async function refuseRoleBeyondOwn(
  context: CommandContext,
  role: Role,
  before: Role | undefined,
): Promise<void> {
  const own = await ownRightsOf(context)
  for (const { permissions } of before ? [before, role] : [role])
    if (!isWithin({ ...own, permissions: new Set(permissions) }, own)) throw roleBeyondOwnRights()
  const isSame = before && new Set(before.permissions).symmetricDifference(new Set(role.permissions)).size === 0
  if (role.id === own.role_id && !isSame) throw ownRights()
  if (before && own.venues && (await hasStaffElsewhere(context, role.id, own.venues))) throw roleInOtherVenues()
}

async function hasStaffElsewhere(
  { tx, brand_id }: CommandContext,
  role_id: number,
  venues: ReadonlySet<number>,
): Promise<boolean> {
  const staff = await tx.rows<{ venue_ids: string | null }>(
    'select distinct venue_ids from users where brand_id = ? and role_id = ?',
    [brand_id, role_id],
  )
  return staff.some(
    ({ venue_ids }) => venue_ids === null || !(JSON.parse(venue_ids) as number[]).every((id) => venues.has(id)),
  )
}

/** Refuses a user who may do, or could do before, more than this person, and changes to their own rights. */
export async function refuseUserBeyondOwn(
  context: CommandContext,
  user: User,
  before: User | undefined,
): Promise<void> {
  const own = await ownRightsOf(context)
  for (const side of before ? [before, user] : [user])
    if (!isWithin(await rightsOf(context.tx, context.brand_id, side), own)) throw beyondOwnRights()
  if (
    user.id === own.id &&
    before &&
    RIGHTS.some((name) => JSON.stringify(user[name]) !== JSON.stringify(before[name]))
  )
    throw ownRights()
}

const RIGHTS = ['role_id', 'venue_ids', 'active'] as const

async function ownRightsOf({ tx, brand_id, caller: { user } }: CommandContext): Promise<Rights & { role_id: number }> {
  const own = await findRights(tx, brand_id, user.id)
  if (!own) throw ownRights() // deactivated a moment ago
  return own
}

/** What an active user may do, as it is stored now. */
export async function findRights(
  tx: Queries,
  brand_id: number,
  user_id: number,
): Promise<(Rights & { role_id: number }) | undefined> {
  const [user] = await tx.rows<{ username: string; role_id: number; venue_ids: string | null }>(
    'select username, role_id, venue_ids from users where brand_id = ? and id = ? and active = 1',
    [brand_id, user_id],
  )
  if (!user) return undefined
  const { username, role_id, venue_ids } = user
  const rights = await rightsOf(tx, brand_id, {
    id: user_id,
    username,
    role_id,
    ...(venue_ids !== null && { venue_ids: JSON.parse(venue_ids) as number[] }),
  })
  return { ...rights, role_id }
}

/** The right to make users. */
export const MAKES_USERS = 'settings:write'

/** Whether one user may give another a way in: as who makes users, within their own rights and venues. Both are active. */
export async function mayLetIn(tx: Queries, brand_id: number, maker_id: number, user_id: number): Promise<boolean> {
  const [maker, user] = [await findRights(tx, brand_id, maker_id), await findRights(tx, brand_id, user_id)]
  return maker !== undefined && user !== undefined && may(maker.permissions, MAKES_USERS) && isWithin(user, maker)
}

async function rightsOf(tx: Queries, brand_id: number, user: User): Promise<Rights> {
  const permissions = await tx.text('select permissions from roles where brand_id = ? and id = ?', [
    brand_id,
    user.role_id,
  ])
  return {
    id: user.id,
    username: user.username,
    active: true,
    permissions: new Set(JSON.parse(permissions ?? '[]') as string[]), // a role that does not exist is refused as such
    venues: user.venue_ids && new Set(user.venue_ids),
  }
}
