import { type ChildProcess, fork, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Installation } from './database/engines.ts'

const HOST = fileURLToPath(new URL('command-host.ts', import.meta.url))
const BIN = fileURLToPath(new URL('../bin/comptoir.js', import.meta.url))

/** A command for the process that the commands of a test file share. */
export interface Request {
  words: string[]
  env: Record<string, string>
  input: string | Uint8Array
}

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs `comptoir` as a person would. `serve` has a process of its own, other commands share one: they run one after the other. */
export function comptoir(
  { env }: Pick<Installation, 'env'>,
  words: string[],
  input: string | Buffer = '',
): Promise<Outcome> {
  if (words.includes('serve')) return comptoirAlone({ env }, words, input)
  const outcome = last.then(() => inHost({ words, env: { PATH: process.env.PATH!, ...env }, input }))
  last = outcome.catch(() => {})
  return outcome
}

let last: Promise<unknown> = Promise.resolve()
let host: ChildProcess | undefined

function inHost(request: Request): Promise<Outcome> {
  host ??= startHost()
  const running = host
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => {
      host = undefined
      reject(new Error(`comptoir ${request.words.join(' ')} ended its process: ${code}`))
    }
    running.ref()
    running.channel!.ref()
    running.once('exit', ended).once('message', (outcome) => {
      running.off('exit', ended)
      running.unref()
      running.channel!.unref()
      resolve(outcome as Outcome)
    })
    running.send(request)
  })
}

function startHost(): ChildProcess {
  const started = fork(HOST, {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  process.once('exit', () => started.kill('SIGKILL'))
  return started
}

/** Runs it in a process of its own: for promises about that, and input that does not come from the test. */
export function comptoirAlone(
  { env }: Pick<Installation, 'env'>,
  words: string[],
  input: string | Buffer = '',
): Promise<Outcome> {
  const child = start({ env }, words)
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text))
  child.stdin.on('error', () => {}) // it may end before it has read everything
  child.stdin.end(input)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })))
}

/** The same with `--json`, its answer parsed; a failure is thrown with what it said. */
export async function comptoirJson<Answer>(
  installation: Pick<Installation, 'env'>,
  words: string[],
  input: string | Buffer = '',
): Promise<Answer> {
  const { code, stdout, stderr } = await comptoir(installation, [...words, '--json'], input)
  if (code !== 0) throw new Error(`comptoir ${words.join(' ')}: ${stderr}`)
  return JSON.parse(stdout) as Answer
}

export const start = ({ env }: Pick<Installation, 'env'>, words: string[]) =>
  spawn(process.execPath, [BIN, ...words], { env: { PATH: process.env.PATH, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })

// A server that nobody stops does not keep its test's process alive, and ends with it.
const servers = new Set<ChildProcess>()
process.once('exit', () => {
  for (const server of servers) server.kill('SIGKILL')
})

export interface Serving {
  url: string
  pid: number
  /** What it logged so far. */
  logged(): string
  /** Asks it to go and answers its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts `comptoir serve` and waits until it is ready. */
export async function serving({ env }: Pick<Installation, 'env'>, words: string[] = []): Promise<Serving> {
  const child = start({ env: { ...env, COMPTOIR_LOG_LEVEL: 'info' } }, ['serve', ...words])
  servers.add(child)
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  exited.then(() => servers.delete(child))
  let logged = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      logged += text
      const ready = /"port":(\d+)[^\n]*"msg":"ready"/.exec(logged)
      if (ready) resolve(Number(ready[1]))
    })
    child.stderr.setEncoding('utf8').on('data', (text) => (logged += text))
    exited.then((code) => reject(new Error(`serve ended with ${code}: ${logged}`)))
  })
  const pipes = [child.stdin, child.stdout, child.stderr] as unknown as Socket[]
  child.unref()
  for (const pipe of pipes) pipe.unref()
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    logged: () => logged,
    stop(signal = 'SIGTERM') {
      child.ref()
      child.kill(signal)
      return exited
    },
  }
}
