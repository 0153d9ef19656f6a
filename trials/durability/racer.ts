import { pino } from 'pino'
import { buildApp } from '../../server/src/app.ts'
import { loadConfig } from '../../server/src/config.ts'
import { closeDeps, openDeps } from '../../server/src/deps.ts'
import type { Credentials } from '../harness/installation.ts'
import { serveTasks } from '../harness/process-pool.ts'

// One of several processes that race for the same values; its parent says when, and gets the answers.

const MAX_RETRIES = 50
const DEADLOCK = '40P01' // as PostgreSQL calls it

export interface Course {
  env: Record<string, string>
  credentials: Credentials
  bodies: { name: string; phone?: string; code?: string; cid?: string }[]
  /** How many of them are under way at once. */
  lanes: number
}

export interface Finish {
  status: number
  error?: string
  field?: string
  id?: string
  /** How often it was told to try again. */
  retries: number
}

async function race({ env, credentials, bodies, lanes }: Course): Promise<Finish[]> {
  const deadlocked = new Set<string>()
  const log = pino(
    { level: 'error' },
    { write: (line: string) => void (line.includes(DEADLOCK) && deadlocked.add(JSON.parse(line).request_id)) },
  )
  const deps = await openDeps(loadConfig(env), log)
  const app = buildApp(deps)
  const signedIn = await app.inject({ method: 'POST', url: '/v2/auth', payload: credentials })
  const headers = { 'x-token': signedIn.json().token as string }
  const finishes: Finish[] = []
  let next = 0

  async function lane(): Promise<void> {
    for (let index = next++; index < bodies.length; index = next++) finishes[index] = await one(bodies[index]!, index)
  }
  async function one(payload: Course['bodies'][number], index: number): Promise<Finish> {
    for (let retries = 0; ; retries++) {
      const remoteAddress = `10.${process.pid % 250}.${index >> 8}.${index & 255}`
      const answer = await app.inject({ method: 'POST', url: '/v2/customers', headers, payload, remoteAddress })
      const { error, details, data } = answer.json()
      // A busy store may say so; a deadlock is the service's own to solve.
      if (error === 'unavailable' && !deadlocked.has(details.request_id) && retries < MAX_RETRIES) continue
      return { status: answer.statusCode, error, field: details?.field, id: data?.id, retries }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  await app.close()
  await closeDeps(deps)
  return finishes
}

serveTasks(race)
