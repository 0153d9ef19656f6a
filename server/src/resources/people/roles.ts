import Type, { type Static } from 'typebox'
import type { Page } from '../../http/envelope.ts'
import type { ListRequest } from '../../lists/list.ts'
import { defineResource } from '../../resource/define.ts'
import { EXPORT_PAGE, exportPage } from '../../resource/files/export.ts'
import type { Owner, Reader } from '../../resource/read/page.ts'
import type { Resource } from '../../resource/resource.ts'
import { Id, Name } from '../../resource/values.ts'
import { putAudited, writeDirectory } from './directory-rows.ts'
import { refuseRoleBeyondOwn } from './own-rights.ts'
import { writeUsersOf } from './users.ts'

const Role = (permissions: readonly string[]) =>
  Type.Object({ id: Id(), name: Name(), permissions: Type.Array(Type.Enum(['*', ...permissions])) })
export type Role = Static<ReturnType<typeof Role>>

interface StoredRole {
  id: number
  name: string
  /** JSON. */
  permissions: string
}

const lineOf = ({ id, name, permissions }: StoredRole) =>
  JSON.stringify({ id, name, permissions: JSON.parse(permissions) })

/** Roles, which allow some of these permissions, or with `*` all of them. */
export function rolesOf(permissions: readonly string[]): Resource<Role> {
  const roles: Resource<Role> = defineResource({
    name: { one: 'role', many: 'roles' },
    tag: 'Users',
    about: 'What users may do.',
    wire: Role(permissions),
    scope: 'brand',
    columns: { id: 'integer', name: 'key' },
    permission: 'users:read',
    list: { sortable: ['id'], read: listRoles, shown: { columns: ['name', 'permissions'] } },
    edit: {
      permission: 'settings:write',
      members: ['name', 'permissions'],
      reviewed: ['name', 'permissions'],
      async apply(context, role, before) {
        await refuseRoleBeyondOwn(context, role, before)
        return role
      },
    },
    events: { types: ['role.created', 'role.updated', 'user.updated'] },
    write: (context, rows) =>
      writeDirectory(context, roles, rows, async (_, { id, name, permissions: allowed }) => {
        const after = { id, name, permissions: JSON.stringify(allowed) }
        const { before } = await putAudited(context, { table: 'roles', kind: 'role', subject: String(id), after })
        if (before && allowsAll(JSON.parse(before.permissions)) !== allowsAll(allowed)) await writeUsersOf(context, id)
      }),
    async readExportPage(db, brand_id, after) {
      const rows = await db.rows<StoredRole>(
        `select id, name, permissions from roles where brand_id = ? and id > ? order by id limit ${EXPORT_PAGE}`,
        [brand_id, after ?? 0],
      )
      return exportPage(rows, lineOf)
    },
  })
  return roles
}

const allowsAll = (permissions: readonly string[]) => permissions.includes('*')

/** For the back office alone: a brand has a few. */
async function listRoles(db: Reader, { brand_id }: Owner, { where, order, limit, offset }: ListRequest): Promise<Page> {
  const scope = `from roles where brand_id = ?${where.text}`
  const values = [brand_id, ...where.values]
  const rows = await db.rows<StoredRole>(`select id, name, permissions ${scope} order by ${order} limit ? offset ?`, [
    ...values,
    limit,
    offset,
  ])
  const [counted] = await db.rows<{ total: number }>(`select count(*) as total ${scope}`, values)
  return { data: rows.map(lineOf).join(','), total: counted!.total }
}
