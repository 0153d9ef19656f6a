import Type, { type Static } from 'typebox'
import { Id, Maybe } from '../values.ts'

export const RoleRow = Type.Object({
  id: Id(),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  permissions: Type.Array(Type.String({ pattern: '^(\\*|[a-z]+(-[a-z]+)*:[a-z]+)$' })),
})
export type RoleRow = Static<typeof RoleRow>

export const UserRow = Type.Object({
  id: Id(),
  username: Type.String({ minLength: 1, maxLength: 64 }),
  name: Maybe(Type.String({ maxLength: 255 })),
  role_id: Id(),
  venue_ids: Maybe(Type.Array(Id())), // absent: every venue
  active: Maybe(Type.Boolean()),
})
export type UserRow = Static<typeof UserRow>
