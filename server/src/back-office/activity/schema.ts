import Type, { type Static } from 'typebox'
import { closed, Instant, Nullable } from '../schema.ts'

// What the back office shows of the calls that integrations make.

const Text = (maxLength: number) => Type.Optional(Type.String({ minLength: 1, maxLength }))

/** Which calls are looked for; without anything, the newest. */
export const CallsQuery = Type.Object(
  {
    /** Or its beginning: 13 characters are a millisecond. */
    request_id: Type.Optional(Type.String({ minLength: 13, maxLength: 64 })),
    route: Text(100),
    status: Type.Optional(Type.Enum(['2xx', '4xx', '429', '5xx'])),
    integrator_id: Text(64),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
    /** Where the page before ended. */
    before: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}\\.[0-9a-f-]{36}$' })),
  },
  closed,
)
export const OperatorCallsQuery = Type.Object({ ...CallsQuery.properties, brand: Text(63) }, closed)
export type OperatorCallsQuery = Static<typeof OperatorCallsQuery>

/** One call in the request log: facts about it, never its content. */
export const LoggedCall = Type.Object({
  at: Instant,
  request_id: Type.String(),
  method: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  ms: Type.Number(),
  brand: Nullable(Type.String()),
  integrator_id: Nullable(Type.String()),
  integrator: Nullable(Type.String()),
  client_id: Nullable(Type.String()),
  credential: Nullable(Type.String()),
  venue_id: Nullable(Type.Integer()),
  tier: Type.Integer(),
  limit: Type.Integer(),
  remaining: Type.Integer(),
  error: Nullable(Type.String()),
})
export type LoggedCall = Static<typeof LoggedCall>
export const Calls = Type.Object({ calls: Type.Array(LoggedCall), next: Nullable(Type.String()) })
export type Calls = Static<typeof Calls>

export const ChartQuery = Type.Object({ range: Type.Enum(['hour', 'day', 'week']) }, closed)
export type ChartRange = Static<typeof ChartQuery>['range']
export const OperatorChartQuery = Type.Object({ ...ChartQuery.properties, brand: Text(63) }, closed)
export type OperatorChartQuery = Static<typeof OperatorChartQuery>

/** Calls over time by how they ended, and how long they took; a slot without calls has no times. */
export const Chart = Type.Object({
  step_s: Type.Integer(),
  slots: Type.Array(
    Type.Object({
      at: Instant,
      ok: Type.Integer(),
      client_errors: Type.Integer(),
      rate_limited: Type.Integer(),
      server_errors: Type.Integer(),
      p50_ms: Nullable(Type.Number()),
      p95_ms: Nullable(Type.Number()),
    }),
  ),
  errors: Type.Array(Type.Object({ error: Type.String(), status: Type.Integer(), calls: Type.Integer() })),
})
export type Chart = Static<typeof Chart>

/** §8 tier 3 as it stands now, for each integrator that called lately. */
export const Budgets = Type.Object({
  budgets: Type.Array(
    Type.Object({
      brand: Type.String(),
      integrator_id: Type.String(),
      integrator: Type.String(),
      limit: Type.Integer(),
      used: Type.Integer(),
      reset_s: Type.Integer(),
    }),
  ),
})
export type Budgets = Static<typeof Budgets>

/** Credentials by their last use. */
export const Uses = Type.Object({
  uses: Type.Array(
    Type.Object({
      brand: Type.String(),
      client_id: Type.String(),
      credential: Type.String(),
      integrator_id: Type.String(),
      integrator: Type.String(),
      used_at: Instant,
    }),
  ),
})
export type Uses = Static<typeof Uses>
