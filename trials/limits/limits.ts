import { memoryWindows } from '../../server/src/limits/window.ts'
import { startProcessPool } from '../harness/process-pool.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import type { Counting, Decisions } from './counter.ts'
import type { Aftermath, Flood } from './flooder.ts'

const SHORT_MS = 1_000
const CLOCKS_APART_MS = 2 // one counts microseconds, the other milliseconds
const MINUTE_MS = 60_000
const HEAP_MIB = 64
const RSS_MIB = 400
const KNOWN_LIMIT = 600

/** §8: the counts of the three tiers are exact, in memory and in Redis, and bounded in memory. fleet/limits.ts tests the same over HTTP. */
export async function limits(trial: Trial): Promise<void> {
  const { counters, sharedDecisions, rememberingMs, fullMinutes } = trial.sizes
  const workers = await startProcessPool<Counting, Decisions>(trial, new URL('./counter.ts', import.meta.url), counters)
  const shared = (what: string, windowMs: number, decisions: number, spreadMs: number, remembers = false) =>
    trial.promise(`${what}, Redis`, async (reportFailure) => {
      const { url } = await trial.redis()
      const keys = [5, 60, 300, 600].map((limit) => ({ name: `trust ${trial.seed} ${what} ${limit}`, limit }))
      const tasks = workers.members.map((_, worker) => ({
        url,
        seed: `trust ${trial.seed} ${worker}`,
        windowMs,
        keys,
        decisions: Math.floor(decisions / counters),
        spreadMs,
        remembers,
      }))
      return check(keys, windowMs * 1000, await workers.run(tasks), reportFailure)
    })
  await shared('a window of 1 s never admits more or fewer', SHORT_MS, sharedDecisions, 0)
  await shared('a refusal that is remembered is still right', SHORT_MS, sharedDecisions / 2, rememberingMs, true)
  if (fullMinutes > 0)
    await shared(
      'a window of 60 s never admits more or fewer',
      MINUTE_MS,
      40_000 * fullMinutes,
      fullMinutes * MINUTE_MS + 10_000,
    )
  await inMemory(trial)
  await manyAddresses(trial)
}

interface Decision {
  counting: boolean
  admitted: boolean
  count: number
  stampUs: number
}

/** Holds each decision against an oracle that sees them in the order in which Redis made them. */
function check(
  keys: Counting['keys'],
  windowUs: number,
  results: readonly Decisions[],
  reportFailure: ReportFailure,
): string {
  let [total, full, remembered] = [0, 0, 0]
  for (const [key, { name, limit }] of keys.entries()) {
    const decisions = results.flatMap((made) => ofKey(made, key))
    // Decisions of the same microsecond are ordered by their counts.
    decisions.sort((a, b) => a.stampUs - b.stampUs || a.count - b.count || Number(b.counting) - Number(a.counting))
    const oracle = slidingLog(windowUs)
    const admissions: number[] = []
    for (const decision of decisions) {
      const expected = oracle(decision.stampUs, limit, decision.counting)
      if (expected.admitted !== decision.admitted || expected.count !== decision.count)
        reportFailure(`${name}: ${JSON.stringify(decision)}, the oracle says ${JSON.stringify(expected)}`)
      if (decision.counting && decision.admitted) admissions.push(decision.stampUs)
    }
    const fromMemory = results.flatMap((made) => rememberedOf(made, key)).sort((a, b) => a.sentAtMs - b.sentAtMs)
    for (const { sentAtMs } of whenThereWasRoom(fromMemory, admissions, limit, windowUs))
      reportFailure(`${name}: refused from memory at ${sentAtMs}, when there was room`)
    remembered += fromMemory.length
    const worst = worstWindow(admissions, windowUs)
    if (worst > limit) reportFailure(`${name}: ${worst} in one window`)
    if (worst === limit) full++
    total += decisions.length
  }
  // A busy machine may not come to the largest.
  if (full < keys.length / 2) reportFailure(`only ${full} of ${keys.length} limits were ever reached`)
  const summary = remembered > 0 ? `${remembered} refusals remembered, ` : ''
  return `${total + remembered} decisions by ${results.length} workers, ${summary}${keys.length} limits, the worst window is the limit`
}

interface Remembered {
  sentAtMs: number
  answeredAtMs: number
}

const rememberedOf = (made: Decisions, key: number): Remembered[] =>
  [...made.key.keys()]
    .filter((index) => made.key[index] === key && made.sentAtMs[index]! > 0)
    .map((index) => ({ sentAtMs: made.sentAtMs[index]!, answeredAtMs: made.answeredAtMs[index]! }))

/** Returns the decisions made while the log was at no moment full. Both inputs are in order of time. */
function whenThereWasRoom(all: readonly Remembered[], admissions: readonly number[], limit: number, windowUs: number) {
  let oldest = 0
  return all.filter(({ sentAtMs, answeredAtMs }) => {
    const [earliest, latest] = [(sentAtMs - CLOCKS_APART_MS) * 1000, (answeredAtMs + CLOCKS_APART_MS) * 1000]
    while (oldest < admissions.length && admissions[oldest]! + windowUs < earliest) oldest++
    const filledAt = admissions[oldest + limit - 1]
    return filledAt === undefined || filledAt > latest
  })
}

const ofKey = (made: Decisions, key: number): Decision[] =>
  [...made.key.keys()]
    .filter((index) => made.key[index] === key && made.sentAtMs[index] === 0)
    .map((index) => ({
      counting: made.counting[index] === 1,
      admitted: made.admitted[index] === 1,
      count: made.count[index]!,
      stampUs: made.stampUs[index]!,
    }))

/** §8 in as few words as possible: every admitted event is kept, and those that are a window old have left. */
function slidingLog(window: number) {
  let log: number[] = []
  return (now: number, limit: number, counting: boolean) => {
    if (log.length > 0 && log[0]! <= now - window) log = log.filter((stamp) => stamp > now - window)
    const admitted = log.length < limit
    if (admitted && counting) log.push(now)
    return { admitted, count: log.length }
  }
}

function worstWindow(stamps: readonly number[], windowUs: number): number {
  let [worst, oldest] = [0, 0]
  for (const [index, stamp] of stamps.entries()) {
    while (stamps[oldest]! <= stamp - windowUs) oldest++
    worst = Math.max(worst, index - oldest + 1)
  }
  return worst
}

function inMemory(trial: Trial): Promise<void> {
  const promise = 'no decision differs from the oracle, in memory'
  return trial.promise(promise, async (reportFailure) => {
    const random = trial.random(promise)
    let now = 0
    const windows = memoryWindows({ windowMs: SHORT_MS, now: () => now })
    const limit = [3, 20, 100]
    const oracles = limit.map(() => slidingLog(SHORT_MS))
    const { memoryDecisions } = trial.sizes
    for (let decision = 0; decision < memoryDecisions; decision++) {
      if (random.percent(30)) now += random.percent(1) ? random.between(0, 3 * SHORT_MS) : random.fraction() * 20
      const key = random.between(0, limit.length - 1)
      const counting = random.percent(80)
      const seen = windows[counting ? 'take' : 'look'](3, key, limit[key]!)
      const expected = oracles[key]!(now, limit[key]!, counting)
      if (seen.admitted !== expected.admitted || seen.count !== expected.count)
        reportFailure(`decision ${decision}: ${JSON.stringify(seen)}, the oracle says ${JSON.stringify(expected)}`)
    }
    return `${memoryDecisions} decisions`
  })
}

function manyAddresses(trial: Trial): Promise<void> {
  return trial.promise(`a flood of addresses stays within ${HEAP_MIB} MiB`, async (reportFailure) => {
    const { addresses } = trial.sizes
    const flooder = await startProcessPool<Flood, Aftermath>(trial, new URL('./flooder.ts', import.meta.url), 1, [
      '--expose-gc',
    ])
    const [after] = await flooder.run([{ addresses, limit: KNOWN_LIMIT }])
    const { heapMiB, rssMiB, admitted } = after!
    if (heapMiB > HEAP_MIB) reportFailure(`${heapMiB.toFixed(0)} MiB of heap`)
    if (rssMiB > RSS_MIB) reportFailure(`${rssMiB.toFixed(0)} MiB resident`)
    if (admitted !== KNOWN_LIMIT)
      reportFailure(`an address known before was admitted ${admitted} times of ${KNOWN_LIMIT}`)
    return `${addresses} addresses, ${heapMiB.toFixed(0)} MiB of heap, ${rssMiB.toFixed(0)} MiB resident`
  })
}
