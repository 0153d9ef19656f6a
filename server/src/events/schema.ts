import Type, { type Static } from 'typebox'
import { DateTime, Maybe } from '../resource/values.ts'

/** E4 */
export const Event = Type.Object(
  {
    id: Type.String({ description: 'evt_ and 20 characters; sorts in the order of the feed' }),
    type: Type.String({ description: 'thing.happened; GET /events/types lists them' }),
    timestamp: DateTime(),
    position: Type.Integer({ description: 'In the brand’s feed: 1, 2, 3, … without a gap' }),
    brand: Type.String(),
    venue_id: Maybe(Type.Integer({ description: 'Where the event belongs to a venue' })),
    source: Type.Object({
      kind: Type.Enum(['api', 'staff', 'import', 'system']),
      own: Type.Boolean({ description: 'Whether your own integration caused it' }),
    }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Ids, names of changed members, states and amounts; what each type has: docs/events.md',
    }),
    object: Maybe(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'With include=object: the object as it is now; absent when it is deleted',
      }),
    ),
    as_of: Maybe(Type.String({ description: 'With include=object: how new the object is; such texts sort' })),
  },
  { $id: 'Event' },
)
export type Event = Static<typeof Event>

export const EventsPage = Type.Object({
  success: Type.Boolean(),
  data: Type.Array(Event),
  next: Type.String({ description: 'The cursor for the next call' }),
  more: Type.Boolean({ description: 'Ask again at once, also when data is empty' }),
})
export type EventsPage = Static<typeof EventsPage>

/** The end of the feed, as the back office reads it: the newest first; `previous` where older ones follow. */
export interface NewestEvents {
  readonly data: readonly Event[]
  readonly next: string
  readonly previous: string | null
}

export const EventTypes = Type.Object({
  success: Type.Boolean(),
  data: Type.Array(
    Type.Object({
      type: Type.String(),
      about: Type.String(),
      permission: Type.String({ description: 'What a caller needs besides events:read' }),
      venue: Type.Boolean({ description: 'Whether its events belong to a venue' }),
      allowed: Type.Boolean({ description: 'Whether this caller may see it' }),
    }),
  ),
})
export type EventTypes = Static<typeof EventTypes>

/** It documents; what is sent is read by selection.ts. */
export const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.String({ description: 'oldest, latest, or the next of an earlier answer; needed unless since is given' }),
  ),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Instead of after: events from this time on' })),
  types: Type.Optional(
    Type.String({ description: 'At most 64, with commas between: product.updated, product.*, menu.* or *' }),
  ),
  venues: Type.Optional(
    Type.String({
      description: 'At most 64 ids, with commas between; absent: x-venue, else every venue that one may enter',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'At most 200 with include=object' }),
  ),
  include: Type.Optional(Type.String({ description: 'object: with each event the object it is about, as it is now' })),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 25,
      default: 0,
      description: 'Seconds that the answer may be held until there is something',
    }),
  ),
})
