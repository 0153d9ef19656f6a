import Type, { type Static } from 'typebox'
import { DateTime, Maybe, Nullable } from '../resource/values.ts'
import { PRINTER_STATES } from '../values/states.ts'

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

/** Only for the documentation: selection.ts reads what is sent. */
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

const whole = () => Type.Integer()
const text = () => Type.String()
const changed = Maybe(Type.Array(Type.String(), { description: 'Names of the members that changed' }))
const moved = (value: () => Type.TSchema) => Type.Object({ from: Maybe(value()), to: value() })

/** E1: what `data` has, by kind or by type. Every other type has the id of a row, and what changed. */
const DATA: Readonly<Record<string, Type.TSchema>> = {
  'customer.balance_changed': Type.Object({
    id: text(),
    balance: Type.Object({ type: text(), from: Maybe(Type.Number()), to: Type.Number() }),
    receipt_id: Maybe(whole()),
  }),
  'price_list.prices_changed': Type.Object({
    id: whole(),
    product_ids: Maybe(Type.Array(Type.Integer(), { description: 'At most 200' })),
    all: Maybe(Type.Boolean({ description: 'There were more' })),
  }),
  stop_list: Type.Object({ id: whole(), product_id: whole(), limit: Nullable(Type.Number()) }),
  order: Type.Object({ id: whole(), status: moved(text), reason: Maybe(text()), receipt_id: Maybe(whole()) }),
  receipt: Type.Object({
    id: whole(),
    status: moved(whole),
    order_status: Maybe(text()),
    changed,
    order_id: Maybe(whole()),
    total: Maybe(Type.Number()),
    refund_id: Maybe(whole()),
    moved_from: Maybe(Type.Array(Type.Integer(), { description: 'Receipts that lines came from' })),
    moved_to: Maybe(Type.Array(Type.Integer(), { description: 'Receipts that lines went to' })),
    merged_into: Maybe(Type.Integer({ description: 'The receipt that took all its lines; it was not given up' })),
  }),
  stock: Type.Object({
    first_id: whole(),
    last_id: whole(),
    count: whole(),
    receipt_id: Maybe(whole()),
    operation_id: Maybe(whole()),
  }),
  'printer.state_changed': Type.Object({ id: whole(), state: Type.Enum([...PRINTER_STATES]), waiting: whole() }),
  operation: Type.Object({ id: whole(), status: Maybe(whole()), changed }),
  cash_shift: Type.Object({ id: text() }),
  waiter_call: Type.Object({ id: whole(), table_id: whole(), type: text() }),
  credential: Type.Object({ id: text(), client_id: text(), name: text() }),
  webhook_endpoint: Type.Object({ id: text(), reason: Maybe(text()) }),
  import: Type.Object({ kinds: Type.Record(Type.String(), Type.Integer()) }),
  feed: Type.Object({ kinds: Type.Array(Type.String()) }),
}

/** The schema of an event's `data`. `id` is an example of one. */
export const dataSchema = (type: string, id: unknown): Type.TSchema =>
  DATA[type] ??
  DATA[type.slice(0, type.lastIndexOf('.'))] ??
  Type.Object({ id: typeof id === 'string' ? text() : whole(), changed })
