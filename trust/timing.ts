import { install } from './installation.ts'
import { openService } from './service.ts'
import type { Trial } from './trial.ts'

const CRITICAL_T = 4.5
const KEPT = 0.9 // the slowest tenth is the machine's, not ours

/** D5.2: how long POST /auth takes does not tell whether there is such a client. */
export async function timing(trial: Trial): Promise<void> {
  const promise = `POST /auth takes as long for an unknown client (|t| < ${CRITICAL_T})`
  await trial.promise(promise, async (broke) => {
    const random = trial.random(promise)
    const installation = await install(trial, 'SQLite')
    const service = await openService(trial, installation)
    const { credentials } = installation
    const { timedSignIns } = trial.sizes
    const wrong = 'x'.repeat(credentials.client_secret.length)
    const unknown = credentials.client_id.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))
    const bodies = [credentials.client_id, unknown].map((client_id) =>
      JSON.stringify({ ...credentials, client_id, client_secret: wrong }),
    )
    const took: [number[], number[]] = [[], []]
    const texts = new Set<string>()
    const warmUp = 500
    for (let pair = -warmUp; pair < timedSignIns; pair++) {
      const first = random.between(0, 1)
      for (const which of [first, 1 - first] as const) {
        const startedAt = process.hrtime.bigint()
        const { text } = await service.call({ method: 'POST', path: '/auth', body: bodies[which]! })
        const ns = Number(process.hrtime.bigint() - startedAt)
        texts.add(text)
        if (pair >= 0) took[which]!.push(ns)
      }
      service.lines.length = 0
    }
    if (texts.size !== 1) broke(`two answers: ${[...texts].join(' ')}`)
    const t = welch(...cropped(...took))
    const [one, other] = cropped(...took).map((sample) => moments(sample).mean / 1000)
    const apart = `${Math.abs(one! - other!).toFixed(1)} µs apart, t = ${t.toFixed(1)}`
    if (Math.abs(t) >= CRITICAL_T) broke(apart)
    return `${timedSignIns} of each, interleaved: ${apart}`
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
