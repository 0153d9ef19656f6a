import { Redis } from 'ioredis'
import { redisWindows } from '../../server/src/limits/redis-window.ts'
import type { Windows } from '../../server/src/limits/window.ts'
import type { Trial } from '../harness/trial.ts'
import { callOrFail, planOfRequest } from './faults.ts'

/** More than one, so that local and shared counts differ. */
export const FLEET = 2

/** The rate limits as several workers share them. */
export interface SharedLimits {
  windows: Windows
  /** Moves their clock on by a second, so that earlier failures no longer keep them from asking Redis. */
  forget(): void
  /** Whether Redis is asked. */
  areShared(): boolean
}

/** The service's own windows in Redis. Faults are injected into the driver, so that the service has to handle them. */
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

/** The two commands that limits/redis-log.ts uses fail by the plan of the current request. */
function failCommands(): () => void {
  const known = Redis.prototype as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
  const names = ['eval', 'evalsha'] as const
  const before = names.map((name) => [name, known[name]!] as const)
  for (const [name, command] of before)
    known[name] = function (this: Redis, ...given) {
      return callOrFail(planOfRequest(), 'Redis', () => command.apply(this, given), {
        lost,
        silence: ({ over }) => over.promise, // then the connection is closed, as it would be after a timeout
      })
    }
  return () => {
    for (const [name, command] of before) known[name] = command
  }
}
