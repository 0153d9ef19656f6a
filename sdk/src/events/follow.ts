import { ComptoirError, ConnectionError, RateLimitError, ServerError } from '../errors.ts'
import type { Http } from '../http/http.ts'
import { retryWaitMs } from '../http/retry.ts'
import type { CursorStore, FollowOptions } from '../option-types.ts'
import { checkFollowOptions } from '../options.ts'
import { listParameters } from '../query.ts'
import type { Event } from '../types.ts'

export interface FollowedEvent extends Event {
  /**
   * The work for this event is over. Gives the cursor to go on from after a restart: it is past every event up to the first whose
   * work is not over, and saved in the store if there is one.
   */
  done(): Promise<string>
}

export interface EventsPage {
  data: Event[]
  next: string
  more: boolean
}

const WAIT_SECONDS = 25 // E5: as long as the server holds an answer
const SLACK_MS = 15_000
const TIMES = { timeoutMs: WAIT_SECONDS * 1000 + SLACK_MS, deadlineMs: 300_000 }

/**
 * Every event of the feed once and in order, without end. A server that is away, restarts or limits is waited for; what waiting does not
 * help is thrown. A ResyncError means that the cursor leads nowhere: read everything again, then follow from there.
 */
export async function* follow(http: Http, options: FollowOptions = {}): AsyncGenerator<FollowedEvent, void, undefined> {
  checkFollowOptions(options)
  const { store, signal } = options
  const after = (await store?.get()) ?? options.after
  if (after === undefined) throw new TypeError('after is missing: oldest, latest or a cursor')
  const cursor = cursorOf(after, store)
  for await (const page of followPages(http, { ...options, after })) {
    for (const event of page.data) {
      if (signal?.aborted) return
      yield { ...event, done: cursor.pending(event.id) }
    }
    await cursor.passed(page.next)
  }
}

/** The same, page by page; one may be empty. */
export async function* followPages(
  http: Http,
  { types, venues, include, signal, ...options }: Omit<FollowOptions, 'store'> & { after: string },
): AsyncGenerator<EventsPage, void, undefined> {
  let { after } = options
  for (let failures = 0, isBehind = true; !signal?.aborted; ) {
    const query = listParameters({ after, types, venues, include, wait: isBehind ? 0 : WAIT_SECONDS })
    let page: EventsPage
    try {
      page = readPage(await http.call({ ...TIMES, method: 'GET', path: '/events', query, signal, isPaced: false }))
      failures = 0
    } catch (error) {
      if (signal?.aborted) return
      if (!isPassing(error)) throw error
      // The call has tried several times already: from here on there is nothing to do but to wait.
      await http.sleep(retryWaitMs(error, ++failures, true, http.random) ?? 0, signal).catch(() => {})
      continue
    }
    yield page
    after = page.next
    isBehind = page.more
  }
}

function readPage(answer: unknown): EventsPage {
  const page = answer as EventsPage
  if (Array.isArray(page.data) && typeof page.next === 'string') return page
  throw new ServerError('The answer is no page of events: it does not come from Comptoir', { status: 200 })
}

const isPassing = (error: unknown): error is ComptoirError =>
  error instanceof ConnectionError ||
  error instanceof RateLimitError ||
  error instanceof ServerError ||
  (error instanceof ComptoirError && error.status === 408)

/** The place up to which all work is over. */
function cursorOf(start: string, store: CursorStore | undefined) {
  const pending: { id: string; isDone: boolean }[] = []
  let [current, saved] = [start, start]
  let end: string | undefined
  let saving: Promise<void> = Promise.resolve()

  async function move(): Promise<string> {
    while (pending[0]?.isDone) current = pending.shift()!.id
    if (pending.length === 0 && end !== undefined) current = end
    const reached = current
    // One after the other: an older cursor must not be saved last.
    const save = async () => {
      if (saved === current) return
      const latest = current
      await store?.set(latest)
      saved = latest
    }
    saving = saving.then(save, save)
    await saving
    return reached
  }

  return {
    /** An event is handed out. */
    pending(id: string): () => Promise<string> {
      const entry = { id, isDone: false }
      pending.push(entry)
      end = undefined
      return () => {
        entry.isDone = true
        return move()
      }
    },
    /** The page ends here: what filters left out lies before it. */
    async passed(next: string): Promise<void> {
      end = next
      if (pending.length === 0) await move()
    },
  }
}
