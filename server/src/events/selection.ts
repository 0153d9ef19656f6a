import type { FastifyRequest } from 'fastify'
import { may } from '../auth/permissions.ts'
import { forbidden, invalidParameter, venueForbidden } from '../http/errors.ts'
import { unknownName } from '../lists/nearest.ts'
import { queryOf, readPairs } from '../lists/query.ts'
import { readId, readInstant } from '../values/values.ts'
import { EVENT_TYPES, GROUP_FILTERS, typesNamed } from './catalogue.ts'
import { type Mark, readEventId } from './event-id.ts'

// E5: what a reader asks for, and what of it they may see.

const MAX_NAMES = 64
const LIMIT = { least: 1, most: 1_000, usual: 100 }
const MAX_WITH_OBJECTS = 200
const MAX_WAIT_S = 25

/** Where to read on from. */
export type Start = { readonly mark: Mark } | { readonly end: 'oldest' | 'latest' } | { readonly since: string }

export interface EventsRequest {
  readonly start: Start
  readonly types: readonly string[] | undefined
  readonly venues: readonly number[] | undefined
  readonly limit: number
  readonly withObjects: boolean
  readonly waitMs: number
}

const NAMES = ['after', 'since', 'types', 'venues', 'limit', 'include', 'wait'] as const
type Name = (typeof NAMES)[number]

/** Reads the query of GET /events; a parameter that is unknown, doubled or out of its range is refused (D2.2). */
export function readEventsRequest(url: string): EventsRequest {
  const given = readParameters(url, NAMES)
  const withObjects = readInclude(given.get('include'))
  return {
    start: readStart(given),
    types: readNames(given, 'types'),
    venues: readNames(given, 'venues')?.map(readVenue),
    limit: readWhole(given, 'limit', LIMIT.least, withObjects ? MAX_WITH_OBJECTS : LIMIT.most) ?? LIMIT.usual,
    withObjects,
    waitMs: (readWhole(given, 'wait', 0, MAX_WAIT_S) ?? 0) * 1_000,
  }
}

const BACK_NAMES = ['since', 'before', 'types', 'limit'] as const

/** What a page of the back office asks, which begins at the end of the feed. */
export interface EventsBackRequest extends Pick<EventsRequest, 'types' | 'limit'> {
  readonly since: string
  readonly before: Mark | undefined
}

export function readEventsBackRequest(url: string): EventsBackRequest {
  const given: ReadonlyMap<string, string> = readParameters(url, BACK_NAMES)
  const [since, before] = [readInstant(given.get('since') ?? ''), given.get('before')]
  if (since === undefined) throw invalidParameter('since', 'since is an ISO 8601 date-time with its zone.')
  const mark = before === undefined ? undefined : readEventId(before)
  if (before !== undefined && !mark) throw invalidParameter('before', 'before is the id of an event.')
  return {
    since,
    before: mark,
    types: readNames(given, 'types'),
    limit: readWhole(given, 'limit', LIMIT.least, LIMIT.most) ?? LIMIT.usual,
  }
}

export function readParameters<Known extends string>(url: string, known: readonly Known[]): ReadonlyMap<Known, string> {
  const given = new Map<Known, string>()
  for (const { name, value } of readPairs(queryOf(url))) {
    if (!(known as readonly string[]).includes(name)) throw unknownName(name, 'parameter', name, known)
    if (given.has(name as Known)) throw invalidParameter(name, `${name} is given twice.`)
    given.set(name as Known, value)
  }
  return given
}

export function readInclude(text: string | undefined): boolean {
  if (text === undefined || text === 'object') return text !== undefined
  throw unknownName('include', 'relation', text, ['object'])
}

function readStart(given: ReadonlyMap<Name, string>): Start {
  const [after, since] = [given.get('after'), given.get('since')]
  if (after !== undefined && since !== undefined)
    throw invalidParameter('since', 'after and since exclude each other: send one of them.')
  if (since !== undefined) {
    const instant = readInstant(since)
    if (instant === undefined) throw invalidParameter('since', 'since is an ISO 8601 date-time with its zone.')
    return { since: instant }
  }
  if (after === undefined)
    throw invalidParameter('after', 'after is needed: oldest, latest, or the next of an earlier answer.')
  if (after === 'oldest' || after === 'latest') return { end: after }
  const mark = readEventId(after)
  if (!mark) throw invalidParameter('after', 'after is oldest, latest, or the id of an event: evt_ and 20 characters.')
  return { mark }
}

function readNames(given: ReadonlyMap<string, string>, name: 'types' | 'venues'): string[] | undefined {
  const text = given.get(name)
  if (text === undefined) return undefined
  const names = text.split(',').map((each) => each.trim())
  if (names.length > MAX_NAMES || names.includes(''))
    throw invalidParameter(name, `${name} is a list of 1 to ${MAX_NAMES} names with commas between.`)
  return names
}

function readVenue(text: string): number {
  const id = readId(text)
  if (id === undefined) throw invalidParameter('venues', 'venues are ids, in decimal digits.')
  return id
}

function readWhole(
  given: ReadonlyMap<string, string>,
  name: Name,
  minimum: number,
  maximum: number,
): number | undefined {
  const text = given.get(name)
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  throw invalidParameter(name, `${name} is a whole number from ${minimum} to ${maximum}.`, { minimum, maximum })
}

/** Which events one reader gets; undefined: every one. */
export interface Selection {
  readonly types: ReadonlySet<string> | undefined
  readonly venues: ReadonlySet<number> | undefined
}

/** What this caller may see of it now; the rights of a waiting call can change. */
export function select(
  { call, headers }: FastifyRequest,
  { types, venues }: Pick<EventsRequest, 'types' | 'venues'>,
): Selection {
  const { caller } = call
  const { user } = caller
  for (const id of venues ?? []) if (!call.venues.has(id) || user.venues?.has(id) === false) throw venueForbidden()
  const active = headers['x-venue'] === undefined ? user.venues : new Set([caller.venue_id])
  return { types: allowedTypes(user.permissions, types), venues: venues ? new Set(venues) : active }
}

const allowed = new WeakMap<ReadonlySet<string>, ReadonlySet<string> | 'all'>()

/** The types that filters name and these permissions allow; undefined: every one. Refuses unknown and forbidden ones (E7). */
export function allowedTypes(
  permissions: ReadonlySet<string>,
  filters: readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (filters) return new Set(filters.flatMap((filter) => typesOf(permissions, filter)))
  let known = allowed.get(permissions)
  if (known === undefined) {
    const types = EVENT_TYPES.filter(({ permission }) => may(permissions, permission))
    known = types.length === EVENT_TYPES.length ? 'all' : new Set(types.map(({ type }) => type))
    allowed.set(permissions, known)
  }
  return known === 'all' ? undefined : known
}

// E7: a type requested by name must be allowed; a group stands for its allowed types.
function typesOf(permissions: ReadonlySet<string>, filter: string): string[] {
  const named = typesNamed(filter)
  if (named.length === 0)
    throw unknownName('types', 'event type', filter, [...GROUP_FILTERS, ...EVENT_TYPES.map(({ type }) => type)])
  const visible = named.filter(({ permission }) => may(permissions, permission))
  const isGroup = filter === '*' || filter === 'menu.*'
  if (visible.length === 0 || (visible.length < named.length && !isGroup)) {
    const missing = named.find(({ permission }) => !may(permissions, permission))!
    throw forbidden(missing.permission)
  }
  return visible.map(({ type }) => type)
}

export const isSelected = ({ types, venues }: Selection, event: { type: string; venue_id: number | null }) =>
  (types === undefined || types.has(event.type)) &&
  (venues === undefined || event.venue_id === null || venues.has(event.venue_id))
