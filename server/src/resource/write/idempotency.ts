import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Caller } from '../../http/call.ts'
import { asJson } from '../../http/envelope.ts'
import { idempotencyInProgress, idempotencyMismatch, invalidParameter } from '../../http/errors.ts'
import type { Database, Queries, Transaction } from '../../storage/database.ts'
import type { Source } from '../../storage/feed/new-event.ts'
import { upsert } from '../../storage/upsert.ts'

// D4.6: a write that carries an Idempotency-Key is done once, however often it is sent. Its answer is stored in its own
// transaction, so there is never one without the other, and a write that was refused leaves its key free.

const MAX_KEY_LENGTH = 255
const KEPT_MS = 24 * 3_600_000
const REMOVED_AT_ONCE = 20

/** The header, for the documentation of a write. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_KEY_LENGTH,
      description: 'The same key and body within 24 hours give the same answer again, with idempotency-replayed: true.',
    }),
  ),
})

/** Answers a write: `work` does it in the transaction that it is given and returns the answer's text. */
export function idempotency({ db, now }: { db: Database; now: () => number }) {
  const running = new Set<string>()

  return async function answerOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (tx: Transaction) => Promise<string>,
    committed = async () => {},
  ): Promise<string> {
    const keyed = readKeyedRequest(request, now())
    const source = sourceOf(request.call.caller)
    if (keyed === undefined) {
      const answer = await db.transaction(work, source)
      await committed()
      return asJson(reply, answer)
    }
    if (running.has(keyed.name)) throw idempotencyInProgress()
    running.add(keyed.name)
    try {
      const { answer, replayed, hasExpired } = await db.transaction(async (tx) => {
        const { kept, hasExpired } = await claim(tx, keyed)
        if (kept !== undefined) return { answer: kept, replayed: true, hasExpired }
        const body = await work(tx)
        const made = { body, etag: (reply.getHeader('etag') as string | undefined) ?? null }
        await keepAnswer(tx, keyed, made)
        return { answer: made, replayed: false, hasExpired }
      }, source)
      await committed()
      // Not waited for: the write is done, and its answer must not depend on this. The next key tries again.
      if (!replayed && hasExpired) removeExpired(db, keyed).catch(() => {})
      if (replayed) reply.header('idempotency-replayed', 'true')
      if (answer.etag !== null) reply.header('etag', answer.etag)
      return asJson(reply, answer.body)
    } finally {
      running.delete(keyed.name)
    }
  }
}

/** E4: an integrator, or a person of the brand at our own pages, whose keys begin with `staff:`. */
const sourceOf = ({ integrator_id }: Caller): Source =>
  integrator_id.startsWith('staff:') ? 'staff' : `api:${integrator_id}`

interface KeyedRequest {
  readonly key: readonly [brand_id: number, integrator_id: string, route: string, key: string]
  /** The key in one text that no other key has. */
  readonly name: string
  readonly fingerprint: string
  readonly now: string
  /** An answer that is as old as this is no longer given. */
  readonly expired: string
}

function readKeyedRequest(request: FastifyRequest, nowMs: number): KeyedRequest | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined) return undefined
  if (typeof given !== 'string' || given.length < 1 || given.length > MAX_KEY_LENGTH)
    throw invalidParameter('Idempotency-Key', `Idempotency-Key has 1 to ${MAX_KEY_LENGTH} characters.`, {
      maximum: MAX_KEY_LENGTH,
    })
  const { method, routeOptions, params, query, body, call } = request
  const { brand_id, integrator_id, venue_id } = call.caller
  const key = [brand_id, integrator_id, `${method} ${routeOptions.url}`, given] as const
  return {
    key,
    name: JSON.stringify(key),
    // A body that was read by its schema has its members in that order, so equal bodies have equal texts. What else decides
    // what is written counts as body: the path, the query and the active venue.
    fingerprint: sha256(JSON.stringify([params, sortedEntries(query), venue_id, textOf(body)])).toString('base64url'),
    now: new Date(nowMs).toISOString(),
    expired: new Date(nowMs - KEPT_MS).toISOString(),
  }
}

const sortedEntries = (query: unknown) =>
  Object.entries(query as object).sort(([one], [other]) => (one < other ? -1 : 1))

/** A file counts by its hash. */
const textOf = (body: unknown) => (body instanceof Buffer ? sha256(body).toString('base64url') : body)

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest()

/** What was answered: the body, and the version of what was written, where it has one. */
interface KeptAnswer {
  readonly body: string
  readonly etag: string | null
}

/** What is known of a key: its answer where it has one, and whether the brand has keys that have expired. */
interface Known {
  readonly kept: KeptAnswer | undefined
  readonly hasExpired: boolean
}

/** Keeps the key for this transaction, and looks it up. */
async function claim(tx: Queries, keyed: KeyedRequest): Promise<Known> {
  // Sent in one message, executed in order: the read sees what the previous lock holder committed.
  const [isFree, { fingerprint, body, etag, expired }] = await Promise.all([tryLock(tx, keyed), find(tx, keyed)])
  if (!isFree) throw idempotencyInProgress()
  if (fingerprint !== null && fingerprint !== keyed.fingerprint) throw idempotencyMismatch()
  return { kept: body === null ? undefined : { body, etag }, hasExpired: expired !== null }
}

// The lock goes with the transaction, however that ends.
async function tryLock(tx: Queries, { name }: KeyedRequest): Promise<boolean> {
  if (tx.dialect.tryLock === undefined) return true
  const [lock] = await tx.rows<{ held: boolean }>(tx.dialect.tryLock, [sha256(name).readBigInt64BE().toString()])
  return lock!.held
}

interface Found {
  fingerprint: string | null
  body: string | null
  etag: string | null
  expired: string | null
}

async function find(tx: Queries, { key, expired }: KeyedRequest): Promise<Found> {
  const [found] = await tx.rows<Found>(
    // In their order, by an index: PostgreSQL would read all keys to find none that is old.
    `select fingerprint, body, etag, (select created_at from idempotency_keys
       where brand_id = ? and created_at <= ? order by created_at limit 1) as expired
     from (select 1 as one) as always left join idempotency_keys
       on brand_id = ? and integrator_id = ? and route = ? and key = ? and created_at > ?`,
    [key[0], expired, ...key, expired],
  )
  return found!
}

async function keepAnswer(tx: Transaction, { key, fingerprint, now }: KeyedRequest, answer: KeptAnswer): Promise<void> {
  const { body, etag } = answer
  const [brand_id, integrator_id, route, text] = key
  await upsert(
    tx,
    'idempotency_keys',
    ['brand_id', 'integrator_id', 'route', 'key'],
    [{ brand_id, integrator_id, route, key: text, fingerprint, body, etag, created_at: now }],
  )
}

// Each new key takes some expired ones of its brand along, so that there is never a mountain to remove: after its commit, since
// they are the whole brand's and no sale waits for them (P16).
async function removeExpired(db: Database, { key: [brand_id], expired }: KeyedRequest): Promise<void> {
  // The second look at created_at is for a key that was used again meanwhile.
  await db.transaction((tx) =>
    tx.run(
      `delete from idempotency_keys where (brand_id, integrator_id, route, key) in (
         select brand_id, integrator_id, route, key from idempotency_keys
         where brand_id = ? and created_at <= ? order by created_at limit ${REMOVED_AT_ONCE}) and created_at <= ?`,
      [brand_id, expired, expired],
    ),
  )
}
