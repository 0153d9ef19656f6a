import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import Type from 'typebox'
import type { Caller } from '../http/call.ts'
import { oneTimed, sendJson } from '../http/envelope.ts'
import { idempotencyInProgress, idempotencyMismatch, invalidParameter } from '../http/errors.ts'
import type { Database, Queries } from '../storage/database.ts'
import { upsert } from '../storage/upsert.ts'
import { instantOf } from '../values/values.ts'

// D4.6: a write that carries an Idempotency-Key is done once, however often it is sent. Its answer is stored in its own
// transaction, so there is never one without the other, and a write that was refused leaves its key free.

const LONGEST_KEY = 255
const KEPT_MS = 24 * 3_600_000
const REMOVED_AT_ONCE = 20

/** The header, for the documentation of a write. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LONGEST_KEY,
      description: 'The same key and body within 24 hours give the same answer again, with idempotency-replayed: true.',
    }),
  ),
})

/** One route that writes. */
interface WriteRoute<Body> {
  readonly permission: string
  readonly schema: FastifySchema & { operationId: string; summary: string; description: string; tags: string[] }
  /** What the answer says (§2.1). */
  readonly message: string
  /** Says in the contract's words why the database refused; it throws. */
  readonly refused?: (error: unknown, caller: Caller, body: Body) => Promise<never>
}

/** Does the work in the transaction that it is given, and answers the text of what was written. */
type Work<Body> = (tx: Queries, caller: Caller, body: Body, now: string) => Promise<string>

/** Routes that write: each is done once for its key, in one transaction with its stored answer, which is sent after the commit. */
export function writeRoutes(app: FastifyInstance, { db, now }: { db: Database; now: () => number }) {
  const answerOnce = idempotency({ db, now })
  return {
    post<Body>(url: string, { permission, schema, message, refused }: WriteRoute<Body>, work: Work<Body>): void {
      app.post(url, { config: { permission }, schema }, async (request, reply) => {
        const { call } = request
        const body = request.body as Body // as its schema read it
        const at = now()
        const written = answerOnce(request, reply, async (tx) =>
          oneTimed(reply, await work(tx, call.caller, body, instantOf(at)), message, at),
        )
        return refused ? written.catch((error) => refused(error, call.caller, body)) : written
      })
    },
  }
}

/** Answers a write: `work` does it in the transaction that it is given and returns the answer's text. */
function idempotency({ db, now }: { db: Database; now: () => number }) {
  const running = new Set<string>()

  return async function answerOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: Queries) => Promise<string>,
  ): Promise<FastifyReply> {
    const asked = readAsked(request, now())
    if (asked === undefined) return sendJson(reply, await db.transaction(work))
    if (running.has(asked.name)) throw idempotencyInProgress()
    running.add(asked.name)
    try {
      const { body, replayed } = await db.transaction(async (tx) => {
        await refuseWhileRunningElsewhere(tx, asked)
        const kept = await findAnswer(tx, asked)
        if (kept !== undefined) return { body: kept, replayed: true }
        const answer = await work(tx)
        await keepAnswer(tx, asked, answer)
        return { body: answer, replayed: false }
      })
      if (replayed) reply.header('idempotency-replayed', 'true')
      return sendJson(reply, body)
    } finally {
      running.delete(asked.name)
    }
  }
}

interface Asked {
  readonly key: readonly [brand_id: number, integrator_id: string, route: string, key: string]
  /** The key in one text that no other key has. */
  readonly name: string
  readonly fingerprint: string
  readonly now: string
  /** An answer that is as old as this is no longer given. */
  readonly expired: string
}

function readAsked(request: FastifyRequest, nowMs: number): Asked | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined) return undefined
  if (typeof given !== 'string' || given.length < 1 || given.length > LONGEST_KEY)
    throw invalidParameter('Idempotency-Key', `Idempotency-Key has 1 to ${LONGEST_KEY} characters.`, {
      maximum: LONGEST_KEY,
    })
  const { method, routeOptions, params, query, body, call } = request
  const { brand_id, integrator_id, venue_id } = call.caller
  const key = [brand_id, integrator_id, `${method} ${routeOptions.url}`, given] as const
  return {
    key,
    name: JSON.stringify(key),
    // A body that was read by its schema has its members in that order, so equal bodies have equal texts. What else decides
    // what is written counts as body: the path, the query and the active venue.
    fingerprint: sha256(JSON.stringify([params, inOrder(query), venue_id, body])).toString('base64url'),
    now: new Date(nowMs).toISOString(),
    expired: new Date(nowMs - KEPT_MS).toISOString(),
  }
}

const inOrder = (query: unknown) => Object.entries(query as object).sort(([one], [other]) => (one < other ? -1 : 1))

const sha256 = (text: string) => createHash('sha256').update(text).digest()

// The lock goes with the transaction, however that ends, and who gets it next sees what was committed.
async function refuseWhileRunningElsewhere(tx: Queries, { name }: Asked): Promise<void> {
  if (tx.dialect.tryLock === undefined) return
  const [lock] = await tx.rows<{ held: boolean }>(tx.dialect.tryLock, [sha256(name).readBigInt64BE().toString()])
  if (!lock!.held) throw idempotencyInProgress()
}

async function findAnswer(tx: Queries, { key, fingerprint, expired }: Asked): Promise<string | undefined> {
  const [kept] = await tx.rows<{ fingerprint: string; body: string }>(
    `select fingerprint, body from idempotency_keys
     where brand_id = ? and integrator_id = ? and route = ? and key = ? and created_at > ?`,
    [...key, expired],
  )
  if (kept && kept.fingerprint !== fingerprint) throw idempotencyMismatch()
  return kept?.body
}

const COLUMNS = ['brand_id', 'integrator_id', 'route', 'key', 'fingerprint', 'body', 'created_at']

// Each new key takes some expired ones of its brand along, so that there is never a mountain to remove.
async function keepAnswer(tx: Queries, { key, fingerprint, now, expired }: Asked, body: string): Promise<void> {
  await upsert(tx, 'idempotency_keys', key.length, COLUMNS, [[...key, fingerprint, body, now]])
  await tx.run(
    `delete from idempotency_keys where (brand_id, integrator_id, route, key) in (
       select brand_id, integrator_id, route, key from idempotency_keys
       where brand_id = ? and created_at <= ? order by created_at limit ${REMOVED_AT_ONCE})`,
    [key[0], expired],
  )
}
