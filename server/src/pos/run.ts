import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify'
import type { EventsDeclared } from '../http/call.ts'
import { asJson, oneWritten } from '../http/envelope.ts'
import { type IdCounts, idBlocks, type ReservedIds } from '../resources/id-blocks.ts'
import { idempotency } from '../resources/idempotency.ts'
import type { Database, Transaction } from '../storage/database.ts'
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

export function commandRoutes(app: FastifyInstance, { db, now }: { db: Database; now: () => number }) {
  const answerOnce = idempotency({ db, now })
  const blocks = idBlocks(db)

  return ({ method, url, permission, events, schema, message, ids, begin, isDry, command }: CommandRoute): void => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      begin?.(request)
      const { caller } = request.call
      const dry = isDry?.(request) ?? false
      const counts = () => (dry ? {} : ids(request)) // a block of ids is a row that changes
      const attempt = async (reserved: ReservedIds) => {
        const work = async (tx: Transaction) => {
          const given = { tx, caller, now: instantOf(now()), ids: reserved }
          return oneWritten(await runCommand(given, (context) => command(context, request, reply)), message)
        }
        return dry ? asJson(reply, await db.transaction(work)) : answerOnce(request, reply, work)
      }
      return blocks.write(caller.brand_id, counts, attempt, (error) => error instanceof DoneMeanwhile)
    }
    app.route({ method, url, config: { permission, events }, schema, handler })
  }
}
