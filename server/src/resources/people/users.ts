import Type, { type Static } from 'typebox'
import { endAccess, endAccount } from '../../directory/end-access.ts'
import { defineResource } from '../../resource/define.ts'
import { EXPORT_PAGE, exportPage } from '../../resource/files/export.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { Resource } from '../../resource/resource.ts'
import { DateTime, Flag, Id, Maybe, Name, Timestamps, Trimmed } from '../../resource/values.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import { fold } from '../../values/fold.ts'
import { following, putAudited, writeDirectory } from './directory-rows.ts'
import { refuseUserBeyondOwn } from './own-rights.ts'

/** Never a password or a PIN. */
export const User = Type.Object(
  {
    id: Id(),
    username: Type.String(),
    email: Maybe(Type.String({ format: 'idn-email' })),
    first_name: Maybe(Type.String()),
    last_name: Maybe(Type.String()),
    mobile_number: Maybe(Type.String()),
    owner: Flag('1 if the role allows everything'),
    status: Type.Boolean({ description: 'Whether the user is active' }),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  { $id: 'User' },
)

/** One imported line. */
export const UserRow = Type.Object({
  id: Id(),
  username: Name(64),
  name: Maybe(Name()),
  role_id: Id(),
  venue_ids: Maybe(Type.Array(Id())), // absent: every venue
  active: Maybe(Type.Boolean()),
  email: Maybe(Trimmed({ format: 'idn-email', maxLength: 254 })),
  first_name: Maybe(Name()),
  last_name: Maybe(Name()),
  mobile_number: Maybe(Trimmed({ maxLength: 64, 'x-phone': true })),
  ...Timestamps(),
})
export type UserRow = Static<typeof UserRow>

export const users: Resource<UserRow> = defineResource({
  name: { one: 'user', many: 'users' },
  tag: 'Users',
  about: 'The staff of a brand. The list has the active ones, unless a filter names the status.',
  wire: User,
  line: UserRow,
  scope: 'brand',
  columns: { id: 'integer', role_id: 'integer', created_at: 'instant', updated_at: 'instant' },
  stamped: ['created_at', 'updated_at'],
  references: { role_id: 'roles', venue_ids: 'venues' },
  list: {
    filters: ['id', 'created_at', 'updated_at'],
    compared: {
      username: { type: 'text', sql: 'username', folded: 'username_key' },
      status: { type: 'boolean', sql: 'active' },
    },
    unlessFiltered: { status: 'active = 1' },
  },
  api: { list: {}, get: {} },
  edit: {
    permission: 'settings:write',
    members: [
      'username',
      'name',
      'role_id',
      'venue_ids',
      'active',
      'first_name',
      'last_name',
      'email',
      'mobile_number',
    ],
    reviewed: ['role_id', 'venue_ids'],
    isShared: false,
    onlyNew: ['username'], // another name is another person, who inherits no password
    async apply(context, user, before) {
      await refuseUserBeyondOwn(context, user, before)
      return user
    },
  },
  events: { types: ['user.created', 'user.updated', 'user.deactivated'] },
  write: (context, rows) => writeDirectory(context, users, rows, putUser),
  async readExportPage(db, brand_id, after) {
    const rows = await db.rows<StoredUser & Stamps>(
      `select ${COLUMNS}, created_at, updated_at from users
       where brand_id = ? and id > ? order by id limit ${EXPORT_PAGE}`,
      [brand_id, after ?? 0],
    )
    return exportPage(rows, (row) => JSON.stringify(lineOf(row)))
  },
})

const COLUMNS = 'id, username, name, role_id, venue_ids, active, email, first_name, last_name, mobile_number'

type StoredUser = {
  id: number
  username: string
  name: string
  role_id: number
  venue_ids: string | null
  active: number
  email: string | null
  first_name: string | null
  last_name: string | null
  mobile_number: string | null
}

interface Stamps {
  created_at: string
  updated_at?: string
}

const lineOf = ({ venue_ids, active, ...row }: StoredUser & Stamps) =>
  ({
    ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    ...(venue_ids && { venue_ids: JSON.parse(venue_ids) }),
    active: active === 1,
  }) as UserRow

/** Writes the users of a role again: what they show of it is another now. */
export async function writeUsersOf(context: WriteContext, role_id: number): Promise<void> {
  const rows = await context.tx.rows<StoredUser & Stamps>(
    `select ${COLUMNS}, created_at from users where brand_id = ? and role_id = ? order by id`,
    [context.brand_id, role_id],
  )
  await users.write(following(context), rows.map(lineOf))
}

async function putUser(context: WriteContext, row: UserRow): Promise<void> {
  const { tx, brand_id, now } = context
  const { id, username, role_id, venue_ids, active = true, email, first_name, last_name, mobile_number } = row
  const username_key = fold(username)
  const [holder] = await tx.rows<{ id: number }>(
    'select id from users where brand_id = ? and username_key = ? and id <> ?',
    [brand_id, username_key, id],
  )
  if (holder) throw new RowProblem(`username "${username}" is already user ${holder.id}'s`, row)
  const after: StoredUser = {
    id,
    username,
    name: row.name ?? username,
    role_id,
    venue_ids: venue_ids ? JSON.stringify(venue_ids) : null,
    active: Number(active),
    email: email ?? null,
    first_name: first_name ?? null,
    last_name: last_name ?? null,
    mobile_number: mobile_number ?? null,
  }
  const existing = await findExisting(context, id)
  const { created_at = existing.created_at ?? now, updated_at = now } = row
  const owner = Number(await allowsEverything(context, role_id))
  const wire = { id, username, email, first_name, last_name, mobile_number, owner, status: active }
  const { before, changed } = await putAudited(context, {
    table: 'users',
    kind: 'user',
    subject: username,
    after,
    derived: { before: { owner: existing.owner ?? null }, after: { owner } },
    hidden: { username_key, created_at, updated_at, body: JSON.stringify({ ...wire, created_at, updated_at }) },
  })
  if (!changed || !before) return
  if (fold(before.username) !== username_key) await endAccount(tx, brand_id, id)
  if (before.active > after.active) await endAccess(tx, brand_id, id)
}

/** A user that is there keeps its created_at, where a line leaves it out. */
async function findExisting({ tx, brand_id }: WriteContext, id: number) {
  const [existing] = await tx.rows<{ created_at: string; body: string }>(
    'select created_at, body from users where brand_id = ? and id = ?',
    [brand_id, id],
  )
  return { created_at: existing?.created_at, owner: existing && (JSON.parse(existing.body) as { owner: number }).owner }
}

async function allowsEverything({ tx, brand_id }: WriteContext, role_id: number): Promise<boolean> {
  const permissions = await tx.text('select permissions from roles where brand_id = ? and id = ?', [brand_id, role_id])
  return permissions !== undefined && (JSON.parse(permissions) as string[]).includes('*')
}
