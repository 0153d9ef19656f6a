import { type Answer, atRate, call, forwardedFor, freshAddress, keepAlive, waitUntil } from '../harness/client.ts'
import { client, type Engine } from '../harness/installation.ts'
import { serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { type Hooks, LOOPBACK, openHooks } from './hooks.ts'
import { openReceiver, type Receiver } from './receivers.ts'

const CONNECTIONS = 16
const WRITES_A_SECOND = 10
const SLOWER = 1.2
const PHASES = 3
const CAUGHT_UP_MS = 30_000

/** A 95th percentile of deliveries and a 99th of the API's answers, in milliseconds. */
interface Figures {
  readonly deliveries: number
  readonly api: number
  /** Writes of a hundred that were shed: a machine that does other things too sheds some. */
  readonly shed: number
}

/** W26: a frozen receiver, and a third that fail, slow neither the others nor the API. */
export async function frozen(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { frozenReceivers, frozenSeconds, slack, shed } = trial.sizes
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

  async function measured(): Promise<Figures> {
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
    const refused = answers.filter(({ status }) => status === 503).length
    const wrong = answers.find(({ status }) => status !== 200 && status !== 503)
    if (wrong) reportFailure(`a write was answered ${wrong.status}`)
    await waitUntil('all came', CAUGHT_UP_MS, () => latencies.length >= written * others.length)
    const times = answers.map(({ ms }) => ms)
    return { deliveries: percentile(latencies, 95), api: percentile(times, 99), shed: (100 * refused) / answers.length }
  }

  /** Two equal phases differ on a machine that does other things too: what slows deliveries slows them in every phase. */
  async function phases(): Promise<Figures[]> {
    const figures: Figures[] = []
    for (let phase = 0; phase < PHASES; phase++) figures.push(await measured())
    return figures
  }

  await measured() // warm
  const before = await phases()
  for (const [index, receiver] of broken.entries())
    receiver.behave(index === 0 ? () => {} : (response) => response.writeHead(500).end())
  const after = await phases()
  const compare = (what: string, of: keyof Figures): string => {
    const [worst, best] = [Math.max(...before.map((each) => each[of])), Math.min(...after.map((each) => each[of]))]
    const allowed = of === 'shed' ? worst + 100 * shed : worst * SLOWER * slack
    if (best > allowed) reportFailure(`${what}: ${listed(before, of)} before, ${listed(after, of)} then`)
    return `${what} ${listed(before, of)}, then ${listed(after, of)}`
  }
  const compared = [
    compare('p95 of the others in ms', 'deliveries'),
    compare('p99 of the API in ms', 'api'),
    compare('writes shed in %', 'shed'),
  ]
  await failingAre(hooks, broken.length - 1)
  await server.stop()
  return `1 of ${frozenReceivers} receivers frozen, ${broken.length - 1} failing: ${compared.join('; ')}`
}

/** It was tried: they do fail. */
async function failingAre({ rows }: Hooks, least: number): Promise<void> {
  const isFailing = async () =>
    (await rows()).filter(({ failures, state }) => state === 'failing' || failures > 0).length >= least
  await waitUntil('receivers fail', CAUGHT_UP_MS, isFailing)
}

const listed = (figures: readonly Figures[], of: keyof Figures) => figures.map((each) => each[of].toFixed(0)).join(', ')

const percentile = (values: readonly number[], part: number) =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor((values.length * part) / 100))]!
