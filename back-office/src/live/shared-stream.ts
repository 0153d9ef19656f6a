import { api } from '../api.ts'
import { eventReader, type StreamEvent } from './event-stream.ts'

// One stream of events for all tabs of a browser, which has six connections (HTTP/1.1) for everything: the tab that has the lock reads
// it and tells the others. Where a browser has no locks, each tab reads its own.

/** What a tab learns. */
export type News =
  /** The stream is connected. It continues where it broke off, or starts from the present where `isNew`. */
  | { readonly is: 'ready'; readonly isNew: boolean }
  | { readonly is: 'away' }
  | { readonly is: 'event'; readonly type: string }

/** What tabs tell each other. */
type Told =
  | { readonly is: 'joined'; readonly venue: number }
  | {
      readonly is: 'ready'
      readonly isNew: boolean
      readonly venues: readonly number[]
      readonly id: string | undefined
    }
  | { readonly is: 'event'; readonly type: string; readonly venue: number | undefined; readonly id: string | undefined }
  | { readonly is: 'away' | 'alive' }

const [FIRST_RETRY_MS, MAX_RETRY_MS] = [500, 5_000]
/** The server shows a sign of life every ten seconds. */
const SILENCE_MS = 25_000
/** A tab that reads and says nothing for so long hangs: another takes its place. */
const HUNG_MS = 40_000

const canShare = () => 'locks' in navigator && 'BroadcastChannel' in globalThis

/** Hears what happens in a venue until the signal. `group`: whose tabs read together. */
export function followVenue(group: string, venue: number, signal: AbortSignal, hear: (news: News) => void): void {
  const name = `comptoir-live-${group}`
  const channel = canShare() ? new BroadcastChannel(name) : undefined
  let lastId: string | undefined
  let stream: Stream | undefined // while this tab reads it
  let turn = new AbortController()
  let isTaking = false
  let silence: ReturnType<typeof setTimeout> | undefined

  const onHung = () => {
    if (stream) return
    isTaking = true
    turn.abort()
  }
  const take = (told: Told) => {
    clearTimeout(silence)
    silence = setTimeout(onHung, HUNG_MS * (1 + Math.random() / 4))
    if ('id' in told) lastId = told.id ?? lastId
    if (told.is === 'away') hear({ is: 'away' })
    else if (told.is === 'event' && (told.venue ?? venue) === venue) hear({ is: 'event', type: told.type })
    else if (told.is === 'ready' && told.venues.includes(venue)) hear({ is: 'ready', isNew: told.isNew })
  }
  const read = async (ends: AbortSignal) => {
    if (ends.aborted) return
    const own = new Stream({
      venue,
      lastId,
      wanted: async () => (channel ? venuesOfTabs(name) : [venue]),
      tell(told) {
        channel?.postMessage(told)
        take(told)
      },
    })
    stream = own
    await own.read(ends)
    if (stream === own) stream = undefined
  }
  /** Waits for the lock and reads, until the tab leaves; it begins again where the lock was taken from it. */
  const takeTurns = async () => {
    while (!signal.aborted) {
      turn = new AbortController()
      const ends = AbortSignal.any([signal, turn.signal])
      const options = isTaking ? { steal: true } : { signal: ends }
      isTaking = false
      try {
        await navigator.locks.request(name, options, () => read(ends))
      } catch (error) {
        if ((error as Error).name !== 'AbortError') await read(signal) // no locks here, after all
      }
      turn.abort()
    }
  }

  signal.addEventListener('abort', () => {
    clearTimeout(silence)
    channel?.close()
  })
  if (!channel) return void read(signal)
  channel.onmessage = ({ data }: MessageEvent<Told>) => (data.is === 'joined' ? stream?.join(data.venue) : take(data))
  take({ is: 'alive' })
  // As long as it is held, the tab that reads knows that somebody looks at this venue.
  const stay = () => {
    const joined: Told = { is: 'joined', venue }
    channel.postMessage(joined)
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  navigator.locks.request(`${name} ${venue}`, { mode: 'shared', signal }, stay).catch(() => {}) // it left before
  void takeTurns()
}

/** The venues that tabs look at. */
async function venuesOfTabs(name: string): Promise<number[]> {
  const { held = [] } = await navigator.locks.query()
  const names = held.map((lock) => lock.name ?? '').filter((held) => held.startsWith(`${name} `))
  return [...new Set(names.map((held) => Number(held.slice(name.length))))]
}

interface StreamDeps {
  /** The venue of the tab that reads. */
  readonly venue: number
  readonly lastId: string | undefined
  readonly wanted: () => Promise<readonly number[]>
  readonly tell: (told: Told) => void
}

/** The stream, connected again whenever it ends. */
class Stream {
  readonly #deps: StreamDeps
  #lastId: string | undefined
  #attempt = new AbortController()
  #venues: ReadonlySet<number> = new Set()
  /** Undefined until the server has said which they are. */
  #told: readonly number[] | undefined
  /** Whether the stream was ended in order to ask for one more venue. */
  #isWidening = false
  #retryMs = FIRST_RETRY_MS

  constructor(deps: StreamDeps) {
    this.#deps = deps
    this.#lastId = deps.lastId
  }

  /** Another tab is there: it learns how things are, and its venue is asked for too. */
  join(venue: number): void {
    if (!this.#venues.has(venue)) {
      this.#isWidening = true
      this.#attempt.abort()
    } else if (this.#told) this.#deps.tell({ is: 'ready', isNew: false, venues: this.#told, id: this.#lastId })
  }

  async read(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#isWidening = false
      try {
        await this.#connect(signal)
        // It ended in good order: the server closes it from time to time, and before it stops. Whether it is back shows the next one.
      } catch {
        if (signal.aborted) return
        if (this.#isWidening) continue
        this.#told = undefined
        this.#deps.tell({ is: 'away' })
        this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS)
      }
      await pause(this.#retryMs * (0.75 + Math.random() / 2), signal)
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { venue, wanted, tell } = this.#deps
    const attempt = new AbortController()
    this.#attempt = attempt
    const end = () => attempt.abort()
    signal.addEventListener('abort', end)
    let silence = setTimeout(end, SILENCE_MS)
    try {
      this.#venues = new Set([venue, ...(await wanted())])
      const read = eventReader()
      for await (const piece of api.live(venue, [...this.#venues], this.#lastId, attempt.signal)) {
        clearTimeout(silence)
        silence = setTimeout(end, SILENCE_MS)
        tell({ is: 'alive' })
        for (const event of read(piece)) this.#tell(event)
      }
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', end)
      end()
    }
  }

  #tell({ id = this.#lastId, type, data }: StreamEvent): void {
    const { venues, venue_id } = JSON.parse(data) as { venues?: number[]; venue_id?: number }
    const isNew = this.#lastId === undefined
    this.#lastId = id
    if (type === 'ready') {
      this.#retryMs = FIRST_RETRY_MS
      this.#told = venues!
      this.#deps.tell({ is: 'ready', isNew, venues: this.#told, id })
    } else this.#deps.tell({ is: 'event', type, venue: venue_id, id })
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
