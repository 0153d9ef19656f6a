import { type ComptoirError, ConnectionError, RateLimitError, ServerError } from '../errors.ts'

const LONGEST_WAIT_MS = 300_000
const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 20_000

/**
 * How long to wait before the next attempt; undefined when there must be none.
 * `repeatable` says that doing the call twice is doing it once: it reads, or it carries an idempotency key.
 */
export function retryWaitMs(
  error: ComptoirError,
  failures: number,
  repeatable: boolean,
  random: () => number,
): number | undefined {
  const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000
  if (error instanceof RateLimitError) {
    // §8: at least the reset, doubled on each consecutive failure. The call was not let in, so any call may be repeated.
    const resetMs = Math.max(retryAfterMs, 1000)
    const waitMs = Math.max(resetMs, Math.min(resetMs * 2 ** (failures - 1), LONGEST_WAIT_MS))
    return waitMs * (1 + random() / 10) // not all at the same instant again
  }
  if (!repeatable || !isPassing(error)) return undefined
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS)
  return retryAfterMs + random() * backoffMs // full jitter
}

const isPassing = (error: ComptoirError) =>
  error instanceof ConnectionError ||
  error instanceof ServerError ||
  error.status === 408 || // the request did not arrive in time
  error.slug === 'idempotency_in_progress' // D4.6: the attempt before this one, whose answer was lost, is still at work
