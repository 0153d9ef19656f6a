import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../database.ts'
import type { ScrubbedFile } from './questions.ts'

/** Above this, rewriting the file would hold the write lock for longer than a request waits for it. */
export const REWRITTEN_BELOW_BYTES = 64 << 20

/**
 * Leaves nothing in a file but what its rows say. secure_delete has overwritten deleted text, but now and then a page that was split
 * keeps a copy in its free part, and the log keeps pages as they were: so a small file is written again (`vacuum`), and the log emptied.
 * Resolves to false where a reader needs the log. A thread of its own, since it may take a second.
 */
export function scrubFile(file: string, rewrittenBelow = REWRITTEN_BELOW_BYTES): Promise<boolean> {
  const workerData: ScrubbedFile = { file, rewrittenBelow }
  const thread = new Worker(new URL('./scrub-thread.js', import.meta.url), { workerData })
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', (error) => reject(new StoreUnavailable(error.message, { cause: error })))
    thread.once('exit', () => reject(new StoreUnavailable('a thread of the store ended')))
  })
}
