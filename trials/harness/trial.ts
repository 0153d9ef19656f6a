import { type Started, startPostgres, startRedis } from '../../scripts/services.ts'
import { type Random, seeded } from '../../server/src/demo/random.ts'
import { type Sizes, sizesOf } from '../sizes.ts'
import { endDescendants } from './processes.ts'

/** The result of one promise. */
export interface Row {
  promise: string
  tried: string
  wasTried: boolean
  broken: number
  /** The first cases in which it was broken. */
  examples: string[]
  seconds: number
  seed: number
}

/** Reports one case in which a promise was broken, in words. */
export type ReportFailure = (how: string) => void

type Work = (reportFailure: ReportFailure) => Promise<string>
/** `reportFigure` is for a time or an amount of memory beyond its bound. */
type Measuring = (reportFailure: ReportFailure, reportFigure: ReportFailure) => Promise<string>

interface Trying {
  readonly isOver?: () => boolean
  /** How often it may still be measured. */
  readonly tries?: number
  /** What was beyond a bound in the measurements before. */
  readonly earlier?: readonly string[]
}

export interface Trial {
  /** Whether the short form is wanted. */
  quick: boolean
  sizes: Sizes
  seed: number
  /** Minutes of mixed load; 0: no soak. */
  soakMinutes: number
  /** Random numbers that are the same for the same seed. */
  random(stream: string): Random
  /** Tries a promise; `work` returns what was tried. An error that it throws counts as broken. */
  promise(promise: string, work: Work): Promise<void>
  /** As `promise`. In the short form, on a machine that others use too, a figure beyond its bound is measured again; a failure is not. */
  measured(promise: string, work: Measuring): Promise<void>
  /** Records why a promise was not tried; counts as broken in CI, which must try everything. */
  notTried(promise: string, why: string): void
  postgres(): Promise<Started>
  redis(): Promise<Started>
  /** Done after the experiment, the last first. */
  after(clean: () => Promise<unknown> | unknown): void
  /** Done after the last experiment. */
  atEnd(clean: () => Promise<unknown> | unknown): void
}

const SHOWN = 3
const CLEANUP_MINUTES = 1
/** How often at most a promise is measured in the short form. */
const TRIES = 3

/** A server that an experiment needs cannot be started here. */
class Missing extends Error {}

/** Something that did not end in its time. */
class TimedOut extends Error {}

export interface Options {
  quick: boolean
  seed: number
  soakMinutes: number
  say(line: string): void
}

export function openTrial({ quick, seed, soakMinutes, say }: Options) {
  const sizes = sizesOf(quick)
  const rows: Row[] = []
  const servers: Promise<Started>[] = []
  const late: Promise<void>[] = []
  const atEnd: Parameters<Trial['atEnd']>[0][] = []
  let endCurrent = async () => {}
  let closed: Promise<void> | undefined

  const once = (start: () => Promise<Started>) => {
    let started: Promise<Started> | undefined
    return async () => {
      if (closed) throw new Error('the trial is over')
      if (!started) {
        started = start().catch((error: Error) => Promise.reject(new Missing(error.message)))
        servers.push(started)
      }
      return started
    }
  }
  const postgres = once(startPostgres)
  const redis = once(() => startRedis())

  async function promise(
    name: string,
    work: Measuring,
    { isOver = () => false, tries = 1, earlier = [] }: Trying = {},
  ): Promise<void> {
    const startedAt = performance.now()
    let broken = 0
    let figures = 0
    const examples: string[] = []
    const reportFailure: ReportFailure = (how) => {
      if (++broken > SHOWN || isOver()) return
      examples.push(how)
      say(`  BROKEN  ${name}: ${how}`)
    }
    const reportFigure: ReportFailure = (how) => {
      figures++
      reportFailure(how)
    }
    const tried = await work(reportFailure, reportFigure).catch((error: Error) => {
      if (error instanceof Missing) return error
      reportFailure(error.stack ?? error.message)
      return error instanceof TimedOut ? error.message : 'it failed before its end'
    })
    if (isOver()) return
    if (tried instanceof Missing) return notTried(name, tried.message)
    if (broken > 0 && broken === figures && tries > 1) {
      say(`again   ${name}`)
      return promise(name, work, { isOver, tries: tries - 1, earlier: [...earlier, ...examples] })
    }
    const seconds = (performance.now() - startedAt) / 1000
    const what = earlier.length === 0 ? tried : `${tried}; before, beyond its bound: ${earlier.join('; ')}`
    rows.push({ promise: name, tried: what, wasTried: true, broken, examples, seconds, seed })
    say(`${broken === 0 ? 'held  ' : 'BROKEN'}  ${name}: ${what} (${seconds.toFixed(1)} s)`)
  }

  function notTried(name: string, why: string): void {
    const broken = process.env.CI === 'true' ? 1 : 0
    rows.push({ promise: name, tried: `NOT TRIED: ${why}`, wasTried: false, broken, examples: [why], seconds: 0, seed })
    say(`NOT TRIED  ${name}: ${why}`)
  }

  /** Runs an experiment and cleans up after it. One that was given up may go on: what it starts then is stopped at once. */
  async function runExperiment(name: string, experiment: (trial: Trial) => Promise<void>): Promise<void> {
    if (closed) return
    const cleaning: Parameters<Trial['after']>[0][] = []
    let running = `${name} can be tried`
    let over = false
    const isOver = () => over
    async function run(promised: string, work: Measuring, tries = 1): Promise<void> {
      if (over) throw new Error(`${name} is over`)
      running = promised
      await promise(promised, work, { isOver, tries })
      running = `${name} can be tried`
    }
    const trial: Trial = {
      quick,
      sizes,
      seed,
      soakMinutes,
      random: (stream) => seeded(`trust ${seed} ${stream}`),
      promise: (promised, work) => run(promised, work),
      measured: (promised, work) => run(promised, work, quick ? TRIES : 1),
      notTried,
      postgres,
      redis,
      after(clean) {
        if (over) late.push(runAll([clean]).catch(() => {}))
        else cleaning.push(clean)
      },
      atEnd: (clean) => void atEnd.push(clean),
    }
    let cleaned: Promise<void> | undefined
    endCurrent = () => {
      over = true
      cleaned ??= runAll(cleaning.reverse())
      return cleaned
    }
    await withTimeout(sizes.minutes + soakMinutes, name, experiment(trial)).catch((error) =>
      promise(running, () => Promise.reject(error), { isOver }),
    )
    await endCurrent().catch((error) => promise(`${name} can be cleaned up`, () => Promise.reject(error)))
  }

  const stopServer = (server: Promise<Started>) => async () => {
    const started = await server.catch(() => undefined) // it was missed already
    await started?.stop()
  }
  const closeAll = async () => {
    const all = [() => endCurrent(), ...servers.map(stopServer), ...atEnd, () => Promise.all(late)]
    await runAll(all).catch((error) => promise('everything can be stopped', () => Promise.reject(error)))
    endDescendants()
  }
  const close = () => {
    closed ??= closeAll()
    return closed
  }
  return { rows, runExperiment, close }
}

/** One after the other, also after one has failed; all failures are thrown at the end. */
async function runAll(works: readonly (() => unknown)[]): Promise<void> {
  const problems: Error[] = []
  for (const work of works) {
    try {
      await withTimeout(CLEANUP_MINUTES, 'cleaning up', Promise.resolve(work()))
    } catch (error) {
      problems.push(error as Error)
    }
  }
  if (problems.length > 0) throw new AggregateError(problems, problems.map(({ message }) => message).join('; '))
}

async function withTimeout(minutes: number, what: string, work: Promise<unknown>): Promise<void> {
  const end = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => end.reject(new TimedOut(`${what} was still running after ${minutes} min`)),
    minutes * 60_000,
  )
  try {
    await Promise.race([work, end.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The work of a promise that checks what it saw itself: `tried` says what was done. */
export const checked =
  (tried: string, work: () => Promise<{ seen: string; ok: boolean }>) =>
  async (reportFailure: ReportFailure): Promise<string> => {
    const { seen, ok } = await work()
    if (!ok) reportFailure(`${tried}: ${seen}`)
    return `${tried}: ${seen}`
  }

export const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, rank: random.fraction() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
