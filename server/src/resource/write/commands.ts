import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { enterVenueOf } from '../../auth/authenticate.ts'
import type { Caller, EventsDeclared } from '../../http/call.ts'
import { asJson, ErrorBody, OneTimed, OneWritten, oneTimed, oneWritten } from '../../http/envelope.ts'
import { forbidden, validationFailed } from '../../http/errors.ts'
import { type IfMatch, IfMatchHeader, readIfMatch } from '../../http/if-match.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { instantOf } from '../../values/values.ts'
import { type ActDeclared, type Acts, newActs, reasonPlace, requireAct, splitWhy, type Why, withWhy } from './acts.ts'
import { type IdCounts, idBlocks, type ReservedIds } from './id-blocks.ts'
import { IdempotencyHeaders, idempotency } from './idempotency.ts'
import { rowQueue } from './row-queue.ts'
import { counting, type WriteContext } from './write.ts'

// The one way to write: a route of the API, of the till or of a form is one object, and its command gets a context and what was sent,
// read by the schemas of the route. The runner takes ids, waits for its turn at the row, opens the transaction, stores the answer with
// its Idempotency-Key and sends it after the commit.

/** What a command is given: a transaction, who acts in which venue, when, and ids for what it makes. */
export interface CommandContext extends WriteContext {
  readonly caller: Caller
  readonly ids: ReservedIds
  /** T21: what the command did to receipts. */
  readonly acts: Acts
  /** T20: the reason that was given for it. */
  readonly why?: Why
}

/** Writes the acts of a command; refuses it where a reason is missing. */
export type Journal = (
  context: CommandContext,
  declared: Exclude<ActDeclared, 'none'>,
  target: { readonly receipt_id: number | undefined },
) => Promise<void>

/** What was sent, as the schemas of the route read it. */
export interface Input<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The versions of which the row must have one; undefined: any. */
  readonly ifMatch: IfMatch | undefined
  /** Whether the write has an Idempotency-Key. */
  readonly isKeyed: boolean
}

/** What a command answers besides the text of its object. */
export interface Answer {
  /** The JSON of the object. */
  readonly data: string
  /** Replaces the message of the route. */
  readonly message?: string
  readonly version?: number
  /** Replaces `data` in the answer, and is not stored with its key: what has a secret in it (W3). */
  readonly once?: string
  /** An earlier answer, given again (P23). */
  readonly isReplayed?: boolean
}

/** What the API's description says of a route. Routes of the back office have none. */
interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  /** Schema of the object that is answered. */
  readonly answers: TSchema
  /** Statuses of its refusals. */
  readonly refusals: readonly number[]
}

export interface CommandRoute<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  readonly method: HTTPMethods
  readonly url: string
  readonly permission: string
  /** What it publishes (E10). */
  readonly events: EventsDeclared
  /** T21: what it writes into the journal. Routes by which people act declare it, or the server does not start. */
  readonly act?: ActDeclared
  readonly params?: Params
  readonly query?: Query
  /** Without one, nothing needs to be sent, and what is sent must be `{}` (D1.4). */
  readonly body?: Body
  /** Most bytes of the body, where that is not what it is everywhere. */
  readonly bodyLimit?: number
  readonly described?: Described | undefined
  /** What the answer says (§2.1). */
  readonly message: string
  /** Whether the answer carries the time (§2.1), as those of receipts and customers do. */
  readonly isTimed?: boolean
  /** Takes If-Match; `etag`: and answers the version as ETag. */
  readonly versioned?: 'if-match' | 'etag'
  /** Reads the query of a route of the API, where Fastify leaves it to the route. */
  readonly readQuery?: (url: string) => Static<NoInfer<Query>>
  /** The venue that the body names: it counts as x-venue. */
  readonly venue?: (input: InputOf<NoInfer<Params>, NoInfer<Query>, NoInfer<Body>>) => number | undefined
  /** Ids that the command may need, as far as that can be known before it. */
  readonly ids?: IdCounts | CountIds<InputOf<NoInfer<Params>, NoInfer<Query>, NoInfer<Body>>>
  /** True where nothing is to be written, and no key kept. */
  readonly isDry?: (input: InputOf<NoInfer<Params>, NoInfer<Query>, NoInfer<Body>>) => boolean
  /** Says in the contract's words why the database refused; it throws. */
  readonly refused?: (
    error: unknown,
    caller: Caller,
    input: InputOf<NoInfer<Params>, NoInfer<Query>, NoInfer<Body>>,
  ) => Promise<never>
  /** Runs after the commit and before the answer. */
  readonly committed?: () => Promise<void>
  readonly run: (
    context: CommandContext,
    input: InputOf<NoInfer<Params>, NoInfer<Query>, NoInfer<Body>>,
  ) => Promise<string | Answer>
}

type InputOf<Params extends TSchema, Query extends TSchema, Body extends TSchema> = Input<
  Static<Params>,
  Static<Query>,
  Static<Body>
>

type CountIds<Sent> = (input: Sent, known: { db: Database; caller: Caller }) => IdCounts | Promise<IdCounts>

/** Registers one route that writes. */
export type AddCommand = <
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(
  app: FastifyInstance,
  route: CommandRoute<Params, Query, Body>,
) => void

/** What the command was to do has been done by another call meanwhile: in a new transaction it is found. */
export class DoneMeanwhile extends Error {}

/** Built once a process, so that all writes share one queue per row, one allocator of ids and one registry of keys. */
export function commandRunner({ db, now, journal }: { db: Database; now: () => number; journal: Journal }): AddCommand {
  const answerOnce = idempotency({ db, now })
  const blocks = idBlocks(db)
  const inTurn = rowQueue()

  return <Params extends TSchema, Query extends TSchema, Body extends TSchema>(
    app: FastifyInstance,
    route: CommandRoute<Params, Query, Body>,
  ) => {
    requireAct(route)
    const { method, url, permission, events, act, bodyLimit, ids = {}, isDry, refused, committed, versioned } = route
    const place = reasonPlace(route)
    const countIds = typeof ids === 'function' ? ids : () => ids

    async function handler(request: FastifyRequest, reply: FastifyReply): Promise<string> {
      const { input, why } = readInput(request)
      const venue_id = route.venue?.(input)
      if (venue_id !== undefined) enterVenueOf(request.call, venue_id)
      const { caller } = request.call

      let once: string | undefined
      const work = (reserved: ReservedIds) => async (tx: Transaction) => {
        const nowMs = now() // not before: while this one waited for its turn others may have written a later updated_at
        const given = { tx, caller, now: instantOf(nowMs), ids: reserved, why }
        const answered = await runCommand(given, async (context) => {
          const done = await route.run(context, input)
          if (act !== undefined && act !== 'none' && !isDry?.(input))
            await journal(context, act, { receipt_id: receiptOf(request, url) })
          else if (caller.approvals && !isDry?.(input))
            throw forbidden(caller.approvals[0]!.permission) // nothing would use it up
          else if (context.acts.touched.size > 0 && !isDry?.(input))
            throw new Error(`${method} ${url} changes receipts and declares no act (T21)`)
          return done
        })
        const answer = typeof answered === 'string' ? { data: answered } : answered
        if (answer.version !== undefined && versioned === 'etag') reply.header('etag', `"${answer.version}"`)
        if (answer.isReplayed) reply.header('idempotency-replayed', 'true')
        const message = answer.message ?? route.message
        if (answer.once !== undefined) once = oneWritten(answer.once, message)
        return route.isTimed ? oneTimed(reply, answer.data, message, nowMs) : oneWritten(answer.data, message)
      }
      if (isDry?.(input)) return asJson(reply, await db.transaction(work(NO_IDS)))
      const stored = await inTurn(rowOf(request, url), () =>
        blocks.write(
          caller.brand_id,
          async () => countIds(input, { db, caller }),
          (reserved) => {
            const written = answerOnce(request, reply, work(reserved), committed)
            return refused ? written.catch((error) => refused(error, caller, input)) : written
          },
          (error) => error instanceof DoneMeanwhile,
        ),
      )
      // A stored answer may follow a run that was rolled back.
      return reply.hasHeader('idempotency-replayed') ? stored : (once ?? stored)
    }
    function readInput(request: FastifyRequest) {
      const sent = inputOf(request, route) as InputOf<Params, Query, Body>
      if (place === undefined) return { input: sent, why: {} }
      const { own, why } = splitWhy(sent[place])
      return { input: { ...sent, [place]: own }, why }
    }
    const config = { permission, events, ...(versioned === 'etag' && { etag: true }) }
    const read = place === undefined ? route : { ...route, [place]: withWhy(route[place], place) }
    app.route({ method, url, config, schema: schemaOf(read), handler, ...definedOnly({ bodyLimit }) })
  }
}

/** Runs a command, then counts what it added and took away. */
export async function runCommand<Result>(
  { tx, caller, now, ids, why }: Pick<CommandContext, 'tx' | 'caller' | 'now' | 'ids' | 'why'>,
  command: (context: CommandContext) => Promise<Result>,
): Promise<Result> {
  const { brand_id } = caller
  return counting({ tx, brand_id, actor: actorOf(caller), now }, (context) =>
    command({ ...context, caller, ids, acts: newActs(), ...(why && { why }) }),
  )
}

/** As the audit log names them: a person at our own pages, or a credential. */
const actorOf = ({ client_id, brand, user }: Caller) =>
  client_id === '' ? `user:${brand}/${user.username}` : client_id

/** The receipt that the path names. */
function receiptOf({ params }: FastifyRequest, url: string): number | undefined {
  return url.startsWith('/receipts/:id') ? (params as { id: number }).id : undefined
}

/** For a command that stores no rows. */
export const NO_IDS: ReservedIds = {
  uuid: randomUUID,
  take() {
    throw new Error('no ids were reserved for this command')
  },
}

type AnyRoute = CommandRoute<TSchema, TSchema, TSchema>

/** Fastify has read each part by its schema. */
function inputOf(
  request: FastifyRequest,
  { body, readQuery, versioned }: Pick<AnyRoute, 'body' | 'readQuery' | 'versioned'>,
): Input {
  if (body === undefined) refuseBody(request.body)
  return {
    params: request.params,
    query: readQuery ? readQuery(request.url) : request.query,
    body: request.body,
    ifMatch: versioned && readIfMatch(request.headers['if-match']),
    isKeyed: request.headers['idempotency-key'] !== undefined,
  }
}

function refuseBody(body: unknown): void {
  const [first, ...others] = Object.keys(body ?? {}).map((field) => ({
    field,
    rule: 'unknown',
    message: `${field} is not a known member.`,
  }))
  if (first) throw validationFailed([first, ...others])
}

/** The row that a request is about, by brand; undefined where it makes one. */
function rowOf({ call, params }: FastifyRequest, url: string): string | undefined {
  const { id } = (params ?? {}) as { id?: number | string }
  return id === undefined ? undefined : `${call.caller.brand_id} ${url.split('/')[1]} ${id}`
}

function schemaOf({ params, query, body, described, isTimed, versioned }: AnyRoute) {
  const read = { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }) }
  if (!described) return read
  const { answers, refusals, tag, ...texts } = described
  const headers = versioned
    ? Type.Object({ ...IdempotencyHeaders.properties, ...IfMatchHeader.properties })
    : IdempotencyHeaders
  const response = {
    200: isTimed ? OneTimed(answers) : OneWritten(answers),
    ...Object.fromEntries(refusals.map((status) => [status, ErrorBody])),
  }
  return { ...texts, tags: [tag], headers, ...read, response }
}
