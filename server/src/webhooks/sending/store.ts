import type { Lease, Leased } from '../../delivery/lease.ts'
import type { StoredEvent } from '../../events/feed.ts'
import type { Database, Queries, Transaction } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import { insert } from '../../storage/upsert.ts'
import { type EndpointRow, publishEndpoint } from '../endpoints.ts'
import type { Changes, Held } from './queue.ts'

// What a sender reads and writes. Each write is held to the term of its lease (W24).

export type Found = EndpointRow & { readonly slug: string }
export type ReplayRow = Tables['webhook_replays']

/** Another sender has the endpoint, or it was deleted. */
export class LeaseLost extends Error {}

const ENDPOINT = `select webhook_endpoints.*, brands.slug from webhook_endpoints join brands on brands.id = webhook_endpoints.brand_id`
const BEHIND = `exists (select 1 from events where events.brand_id = webhook_endpoints.brand_id and events.position > webhook_endpoints.position)`
export const MAX_FOUND = 200

/** Endpoints that nobody holds and that have something to do: of one brand, or the next ones of all. */
export function findWork(
  db: Queries,
  free: string,
  now: number,
  brand_id: number | undefined,
  after: Leased | undefined,
): Promise<Found[]> {
  const [within, values] =
    brand_id !== undefined
      ? ['and webhook_endpoints.brand_id = ?', [brand_id]]
      : after
        ? ['and (webhook_endpoints.brand_id, webhook_endpoints.id) > (?, ?)', [after.brand_id, after.id]]
        : ['', []]
  return db.rows(
    `${ENDPOINT} where ${free} and not_before <= ? and (
       (state in ('pending', 'active', 'failing') and due_at <= ?) or
       (state = 'active' and ${BEHIND}) or
       (state = 'failing' and due_at is null and ${BEHIND})
     ) ${within} order by webhook_endpoints.brand_id, webhook_endpoints.id limit ${MAX_FOUND}`,
    [now, now, ...values],
  )
}

export const findBrands = async (db: Queries): Promise<Set<number>> =>
  new Set(
    (await db.rows<{ brand_id: number }>(`select distinct brand_id from webhook_endpoints`, [])).map(
      ({ brand_id }) => brand_id,
    ),
  )

/** Terms, versions and ends of the feed of what a sender holds. */
export const findOwn = (db: Queries, holder: string) =>
  db.rows<{ brand_id: number; id: string; term: number; version: number; head: number | null }>(
    `select brand_id, id, term, version,
       (select position from events where events.brand_id = webhook_endpoints.brand_id order by position desc limit 1) as head
     from webhook_endpoints where lease_holder = ?`,
    [holder],
  )

export async function loadEndpoint(db: Queries, { brand_id, id, term }: Lease) {
  const [rows, held, replays] = await Promise.all([
    db.rows<Found>(`${ENDPOINT} where brand_id = ? and webhook_endpoints.id = ? and term = ?`, [brand_id, id, term]),
    db.rows<Held & { brand_id: number }>(
      `select webhook_held.position, webhook_held.nonce, type, object, webhook_held.state, attempts, next_at, class, status
       from webhook_held join webhook_endpoints
         on webhook_endpoints.brand_id = webhook_held.brand_id and webhook_endpoints.id = endpoint_id
       where webhook_held.brand_id = ? and endpoint_id = ?
         and (webhook_held.state = 'waiting' or webhook_held.position > webhook_endpoints.position)`,
      [brand_id, id],
    ),
    db.rows<ReplayRow>(
      `select * from webhook_replays where brand_id = ? and endpoint_id = ? and state = 'running' order by created_at, id limit 1`,
      [brand_id, id],
    ),
  ])
  if (!rows[0]) throw new LeaseLost()
  return { row: rows[0], held, replay: replays[0] }
}

/** A change of an endpoint’s state that attempts have caused. */
export interface Transition {
  readonly from: string
  readonly to: string
  readonly reason: string | null
  readonly since: string
  /** The event that is published of it. */
  readonly happened: 'failing' | 'recovered' | 'disabled' | 'updated'
}

export interface Written {
  readonly changes: Changes | undefined
  readonly counters: Pick<
    EndpointRow,
    'failures' | 'probes' | 'notices' | 'due_at' | 'not_before' | 'last_success_at' | 'last_failure'
  >
  readonly transitions: readonly Transition[]
  readonly replay: ReplayRow | undefined
  /** A failed event that a replay has delivered. */
  readonly redelivered: readonly number[]
}

/**
 * Writes what came of requests. Where the endpoint was changed by hand meanwhile, what they say of its state is left out: it was said by
 * the url before, or under settings that are gone. False then: a sender has to read it again.
 */
export function writeOutcomes(
  db: Database,
  lease: Lease,
  version: number,
  { changes, counters, transitions, replay, redelivered }: Written,
): Promise<boolean> {
  const { brand_id, id, term } = lease
  return db.transaction(async (tx) => {
    const { position = null, nonce = null } = changes?.cursor ?? {}
    const { failures, probes, notices, due_at, not_before, last_success_at, last_failure } = counters
    const cursor = 'position = coalesce(?, position), nonce = coalesce(?, nonce)'
    const own = 'brand_id = ? and id = ? and term = ?'
    const current = await tx.run(
      `update webhook_endpoints set ${cursor}, last_success_at = ?, last_failure = ?, failures = ?, probes = ?, notices = ?,
         due_at = ?, not_before = ? where ${own} and version = ?`,
      [
        ...[position, nonce, last_success_at, last_failure, failures, probes, notices, due_at, not_before],
        ...[brand_id, id, term, version],
      ],
    )
    const isCurrent = current > 0
    if (!isCurrent) {
      const hit = await tx.run(
        `update webhook_endpoints set ${cursor}, due_at = case when state = 'pending' then due_at else 0 end where ${own}`,
        [position, nonce, brand_id, id, term],
      )
      if (hit === 0) throw new LeaseLost()
    }
    if (changes) await writeHeld(tx, lease, changes)
    for (const each of redelivered) await removeHeld(tx, lease, each)
    if (isCurrent) for (const transition of transitions) await writeTransition(tx, lease, transition)
    if (replay)
      await tx.run(
        `update webhook_replays set position = ?, failed = ?, state = ? where brand_id = ? and id = ? and state = 'running'`,
        [replay.position, replay.failed, replay.state, brand_id, replay.id],
      )
    return isCurrent
  })
}

async function writeHeld(tx: Transaction, lease: Lease, { added, changed, removed }: Changes): Promise<void> {
  const { brand_id, id } = lease
  await insert(
    tx,
    'webhook_held',
    added.map(({ position, nonce, type, object, state, attempts, next_at, class: failure, status }) => ({
      brand_id,
      endpoint_id: id,
      position,
      nonce,
      type,
      object,
      state,
      attempts,
      next_at,
      class: failure,
      status,
    })),
  )
  for (const held of changed)
    await tx.run(
      `update webhook_held set state = ?, attempts = ?, next_at = ?, class = ?, status = ?
       where brand_id = ? and endpoint_id = ? and position = ?`,
      [held.state, held.attempts, held.next_at, held.class, held.status, brand_id, id, held.position],
    )
  for (const { position } of removed) await removeHeld(tx, lease, position)
}

const removeHeld = (tx: Transaction, { brand_id, id }: Lease, position: number) =>
  tx.run('delete from webhook_held where brand_id = ? and endpoint_id = ? and position = ?', [brand_id, id, position])

/** Writes a change of state, unless the endpoint was paused or changed by hand meanwhile. */
async function writeTransition(tx: Transaction, lease: Lease, { from, to, reason, since, happened }: Transition) {
  const hit = await tx.run(
    `update webhook_endpoints set state = ?, reason = ?, state_since = ? where brand_id = ? and id = ? and term = ? and state = ?`,
    [to, reason, since, lease.brand_id, lease.id, lease.term, from],
  )
  if (hit > 0) publishEndpoint(tx, lease, happened, reason ?? undefined)
}

/** W7, E7: an endpoint whose cursor leads nowhere waits for a person. */
export const pauseFor = (db: Database, lease: Lease, reason: string, since: string) =>
  db.transaction(async (tx) => {
    const hit = await tx.run(
      `update webhook_endpoints set state = 'paused', reason = ?, state_since = ?, due_at = null, version = version + 1
       where brand_id = ? and id = ? and term = ? and state in ('pending', 'active', 'failing')`,
      [reason, since, lease.brand_id, lease.id, lease.term],
    )
    if (hit > 0) publishEndpoint(tx, lease, 'updated', reason)
  })

/** The next events of a replay. */
export const readRange = (
  db: Queries,
  { brand_id, endpoint_id, position, last_position, failed_only }: ReplayRow,
  limit: number,
) =>
  db.rows<StoredEvent>(
    failed_only === 1
      ? `select events.position, at, events.type, subject, venue_id, source, data, events.nonce from webhook_held
         join events on events.brand_id = webhook_held.brand_id and events.position = webhook_held.position
         where webhook_held.brand_id = ? and endpoint_id = ? and state = 'failed'
           and webhook_held.position > ? and webhook_held.position <= ? order by webhook_held.position limit ?`
      : `select position, at, type, subject, venue_id, source, data, nonce from events
         where brand_id = ? and position > ? and position <= ? order by position limit ?`,
    [brand_id, ...(failed_only === 1 ? [endpoint_id] : []), position, last_position, limit],
  )

const MAX_GIVEN_UP = 10_000

/** W12: nothing is held longer than its event, and of what was given up the newest stay; so do replays that began since an instant. */
export async function trimHeld(db: Database, replaysSince: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(`delete from webhook_replays where state <> 'running' and created_at < ?`, [replaysSince])
    await tx.run(
      'delete from webhook_held where position <= (select tail from feeds where feeds.brand_id = webhook_held.brand_id)',
      [],
    )
    const full = await tx.rows<{ brand_id: number; endpoint_id: string }>(
      `select brand_id, endpoint_id from webhook_held where state <> 'waiting' group by brand_id, endpoint_id having count(*) > ${MAX_GIVEN_UP}`,
      [],
    )
    for (const { brand_id, endpoint_id } of full)
      await tx.run(
        `delete from webhook_held where brand_id = ? and endpoint_id = ? and state <> 'waiting' and position <=
           (select position from webhook_held where brand_id = ? and endpoint_id = ? and state <> 'waiting'
            order by position desc limit 1 offset ${MAX_GIVEN_UP})`,
        [brand_id, endpoint_id, brand_id, endpoint_id],
      )
  })
}
