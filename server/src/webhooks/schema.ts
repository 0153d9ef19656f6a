import Type, { type Static } from 'typebox'
import { DateTime, Maybe, Name, Nullable } from '../resource/values.ts'

const closed = { additionalProperties: false }

const STATES = ['pending', 'active', 'failing', 'paused', 'disabled', 'suspended']
const CLASSES = ['blocked', 'dns', 'connect', 'tls', 'timeout', 'status_3xx', 'status_4xx', 'status_5xx', 'protocol']

const chosen = {
  types: Maybe(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      description: '1 to 64 types or groups of them, as GET /events takes; all by default',
    }),
  ),
  venues: Maybe(
    Type.Array(Type.Integer({ minimum: 1 }), {
      description: 'At most 64 ids; none: every venue that the staff user may enter',
    }),
  ),
  payload: Maybe(Type.Enum(['thin', 'full'], { description: 'full: with the object that each event is about' })),
  skip_own: Maybe(Type.Boolean({ description: 'Leave out what your own integration caused' })),
}

const Url = () => Type.String({ minLength: 1, maxLength: 2_048, description: 'https, with a name of the public DNS' })
const From = () =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'latest, oldest, the id of an event (those after it), or a date-time',
  })
const OwnSecret = () =>
  Type.String({ minLength: 1, maxLength: 128, description: 'Your own: whsec_ and the base64 of 24 to 64 bytes' })

/** W1 */
export const NewEndpoint = Type.Object(
  { url: Url(), name: Name(64), ...chosen, from: Maybe(From()), secret: Maybe(OwnSecret()) },
  { $id: 'NewWebhookEndpoint', ...closed },
)

/** Staff say whose endpoint it is. */
export const NewStaffEndpoint = Type.Object(
  {
    ...NewEndpoint.properties,
    client_id: Type.String({ minLength: 1, maxLength: 64 }),
    integrator_id: Type.String({ minLength: 1, maxLength: 64 }),
  },
  closed,
)

export const EndpointChange = Type.Object(
  { url: Maybe(Url()), name: Maybe(Name(64)), ...chosen },
  { $id: 'WebhookEndpointChange', ...closed },
)

export const Resume = Type.Object({ from: Maybe(From()) }, { $id: 'WebhookResume', ...closed })

export const Rotation = Type.Object(
  {
    overlap_s: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 2_592_000,
        default: 86_400,
        description: 'Seconds that the secret before signs too; 0 ends it at once',
      }),
    ),
    secret: Maybe(OwnSecret()),
  },
  { $id: 'WebhookRotation', ...closed },
)

const Failure = Type.Object({
  at: DateTime(),
  class: Type.Enum(CLASSES),
  status: Maybe(Type.Integer()),
})

export const Endpoint = Type.Object(
  {
    id: Type.String({ description: 'we_ and 22 characters' }),
    client_id: Type.String({ description: 'The credential that it belongs to' }),
    integrator_id: Type.String(),
    url: Type.String(),
    name: Type.String(),
    types: Type.Array(Type.String()),
    venues: Maybe(Type.Array(Type.Integer())),
    payload: Type.Enum(['thin', 'full']),
    skip_own: Type.Boolean(),
    secret: Maybe(Type.String({ description: 'Only in the answer that made it' })),
    state: Type.Enum(STATES),
    reason: Maybe(Type.String({ description: 'Why it is failing, paused, disabled or suspended' })),
    state_since: DateTime(),
    cursor: Type.String({ description: 'The last event that was delivered, held or passed over' }),
    lag: Type.Object({
      events: Type.Integer({ description: 'Positions from the cursor to the end of the feed' }),
      seconds: Type.Integer({ description: 'Age of the next event' }),
    }),
    held: Type.Object({ waiting: Type.Integer(), failed: Type.Integer(), refused: Type.Integer() }),
    last_success_at: Maybe(DateTime()),
    last_failure: Maybe(Failure),
    success_rate: Maybe(
      Type.Number({ description: 'Share of the attempts of the last 24 hours that succeeded, from 0 to 1' }),
    ),
    p95_ms: Maybe(Type.Integer()),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  { $id: 'WebhookEndpoint' },
)
export type Endpoint = Static<typeof Endpoint>

const CAUSES = ['live', 'retry', 'probe', 'replay', 'test', 'verification']

/** W18 */
export const Delivery = Type.Object(
  {
    id: Type.String(),
    at: DateTime(),
    event: Type.String(),
    type: Type.String(),
    attempt: Type.Integer(),
    cause: Type.Enum(CAUSES),
    status: Maybe(Type.Integer()),
    class: Maybe(Type.Enum(CLASSES)),
    message: Maybe(Type.String()),
    ms: Type.Integer(),
    clock_off_s: Maybe(Type.Integer({ description: 'How far the receiver’s clock is off, if more than two minutes' })),
    answer: Maybe(Type.String({ description: 'The beginning of the answer to a failed attempt' })),
  },
  { $id: 'WebhookDelivery' },
)
export type Delivery = Static<typeof Delivery>

/** An hour of an endpoint, for its page. */
export const Hour = Type.Object(
  { at: DateTime(), delivered: Type.Integer(), failed: Type.Integer() },
  { $id: 'WebhookHour' },
)
export type Hour = Static<typeof Hour>

export const SignedQuery = Type.Object({ event: Type.String({ minLength: 1, maxLength: 64 }) })

/** A delivery as it would go out now, for somebody who tries a receiver by hand. */
export const Signed = Type.Object(
  { url: Type.String(), headers: Type.Record(Type.String(), Type.String()), body: Type.String() },
  { $id: 'SignedWebhook' },
)
export type Signed = Static<typeof Signed>

const filterMembers = {
  class: Maybe(Type.Enum(CLASSES)),
  type: Maybe(Type.String({ minLength: 1, maxLength: 64 })),
}

const page = {
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  after: Maybe(Type.String({ maxLength: 64, description: 'The next of the answer before' })),
}

/** Only for the documentation: routes.ts reads what is sent. */
export const DeliveriesQuery = Type.Object({
  event: Maybe(Type.String()),
  ...filterMembers,
  status: Maybe(Type.Integer()),
  cause: Maybe(Type.Enum(CAUSES)),
  since: Maybe(DateTime()),
  until: Maybe(DateTime()),
  ...page,
})

export const HELD_STATES = ['waiting', 'failed', 'refused']

/** W12 */
export const HeldFilter = Type.Object(
  { state: Maybe(Type.Enum(HELD_STATES)), ...filterMembers },
  { $id: 'WebhookHeldFilter', ...closed },
)
export const HeldQuery = Type.Object({ ...HeldFilter.properties, ...page })

export const HeldEvent = Type.Object(
  {
    event: Type.String(),
    type: Type.String(),
    state: Type.Enum(HELD_STATES),
    attempts: Type.Integer(),
    next_at: Maybe(DateTime()),
    class: Maybe(Type.Enum(CLASSES)),
    status: Maybe(Type.Integer()),
  },
  { $id: 'WebhookHeldEvent' },
)
export type HeldEvent = Static<typeof HeldEvent>

export const Count = Type.Object({ count: Type.Integer() }, { $id: 'WebhookCount' })
export const Deleted = Type.Object({ id: Type.String() }, { $id: 'WebhookDeleted' })

export const Walked = <Item extends Type.TSchema>(item: Item) =>
  Type.Object({ success: Type.Boolean(), data: Type.Array(item), next: Nullable(Type.String()) })

/** W14 */
export const NewReplay = Type.Object(
  {
    event: Maybe(Type.String({ description: 'One event, alone' })),
    after: Maybe(Type.String({ description: 'The events after this one; oldest: all that are kept' })),
    since: Maybe(DateTime()),
    until: Maybe(Type.String({ description: 'The last event; absent: the newest now' })),
    types: chosen.types,
    failed_only: Maybe(Type.Boolean({ description: 'Only what was given up' })),
  },
  { $id: 'NewWebhookReplay', ...closed },
)

export const Replay = Type.Object(
  {
    id: Type.String(),
    state: Type.Enum(['running', 'done', 'cancelled']),
    done: Type.Integer({ description: 'Positions of the feed' }),
    total: Type.Integer(),
    failed: Type.Integer({ description: 'Events that were not delivered' }),
    created_at: DateTime(),
  },
  { $id: 'WebhookReplay' },
)
export type Replay = Static<typeof Replay>
