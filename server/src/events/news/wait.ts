import type { FastifyRequest } from 'fastify'
import { withFreshDeadline } from '../../http/edge/deadline.ts'
import { Refusal } from '../../http/errors.ts'
import type { Rule } from '../../http/rules.ts'
import type { Database } from '../../storage/database.ts'

// E8, E11: calls that wait for news. Each holds a promise and a timer, no connection of the database and no place among the requests.

const POLL_MS = 500
const MAX_OF_PAIR = 4
export const MAX_WAITING = 2_000

type WaitEnd = 'news' | 'over' | 'gone'

interface Waiter {
  readonly brand_id: number
  readonly pair: string
  readonly position: number
  readonly request: FastifyRequest
  /** Throws a refusal if the caller may no longer see what the request names. */
  mayStillSee(): void
  end(how: WaitEnd): void
  refuse(refusal: Refusal): void
}

interface WaitOptions extends Pick<Waiter, 'mayStillSee'> {
  readonly position: number
  readonly seen: number
  readonly ms: number
  /** Ends it before its time. */
  readonly signal?: AbortSignal
}

interface WaitingRoomOptions {
  readonly db: Database
  /** Whether a waiting caller still may call; their rights can end meanwhile. */
  readonly recheck: Rule
  readonly failed: (error: unknown) => void
  readonly waiting: (count: number) => void
  readonly pollMs?: number
  /** How many calls of one caller may wait; one more ends the oldest. `MAX_WAITING`: as many as there are places. */
  readonly maxOfPair?: number
}

export function waitingRoom({
  db,
  recheck,
  failed,
  waiting,
  pollMs = POLL_MS,
  maxOfPair = MAX_OF_PAIR,
}: WaitingRoomOptions) {
  /** In the order in which they came. */
  const waiters = new Set<Waiter>()
  const news = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined
  let polling = false
  let closed = false

  const oldest = (ofPair?: string) => {
    for (const waiter of waiters) if (ofPair === undefined || waiter.pair === ofPair) return waiter
    return undefined
  }
  const countOf = (pair: string) => {
    let count = 0
    for (const waiter of waiters) if (waiter.pair === pair) count++
    return count
  }

  function notify(brand_id: number): void {
    news.set(brand_id, (news.get(brand_id) ?? 0) + 1)
    for (const waiter of [...waiters]) if (waiter.brand_id === brand_id) waiter.end('news')
  }

  async function poll(): Promise<void> {
    if (polling) return
    polling = true
    try {
      for (const waiter of [...waiters]) {
        const refusal = (await recheck(waiter.request, undefined as never)) ?? refusalOf(waiter)
        if (refusal) waiter.refuse(refusal)
      }
      const brands = [...new Set([...waiters].map(({ brand_id }) => brand_id))]
      for (let start = 0; start < brands.length; start += 200) await wakeBehind(brands.slice(start, start + 200))
    } catch (error) {
      failed(error)
    } finally {
      polling = false
    }
  }

  async function wakeBehind(brands: readonly number[]): Promise<void> {
    const heads = await db.rows<{ brand_id: number; head: number | null }>(
      `select brand_id, (select position from events where brand_id = feeds.brand_id order by position desc limit 1) as head
       from feeds where brand_id in (${brands.map(() => '?').join(', ')})`,
      brands,
    )
    const byBrand = new Map(heads.map(({ brand_id, head }) => [brand_id, head ?? 0]))
    for (const waiter of [...waiters]) if ((byBrand.get(waiter.brand_id) ?? 0) > waiter.position) waiter.end('news')
  }

  function remove(waiter: Waiter): void {
    waiters.delete(waiter)
    waiting(waiters.size)
    if (waiters.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    notify,
    /** Call before a read: anything published after it ends a wait at once. */
    seen: (brand_id: number) => news.get(brand_id) ?? 0,

    /** Ends with news, at the latest after `ms`; a caller who may no longer call is refused. */
    wait(request: FastifyRequest, { position, seen, ms, mayStillSee, signal }: WaitOptions): Promise<WaitEnd> {
      const { brand_id, brand, integrator_id } = request.call.caller
      if (closed || signal?.aborted) return Promise.resolve('over')
      if ((news.get(brand_id) ?? 0) !== seen) return Promise.resolve('news')
      const pair = `${brand} ${integrator_id}`
      if (maxOfPair < MAX_WAITING && countOf(pair) >= maxOfPair) oldest(pair)!.end('over')
      if (waiters.size >= MAX_WAITING) oldest()!.end('over')
      return new Promise((resolve, reject) => {
        const { socket } = request.raw
        const gone = () => waiter.end('gone')
        const over = () => waiter.end('over')
        const finish = (settle: () => void) => {
          clearTimeout(timeout)
          socket.removeListener('close', gone)
          signal?.removeEventListener('abort', over)
          remove(waiter)
          settle()
        }
        const waiter: Waiter = {
          brand_id,
          pair,
          position,
          request,
          mayStillSee,
          end: (how) => finish(() => resolve(how)),
          refuse: (refusal) => finish(() => reject(refusal)),
        }
        const timeout = setTimeout(over, ms)
        socket.once('close', gone)
        signal?.addEventListener('abort', over)
        waiters.add(waiter)
        waiting(waiters.size)
        timer ??= setInterval(() => withFreshDeadline(db, poll), pollMs).unref() // not the first waiter's, which passes
      })
    },

    /** Every waiting call is answered, and none waits from now on: the process leaves (E8). */
    close(): void {
      closed = true
      for (const waiter of [...waiters]) waiter.end('over')
    },
  }
}

function refusalOf({ mayStillSee }: Waiter): Refusal | undefined {
  try {
    mayStillSee()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

export type WaitingRoom = ReturnType<typeof waitingRoom>
