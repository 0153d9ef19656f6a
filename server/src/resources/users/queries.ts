import { lockDirectory, record } from '../../auth/audit.ts'
import { endAccess, endAccount } from '../../auth/end-access.ts'
import { fold } from '../../http/fold.ts'
import { exportPage, type ImportContext, type Kind } from '../kind.ts'
import { RowProblem, rowReader } from '../read-row.ts'
import { RoleRow, UserRow } from './schema.ts'

const readRole = rowReader(RoleRow)
const readUser = rowReader(UserRow)

export const roleKind: Kind<RoleRow> = {
  name: 'role',
  table: 'roles',
  read: readRole,
  idOf: ({ id }) => id,
  references: () => [],
  async put(context, rows) {
    await lockDirectory(context.tx)
    for (const row of rows) await putRole(context, row)
  },
  async page(db, brand_id, after) {
    const rows = await db.rows<{ id: number; name: string; permissions: string }>(
      'select id, name, permissions from roles where brand_id = ? and id > ? order by id limit 1000',
      [brand_id, after ?? 0],
    )
    return exportPage(rows, ({ id, name, permissions }) =>
      JSON.stringify({ id, name, permissions: JSON.parse(permissions) }),
    )
  },
}

async function putRole({ tx, brand_id, actor }: ImportContext, row: RoleRow): Promise<void> {
  const after = { id: row.id, name: row.name, permissions: JSON.stringify(row.permissions) }
  const before = await tx.kysely
    .selectFrom('roles')
    .select(['id', 'name', 'permissions'])
    .where('brand_id', '=', brand_id)
    .where('id', '=', row.id)
    .executeTakeFirst()
  if (before && before.name === after.name && before.permissions === after.permissions) return
  await tx.kysely
    .insertInto('roles')
    .values({ brand_id, ...after })
    .onConflict((conflict) => conflict.columns(['brand_id', 'id']).doUpdateSet(after))
    .execute()
  await record(tx, { actor, action: 'role.import', subject: String(row.id), brand_id, before, after })
}

export const userKind: Kind<UserRow> = {
  name: 'user',
  table: 'users',
  read: (row) => ({ active: true, ...readUser(row) }),
  idOf: ({ id }) => id,
  references: ({ role_id, venue_ids = [] }) => [
    { member: 'role_id', table: 'roles', id: role_id },
    ...venue_ids.map((id) => ({ member: 'venue_ids', table: 'venues' as const, id })),
  ],
  async put(context, rows) {
    await lockDirectory(context.tx)
    for (const row of rows) await putUser(context, row)
  },
  async page(db, brand_id, after) {
    const rows = await db.rows<StoredUser & { id: number }>(
      'select id, username, name, role_id, venue_ids, active from users where brand_id = ? and id > ? order by id limit 1000',
      [brand_id, after ?? 0],
    )
    return exportPage(rows, ({ id, username, name, role_id, venue_ids, active }) =>
      JSON.stringify({
        id,
        username,
        name,
        role_id,
        ...(venue_ids && { venue_ids: JSON.parse(venue_ids) }),
        active: active === 1,
      }),
    )
  },
}

interface StoredUser {
  username: string
  name: string
  role_id: number
  venue_ids: string | null
  active: number
}

async function putUser({ tx, brand_id, actor }: ImportContext, row: UserRow): Promise<void> {
  const after = {
    id: row.id,
    username: row.username,
    name: row.name ?? row.username,
    role_id: row.role_id,
    venue_ids: row.venue_ids ? JSON.stringify(row.venue_ids) : null,
    active: Number(row.active),
  }
  const username_key = fold(row.username)
  const holder = await tx.kysely
    .selectFrom('users')
    .select('id')
    .where('brand_id', '=', brand_id)
    .where('username_key', '=', username_key)
    .where('id', '<>', row.id)
    .executeTakeFirst()
  if (holder) throw new RowProblem(`username "${row.username}" is already user ${holder.id}'s`, row)
  const before = await tx.kysely
    .selectFrom('users')
    .select(['id', 'username', 'name', 'role_id', 'venue_ids', 'active'])
    .where('brand_id', '=', brand_id)
    .where('id', '=', row.id)
    .executeTakeFirst()
  if (before && JSON.stringify(before) === JSON.stringify(after)) return
  await tx.kysely
    .insertInto('users')
    .values({ brand_id, username_key, ...after })
    .onConflict((conflict) => conflict.columns(['brand_id', 'id']).doUpdateSet({ username_key, ...after }))
    .execute()
  if (before && fold(before.username) !== username_key) await endAccount(tx, brand_id, row.id)
  if (before && before.active > after.active) await endAccess(tx, brand_id, row.id)
  await record(tx, { actor, action: 'user.import', subject: row.username, brand_id, before, after })
}
