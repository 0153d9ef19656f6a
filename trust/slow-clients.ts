import { readFileSync } from 'node:fs'
import { type Answer, atRate, keepAlive, tally } from '../scale/client.ts'
import type { Attack, Outcome } from './attacker.ts'
import { crowd } from './crowd.ts'
import { client, install, serveOn } from './installation.ts'
import { menu } from './tenants.ts'
import type { Broke, Trial } from './trial.ts'

const PROBES_PER_SECOND = 50
const CUT_WITHIN_MS = 15_000 // 5 s for headers and 10 s for a request, looked at once a second, and a busy machine
const GROWTH_MIB = 192
const MOST_BYTES = 8 * 2 ** 20 // what sockets and their buffers take before they are cut
const ATTACKERS = 3

/** F12, F13, F15: clients that are slow, greedy or many cost the others nothing. */
export async function slowClients(trial: Trial): Promise<void> {
  const installation = await install(trial, 'SQLite', menu('bistro'))
  const server = await serveOn(trial, installation)
  const caller = await client(trial, server.url, installation.credentials)
  const attackers = await crowd<Attack, Outcome>(trial, './attacker.ts', ATTACKERS)
  const { slowSockets, endlessBodies, connects, probeP99Ms } = trial.sizes
  const port = Number(new URL(server.url).port)
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024

  const under = (who: string, attacks: readonly Manner[]) =>
    trial.promise(`a healthy client does not notice ${who}`, async (broke) => {
      const agent = keepAlive(20)
      const probe = () => caller.ask('/receipts/1', { agent })
      await probe()
      const before = memory()
      const attacking = attackers.run(
        attacks.map(({ check: _, ...attack }) => ({ port, token: caller.token, ...attack })),
      )
      const answers = await atRate(PROBES_PER_SECOND, attacking, probe)
      agent.destroy()
      const outcomes = await attacking
      for (const [index, { check }] of attacks.entries()) check?.(outcomes[index]!, broke)
      if (answers.some(({ status }) => status !== 200)) broke(`probes: ${tally(answers)}`)
      const p99 = percentile(answers, 0.99)
      if (p99 > probeP99Ms) broke(`p99 of the probes is ${Math.round(p99)} ms`)
      const growth = memory() - before
      if (growth > GROWTH_MIB) broke(`${growth.toFixed(0)} MiB more memory`)
      const told = attacks.map((attack, index) => `${attack.count} × ${attack.kind}: ${said(outcomes[index]!)}`)
      return `${answers.length} probes, p99 ${p99.toFixed(0)} ms; ${told.join('; ')}`
    })

  const slow = { count: slowSockets, perSecond: 200 }
  const greedy = { count: endlessBodies, perSecond: 200 }
  await under('slow ones', [
    { kind: 'slow headers', ...slow, forMs: 25_000, check: allCut(slowSockets) },
    { kind: 'slow bodies', ...slow, forMs: 25_000, check: allCut(slowSockets) },
    { kind: 'slow readers', ...slow, forMs: 10_000 },
  ])
  await under('greedy ones', [
    { kind: 'endless bodies', ...greedy, forMs: 20_000, check: refused(endlessBodies, '413') },
    { kind: 'huge headers', ...greedy, forMs: 20_000, check: refused(endlessBodies, '431') },
    { kind: 'deep JSON', ...greedy, forMs: 20_000, check: refused(endlessBodies, '400') },
  ])
  await under('very many', [{ kind: 'connects', count: connects, perSecond: 2_000, forMs: 3_000 }])
  await server.stop()
}

type Manner = Omit<Attack, 'port' | 'token'> & { check?: (outcome: Outcome, broke: Broke) => void }

const allCut =
  (count: number) =>
  ({ cut, lastCutMs, statuses }: Outcome, broke: Broke) => {
    if (Object.keys(statuses).join() !== '408') broke(`the slow were told ${JSON.stringify(statuses)}`)
    if (cut < count) broke(`only ${cut} of ${count} were cut`)
    if (lastCutMs > CUT_WITHIN_MS) broke(`one was cut after ${Math.round(lastCutMs)} ms`)
  }

// A client that still writes while it is cut may not get to read why.
const refused =
  (count: number, status: string) =>
  ({ cut, mostTaken, statuses }: Outcome, broke: Broke) => {
    if (Object.keys(statuses).some((told) => told !== status)) broke(`told ${JSON.stringify(statuses)}, not ${status}`)
    if (cut < count) broke(`only ${cut} of ${count} were cut`)
    if (mostTaken > MOST_BYTES) broke(`${mostTaken} bytes of one were taken`)
  }

const percentile = (answers: readonly Answer[], part: number) =>
  answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(answers.length * part)] ?? 0

function said({ cut, lastCutMs, statuses }: Outcome): string {
  if (cut === 0) return 'held'
  const told = Object.entries(statuses).map(([status, times]) => `${status} × ${times}`)
  return [`${cut} cut within ${(lastCutMs / 1000).toFixed(1)} s`, ...told].join(', ')
}
