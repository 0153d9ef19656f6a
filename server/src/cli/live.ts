import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { loadConfig, speaksTls } from '../config.ts'
import type { Tally } from '../demo/live/house.ts'
import { runLive } from '../demo/live/live.ts'
import { STEPS, type StepName, takeStep } from '../demo/live/steps.ts'
import { urlHost } from '../lan/names.ts'
import { CommandError, type Context, printResult } from './context.ts'
import { integer } from './options.ts'

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const

/** 90s, 10m or 2h. */
function duration(text: string): number {
  const [, count, unit] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? []
  if (!count || Number(count) === 0) throw new InvalidArgumentError('It must be a time such as 90s, 10m or 2h.')
  return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]
}

interface LiveArguments {
  speed: number
  for?: number
  seed?: number
  url?: string
  wait: boolean
}

/** Where the demo is served: on this machine, where its secrets are good. */
function originOf(url: string | undefined): string {
  if (url !== undefined) return new URL(url).origin
  const config = loadConfig()
  return `${speaksTls(config) ? 'https' : 'http'}://${urlHost(config.HOST)}:${config.PORT}`
}

const URL_OPTION = [
  '--url <address>',
  'where the demo is served (default: this machine, as HOST and PORT say)',
] as const

export function liveCommand(demo: Command, context: Context): void {
  demo
    .command('live')
    .description('guests order and sit down, and staff work, at a demo that is being served, until it is stopped')
    .option('--speed <n>', 'how much faster than a real day, 1 to 600', integer, 1)
    .option('--for <time>', 'stop after so long: 90s, 10m, 2h', duration)
    .option('--seed <n>', 'the same guests again', integer)
    .option('--wait', 'wait until something is served', false)
    .option(...URL_OPTION)
    .action(async ({ speed, for: forMs, seed = randomInt(1_000_000), url, wait }: LiveArguments) => {
      if (speed < 1 || speed > 600) throw new CommandError('--speed is a whole number from 1 to 600')
      const stopped = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
      process.once('disconnect', () => stopped.abort()) // the server that it belongs to is gone
      if (wait) await served(originOf(url), stopped.signal)
      const timer = forMs === undefined ? undefined : setTimeout(() => stopped.abort(), forMs)
      const say = (line: string) => void (context.json || context.err.write(`${line}\n`))
      const tally = await reached(() => runLive({ origin: originOf(url), speed, seed, signal: stopped.signal, say }))
      clearTimeout(timer)
      printResult(context, { ...tally, seed }, told(tally, seed))
      if (tally.failed.length > 0) process.exitCode = 1
    })
}

const told = (tally: Tally, seed: number) => {
  const { placed, accepted, refused, closed, soldOut, venueClosed, supplied, seated, fired, splits, tips, failed } =
    tally
  return [
    `Orders placed ${placed}, accepted ${accepted}, refused ${refused}; receipts closed ${closed}; deliveries ${supplied}.`,
    `Parties seated ${seated}, courses fired ${fired}, bills split ${splits}, tips ${tips}.`,
    `Not taken: ${soldOut} sold out, ${venueClosed} while closed. Seed ${seed}.`,
    ...(failed.length === 0 ? ['No call failed.'] : ['Calls that failed:', ...failed.map((line) => `  ${line}`)]),
  ].join('\n')
}

/** Resolves once something is served there, or it is stopped. */
async function served(origin: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isReady = await fetch(`${origin}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await sleep(500, undefined, { signal }).catch(() => {})
  }
}

/** Says in a sentence that nothing is served there. */
async function reached<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new CommandError(
      (error as Error).message === 'fetch failed'
        ? 'No demo is served there: comptoir serve --demo'
        : (error as Error).message,
    )
  }
}

/** Single steps, for a tutorial or an integrator's CI. */
export function stepCommands(demo: Command, context: Context): void {
  for (const name of Object.keys(STEPS) as StepName[]) {
    const { about, argument } = STEPS[name]
    demo
      .command(name)
      .description(about)
      .argument('[id]', argument, integer)
      .option('--venue <id>', 'where', integer, 1)
      .option(...URL_OPTION)
      .action(async (id: number | undefined, { venue, url }: { venue: number; url?: string }) => {
        const { result, sentence } = await reached(() => takeStep(name, { origin: originOf(url), venue, id }))
        printResult(context, result, sentence)
      })
  }
}
