import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, isUnanswered, pageOf } from '../api.ts'
import { keepAnswer, readKept } from './kept/answers.ts'
import { kindsOf, type LiveKind } from './kinds.ts'
import type { News } from './shared-stream.ts'

/** Behind the stream every live query is read again this often; a hidden tab does not. */
const POLL_MS = 30_000
/** Events of one sale come together: what they make old is read once. */
const COLLECT_MS = 30
/** In a storm of events the same is not read again before this has passed. */
const GAP_MS = 250
/** Every sale moves the stock, and its list is long; Today is made of several reads. */
const GAPS_MS: Partial<Record<LiveKind, number>> = { stock: 10_000, today: 2_000 }

/** A query of a screen, read again whenever something of its kind happens in the venue. The path is under /back-office/api. */
export const liveQuery = <Answer>(venue: number, kind: LiveKind, path: string) =>
  queryOptions({
    queryKey: ['live', venue, kind, path],
    queryFn: ({ client, queryKey }) => readLive(venue, kind, path, () => client.getQueryData<Answer>(queryKey)),
    refetchInterval: POLL_MS,
    networkMode: 'always', // our own service may run on this machine, without any network
  })

/** What a till shows when it is loaded without the server. */
const KEPT: ReadonlySet<LiveKind> = new Set(['receipts', 'floor', 'menu', 'stop-list', 'shifts', 'places'])

/** Reads in a venue, and keeps for a load without the server what a till needs. `shown`: what the page has of it now. */
export function readLive<Answer>(
  venue: number,
  kind: LiveKind,
  path: string,
  shown: () => Answer | undefined = () => undefined,
): Promise<Answer> {
  const read = () => api.readInVenue<Answer>(path, venue)
  return KEPT.has(kind) ? readKept(pageOf(), keptAs(venue, path), read, isUnanswered, shown) : read()
}

const keptAs = (venue: number, path: string) => `${venue} ${path}`

/** Keeps what was read in another way than by a live query. */
export const keepLive = (venue: number, path: string, answer: unknown): void =>
  keepAnswer(pageOf(), keptAs(venue, path), answer)

/** Reads everything of a venue, or one kind of it, again. */
export const refetchLive = (client: QueryClient, venue: number, kind?: LiveKind) =>
  client.invalidateQueries({ queryKey: ['live', venue, ...(kind ? [kind] : [])] })

/** Follows the events of a venue as long as the screen is shown, and says whether the server answers. A hidden tab follows nothing. */
export function useLive(venue: number): { online: boolean } {
  const client = useQueryClient()
  const [online, setOnline] = useState(true)
  useEffect(() => {
    const collect = collector(client, venue)
    let stop: AbortController | undefined
    const follow = () => {
      if (document.visibilityState === 'hidden') {
        stop?.abort()
        stop = undefined
      } else if (!stop) {
        stop = new AbortController()
        void followOnceLoaded(venue, stop.signal, hearing(collect, setOnline))
      }
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      stop?.abort()
    }
  }, [client, venue])
  return { online }
}

const LOAD_AGAIN_MS = 2_000

/** What reads the stream is loaded after the screen, which can be used without it. */
async function followOnceLoaded(venue: number, signal: AbortSignal, hear: (news: News) => void): Promise<void> {
  while (!signal.aborted)
    try {
      const { followVenue } = await import('./shared-stream.ts')
      if (!signal.aborted) followVenue(pageOf(), venue, signal, hear)
      return
    } catch {
      hear({ is: 'away' })
      await new Promise((resolve) => setTimeout(resolve, LOAD_AGAIN_MS))
    }
}

function hearing(collect: (type: string) => void, setOnline: (online: boolean) => void): (news: News) => void {
  let wasAway = true // what was read before the stream began may be older than it
  return (news) => {
    if (news.is === 'event') return collect(news.type)
    setOnline(news.is === 'ready')
    // The stream goes on where it was left, but a write may have been answered to nobody meanwhile.
    if (news.is === 'ready' && (wasAway || news.isNew)) collect('resync')
    wasAway = news.is === 'away'
  }
}

/** Reads again what events made old. */
function collector(client: QueryClient, venue: number): (type: string) => void {
  const marks = new Map<LiveKind | undefined, () => void>()
  const markOf = (kind: LiveKind | undefined) => {
    const known = marks.get(kind)
    if (known) return known
    const made = reader(() => refetchLive(client, venue, kind), (kind && GAPS_MS[kind]) ?? GAP_MS)
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
