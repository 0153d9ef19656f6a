import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import type { Database } from '../../storage/database.ts'
import { type Audited, auditJob, type Job, jobsOf, type Part, type ThreadData, together } from './audit.ts'

// Recomputing the totals of a million receipts takes a processor over a minute, so a command that checks many uses several.

const MAX_THREADS = 4

/** The same as `auditBooks`, in threads with connections of their own where there is much to check. `heard` gets the number of receipts so far. */
export async function auditInThreads(
  db: Database,
  config: Config,
  brand_id: number,
  heard: (receipts: number) => void,
): Promise<Audited> {
  const jobs = await jobsOf(db, brand_id)
  const ranges = jobs.filter((job) => !('check' in job)).length
  const threads = Math.min(ranges, availableParallelism(), MAX_THREADS)
  const parts: Part[] = []
  let receipts = 0
  const add = (part: Part) => {
    parts.push(part)
    receipts += part.receipts
    heard(receipts)
  }
  if (threads === 1) {
    for (const job of jobs) add(await auditJob(db, brand_id, job))
    return together(db, brand_id, parts)
  }
  const left = jobs.values()
  const data: ThreadData = { config, brand_id }
  await Promise.all(Array.from({ length: threads }, () => oneThread(data, left, add)))
  return together(db, brand_id, parts)
}

/** Takes jobs that are left, one after the other. */
async function oneThread(data: ThreadData, left: ArrayIterator<Job>, add: (part: Part) => void): Promise<void> {
  const thread = new Worker(new URL('./audit-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: 64 }, // a page of receipts is garbage before the next
  })
  try {
    for (const job of left) {
      thread.postMessage(job)
      const [part] = await once(thread, 'message') // an error of the thread is thrown here
      add(part as Part)
    }
  } catch (error) {
    for (const _ of left); // nobody begins another
    throw error
  } finally {
    await thread.terminate()
  }
}
