import Type, { type Static } from 'typebox'
import { endAccess, endAccount } from '../directory/end-access.ts'
import { fold } from '../values/fold.ts'
import { defineResource } from './define.ts'
import { putRecorded, writeDirectory } from './directory-rows.ts'
import { EXPORT_PAGE, exportPage } from './export.ts'
import { RowProblem } from './read-row.ts'
import { Id, Maybe, Name } from './values.ts'
import type { WriteContext } from './write.ts'

export const User = Type.Object({
  id: Id(),
  username: Name(64),
  name: Maybe(Name()),
  role_id: Id(),
  venue_ids: Maybe(Type.Array(Id())), // absent: every venue
  active: Maybe(Type.Boolean()),
})
export type User = Static<typeof User>

export const users = defineResource({
  name: { one: 'user', many: 'users' },
  tag: 'Users',
  about: 'The staff of a brand.',
  wire: User,
  scope: 'brand',
  columns: { id: 'integer', username: 'key', name: 'key', role_id: 'integer', active: 'boolean' },
  references: { role_id: 'roles', venue_ids: 'venues' },
  write: (context, rows) => writeDirectory(context, 'users', rows, putUser),
  async page(db, brand_id, after) {
    const rows = await db.rows<StoredUser>(
      `select id, username, name, role_id, venue_ids, active from users
       where brand_id = ? and id > ? order by id limit ${EXPORT_PAGE}`,
      [brand_id, after ?? 0],
    )
    return exportPage(rows, ({ id, username, name, role_id, venue_ids, active }) =>
      JSON.stringify({
        ...{ id, username, name, role_id },
        ...(venue_ids && { venue_ids: JSON.parse(venue_ids) }),
        active: active === 1,
      }),
    )
  },
})

type StoredUser = {
  id: number
  username: string
  name: string
  role_id: number
  venue_ids: string | null
  active: number
}

async function putUser(context: WriteContext, row: User): Promise<void> {
  const { tx, brand_id } = context
  const { id, username, role_id, venue_ids, active = true } = row
  const username_key = fold(username)
  const [holder] = await tx.rows<{ id: number }>(
    'select id from users where brand_id = ? and username_key = ? and id <> ?',
    [brand_id, username_key, id],
  )
  if (holder) throw new RowProblem(`username "${username}" is already user ${holder.id}'s`, row)
  const after: StoredUser = {
    ...{ id, username, name: row.name ?? username, role_id },
    venue_ids: venue_ids ? JSON.stringify(venue_ids) : null,
    active: Number(active),
  }
  const { before, changed } = await putRecorded(context, {
    ...{ table: 'users', kind: 'user', subject: username, after },
    hidden: { username_key },
  })
  if (!changed || !before) return
  if (fold(before.username) !== username_key) await endAccount(tx, brand_id, id)
  if (before.active > after.active) await endAccess(tx, brand_id, id)
}
