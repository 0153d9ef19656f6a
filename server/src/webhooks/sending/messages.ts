import { randomBytes } from 'node:crypto'
import { kindOf } from '../../events/catalogue.ts'
import { eventText, type StoredEvent } from '../../events/feed.ts'
import type { currentObjects } from '../../events/objects.ts'
import { isSelected, type Selection } from '../../events/selection.ts'
import type { Caller } from '../../http/call.ts'
import { Refusal } from '../../http/errors.ts'
import { instantOf } from '../../values/values.ts'
import type { EndpointRow } from '../endpoints.ts'
import { selectionOf } from '../rights.ts'
import type { Item } from './queue.ts'

// W8, W9: bodies, made at each attempt with the rights of that moment.

const MAX_BODY_BYTES = 256 * 1024

/** An event of the feed with what order needs. */
export type FeedItem = StoredEvent & Item

/** W10: events of one object stay in order; on the stop list an object is a product in a venue. */
export function feedItem(event: StoredEvent): FeedItem {
  const kind = kindOf(event.type)
  const venue = kind === 'stop_list' ? ` ${event.venue_id}` : ''
  return { ...event, object: event.subject === '' ? '' : `${kind} ${event.subject}${venue}` }
}

/** Whether an event goes to an endpoint, by what its receiver may see now. */
export function isFor(
  row: EndpointRow,
  caller: Caller,
  event: StoredEvent,
  selection = selectionOf(caller, row),
): boolean {
  if (!isSelected(selection, event)) return false
  if (row.skip_own === 1 && event.source === `api:${row.integrator_id}`) return false
  return !(event.subject === row.id && kindOf(event.type) === 'webhook_endpoint') // W19
}

/** The body of an event for a receiver. */
export async function eventBody(
  objectsOf: ReturnType<typeof currentObjects>,
  { payload }: EndpointRow,
  caller: Caller,
  selection: Selection,
  event: StoredEvent,
): Promise<string> {
  if (payload === 'thin') return eventText(event, caller)
  const current = await objectsOf(caller, selection, [event]).catch((error) => {
    if (error instanceof Refusal) return undefined // it is too large
    throw error
  })
  const text = current && eventText(event, caller, current.get(event))
  if (text !== undefined && Buffer.byteLength(text) <= MAX_BODY_BYTES) return text
  return `${eventText(event, caller).slice(0, -1)},"object_omitted":true}`
}

/** A message that is no event of the feed (W6). */
export function ownMessage(type: 'endpoint.verification' | 'endpoint.test', brand: string, now: number) {
  const id = `msg_${randomBytes(15).toString('base64url')}`
  const challenge = randomBytes(24).toString('base64url')
  const data = type === 'endpoint.verification' ? { challenge } : {}
  return { id, challenge, body: JSON.stringify({ id, type, timestamp: instantOf(now), brand, data }) }
}

/** Whether an answer repeats a challenge, as plain text or as `challenge` in JSON. */
export function answers(answer: string, challenge: string): boolean {
  if (answer.trim() === challenge) return true
  try {
    return (JSON.parse(answer) as { challenge?: unknown } | null)?.challenge === challenge
  } catch {
    return false
  }
}
