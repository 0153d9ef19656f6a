import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installPackages, PACKAGES_FOR, programOf } from './packages.ts'

// Real servers for tests and manual work: those of DATABASE_URL and REDIS_URL, or throw-away ones.

export interface Services {
  databaseUrl: string | undefined
  redisUrl: string | undefined
  /** One sentence for each service that could not be started. */
  failed: string[]
  stop(): Promise<void>
}

export const NO_SERVICES: Services = {
  databaseUrl: undefined,
  redisUrl: undefined,
  failed: [],
  stop: async () => {},
}

export async function startServices(): Promise<Services> {
  const stops: (() => Promise<void>)[] = []
  const failed: string[] = []
  const attempt = async (name: string, given: string | undefined, start: () => Promise<Started>) => {
    if (given) return given
    try {
      const { url, stop } = await start()
      stops.push(stop)
      return url
    } catch (error) {
      failed.push(`${name}: ${(error as Error).message}`)
      return undefined
    }
  }
  const databaseUrl = await attempt('PostgreSQL', process.env.DATABASE_URL, startPostgres)
  const redisUrl = await attempt('Redis', process.env.REDIS_URL, startRedis)
  return {
    databaseUrl,
    redisUrl,
    failed,
    async stop() {
      for (const stop of stops) await stop()
    },
  }
}

/** A throw-away server, and its process id, for tests that stop or kill it. */
export interface Started {
  url: string
  pid: number
  stop(): Promise<void>
}

/** One whose data outlives its process, for tests of what happens while it is away. */
export interface StartedPostgres extends Started {
  /** Stops the server and keeps its data. */
  halt(): Promise<void>
  /** Starts it again on the same port. */
  resume(): Promise<void>
}

export async function startPostgres(): Promise<StartedPostgres> {
  const bin = dirname(programOf('postgresql'))
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-pg-'))
  const account = unprivileged()
  if (account) chownSync(folder, account.uid, account.gid) // PostgreSQL refuses to run as root
  const data = join(folder, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'comptoir', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    stdio: 'pipe',
    cwd: folder,
    ...account,
  })
  const port = await freePort()
  // Throw-away data need not be durable; all other settings are those of production.
  const settings = [
    'fsync=off',
    'max_connections=400',
    `unix_socket_directories=${folder}`,
    'listen_addresses=127.0.0.1',
  ]
  const run = async () => {
    const server = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      {
        stdio: 'ignore',
        cwd: folder,
        ...account,
      },
    )
    await answers(server, 'PostgreSQL', () =>
      execFileSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' }),
    )
    return server
  }
  let server = await run()
  return {
    url: `postgres://comptoir@127.0.0.1:${port}/postgres`,
    pid: server.pid!,
    halt: () => ended(server, 'SIGINT'),
    async resume() {
      server = await run()
    },
    stop: () => end(server, 'SIGINT', folder),
  }
}

/** `at`: the port, where it must be the same as before. */
export async function startRedis(fixedPort?: number): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-redis-'))
  const port = fixedPort ?? (await freePort())
  const server = spawn(
    programOf('redis-server'),
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
    { stdio: 'ignore' },
  )
  await answers(server, 'Redis', async () => (await connects(port)) || Promise.reject(new Error('not yet')))
  return { url: `redis://127.0.0.1:${port}`, pid: server.pid!, stop: () => end(server, 'SIGTERM', folder) }
}

function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  return { uid: id('-u'), gid: id('-g') }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

export function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function answers(server: ChildProcess, name: string, probe: () => unknown): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (server.exitCode !== null) throw new Error(`${name} ended with code ${server.exitCode}`)
    try {
      await probe()
      return
    } catch {
      await sleep(100)
    }
  }
  throw new Error(`${name} did not answer within 30 s`)
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = new Promise((resolve) => server.once('exit', resolve))
  if (server.exitCode === null && server.kill(signal)) await exited
}

export async function end(server: ChildProcess, signal: NodeJS.Signals, folder: string): Promise<void> {
  await ended(server, signal)
  rmSync(folder, { recursive: true, force: true })
}

// `npm run services`: the same two, for manual work.
if (import.meta.main) {
  const write = (line: string) => void process.stdout.write(`${line}\n`)
  await installPackages(PACKAGES_FOR.services, write)
  const services = await startServices()
  for (const line of services.failed) write(line)
  write(`export DATABASE_URL=${services.databaseUrl ?? ''}`)
  write(`export REDIS_URL=${services.redisUrl ?? ''}`)
  write('They run until Ctrl-C.')
  const stop = () => services.stop().then(() => process.exit(0))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  setInterval(() => {}, 1 << 30)
}
