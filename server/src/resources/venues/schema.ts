import Type, { type Static } from 'typebox'
import { Id, Maybe } from '../values.ts'

export const VenueRow = Type.Object({
  id: Id(),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  is_main: Maybe(Type.Boolean()),
})
export type VenueRow = Static<typeof VenueRow>
