import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../../server/src/config.ts'
import { seeded } from '../../server/src/demo/random.ts'
import { MERGE_RULES } from '../../server/src/events/merge.ts'
import { type Database, OutcomeUnknown, StoreUnavailable } from '../../server/src/storage/database.ts'
import { openDatabase } from '../../server/src/storage/open.ts'
import { inParallel } from '../harness/client.ts'
import { serveTasks } from '../harness/process-pool.ts'
import { chooseBefore, type SqliteMutation } from './mutations.ts'
import { subjectOf, type Write } from './write.ts'

// One of several processes that publish to the same brands through the service's own transactions; its parent learns how each ended.

const LANES = 4
const MAX_EVENTS = 9
const OF_TWO_BRANDS = 10 // of a hundred writes
const REFUSED = 10
const NO_BRAND = 2 ** 40 // its feed is read last, when the others have been appended

export interface WriteTask {
  env: Record<string, string>
  /** No other task has the same. */
  name: string
  brands: readonly number[]
  writes: number
  mutation?: SqliteMutation | undefined
}

const databases = new Map<string, Promise<Database>>()
function opened(env: WriteTask['env']): Promise<Database> {
  const key = JSON.stringify(env)
  const db = databases.get(key) ?? open(env)
  databases.set(key, db)
  return db
}

async function open(env: WriteTask['env']): Promise<Database> {
  for (;;) {
    try {
      return await openDatabase(loadConfig(env), 'request', MERGE_RULES)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await sleep(100) // it was killed, and comes back
    }
  }
}

async function writeAll({ env, name, brands, writes, mutation }: WriteTask): Promise<Write[]> {
  const db = await opened(env)
  const beforeWrite = mutation && chooseBefore(db, mutation)
  const random = seeded(`feed ${name}`)
  const results: Write[] = []
  let started = 0

  async function one(number: number): Promise<Write> {
    const first = random.pick(brands)
    const others = random.percent(OF_TWO_BRANDS) ? [random.pick(brands)].filter((other) => other !== first) : []
    const write = { name: `${name}.${number}`, brands: [first, ...others], events: random.between(1, MAX_EVENTS) }
    const isRefused = random.percent(REFUSED)
    try {
      await beforeWrite?.(write)
      await db.transaction(async (tx) => {
        for (const brand_id of write.brands) {
          await tx.run('insert into feed_writes (brand_id, name, events) values (?, ?, ?)', [
            brand_id,
            write.name,
            write.events,
          ])
          for (let place = 1; place <= write.events; place++) {
            const subject = subjectOf(write.name, place, write.events)
            tx.publish({ brand_id, type: 'product.updated', subject, data: { id: place, changed: ['name'] } })
          }
        }
        if (isRefused) tx.publish({ brand_id: NO_BRAND, type: 'product.updated', subject: '', data: {} })
      })
      return { ...write, outcome: 'done', ...(isRefused && { error: 'published to a brand that is not there' }) }
    } catch (error) {
      return { ...write, ...failure(error as Error, isRefused) }
    }
  }

  await inParallel(LANES, async () => {
    for (let number = started++; number < writes; number = started++) results.push(await one(number))
  })
  return results
}

function failure(error: Error, isRefused: boolean): Pick<Write, 'outcome' | 'error'> {
  if (error instanceof OutcomeUnknown) return { outcome: 'unknown' }
  if (error instanceof StoreUnavailable || (isRefused && /has no feed/.test(error.message)))
    return { outcome: 'refused' }
  return { outcome: 'refused', error: error.message }
}

serveTasks(writeAll)
