import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify'
import Type from 'typebox'
import type { EventsDeclared } from '../../http/call.ts'
import { oneTimed } from '../../http/envelope.ts'
import { invalidParameter } from '../../http/errors.ts'
import { type IdCounts, idBlocks } from '../../resources/id-blocks.ts'
import { IdempotencyHeaders, idempotency } from '../../resources/idempotency.ts'
import { Receipt } from '../../resources/receipts.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { instantOf } from '../../values/values.ts'
import { type CommandContext, runCommand } from '../context.ts'
import type { Draft } from './draft.ts'
import type { Seen } from './store.ts'

// The one way in which a request becomes a command on a receipt, for the API and for staff: ids are taken, the command is done once
// for its Idempotency-Key in one transaction, and the answer is the receipt with its version.

/** What every route that changes a receipt takes. */
export const ReceiptHeaders = Type.Object({
  ...IdempotencyHeaders.properties,
  'if-match': Type.Optional(Type.String({ description: 'The ETag of the receipt as it was read', example: '"1"' })),
})

export interface ReceiptRoute {
  readonly method: HTTPMethods
  readonly url: string
  readonly permission: string
  readonly events: EventsDeclared
  readonly schema: FastifySchema & { operationId?: string; summary?: string; description?: string; tags?: string[] }
  readonly message: string
  /** How many ids the command may need. */
  readonly ids?: (request: FastifyRequest, db: Queries) => IdCounts | Promise<IdCounts>
  readonly command: (context: CommandContext, request: FastifyRequest, seen: Seen | undefined) => Promise<Draft>
}

export function receiptRoutes(app: FastifyInstance, { db, now }: { db: Database; now: () => number }) {
  const answerOnce = idempotency({ db, now })
  const blocks = idBlocks(db)
  const inTurn = queues()

  return ({ method, url, permission, events, schema, message, ids, command }: ReceiptRoute): void => {
    const run = async (request: FastifyRequest, reply: FastifyReply) => {
      const { caller } = request.call
      const seen = readIfMatch(request)
      // Again also where another was faster: with the same cid, or with lines that need more ids.
      return blocks.write(
        caller.brand_id,
        async () => (await ids?.(request, db)) ?? {},
        (reserved) =>
          answerOnce(request, reply, async (tx) => {
            const at = now() // not before: while this one waited for its turn others may have written a later updated_at
            const given = { tx, caller, now: instantOf(at), ids: reserved }
            const draft = await runCommand(given, (context) => command(context, request, seen))
            reply.header('etag', etagOf(draft.receipt.version!))
            return oneTimed(reply, textOf(draft), message, at)
          }),
      )
    }
    app.route({
      method,
      url,
      config: { permission, events, etag: true },
      schema,
      handler: (request, reply) => inTurn(rowOf(request, url), () => run(request, reply)),
    })
  }
}

/** The receipt or ticket that a request is about, by brand; undefined where it opens one. */
function rowOf({ call, params }: FastifyRequest, url: string): string | undefined {
  const { id } = (params ?? {}) as { id?: number }
  return id === undefined ? undefined : `${call.caller.brand_id} ${url.split('/')[1]} ${id}`
}

const MAX_WAIT_MS = 2_000

/**
 * Work on one row waits here for its turn: in the database each would hold one of the few connections while it waits. Behind one that
 * does not end it goes on after a while; who is right is for the database to say.
 */
function queues() {
  const last = new Map<string, Promise<unknown>>()
  return async <Result>(row: string | undefined, work: () => Promise<Result>): Promise<Result> => {
    if (row === undefined) return work()
    const turn = ended(last.get(row)).then(work)
    last.set(row, turn)
    try {
      return await turn
    } finally {
      if (last.get(row) === turn) last.delete(row)
    }
  }
}

/** Resolves when the work has ended, however, or after the longest wait. */
async function ended(work: Promise<unknown> | undefined): Promise<void> {
  if (!work) return
  const end = Promise.withResolvers<void>()
  const late = setTimeout(end.resolve, MAX_WAIT_MS)
  work.then(
    () => end.resolve(),
    () => end.resolve(),
  )
  await end.promise
  clearTimeout(late)
}

const etagOf = (version: number) => `"${version}"`

const MEMBERS = Object.keys(Receipt.properties) as (keyof Draft['receipt'])[]

/** The specified members, in their order (P1). */
const textOf = ({ receipt }: Draft) =>
  JSON.stringify(
    Object.fromEntries(MEMBERS.flatMap((name) => (receipt[name] === undefined ? [] : [[name, receipt[name]]]))),
  )

/** RFC 9110: a list of entity tags, or `*`. One that is no version of ours is one that the receipt does not have. */
function readIfMatch({ headers }: FastifyRequest): Seen | undefined {
  const given = headers['if-match']
  if (given === undefined || given.trim() === '*') return undefined
  const tags = given.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^(W\/)?"[^"]*"$/.test(tag)))
    throw invalidParameter('If-Match', 'If-Match is a version in double quotes, as the ETag header gave it.')
  return tags.map((tag) => Number(/^"(\d{1,15})"$/.exec(tag)?.[1] ?? Number.NaN))
}
