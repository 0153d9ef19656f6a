import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../server/bin/comptoir.js', import.meta.url))

export type Env = Record<string, string>

export interface Process {
  pid: number
  /** Everything it wrote so far. */
  said(): string
  exited: Promise<number | null>
  /** Asks it to go, and answers its exit code. */
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

/** Runs a command to its end and answers what it wrote; a failure is thrown with it. */
export async function comptoir(env: Env, ...words: string[]): Promise<string> {
  const { exited, said } = start(env, words)
  if ((await exited) !== 0) throw new Error(said())
  return said()
}
