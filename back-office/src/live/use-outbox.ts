import { useEffect, useState, useSyncExternalStore } from 'react'
import { api, pageOf, Refused } from '../api.ts'
import { type Act, type Kept, Outbox, type OutboxDeps, type Outcome } from './outbox.ts'

/** Not an answer to the act: the server is away, busy, or does not know who we are. The act waits. */
export const isAway = ({ status, slug }: Refused) =>
  status === 0 || status >= 500 || status === 401 || status === 429 || slug === 'idempotency_in_progress'

async function send(act: Act, path: string): Promise<Outcome> {
  try {
    const { data } = await api.act<{ data?: { id?: number; cid?: string } }>(act.method, path, act.body, {
      key: act.key,
      venue: act.venue,
    })
    return data?.cid && typeof data.id === 'number' ? { is: 'done', ids: { [data.cid]: data.id } } : { is: 'done' }
  } catch (error) {
    if (error instanceof Refused && error.slug === 'signed_out') return { is: 'signed_out' }
    if (!(error instanceof Refused) || isAway(error)) return { is: 'away' }
    return { is: 'refused', slug: error.slug, message: error.message }
  }
}

// One for each name as long as the page is loaded: two would send the same acts and forget each other's.
const outboxes = new Map<string, Outbox>()

function outboxOf(name: string, settle: OutboxDeps['settle']): Outbox {
  const known = outboxes.get(name)
  if (known) return known
  const made = new Outbox({ send, settle, storage: sessionStorage, name: `comptoir-outbox-${name}` })
  outboxes.set(name, made)
  return made
}

/** Somebody signs in: what waits is of the one before, and is sent once they have signed in again. */
export function holdOutboxes(): void {
  for (const outbox of outboxes.values()) outbox.hold()
}

/** The acts that the person of this page did at a screen: nobody else sends them. */
export function useOutbox(
  name: string,
  online: boolean,
  settle: OutboxDeps['settle'],
): { outbox: Outbox; acts: readonly Kept[] } {
  const [outbox] = useState(() => outboxOf(`${pageOf()}-${name}`, settle))
  const acts = useSyncExternalStore(outbox.subscribe, outbox.acts)
  useEffect(() => {
    if (online) outbox.flush()
  }, [outbox, online])
  return { outbox, acts }
}
