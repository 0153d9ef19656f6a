import Type, { type Static } from 'typebox'
import { PERMISSIONS } from '../../auth/permissions.ts'
import { Id, Maybe, Name } from '../values.ts'

export const RoleRow = Type.Object({
  id: Id(),
  name: Name(),
  permissions: Type.Array(Type.Enum(['*', ...PERMISSIONS])),
})
export type RoleRow = Static<typeof RoleRow>

export const UserRow = Type.Object({
  id: Id(),
  username: Name(64),
  name: Maybe(Name()),
  role_id: Id(),
  venue_ids: Maybe(Type.Array(Id())), // absent: every venue
  active: Maybe(Type.Boolean()),
})
export type UserRow = Static<typeof UserRow>
