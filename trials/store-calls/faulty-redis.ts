import { Redis } from 'ioredis'
import { redisWindows } from '../../server/src/limits/redis-window.ts'
import type { Windows } from '../../server/src/limits/window.ts'
import type { Trial } from '../harness/trial.ts'
import { meet, planOfRequest } from './faults.ts'

/** So that what is counted alone can be told from what is counted together. */
export const FLEET = 2

/** The limits as several workers have them. */
export interface SharedLimits {
  windows: Windows
  /** A second passes for them: failures of before no longer keep them from asking Redis. */
  forget(): void
  /** Whether Redis is asked. */
  areShared(): boolean
}

/** The service's own windows in Redis, with faults where the driver is asked: what is made of those is the service's. */
export async function faultyLimits(trial: Trial): Promise<SharedLimits> {
  const { url } = await trial.redis()
  trial.after(failCommands())
  let aheadMs = 0
  const windows = await redisWindows({ url, fleet: FLEET, now: () => performance.now() + aheadMs })
  trial.after(windows.close)
  return {
    windows,
    forget() {
      aheadMs += 1_001
    },
    areShared: () => windows.mode === 'shared',
  }
}

const lost = () => new Error('Connection is closed.')

/** The two commands of storage/redis-log.ts go wrong by the plan of the request that gives them. */
function failCommands(): () => void {
  const known = Redis.prototype as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
  const names = ['eval', 'evalsha'] as const
  const before = names.map((name) => [name, known[name]!] as const)
  for (const [name, command] of before)
    known[name] = function (this: Redis, ...given) {
      return meet(planOfRequest(), 'Redis', () => command.apply(this, given), {
        lost,
        silence: ({ over }) => over.promise, // then the connection is given up, as it would be after a while
      })
    }
  return () => {
    for (const [name, command] of before) known[name] = command
  }
}
