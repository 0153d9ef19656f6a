import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Config } from '../../../config.ts'
import type { Database } from '../../../storage/database.ts'
import { type Audited, auditJob, type Job, jobsOf, type Part, type ThreadData, together } from '../audit.ts'

// Recomputing the totals of a million receipts takes a processor over a minute, so a command that checks many uses several.

const MAX_THREADS = 4
const THREAD = new URL(`./audit-thread${extname(import.meta.url)}`, import.meta.url) // .js in a build

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

/**
 * The same beside the service: in one thread of that priority, which rests after each piece as long as the piece took. `heard` gets how
 * many of how many pieces are done.
 */
export async function auditBeside(
  db: Database,
  config: Config,
  brand_id: number,
  priority: number,
  heard: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Audited> {
  const jobs = await jobsOf(db, brand_id)
  const parts: Part[] = []
  heard(0, jobs.length)
  let began = performance.now()
  const add = async (part: Part) => {
    parts.push(part)
    heard(parts.length, jobs.length)
    await sleep(Math.min(performance.now() - began, MAX_REST_MS), undefined, { signal })
    began = performance.now()
  }
  await oneThread({ config, brand_id, priority }, jobs.values(), add, signal)
  return together(db, brand_id, parts)
}

const MAX_REST_MS = 5_000

/** Takes jobs that are left, one after the other. */
async function oneThread(
  data: ThreadData,
  left: ArrayIterator<Job>,
  add: (part: Part) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const thread = new Worker(THREAD, {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: 64 }, // a page of receipts is garbage before the next
  })
  try {
    for (const job of left) {
      thread.postMessage(job)
      const [part] = await once(thread, 'message', { signal }) // an error of the thread is thrown here
      await add(part as Part)
    }
  } catch (error) {
    for (const _ of left); // nobody begins another
    throw error
  } finally {
    await thread.terminate()
  }
}
