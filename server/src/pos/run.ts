import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify'
import type { EventsDeclared } from '../http/call.ts'
import { asJson, oneWritten } from '../http/envelope.ts'
import { type IdCounts, type IdKind, IdsExhausted, idBlocks, withOneMore } from '../resources/id-blocks.ts'
import { idempotency } from '../resources/idempotency.ts'
import { type Database, type Transaction, UniqueViolation } from '../storage/database.ts'
import { instantOf } from '../values/values.ts'
import { type CommandContext, DoneMeanwhile, runCommand } from './context.ts'

// How a request becomes a command whose answer is one object in the usual envelope (P2), for the API and for staff.

export interface CommandRoute {
  readonly method: HTTPMethods
  readonly url: string
  readonly permission: string
  readonly events: EventsDeclared
  readonly schema: FastifySchema & { operationId?: string; summary?: string; description?: string; tags?: string[] }
  readonly message: string
  /** How many ids the command may need, as far as that can be known before it. */
  readonly ids: (request: FastifyRequest) => IdCounts | Promise<IdCounts>
  /** What comes before everything else. */
  readonly begin?: (request: FastifyRequest) => void
  /** Nothing is written, and no key is kept. */
  readonly isDry?: (request: FastifyRequest) => boolean
  /** Answers the text of the object. */
  readonly command: (context: CommandContext, request: FastifyRequest, reply: FastifyReply) => Promise<string>
}

const ATTEMPTS = 3

export function commandRoutes(app: FastifyInstance, { db, now }: { db: Database; now: () => number }) {
  const answerOnce = idempotency({ db, now })
  const blocks = idBlocks(db)

  return ({ method, url, permission, events, schema, message, ids, begin, isDry, command }: CommandRoute): void => {
    const attempt = async (request: FastifyRequest, reply: FastifyReply, lacking: readonly IdKind[]) => {
      const { caller } = request.call
      const dry = isDry?.(request) ?? false
      const counts = dry ? {} : lacking.reduce(withOneMore, await ids(request)) // a block of ids is a row that changes
      const reserved = await blocks.reserve(caller.brand_id, counts)
      const work = async (tx: Transaction) => {
        const given = { tx, caller, now: instantOf(now()), ids: reserved }
        return oneWritten(await runCommand(given, (context) => command(context, request, reply)), message)
      }
      return dry ? asJson(reply, await db.transaction(work)) : answerOnce(request, reply, work)
    }
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      begin?.(request)
      const lacking: IdKind[] = []
      for (let left = ATTEMPTS; ; left--) {
        try {
          return await attempt(request, reply, lacking)
        } catch (error) {
          // An import took the ids meanwhile, or the command needs more than was counted.
          if (left === 1) throw error
          if (error instanceof UniqueViolation) blocks.forget(request.call.caller.brand_id)
          else if (error instanceof IdsExhausted) lacking.push(error.kind)
          else if (error instanceof DoneMeanwhile) continue
          else throw error
        }
      }
    }
    app.route({ method, url, config: { permission, events }, schema, handler })
  }
}
