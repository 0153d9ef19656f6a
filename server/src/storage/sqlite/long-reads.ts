import type { Value } from '../database.ts'
import { fairQueue } from '../fair-queue.ts'
import type { LongRead, ReadFile } from './questions.ts'
import { openThread } from './thread.ts'

export const WAITING_EACH = 100
export const ANSWER_MS = 3_000 // a request is answered within 4 s

export interface LongReads {
  rows(owner: number, text: string, values: readonly Value[]): Promise<unknown[]>
  close(): Promise<void>
}

/**
 * Reads of a SQLite file in a thread with a read-only connection of its own, so that none of them holds the event loop. One runs at a
 * time, and the owners take turns. Each is one statement, so it sees all that was committed before the call.
 */
export function longReads(file: string, answerMs = ANSWER_MS): LongReads {
  const data: ReadFile = { file }
  const thread = openThread<LongRead>(new URL('./long-reads-thread.js', import.meta.url), data)
  const queued = fairQueue({ running: 1, runningEach: 1, waitingEach: WAITING_EACH })
  return {
    rows(owner, text, values) {
      const until = performance.now() + answerMs
      return queued(owner, answerMs, () => thread.ask({ text, values, ms: until - performance.now() }))
    },
    close: thread.close,
  }
}
