import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../harness/client.ts'
import type { Engine } from '../harness/installation.ts'
import type { Process } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { endLeases, type Hooks, openHooks, shared, startSender } from './hooks.ts'
import { ACCEPTING, checkLog, KINDS, type Kind, openReceiver, type Receiver } from './receivers.ts'

const LATEST_MS = 400
const LEASE_ENDS_ITSELF = 20 // every so many kills on PostgreSQL, in the full form

interface Endpoint {
  kind: Kind
  name: string
  id: string
  receiver: Receiver
}

/** W10, W24: senders are killed while they send to receivers of every kind. */
export async function killed(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const { webhookDeliveries, senderKills, goodReceivers } = trial.sizes
  const hooks = await openHooks(trial, engine)
  const endpoints = await addEndpoints(trial, hooks, goodReceivers)
  const accepting = endpoints.filter(({ kind }) => ACCEPTING.includes(kind))
  const senders = await startSenders(trial, hooks, engine)
  const random = trial.random(`killed senders ${engine}`)
  const chunk = Math.ceil(webhookDeliveries / accepting.length / (senderKills + 1))
  const [leader] = endpoints as [Endpoint]
  for (let kill = 1; kill <= senderKills; kill++) {
    const before = leader.receiver.accepted.size
    await hooks.publish(chunk)
    const enough = random.between(1, Math.ceil(chunk / 2))
    await waitUntil(`kill ${kill}: it sends`, 60_000, () => leader.receiver.accepted.size >= before + enough)
    await sleep(random.between(0, LATEST_MS))
    for (const { receiver } of endpoints) receiver.noteKill()
    const waits = !trial.quick && kill % LEASE_ENDS_ITSELF === 0
    await senders.kill(random.between(0, senders.count - 1), !waits, kill < senderKills)
  }
  await hooks.publish(chunk)
  for (const { receiver } of accepting) receiver.accept()
  for (const { id, kind } of accepting) {
    if (kind === 'flapping') await helpOn(hooks, id)
    await hooks.caughtUp(id)
  }
  let [deliveries, repeats] = [0, 0]
  for (const { kind, name, receiver } of endpoints) {
    const isAlwaysGood = kind === 'good' || kind === 'slow'
    repeats += checkLog(name, receiver.log, hooks.feed, { isAlwaysGood }, reportFailure)
    if (!ACCEPTING.includes(kind)) continue
    deliveries += receiver.accepted.size
    const missing = [...hooks.feed.keys()].filter((position) => !receiver.accepted.has(position))
    if (missing.length > 0) reportFailure(`${name} never got ${missing.length} events, the first ${missing[0]}`)
  }
  for (const { kind, name, receiver } of endpoints)
    if (!ACCEPTING.includes(kind) && receiver.arrived() === 0) reportFailure(`nothing was ever sent to ${name}`)
  await senders.stop()
  return `${senderKills} kills, ${hooks.feed.size} events, ${deliveries} delivered to ${accepting.length} receivers beside ${endpoints.length - accepting.length} that never accept, ${repeats} repeats, at most 72 after a kill`
}

async function addEndpoints(trial: Trial, hooks: Hooks, good: number): Promise<Endpoint[]> {
  const kinds: Kind[] = [
    ...Array<Kind>(good).fill('good'),
    ...(Object.keys(KINDS) as Kind[]).filter((kind) => kind !== 'good'),
  ]
  const endpoints: Endpoint[] = []
  for (const [index, kind] of kinds.entries()) {
    const receiver = await openReceiver(trial, KINDS[kind](trial.random(`receiver ${index}`)))
    const { id } = await hooks.add(receiver.url)
    endpoints.push({ kind, id, receiver, name: `the ${kind} receiver ${index}` })
  }
  return endpoints
}

/** As a person would: it is resumed, and what is held is sent now. */
const helpOn = ({ installation: { db } }: Hooks, id: string) =>
  db.transaction(async (tx) => {
    await tx.run(
      `update webhook_endpoints set state = 'active', reason = null, failures = 0, due_at = 0, not_before = 0, version = version + 1 where id = ?`,
      [id],
    )
    await tx.run(`update webhook_held set state = 'waiting', next_at = 0, attempts = 0 where endpoint_id = ?`, [id])
  })

/** SQLite has one sender, which is started again; on PostgreSQL another one is there already. */
async function startSenders(trial: Trial, hooks: Hooks, engine: Engine) {
  const count = engine === 'SQLite' ? 1 : 2
  const settings = engine === 'SQLite' ? {} : await shared(trial, count)
  const startOne = () => startSender(trial, hooks.installation, settings)
  const running: Process[] = await Promise.all(Array.from({ length: count }, startOne))
  return {
    count,
    async kill(index: number, endsLeases: boolean, isReplaced: boolean) {
      const { pid, stop } = running[index]!
      await stop('SIGKILL')
      if (endsLeases) await endLeases(hooks, pid)
      if (isReplaced || count === 1) running[index] = await startOne()
    },
    stop: () => Promise.all(running.map(({ stop }) => stop())),
  }
}
