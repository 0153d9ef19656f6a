import Type, { type Static } from 'typebox'
import { defineResource } from './define.ts'
import { putRecorded, writeDirectory } from './directory-rows.ts'
import { EXPORT_PAGE, exportPage } from './export.ts'
import { Id, Name } from './values.ts'

const Role = (permissions: readonly string[]) =>
  Type.Object({ id: Id(), name: Name(), permissions: Type.Array(Type.Enum(['*', ...permissions])) })
export type Role = Static<ReturnType<typeof Role>>

/** Roles, which allow some of these permissions, or with `*` all of them. */
export const rolesOf = (permissions: readonly string[]) =>
  defineResource({
    name: { one: 'role', many: 'roles' },
    tag: 'Users',
    about: 'What users may do.',
    wire: Role(permissions),
    scope: 'brand',
    columns: { id: 'integer', name: 'key' },
    write: (context, rows) =>
      writeDirectory(context, 'roles', rows, (_, { id, name, permissions: allowed }) => {
        const after = { id, name, permissions: JSON.stringify(allowed) }
        return putRecorded(context, { table: 'roles', kind: 'role', subject: String(id), after })
      }),
    async page(db, brand_id, after) {
      const rows = await db.rows<{ id: number; name: string; permissions: string }>(
        `select id, name, permissions from roles where brand_id = ? and id > ? order by id limit ${EXPORT_PAGE}`,
        [brand_id, after ?? 0],
      )
      return exportPage(rows, ({ id, name, permissions }) =>
        JSON.stringify({ id, name, permissions: JSON.parse(permissions) }),
      )
    },
  })
