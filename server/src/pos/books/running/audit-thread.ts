import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { MERGE_RULES } from '../../../events/merge.ts'
import { openDatabase } from '../../../storage/open.ts'
import { auditJob, type Job, type ThreadData } from '../audit.ts'

// A thread of threads.ts.

const { config, brand_id, priority } = workerData as ThreadData
// On Linux a thread has a priority of its own; elsewhere this would be the whole service's.
if (priority !== undefined && platform() === 'linux') setPriority(priority)
const db = await openDatabase(config, 'command', MERGE_RULES)

parentPort!.on('message', async (job: Job) => parentPort!.postMessage(await auditJob(db, brand_id, job)))
