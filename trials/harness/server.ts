import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { waitUntil } from './client.ts'
import type { Trial } from './trial.ts'

export const BIN = fileURLToPath(new URL('../../server/bin/comptoir.js', import.meta.url))

export type Env = Record<string, string>

export interface Process {
  pid: number
  /** Everything it wrote so far. */
  said(): string
  exited: Promise<number | null>
  /** Asks it to stop, and resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts `comptoir` as a person would. */
export function start(env: Env, words: readonly string[]): Process {
  const child = spawn(process.execPath, [BIN, ...words], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    pid: child.pid!,
    said: () => said,
    exited,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}

/** Runs a command to its end and returns what it wrote; a failure is thrown with it. */
export async function comptoir(env: Env, ...words: string[]): Promise<string> {
  const { exited, said } = start(env, words)
  if ((await exited) !== 0) throw new Error(said())
  return said()
}

/** One `comptoir serve`, with one worker or several. */
export interface Server extends Process {
  url: string
  /** Pids of the workers in the order in which they became ready; those that have ended included. */
  workers(): number[]
  /** Resolves when this many workers have become ready, those that have ended included. */
  ready(workers: number): Promise<number>
}

/** Starts `comptoir serve`, and stops it after the experiment. All of its workers are ready when this resolves. */
export async function serve(
  { after }: Pick<Trial, 'after'>,
  { env }: { env: Env },
  settings: Env = {},
): Promise<Server> {
  const server = start({ ...env, ...settings }, ['serve'])
  after(() => server.stop())
  const readyLines = () => [...server.said().matchAll(/"pid":(\d+)[^\n]*"port":(\d+)[^\n]*"msg":"ready"/g)]
  const ready = (count: number) =>
    Promise.race([
      waitUntil(`${count} workers ready`, 90_000, () => readyLines().length >= count),
      server.exited.then((code) =>
        Promise.reject(new Error(`serve ended with ${code}: ${server.said().slice(-2_000)}`)),
      ),
    ])
  await ready(Number(settings.COMPTOIR_WORKERS ?? 1))
  const url = `http://127.0.0.1:${readyLines()[0]![2]}`
  return { ...server, url, ready, workers: () => readyLines().map(([, pid]) => Number(pid)) }
}

/** Settings by which what races on PostgreSQL is spread over many workers. SQLite has one. */
export const manyWorkers = async ({ sizes, redis }: Trial, engine: 'SQLite' | 'PostgreSQL'): Promise<Env> =>
  engine === 'SQLite' ? {} : { REDIS_URL: (await redis()).url, COMPTOIR_WORKERS: String(sizes.raceWorkers) }

/** Servers that share nothing but their stores. */
export const serveApart = (trial: Pick<Trial, 'after'>, installation: { env: Env }, servers: number, settings = {}) =>
  Promise.all(
    Array.from({ length: servers }, () => serve(trial, installation, { COMPTOIR_FLEET: String(servers), ...settings })),
  )
