import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { eventReader } from './event-stream.ts'
import { kindsOf, type LiveKind } from './kinds.ts'

/** Behind the stream every live query is read again this often; a hidden tab does not. */
const POLL_MS = 30_000
const [FIRST_RETRY_MS, MAX_RETRY_MS] = [500, 5_000]
/** The server shows a sign of life every ten seconds. */
const SILENCE_MS = 25_000
/** Events of one sale come together: what they make old is read once. */
const COLLECT_MS = 30
/** In a storm of events the same is not read again before this has passed. */
const GAP_MS = 250
/** Every sale moves the stock, and its list is long. */
const STOCK_GAP_MS = 10_000

/** A query of a screen, read again whenever something of its kind happens in the venue. The path is under /back-office/api. */
export const liveQuery = <Answer>(venue: number, kind: LiveKind, path: string) =>
  queryOptions({
    queryKey: ['live', venue, kind, path],
    queryFn: () => api.readInVenue<Answer>(path, venue),
    refetchInterval: POLL_MS,
    networkMode: 'always', // our own service may run on this machine, without any network
  })

/** Reads everything of a venue, or one kind of it, again. */
export const refetchLive = (client: QueryClient, venue: number, kind?: LiveKind) =>
  client.invalidateQueries({ queryKey: ['live', venue, ...(kind ? [kind] : [])] })

/** Follows the events of a venue as long as the screen is shown, and says whether the server answers. */
export function useLive(venue: number): { online: boolean } {
  const client = useQueryClient()
  const [online, setOnline] = useState(true)
  useEffect(() => {
    const stop = new AbortController()
    void follow(client, venue, stop.signal, setOnline)
    return () => stop.abort()
  }, [client, venue])
  return { online }
}

async function follow(
  client: QueryClient,
  venue: number,
  signal: AbortSignal,
  setOnline: (online: boolean) => void,
): Promise<void> {
  const collect = collector(client, venue)
  let lastId: string | undefined
  let retryMs = FIRST_RETRY_MS
  let wasAway = true // what was read before the stream began may be older than it
  while (!signal.aborted) {
    const attempt = new AbortController()
    const end = () => attempt.abort()
    signal.addEventListener('abort', end)
    let silence = setTimeout(end, SILENCE_MS)
    try {
      const read = eventReader()
      for await (const piece of await api.live(venue, lastId, attempt.signal)) {
        clearTimeout(silence)
        silence = setTimeout(end, SILENCE_MS)
        for (const { id, type } of read(piece)) {
          if (id) lastId = id
          if (type === 'ready') {
            retryMs = FIRST_RETRY_MS
            setOnline(true)
            // The stream goes on where it was left, but a write may have been answered to nobody meanwhile.
            if (wasAway) collect('resync')
            wasAway = false
          } else collect(type)
        }
      }
      // It ended in good order: the server closes it from time to time, and before it stops. Whether it is back shows the next one.
    } catch {
      if (signal.aborted) return
      wasAway = true
      setOnline(false)
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', end)
      end()
    }
    await pause(retryMs * (0.75 + Math.random() / 2), signal)
  }
}

/** Reads again what events made old. */
function collector(client: QueryClient, venue: number): (type: string) => void {
  const marks = new Map<LiveKind | undefined, () => void>()
  const markOf = (kind: LiveKind | undefined) => {
    const known = marks.get(kind)
    if (known) return known
    const made = reader(() => refetchLive(client, venue, kind), kind === 'stock' ? STOCK_GAP_MS : GAP_MS)
    marks.set(kind, made)
    return made
  }
  return (type) => {
    for (const kind of kindsOf(type) ?? [undefined]) markOf(kind)()
  }
}

/**
 * Reads once for all marks that come together: the first of them at once, in a storm after the gap. A read is never cut short by the
 * next one, or a slow screen would show nothing new as long as the storm lasts; a mark that came during it leads to another.
 */
function reader(read: () => Promise<void>, gapMs: number): () => void {
  let isDue = false
  let isBusy = false
  let last = Number.NEGATIVE_INFINITY
  const begin = () => {
    isBusy = true
    setTimeout(flush, Math.max(COLLECT_MS, last + gapMs - performance.now()))
  }
  const flush = async () => {
    isDue = false
    last = performance.now()
    await read()
    isBusy = false
    if (isDue) begin()
  }
  return () => {
    isDue = true
    if (!isBusy) begin()
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    const now = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', now, { once: true })
    addEventListener('online', now, { once: true, signal })
  })
