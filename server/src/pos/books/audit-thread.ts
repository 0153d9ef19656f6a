import { parentPort, workerData } from 'node:worker_threads'
import { MERGE_RULES } from '../../events/merge.ts'
import { openDatabase } from '../../storage/open.ts'
import { auditJob, type Job, type ThreadData } from './audit.ts'

// A thread of threads.ts.

const { config, brand_id } = workerData as ThreadData
const db = await openDatabase(config, 'command', MERGE_RULES)

parentPort!.on('message', async (job: Job) => parentPort!.postMessage(await auditJob(db, brand_id, job)))
