import { type Random, seeded } from '../server/src/demo/random.ts'
import { type Started, startPostgres, startRedis } from '../server/test/services.ts'
import type { Sizes } from './sizes.ts'

/** What became of one promise. */
export interface Row {
  promise: string
  tried: string
  wasTried: boolean
  broken: number
  seconds: number
  seed: number
}

/** Reports one case in which a promise was broken, in words. */
export type Broke = (how: string) => void

export interface Trial {
  sizes: Sizes
  seed: number
  /** Minutes of mixed load; 0: no soak. */
  soakMinutes: number
  /** Chance that repeats itself under the same seed. */
  random(stream: string): Random
  /** Tries a promise; `work` answers what was tried. What it throws is a break, too. */
  promise(promise: string, work: (broke: Broke) => Promise<string>): Promise<void>
  /** Says why a promise was not tried; a break where CI must try everything. */
  untried(promise: string, why: string): void
  postgres(): Promise<Started>
  redis(): Promise<Started>
  /** Done after the experiment, the last first. */
  after(clean: () => Promise<unknown> | unknown): void
}

const SHOWN = 3

/** A server that an experiment needs cannot be had here. */
class Missing extends Error {}

export interface Options {
  sizes: Sizes
  seed: number
  soakMinutes: number
  say(line: string): void
}

export function openTrial({ sizes, seed, soakMinutes, say }: Options) {
  const rows: Row[] = []
  const cleaning: Parameters<Trial['after']>[0][] = []
  const servers: Promise<Started>[] = []
  const once = (start: typeof startPostgres) => {
    let started: Promise<Started> | undefined
    return () => {
      if (!started) {
        started = start(say).catch((error: Error) => Promise.reject(new Missing(error.message)))
        servers.push(started)
      }
      return started
    }
  }

  const trial: Trial = {
    sizes,
    seed,
    soakMinutes,
    random: (stream) => seeded(`trust ${seed} ${stream}`),
    async promise(promise, work) {
      const startedAt = performance.now()
      let broken = 0
      const broke: Broke = (how) => {
        if (++broken <= SHOWN) say(`  BROKEN  ${promise}: ${how}`)
      }
      const tried = await work(broke).catch((error: Error) => {
        if (error instanceof Missing) return error
        broke(error.stack ?? error.message)
        return 'not to its end'
      })
      if (tried instanceof Missing) return trial.untried(promise, tried.message)
      const seconds = (performance.now() - startedAt) / 1000
      rows.push({ promise, tried, wasTried: true, broken, seconds, seed })
      say(`${broken === 0 ? 'held  ' : 'BROKEN'}  ${promise}: ${tried} (${seconds.toFixed(1)} s)`)
    },
    untried(promise, why) {
      const broken = process.env.CI === 'true' ? 1 : 0
      rows.push({ promise, tried: `NOT TRIED: ${why}`, wasTried: false, broken, seconds: 0, seed })
      say(`NOT TRIED  ${promise}: ${why}`)
    },
    postgres: once(startPostgres),
    redis: once((tell) => startRedis(tell)),
    after: (clean) => void cleaning.push(clean),
  }
  const clear = () => doAll(cleaning.splice(0).reverse())
  const stopServer = (server: Promise<Started>) => async () => {
    const started = await server.catch(() => undefined) // it was missed already
    await started?.stop()
  }
  const close = () => doAll([clear, ...servers.map(stopServer)])
  return { trial, rows, clear, close }
}

/** One after the other, each whatever became of those before; what went wrong is thrown at the end. */
async function doAll(works: readonly (() => unknown)[]): Promise<void> {
  const problems: Error[] = []
  for (const work of works) {
    try {
      await work()
    } catch (error) {
      problems.push(error as Error)
    }
  }
  if (problems.length > 0) throw new AggregateError(problems, problems.map(({ message }) => message).join('; '))
}
