import type { Started } from '../scripts/services.ts'
import type { Load, Outcome } from './load.ts'
import type { Server } from './processes.ts'
import type { Request } from './request.ts'
import { REQUEST_KINDS, type RequestKind } from './request-kinds.ts'

/** One system at one kind of work: the median round. */
export interface Result extends Outcome {
  system: string
  work: string
  /** Size of the response body. */
  bytes: number
  p95Ms?: number
}

/** What a system's process costs before and after its work. */
export interface Footprint {
  system: string
  coldStartMs: number
  /** Before any load, where it was looked at. */
  idleMiB: number | undefined
  rssMiB: number
}

export interface Entry {
  system: string
  url: string
  request: Request
  bytes: number
}

export interface Bench {
  load: Load
  rounds: number
  seconds: number
  warmUp: number
  scale: number
  /** A folder for this run, with the output of every server in it. */
  folder: string
  results: Result[]
  footprints: Footprint[]
  /** What was left out, and why. */
  notes: string[]
  /** Versions of the other software that took part, by name. */
  versions: Record<string, string>
  /** PostgreSQL and Redis, for as long as they run. */
  services: Set<Started>
  wants(name: string): boolean
  say(line: string): void
}

/** Warms the entries up, then lets them take turns, so that what else the machine does meets all of them. */
export async function measure(bench: Bench, work: string, entries: readonly Entry[], rounds = bench.rounds) {
  const seen = new Map<Entry, Outcome[]>(entries.map((entry) => [entry, []]))
  try {
    for (const { url, request } of entries) await bench.load.drive(url, request, bench.warmUp)
    for (let round = 0; round < rounds; round++)
      for (const [{ url, request }, outcomes] of seen)
        outcomes.push(await bench.load.drive(url, request, bench.seconds))
  } catch (error) {
    bench.notes.push(`${work}: not measured. ${(error as Error).message}`)
    bench.say(`  ${work}: ${(error as Error).message}`)
    return
  }
  for (const [{ system, bytes }, outcomes] of seen) {
    const result = { system, work, bytes, ...median(outcomes) }
    bench.results.push(result)
    bench.say(`  ${work}: ${system} ${result.perSecond.toFixed(0)}/s, p99 ${result.p99Ms.toFixed(2)} ms`)
  }
}

export const median = (outcomes: readonly Outcome[]): Outcome =>
  outcomes.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor((outcomes.length - 1) / 2)]!

export const wantedKinds = (bench: Bench) => (Object.keys(REQUEST_KINDS) as RequestKind[]).filter(bench.wants)

export const mebibytesOf = (server: Server) => server.rssBytes() / 2 ** 20

export function footprint(
  bench: Bench,
  system: string,
  { coldStartMs, idleMiB }: { coldStartMs: number; idleMiB?: number },
  server: Server,
): void {
  const rssMiB = mebibytesOf(server)
  bench.footprints.push({ system, coldStartMs, idleMiB, rssMiB })
  bench.say(`  ${system}: cold start ${coldStartMs.toFixed(0)} ms, RSS ${rssMiB.toFixed(0)} MiB`)
}

/** The result of one system at one kind of work, if it was measured. */
export const found = (results: readonly Result[], system: string, work: string) =>
  results.find((result) => result.system === system && result.work === work)
