import { openService, type Sent } from '../harness/in-process.ts'
import { addTenant, ENGINES, type Engine, install } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import type { Trial } from '../harness/trial.ts'

const CRITICAL_T = 4.5
const KEPT = 0.9 // the slowest tenth is the machine's, not ours
const WARM_UP = 500

/** D5.2, D3.1: how long an answer takes does not tell whether there is such a client, nor whether an id is another brand's. */
export async function timing(trial: Trial): Promise<void> {
  for (const engine of ENGINES) {
    await signIns(trial, engine)
    await lookUps(trial, engine)
  }
}

const signIns = (trial: Trial, engine: Engine) =>
  compared(trial, engine, 'POST /auth takes as long for an unknown client', async () => {
    const { credentials, ...installation } = await install(trial, engine)
    const wrong = 'x'.repeat(credentials.client_secret.length)
    const unknown = credentials.client_id.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))
    const [one, other] = [credentials.client_id, unknown].map((client_id) => ({
      method: 'POST',
      path: '/auth',
      body: JSON.stringify({ ...credentials, client_id, client_secret: wrong }),
    }))
    return { service: await openService(trial, installation), sent: [one!, other!], status: 401 }
  })

const lookUps = (trial: Trial, engine: Engine) =>
  compared(trial, engine, 'GET /receipts/{id} takes as long for another brand’s id', async () => {
    const installation = await install(trial, engine, menu('bistro'))
    await addTenant(installation.db, installation.keys, 'annex', 'annex-hub', [
      { kind: 'venue', id: 1, name: 'Annex', is_main: true },
      { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
      { kind: 'user', id: 1, username: 'owner', role_id: 1 },
      { kind: 'receipt', id: 500, venue_id: 1, cid: 'theirs' },
    ])
    const service = await openService(trial, installation)
    const headers = { 'x-token': await service.token(installation.credentials) }
    const sent = [500, 501].map((id) => ({ method: 'GET', path: `/receipts/${id}`, headers }))
    return { service, sent, status: 404 }
  })

interface Setting {
  service: Awaited<ReturnType<typeof openService>>
  /** One that is there, to somebody, and one that is not. */
  sent: Sent[]
  /** What both are answered. */
  status: number
}

function compared(trial: Trial, engine: Engine, what: string, prepare: () => Promise<Setting>): Promise<void> {
  const promise = `${what} (|t| < ${CRITICAL_T}), ${engine}`
  return trial.promise(promise, async (reportFailure) => {
    const random = trial.random(promise)
    const { service, sent, status: expected } = await prepare()
    const { timedCalls } = trial.sizes
    const texts = new Set<string>()
    const measured = async () => {
      const took: [number[], number[]] = [[], []]
      for (let pair = -WARM_UP; pair < timedCalls; pair++) {
        const first = random.between(0, 1)
        for (const which of [first, 1 - first] as const) {
          const startedAt = process.hrtime.bigint()
          const { status, text } = await service.call(sent[which]!)
          const ns = Number(process.hrtime.bigint() - startedAt)
          if (status !== expected) reportFailure(`${status} ${text}`)
          texts.add(text)
          if (pair >= 0) took[which]!.push(ns)
        }
        service.lines.length = 0
      }
      const t = welch(...cropped(...took))
      const [one, other] = cropped(...took).map((sample) => moments(sample).mean / 1000)
      return { t, apart: `${Math.abs(one! - other!).toFixed(1)} µs apart, t = ${t.toFixed(1)}` }
    }
    const { t, apart } = await measured()
    if (Math.abs(t) >= CRITICAL_T) {
      // A busy machine can disturb a measurement. What a secret shows by is there again and again, in the same direction.
      const again = [await measured(), await measured()]
      if (again.every((other) => other.t * Math.sign(t) >= CRITICAL_T))
        reportFailure([apart, ...again.map((other) => other.apart)].join('; '))
    }
    if (texts.size !== 1) reportFailure(`two answers: ${[...texts].join(' ')}`)
    return `${timedCalls} of each, interleaved: ${apart}`
  })
}

/** Both without what is slower than most of all. */
function cropped(one: readonly number[], other: readonly number[]): [number[], number[]] {
  const all = [...one, ...other].sort((a, b) => a - b)
  const slowest = all[Math.floor(all.length * KEPT)]!
  return [one.filter((ns) => ns <= slowest), other.filter((ns) => ns <= slowest)]
}

function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [moments(one), moments(other)]
  return (a.mean - b.mean) / Math.sqrt(a.variance / one.length + b.variance / other.length)
}

function moments(sample: readonly number[]) {
  const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length
  const variance = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sample.length - 1)
  return { mean, variance }
}
