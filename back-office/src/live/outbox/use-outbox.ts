import { useEffect, useState, useSyncExternalStore } from 'react'
import { pageOf } from '../../api.ts'
import type { Kept, Outbox, OutboxDeps } from './outbox.ts'
import { outboxOf } from './outboxes.ts'

/** The acts that the person of this page did at a screen: nobody else sends them. */
export function useOutbox(
  name: string,
  online: boolean,
  settle: OutboxDeps['settle'],
): { outbox: Outbox; acts: readonly Kept[] } {
  const [outbox] = useState(() => outboxOf(pageOf(), name))
  const acts = useSyncExternalStore(outbox.subscribe, outbox.acts)
  useEffect(() => outbox.settleWith(settle), [outbox, settle])
  useEffect(() => {
    if (online) outbox.flush()
  }, [outbox, online])
  return { outbox, acts }
}
