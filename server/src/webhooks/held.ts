import { randomBytes } from 'node:crypto'
import { lockDirectory, record } from '../directory/audit.ts'
import { eventId, readEventId } from '../events/event-id.ts'
import { checkCursor, startOf } from '../events/feed.ts'
import { invalidParameter, noSuchRecord, tooManyReplays, validationFailed } from '../http/errors.ts'
import type { CommandContext } from '../resource/write/commands.ts'
import type { Queries, Value } from '../storage/database.ts'
import { insertRow } from '../storage/rows.ts'
import type { Tables } from '../storage/tables.ts'
import { instantOf, readInstant } from '../values/values.ts'
import { type EndpointRow, touchEndpoint } from './endpoints.ts'

// W12, W14: what an endpoint could not deliver, and sending again what it has had.

type HeldRow = Tables['webhook_held']
type ReplayRow = Tables['webhook_replays']
type Key = Pick<EndpointRow, 'brand_id' | 'id'>

export interface HeldFilter {
  readonly state?: string | undefined
  readonly class?: string | undefined
  readonly type?: string | undefined
}

function matching({ brand_id, id }: Key, filter: HeldFilter) {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined) as [string, string][]
  const where = ['brand_id = ?', 'endpoint_id = ?', ...given.map(([name]) => `${name} = ?`)].join(' and ')
  return { where, values: [brand_id, id, ...given.map(([, value]) => value)] as Value[] }
}

/** Held events, the oldest first. */
export async function listHeld(db: Queries, key: Key, filter: HeldFilter, after: string | undefined, limit: number) {
  const mark = after === undefined ? { position: 0 } : readEventId(after)
  if (!mark) throw invalidParameter('after', 'after is the next of an earlier answer.')
  const { where, values } = matching(key, filter)
  const rows = await db.rows<HeldRow>(
    `select * from webhook_held where ${where} and position > ? order by position limit ?`,
    [...values, mark.position, limit],
  )
  const last = rows.length === limit ? rows.at(-1) : undefined
  return { data: rows.map(shownHeld), next: last ? eventId(last) : null }
}

const shownHeld = (row: HeldRow) => ({
  event: eventId(row),
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  ...(row.next_at !== null && { next_at: instantOf(row.next_at) }),
  ...(row.class !== null && { class: row.class }),
  ...(row.status !== null && { status: row.status }),
})

/** W2: what becomes of events that were given up, or are sent again, is in the audit log. */
function noted({ tx, actor }: CommandContext, { brand_id, id }: Key, action: string, after: object): Promise<void> {
  return record(tx, { actor, action: `webhook.${action}`, subject: id, brand_id, before: undefined, after })
}

/** All that match are tried again from the first attempt on, in their order. */
export async function retryHeld(context: CommandContext, key: Key, filter: HeldFilter): Promise<number> {
  const { tx, now } = context
  await lockDirectory(tx)
  const { where, values } = matching(key, filter)
  const count = await tx.run(`update webhook_held set state = 'waiting', attempts = 0, next_at = ? where ${where}`, [
    Date.parse(now),
    ...values,
  ])
  if (count === 0) return 0
  await touchEndpoint(tx, key)
  await noted(context, key, 'retry', { ...filter, count })
  return count
}

export async function discardHeld(context: CommandContext, key: Key, filter: HeldFilter): Promise<number> {
  const { tx } = context
  await lockDirectory(tx)
  const { where, values } = matching(key, filter)
  const count = await tx.run(`delete from webhook_held where ${where}`, values)
  if (count === 0) return 0
  await touchEndpoint(tx, key)
  await noted(context, key, 'discard', { ...filter, count })
  return count
}

const MAX_REPLAYS = 4
const wrong = (field: string, message: string) => validationFailed([{ field, rule: 'format', message }])

export interface NewReplayInput {
  readonly event?: string | undefined
  readonly after?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly types?: readonly string[] | undefined
  readonly failed_only?: boolean | undefined
}

export async function createReplay(context: CommandContext, key: Key, input: NewReplayInput): Promise<ReplayRow> {
  const { tx, now } = context
  const { brand_id, id: endpoint_id } = key
  await lockDirectory(tx) // replays of a brand are counted one after the other
  const running = await tx.rows(`select id from webhook_replays where brand_id = ? and state = 'running'`, [brand_id])
  if (running.length >= MAX_REPLAYS) throw tooManyReplays(MAX_REPLAYS)
  const { first, last } = await rangeOf(tx, brand_id, input)
  const row: ReplayRow = {
    brand_id,
    id: `rp_${randomBytes(16).toString('base64url')}`,
    endpoint_id,
    state: first < last ? 'running' : 'done',
    first_position: first,
    last_position: last,
    position: first,
    nonce: 0,
    types: input.types ? JSON.stringify(input.types) : null,
    failed_only: Number(input.failed_only ?? false),
    failed: 0,
    created_at: now,
  }
  await insertRow(tx, 'webhook_replays', row)
  await touchEndpoint(tx, key)
  await noted(context, key, 'replay', { replay: row.id, ...input })
  return row
}

async function rangeOf(tx: Queries, brand_id: number, { event, after, since, until }: NewReplayInput) {
  if ([event, after, since].filter((each) => each !== undefined).length !== 1)
    throw wrong('after', 'Send one of event, after and since.')
  const { position: head } = await startOf(tx, brand_id, { end: 'latest' })
  if (event !== undefined) {
    const last = await positionOf(tx, brand_id, 'event', event)
    return { first: last - 1, last }
  }
  const last = until === undefined ? head : await positionOf(tx, brand_id, 'until', until)
  if (after === undefined) {
    const instant = readInstant(since!)
    if (instant === undefined) throw wrong('since', 'since is an ISO 8601 date-time with its zone.')
    return { first: (await startOf(tx, brand_id, { since: instant })).position, last }
  }
  if (after === 'oldest') return { first: (await startOf(tx, brand_id, { end: 'oldest' })).position, last }
  return { first: await positionOf(tx, brand_id, 'after', after), last }
}

async function positionOf(tx: Queries, brand_id: number, field: string, id: string): Promise<number> {
  const mark = readEventId(id)
  if (!mark) throw wrong(field, `${field} is the id of an event: evt_ and 20 characters.`)
  await checkCursor(tx, brand_id, mark)
  return mark.position
}

export const shownReplay = (row: ReplayRow) => ({
  id: row.id,
  state: row.state,
  done: row.position - row.first_position,
  total: row.last_position - row.first_position,
  failed: row.failed,
  created_at: row.created_at,
})

export const listReplays = (db: Queries, { brand_id, id }: Key) =>
  db.rows<ReplayRow>(
    'select * from webhook_replays where brand_id = ? and endpoint_id = ? order by created_at desc, id limit 100',
    [brand_id, id],
  )

export async function findReplay(db: Queries, { brand_id, id }: Key, replay: string): Promise<ReplayRow> {
  const [row] = await db.rows<ReplayRow>(
    'select * from webhook_replays where brand_id = ? and endpoint_id = ? and id = ?',
    [brand_id, id, replay],
  )
  if (!row) throw noSuchRecord()
  return row
}

export async function cancelReplay(context: CommandContext, key: Key, replay: string): Promise<ReplayRow> {
  const { tx } = context
  await lockDirectory(tx)
  const row = await findReplay(tx, key, replay)
  const hit = await tx.run(
    `update webhook_replays set state = 'cancelled' where brand_id = ? and id = ? and state = 'running'`,
    [row.brand_id, row.id],
  )
  if (hit === 0) return findReplay(tx, key, replay)
  await touchEndpoint(tx, key)
  await noted(context, key, 'cancel', { replay })
  return { ...row, state: 'cancelled' }
}
