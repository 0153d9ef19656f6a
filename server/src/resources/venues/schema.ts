import Type, { type Static } from 'typebox'
import { Id, Maybe, Name } from '../values.ts'

export const VenueRow = Type.Object({
  id: Id(),
  name: Name(),
  is_main: Maybe(Type.Boolean()),
})
export type VenueRow = Static<typeof VenueRow>
