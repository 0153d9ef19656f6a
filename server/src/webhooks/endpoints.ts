import { randomBytes } from 'node:crypto'
import { isWithin } from '../auth/permissions.ts'
import { fence } from '../delivery/lease.ts'
import { lockDirectory, record } from '../directory/audit.ts'
import { eventId, type Mark, readEventId } from '../events/event-id.ts'
import { checkCursor, startOf } from '../events/feed.ts'
import { allowedTypes, type Start } from '../events/selection.ts'
import type { StaffUser } from '../http/call.ts'
import {
  beyondOwnRights,
  duplicateUrl,
  endpointState,
  noSuchRecord,
  tooManyEndpoints,
  validationFailed,
  venueForbidden,
} from '../http/errors.ts'
import type { CommandContext } from '../resource/write/commands.ts'
import type { Queries, Transaction } from '../storage/database.ts'
import { insertRow, updateRows } from '../storage/rows.ts'
import type { Tables } from '../storage/tables.ts'
import { instantOf, readInstant } from '../values/values.ts'
import type { Figures } from './log.ts'
import type { Suspension } from './rights.ts'

// W1 to W4: endpoints as rows, and how they change by hand. What a sender changes is in sender.ts.

export type EndpointRow = Tables['webhook_endpoints']
export type State = 'pending' | 'active' | 'failing' | 'paused' | 'disabled'

const MAX_OF_OWNER = 16
const MAX_OF_BRAND = 64
const MAX_NAMES = 64

export const ENDPOINT_EVENTS = [
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.deleted',
] as const

const wrong = (field: string, rule: string, message: string) => validationFailed([{ field, rule, message }])
export const wrongUrl = (problem: string) => wrong('url', 'url', `url ${problem}.`)
export const wrongSecret = () => wrong('secret', 'secret', 'secret must be whsec_ and the base64 of 24 to 64 bytes.')

/** The endpoints that a caller sees: an integration its own, staff those of the brand. */
export interface Scope {
  readonly brand_id: number
  readonly client_id: string
  readonly integrator_id: string
}

const scoped = ({ brand_id, client_id, integrator_id }: Scope) =>
  client_id === ''
    ? { where: 'brand_id = ?', values: [brand_id] }
    : { where: 'brand_id = ? and client_id = ? and integrator_id = ?', values: [brand_id, client_id, integrator_id] }

export function listEndpoints(db: Queries, scope: Scope): Promise<EndpointRow[]> {
  const { where, values } = scoped(scope)
  return db.rows(`select * from webhook_endpoints where ${where} order by created_at, id`, values)
}

export async function findEndpoint(db: Queries, scope: Scope, id: string, lock = ''): Promise<EndpointRow> {
  const { where, values } = scoped(scope)
  const [row] = await db.rows<EndpointRow>(`select * from webhook_endpoints where ${where} and id = ?${lock}`, [
    ...values,
    id,
  ])
  if (!row) throw noSuchRecord()
  return row
}

const lockEndpoint = (tx: Transaction, scope: Scope, id: string) => findEndpoint(tx, scope, id, tx.dialect.lockRows)

/** Where an endpoint stands, counted. */
interface Standing {
  readonly lag: { readonly events: number; readonly seconds: number }
  readonly held: Readonly<Record<'waiting' | 'failed' | 'refused', number>>
}

async function standingOf(db: Queries, { brand_id, id, position }: EndpointRow, now: number): Promise<Standing> {
  const [head, next, counts] = await Promise.all([
    startOf(db, brand_id, { end: 'latest' }),
    db.rows<{ at: string }>('select at from events where brand_id = ? and position > ? order by position limit 1', [
      brand_id,
      position,
    ]),
    db.rows<{ state: 'waiting' | 'failed' | 'refused'; count: number }>(
      'select state, count(*) as count from webhook_held where brand_id = ? and endpoint_id = ? group by state',
      [brand_id, id],
    ),
  ])
  const held = { waiting: 0, failed: 0, refused: 0 }
  for (const { state, count } of counts) held[state] = Number(count)
  const seconds = next[0] ? Math.max(0, Math.floor((now - Date.parse(next[0].at)) / 1000)) : 0
  return { lag: { events: Math.max(0, head.position - position), seconds }, held }
}

/** W1: an endpoint as it is answered. */
export async function shownEndpoint(
  db: Queries,
  row: EndpointRow,
  now: number,
  {
    figures,
    suspended,
    secret,
  }: { figures?: Figures | undefined; suspended?: Suspension | undefined; secret?: string } = {},
): Promise<Record<string, unknown>> {
  const isShown = suspended !== undefined && ['pending', 'active', 'failing'].includes(row.state)
  return {
    id: row.id,
    client_id: row.client_id,
    integrator_id: row.integrator_id,
    url: row.url,
    name: row.name,
    types: JSON.parse(row.types),
    ...(row.venues !== null && { venues: JSON.parse(row.venues) }),
    payload: row.payload,
    skip_own: row.skip_own === 1,
    ...(secret !== undefined && { secret }),
    state: isShown ? 'suspended' : row.state,
    ...(isShown ? { reason: suspended } : row.reason !== null && { reason: row.reason }),
    state_since: row.state_since,
    cursor: eventId(row),
    ...(await standingOf(db, row, now)),
    ...(row.last_success_at !== null && { last_success_at: row.last_success_at }),
    ...(row.last_failure !== null && { last_failure: JSON.parse(row.last_failure) }),
    ...figures,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** What the audit log keeps of an endpoint: of its url the origin, which holds no token. */
const audited = ({ url, name, types, venues, payload, skip_own, state, client_id, integrator_id }: EndpointRow) => ({
  origin: new URL(url).origin,
  name,
  types: JSON.parse(types),
  venues: venues && JSON.parse(venues),
  payload,
  skip_own: skip_own === 1,
  state,
  client_id,
  integrator_id,
})

export function publishEndpoint(
  tx: Transaction,
  { brand_id, id }: Pick<EndpointRow, 'brand_id' | 'id'>,
  happened: string,
  reason?: string,
): void {
  const data = { id, ...(reason !== undefined && { reason }) }
  tx.publish({ brand_id, type: `webhook_endpoint.${happened}`, subject: id, data })
}

async function noted(
  { tx, actor }: Pick<CommandContext, 'tx' | 'actor'>,
  action: string,
  before: EndpointRow | undefined,
  after: EndpointRow | undefined,
): Promise<void> {
  const { brand_id, id } = (after ?? before)!
  const [was, is] = [before && audited(before), after && audited(after)]
  await record(tx, { actor, action: `webhook.${action}`, subject: id, brand_id, before: was, after: is })
}

/** The staff user behind a credential, as they are now. */
export async function userOf(tx: Queries, brand_id: number, client_id: string): Promise<StaffUser | undefined> {
  const [row] = await tx.rows<{
    id: number
    username: string
    active: number
    venue_ids: string | null
    permissions: string
  }>(
    `select users.id, username, active, venue_ids, permissions from credentials
     join users on users.brand_id = credentials.brand_id and users.id = credentials.user_id
     join roles on roles.brand_id = users.brand_id and roles.id = users.role_id
     where credentials.brand_id = ? and credentials.client_id = ?`,
    [brand_id, client_id],
  )
  return (
    row && {
      id: row.id,
      username: row.username,
      active: row.active === 1,
      permissions: new Set(JSON.parse(row.permissions) as string[]),
      venues: row.venue_ids === null ? undefined : new Set(JSON.parse(row.venue_ids) as number[]),
    }
  )
}

/** W2: a person who could read what goes there by other means has every right of the credential's user. */
async function refuseBeyondOwn({ tx, caller }: CommandContext, client_id: string): Promise<StaffUser> {
  const user = await userOf(tx, caller.brand_id, client_id)
  if (!user) throw wrong('client_id', 'unknown', 'There is no credential with this client_id.')
  if (caller.client_id === '' && !isWithin(user, caller.user)) throw beyondOwnRights()
  return user
}

export interface Chosen {
  readonly types?: readonly string[] | undefined
  readonly venues?: readonly number[] | undefined
  readonly payload?: string | undefined
  readonly skip_own?: boolean | undefined
}

async function checkChosen(tx: Queries, brand_id: number, user: StaffUser, { types, venues }: Chosen): Promise<void> {
  if (types && (types.length === 0 || types.length > MAX_NAMES))
    throw wrong('types', 'length', `types has 1 to ${MAX_NAMES} names.`)
  if (types) allowedTypes(user.permissions, types)
  if (!venues) return
  if (venues.length > MAX_NAMES) throw wrong('venues', 'length', `venues has at most ${MAX_NAMES} ids.`)
  const known = new Set(
    (await tx.rows<{ id: number }>('select id from venues where brand_id = ?', [brand_id])).map(({ id }) => id),
  )
  for (const id of venues) if (!known.has(id) || user.venues?.has(id) === false) throw venueForbidden()
}

const columnsOf = ({ types, venues, payload, skip_own }: Chosen) => ({
  ...(types && { types: JSON.stringify([...new Set(types)]) }),
  ...(venues && { venues: venues.length === 0 ? null : JSON.stringify([...new Set(venues)].sort((a, b) => a - b)) }),
  ...(payload !== undefined && { payload }),
  ...(skip_own !== undefined && { skip_own: Number(skip_own) }),
})

/** Reads `from`: where a cursor begins. */
function readFrom(text: string): Start {
  if (text === 'latest' || text === 'oldest') return { end: text }
  const mark = readEventId(text)
  if (mark) return { mark }
  const since = readInstant(text)
  if (since === undefined) throw wrong('from', 'format', 'from is latest, oldest, the id of an event or a date-time.')
  return { since }
}

async function cursorFrom(tx: Queries, brand_id: number, from: string): Promise<Mark> {
  const mark = await startOf(tx, brand_id, readFrom(from))
  await checkCursor(tx, brand_id, mark)
  return mark
}

export interface NewEndpointInput extends Chosen, Pick<Scope, 'client_id' | 'integrator_id'> {
  readonly url: string
  readonly name: string
  readonly from?: string | undefined
}

/** Makes an endpoint; `seal` makes its stored secrets of its id. */
export async function createEndpoint(
  context: CommandContext,
  input: NewEndpointInput,
  seal: (id: string) => string,
): Promise<EndpointRow> {
  const { tx, brand_id, now } = context
  await lockDirectory(tx)
  const { client_id, integrator_id, url, name, from = 'latest' } = input
  const user = await refuseBeyondOwn(context, client_id)
  const integrators = await tx.rows('select id from integrators where id = ? and active = 1', [integrator_id])
  if (integrators.length === 0) throw wrong('integrator_id', 'unknown', 'There is no active integrator with this id.')
  await checkChosen(tx, brand_id, user, input)
  const all = await listEndpoints(tx, { brand_id, client_id: '', integrator_id })
  const own = all.filter((row) => row.client_id === client_id && row.integrator_id === integrator_id)
  if (own.some((row) => row.url === url)) throw duplicateUrl()
  if (own.length >= MAX_OF_OWNER) throw tooManyEndpoints(MAX_OF_OWNER)
  if (all.length >= MAX_OF_BRAND) throw tooManyEndpoints(MAX_OF_BRAND)
  const { position, nonce } = await cursorFrom(tx, brand_id, from)
  const id = `we_${randomBytes(16).toString('base64url')}`
  const row: EndpointRow = {
    brand_id,
    id,
    client_id,
    integrator_id,
    url,
    name,
    types: '["*"]',
    venues: null,
    payload: 'thin',
    skip_own: 0,
    ...columnsOf(input),
    secrets: seal(id),
    state: 'pending',
    reason: null,
    state_since: now,
    verified: 0,
    position,
    nonce,
    failures: 0,
    probes: 0,
    notices: 0,
    due_at: 0,
    not_before: 0,
    last_success_at: null,
    last_failure: null,
    version: 1,
    term: 0,
    lease_holder: null,
    lease_until: 0,
    created_at: now,
    updated_at: now,
  }
  await insertRow(tx, 'webhook_endpoints', row)
  await noted(context, 'create', undefined, row)
  publishEndpoint(tx, row, 'created')
  return row
}

/** Writes a change of an endpoint by hand, and tells senders of it. */
async function change(
  context: CommandContext,
  action: string,
  before: EndpointRow,
  set: Partial<EndpointRow>,
): Promise<EndpointRow> {
  const after = { ...before, ...set, version: before.version + 1, updated_at: context.now }
  const { brand_id, id } = before
  await updateRows(
    context.tx,
    'webhook_endpoints',
    { brand_id, id },
    { ...set, version: after.version, updated_at: context.now },
  )
  await noted(context, action, before, after)
  publishEndpoint(context.tx, after, 'updated')
  return after
}

const inState = (state: State, now: string, reason: string | null = null) => ({
  state,
  reason,
  state_since: now,
  failures: 0,
  probes: 0,
  notices: 0,
  due_at: 0,
  not_before: 0,
})

export interface EndpointChangeInput extends Chosen {
  readonly url?: string | undefined
  readonly name?: string | undefined
}

export async function changeEndpoint(
  context: CommandContext,
  scope: Scope,
  id: string,
  input: EndpointChangeInput,
): Promise<EndpointRow> {
  const { tx, brand_id, now } = context
  await lockDirectory(tx)
  const before = await lockEndpoint(tx, scope, id)
  const { url = before.url, name = before.name } = input
  const isNewUrl = url !== before.url
  const user = isNewUrl
    ? await refuseBeyondOwn(context, before.client_id)
    : await userOf(tx, brand_id, before.client_id)
  await checkChosen(tx, brand_id, user!, input)
  if (isNewUrl) {
    const own = await listEndpoints(tx, before)
    if (own.some((row) => row.url === url)) throw duplicateUrl()
  }
  const set = { name, ...columnsOf(input), ...(isNewUrl && { url, verified: 0, ...inState('pending', now) }) }
  return change(context, 'change', before, set)
}

export async function deleteEndpoint(context: CommandContext, scope: Scope, id: string): Promise<void> {
  const { tx } = context
  await lockDirectory(tx)
  const row = await lockEndpoint(tx, scope, id)
  await tx.run('delete from webhook_endpoints where brand_id = ? and id = ?', [row.brand_id, id])
  await noted(context, 'delete', row, undefined)
  publishEndpoint(tx, row, 'deleted')
}

export async function pauseEndpoint(context: CommandContext, scope: Scope, id: string): Promise<EndpointRow> {
  await lockDirectory(context.tx)
  const row = await lockEndpoint(context.tx, scope, id)
  if (row.state === 'paused') return row
  if (row.state === 'disabled') throw endpointState(row.state)
  return change(context, 'pause', row, inState('paused', context.now))
}

/** Resumes sending where it stopped, or at `from`. */
export async function resumeEndpoint(
  context: CommandContext,
  scope: Scope,
  id: string,
  from: string | undefined,
): Promise<EndpointRow> {
  const { tx, now, brand_id } = context
  await lockDirectory(tx)
  const row = await lockEndpoint(tx, scope, id)
  if (row.state !== 'paused' && row.state !== 'disabled') {
    if (from !== undefined) throw endpointState(row.state)
    return row
  }
  const cursor = from === undefined ? row : await cursorFrom(tx, brand_id, from)
  if (from === undefined) await checkCursor(tx, brand_id, row)
  await fence(tx, 'webhook_endpoints', row) // a sender that has not seen the pause yet knows another cursor
  const { position, nonce } = cursor
  if (from !== undefined)
    // what was held and comes again after the cursor would come twice
    await tx.run('delete from webhook_held where brand_id = ? and endpoint_id = ? and position > ?', [
      brand_id,
      id,
      position,
    ])
  const fenced = { ...row, term: row.term + 1, lease_holder: null, lease_until: 0 }
  return change(context, 'resume', fenced, {
    ...inState(row.verified === 1 ? 'active' : 'pending', now),
    position,
    nonce,
  })
}

/** Staff answer for the receiver: no challenge is sent. */
export async function activateEndpoint(context: CommandContext, scope: Scope, id: string): Promise<EndpointRow> {
  await lockDirectory(context.tx)
  const row = await lockEndpoint(context.tx, scope, id)
  await refuseBeyondOwn(context, row.client_id)
  if (row.state === 'active' || row.state === 'failing') return row
  if (row.state !== 'pending') throw endpointState(row.state)
  return change(context, 'activate', row, { ...inState('active', context.now), verified: 1 })
}

export async function rotateSecret(
  context: CommandContext,
  scope: Scope,
  id: string,
  rotate: (row: EndpointRow) => string,
): Promise<EndpointRow> {
  await lockDirectory(context.tx)
  const row = await lockEndpoint(context.tx, scope, id)
  await refuseBeyondOwn(context, row.client_id)
  return change(context, 'rotate', row, { secrets: rotate(row) })
}

/** Lets the sender of an endpoint look again, after a change beside it. */
export async function touchEndpoint(
  tx: Queries,
  { brand_id, id }: Pick<EndpointRow, 'brand_id' | 'id'>,
): Promise<void> {
  await tx.run('update webhook_endpoints set version = version + 1, due_at = 0 where brand_id = ? and id = ?', [
    brand_id,
    id,
  ])
}

/** W6: the challenge was answered. True where it was still waited for. */
export async function verified(tx: Transaction, row: EndpointRow, now: number): Promise<boolean> {
  const count = await tx.run(
    `update webhook_endpoints set state = 'active', reason = null, state_since = ?, verified = 1, failures = 0, probes = 0,
       due_at = 0, not_before = 0, version = version + 1, last_success_at = ?
     where brand_id = ? and id = ? and state = 'pending' and url = ?`,
    [instantOf(now), instantOf(now), row.brand_id, row.id, row.url],
  )
  if (count > 0) publishEndpoint(tx, row, 'updated')
  return count > 0
}
