import { type Answer, atRate, keepAlive, tally } from '../harness/client.ts'
import { client, install } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import { startProcessPool } from '../harness/process-pool.ts'
import { figureOf, residentMib } from '../harness/processes.ts'
import { serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import type { Attack, Outcome } from './attacker.ts'

const PROBES_PER_SECOND = 50
const ATTACKERS = 3
const BODY_KIB = 256 // 64, and what is read ahead in pieces of as much until the answer is out

/** Clients that are slow, greedy or many cost the others nothing. */
export async function slowClients(trial: Trial): Promise<void> {
  const installation = await install(trial, 'SQLite', [...menu('bistro'), ...largePage()])
  const server = await serve(trial, installation)
  const caller = await client(trial, server.url, installation.credentials)
  const attackers = await startProcessPool<Attack, Outcome>(trial, new URL('./attacker.ts', import.meta.url), ATTACKERS)
  const { slowSockets, slowReaders, readersMib, readersCut, endlessBodies, unwantedBodies } = trial.sizes
  const { connects, idleConnects, cutMs, probeP99Ms, shed } = trial.sizes
  const port = Number(new URL(server.url).port)

  const under = (who: string, most: Costs, manners: readonly Manner[]) => {
    const heldBefore = residentMib(server.pid) // before the first try: what one leaves counts in the next
    return trial.measured(`a healthy client does not notice ${who}`, async (reportFailure, reportFigure) => {
      const agent = keepAlive(20)
      const probe = () => caller.ask('/receipts/1', { agent })
      await probe()
      const readBefore = readMibBy(server.pid)
      const tasks = manners.map(({ check: _, ...attack }) => ({ port, token: caller.token, ...attack }))
      const attacking = attackers.run(tasks)
      const answers = await atRate(PROBES_PER_SECOND, attacking, probe)
      agent.destroy()
      const outcomes = await attacking
      for (const [index, { check }] of manners.entries()) check?.(outcomes[index]!, reportFailure, reportFigure)
      const refused = answers.filter(({ status }) => status === 503).length
      const isHealthy = answers.every(({ status }) => status === 200 || status === 503)
      if (!isHealthy || refused > shed * answers.length) reportFailure(`probes: ${tally(answers)}`)
      const p99 = percentile(answers, 0.99)
      if (p99 > probeP99Ms) reportFigure(`p99 of the probes is ${Math.round(p99)} ms`)
      const heldMib = residentMib(server.pid) - heldBefore
      if (heldMib > most.heldMib) reportFigure(`${heldMib.toFixed(0)} MiB more memory`)
      const readMib = readMibBy(server.pid) - readBefore
      if (readMib > most.readMib) reportFailure(`${readMib.toFixed(0)} MiB were read`)
      const spent = `${heldMib.toFixed(0)} MiB more memory, ${readMib.toFixed(0)} MiB read`
      const summaries = manners.map(({ count, kind }, index) => `${count} × ${kind}: ${said(outcomes[index]!)}`)
      return `${answers.length} probes, p99 ${p99.toFixed(0)} ms, ${spent}; ${summaries.join('; ')}`
    })
  }

  const greedy = { count: endlessBodies, perSecond: 200, forMs: 20_000 }
  await under('endless bodies', { heldMib: 32, readMib: (endlessBodies * BODY_KIB) / 1024 }, [
    { kind: 'endless bodies', ...greedy, check: allCut(endlessBodies, shed, cutMs, '413') },
  ])
  await under('greedy ones', { heldMib: 32, readMib: (2 * endlessBodies * BODY_KIB) / 1024 }, [
    { kind: 'huge headers', ...greedy, check: allCut(endlessBodies, shed, cutMs, '431') },
    { kind: 'deep JSON', ...greedy, check: allCut(endlessBodies, shed, cutMs, '400') },
  ])
  await under('very many', { heldMib: 96, readMib: 16 }, [
    { kind: 'connects', count: connects, perSecond: 1_600, forMs: 10_000, check: allAnswered(connects, shed, '200') },
    {
      kind: 'idle connects',
      count: idleConnects,
      perSecond: 400,
      forMs: 10_000,
      check: allAnswered(idleConnects, shed, '408'),
    },
  ])
  const slow = { count: slowSockets, perSecond: 200, forMs: 25_000 }
  const unwanted = { count: unwantedBodies, perSecond: 200, forMs: 25_000 }
  await under('slow ones', { heldMib: 96, readMib: 16 * unwantedBodies }, [
    { kind: 'slow headers', ...slow, check: allCut(slowSockets, shed, cutMs - 5_000, '408') },
    { kind: 'slow bodies', ...slow, check: allCut(slowSockets, shed, cutMs, '408') },
    { kind: 'unwanted bodies', ...unwanted, check: allCut(unwantedBodies, shed, cutMs, '401') },
  ])
  await under('ones that do not read', { heldMib: readersMib, readMib: 16 }, [
    readersCut === 1
      ? { kind: 'slow readers', count: slowReaders, perSecond: 10, forMs: 50_000, check: allCut(slowReaders, shed) }
      : { kind: 'slow readers', count: slowReaders, perSecond: 10, forMs: 2_000 },
  ])
  await server.stop()
}

/** What a process may hold more than before, and read from anywhere. */
interface Costs {
  heldMib: number
  readMib: number
}

const readMibBy = (pid: number): number => figureOf(pid, 'io', 'rchar') / 2 ** 20

type Manner = Omit<Attack, 'port' | 'token'> & {
  check?: (outcome: Outcome, reportFailure: ReportFailure, reportFigure: ReportFailure) => void
}

/** Products that make a page of 300 kB. A row fits into a page of the file: what does not, SQLite reads past its cache each time. */
const largePage = () =>
  Array.from({ length: 100 }, (_, index) => ({
    kind: 'product',
    id: 100 + index,
    name: `Product ${index}`,
    type: 'PRODUCT',
    price: 1,
    full_name: 'x'.repeat(3_000),
  }))

/** Whether few enough of them were shed, which comes before anything else is looked at. */
const fewShed = ({ '503': shed = 0 }: Outcome['statuses'], count: number, share: number) => shed <= share * count

// A client that still writes while it is cut may not get to read why.
const allCut =
  (count: number, shed: number, withinMs = Number.POSITIVE_INFINITY, status?: string) =>
  ({ cut, lastCutMs, statuses }: Outcome, reportFailure: ReportFailure, reportFigure: ReportFailure) => {
    const others = Object.keys(statuses).filter((other) => other !== status && other !== '503')
    if (status && (others.length > 0 || !fewShed(statuses, count, shed)))
      reportFailure(`told ${JSON.stringify(statuses)}, not ${status}`)
    if (cut < count) reportFailure(`only ${cut} of ${count} were cut`)
    if (lastCutMs > withinMs) reportFigure(`one was cut after ${Math.round(lastCutMs)} ms`)
  }

const allAnswered =
  (count: number, shed: number, status: string) =>
  ({ refused, statuses }: Outcome, reportFailure: ReportFailure) => {
    if (refused > 0) reportFailure(`${refused} were refused`)
    const answered = (statuses[status] ?? 0) + (statuses['503'] ?? 0)
    if (answered !== count || !fewShed(statuses, count, shed))
      reportFailure(`of ${count} only these were answered: ${JSON.stringify(statuses)}`)
  }

const percentile = (answers: readonly Answer[], part: number) =>
  answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(answers.length * part)] ?? 0

function said({ refused, cut, lastCutMs, statuses }: Outcome): string {
  const counts = Object.entries(statuses).map(([status, times]) => `${status} × ${times}`)
  const ended = cut === 0 ? 'held' : `${cut} cut within ${(lastCutMs / 1000).toFixed(1)} s`
  return [ended, ...(refused > 0 ? [`${refused} refused`] : []), ...counts].join(', ')
}
