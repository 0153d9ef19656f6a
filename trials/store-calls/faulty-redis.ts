import { setTimeout as sleep } from 'node:timers/promises'
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
  /** Advances their clock by a second, after which they ask Redis again in spite of earlier failures. */
  forget(): void
  /** Waits until Redis is in use: after many failures it is first asked on trial, which may take several tries on a busy machine. */
  untilShared(): Promise<void>
}

/** The service's own windows in Redis. Faults are injected into the driver, so that the service has to handle them. */
export async function faultyLimits(trial: Trial): Promise<SharedLimits> {
  const { url } = await trial.redis()
  trial.after(failCommands())
  let aheadMs = 0
  const windows = await redisWindows({ url, fleet: FLEET, now: () => performance.now() + aheadMs })
  trial.after(windows.close)
  const forget = () => {
    aheadMs += 1_001
  }
  return {
    windows,
    forget,
    async untilShared() {
      for (let tries = 1; windows.mode !== 'shared'; tries++) {
        if (tries > MAX_TRIES) throw new Error('Redis is no longer asked, so none of its calls can go wrong')
        forget()
        await windows.look(2, 'trial', 1) // asks Redis beside
        await sleep(50)
      }
    },
  }
}

const MAX_TRIES = 200

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
