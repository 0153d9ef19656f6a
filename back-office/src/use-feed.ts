import { useEffect, useState } from 'react'
import type { Event } from '../../server/src/events/schema.ts'
import { api, LIVE_MS, Refused } from './api.ts'

const MAX_SHOWN = 200
const RETRY_MS = 5000

export interface Feed {
  /** The newest first. */
  events: readonly Event[]
  /** Whether all events up to now have been read. */
  isRead: boolean
  error: Error | undefined
}

const EMPTY: Feed = { events: [], isRead: false, error: undefined }

/** The feed since an instant, and on as it grows. A hidden tab asks for nothing. */
export function useFeed(types: string | null, since: string, isLive: boolean): Feed {
  const [feed, setFeed] = useState(EMPTY)
  useEffect(() => {
    const stop = new AbortController()
    setFeed(EMPTY)
    void follow(types, since, isLive, stop.signal, (change) => stop.signal.aborted || setFeed(change))
    return () => stop.abort()
  }, [types, since, isLive])
  return feed
}

async function follow(
  types: string | null,
  since: string,
  isLive: boolean,
  signal: AbortSignal,
  set: (change: (feed: Feed) => Feed) => void,
): Promise<void> {
  const filter = { ...(types && { types }) }
  let after: string | undefined
  while (!signal.aborted) {
    await untilVisible(signal)
    try {
      after ??= await readNewest({ ...filter, since }, signal, set)
      if (!isLive) return
      const { data, next, more } = await api.events({ ...filter, after, limit: '1000' }, signal)
      set(({ events }) => ({
        events: [...data.toReversed(), ...events].slice(0, MAX_SHOWN),
        isRead: true,
        error: undefined,
      }))
      after = next
      if (!more) await new Promise((resolve) => setTimeout(resolve, LIVE_MS))
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refused && error.status === 410) {
        after = undefined // a backup was put back, or the events are no longer kept: begin again
        set(() => EMPTY)
      } else set((feed) => ({ ...feed, error: error as Error }))
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** Reads from the end back, until the page is full or all of the time was looked at; returns where the feed goes on. */
async function readNewest(
  filter: Record<string, string>,
  signal: AbortSignal,
  set: (change: (feed: Feed) => Feed) => void,
): Promise<string> {
  const events: Event[] = []
  let end: string | undefined
  for (let before: string | null | undefined; ; ) {
    const limit = String(MAX_SHOWN - events.length)
    const page = await api.newestEvents({ ...filter, limit, ...(before && { before }) }, signal)
    end ??= page.next
    before = page.previous
    events.push(...page.data)
    const isRead = before === null || events.length === MAX_SHOWN
    set(() => ({ events: [...events], isRead, error: undefined }))
    if (isRead) return end
  }
}

function untilVisible(signal: AbortSignal): Promise<void> | undefined {
  if (!document.hidden) return undefined
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
