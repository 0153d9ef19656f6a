import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { request as open } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from './request.ts'

// Every process of the benchmark is started here, and ended by its id, also when the benchmark is interrupted.

interface Program {
  command: string
  words: readonly string[]
  env?: Record<string, string>
  cwd?: string
  /** Where its output goes. */
  log: string
}

export interface Server extends AsyncDisposable {
  url: string
  /** From the start of its process to its first good answer. */
  coldStartMs: number
  /** What it and its children hold in memory now. */
  rssBytes(): number
  stop(): Promise<void>
}

const SLOWEST_START_MS = 180_000
const running = new Set<ChildProcess>()

export function start({ command, words, env, cwd, log }: Program) {
  const file = openSync(log, 'a')
  const child = spawn(command, words, {
    stdio: ['ignore', file, file],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    cwd,
  })
  closeSync(file)
  running.add(child)
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve).once('error', reject)
  }).finally(() => running.delete(child))
  return { child, exited }
}

/** Runs a program to its end; a failure is thrown with the place where its output is. */
export async function run(program: Program): Promise<void> {
  const code = await start(program).exited
  if (code !== 0) throw new Error(`${program.command} ${program.words[0]} ended with ${code}; see ${program.log}`)
}

/** What a program printed, once it has ended well. */
export function output(command: string, words: readonly string[], env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      words,
      { maxBuffer: 1 << 24, env: { PATH: process.env.PATH, ...env } },
      (error, stdout) => {
        running.delete(child)
        if (error) reject(error)
        else resolve(stdout)
      },
    )
    running.add(child)
  })
}

/** Starts a server and waits for the first answer to `first` that has the status it wants. */
export async function serve(program: Program, url: string, first: Request): Promise<Server> {
  const startedAt = performance.now()
  const { child, exited } = start(program)
  let code: number | null | undefined
  exited.then(
    (ended) => {
      code = ended ?? -1
    },
    () => {
      code = -1
    },
  )
  while ((await ask(url, first).catch(() => undefined))?.status !== first.status) {
    if (code !== undefined) throw new Error(`it ended with ${code}; see ${program.log}`)
    if (performance.now() - startedAt > SLOWEST_START_MS) {
      child.kill('SIGKILL')
      throw new Error(`it did not answer within ${SLOWEST_START_MS / 1000} s; see ${program.log}`)
    }
    await sleep(5)
  }
  return {
    url,
    coldStartMs: performance.now() - startedAt,
    rssBytes: () => treeRss(child.pid!),
    stop,
    [Symbol.asyncDispose]: stop,
  }

  async function stop() {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 30_000)
    await exited
    clearTimeout(late)
  }
}

/** For an interrupted benchmark: nothing stays behind. */
export async function endAll(): Promise<void> {
  const gone = [...running].map((child) => once(child, 'exit'))
  for (const child of running) child.kill('SIGTERM')
  await Promise.all(gone)
}

export interface Answer {
  status: number
  headers: [string, string][]
  body: string
}

/** One request, as the load generator would send it. */
export function ask(url: string, { method, path, headers, body }: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    open(url + path, { method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => (text += piece))
      response.once('error', reject).once('end', () => {
        const raw = response.rawHeaders
        const pairs = raw.flatMap((name, i) => (i % 2 ? [] : [[name.toLowerCase(), raw[i + 1]!] as [string, string]]))
        resolve({ status: response.statusCode!, headers: pairs, body: text })
      })
    })
      .once('error', reject)
      .end(body)
  })
}

function treeRss(root: number): number {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n')
  const processes = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number, number])
  const family = new Set([root])
  for (let before = 0; before < family.size; ) {
    before = family.size
    for (const [pid, parent] of processes) if (family.has(parent)) family.add(pid)
  }
  return processes.reduce((sum, [pid, , kib]) => (family.has(pid) ? sum + kib * 1024 : sum), 0)
}
