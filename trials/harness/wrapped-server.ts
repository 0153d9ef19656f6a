import { spawn } from 'node:child_process'
import { waitUntil } from './client.ts'
import { BIN, type Env } from './server.ts'
import type { Trial } from './trial.ts'

/** `comptoir serve` started by another program, which does something to it. */
export interface WrappedServer {
  url: string
  /** Id of the process that serves. */
  pid: number
  stop(signal: NodeJS.Signals): Promise<unknown>
}

/** `words` start the program; `$serve` among them stands for what serves. */
export async function serveWrapped(trial: Trial, words: readonly string[], env: Env): Promise<WrappedServer> {
  const serve = [process.execPath, BIN, 'serve']
  const all = words.flatMap((word) => (word === '$serve' ? serve : [word.replaceAll('$serve', serve.join(' '))]))
  const child = spawn(all[0]!, all.slice(1), {
    env: { PATH: process.env.PATH, ...env },
    detached: true, // a group, which can be ended as one
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  let exit: number | null | undefined
  const exited = new Promise<void>((resolve) =>
    child.once('close', (code) => {
      exit = code ?? -1
      resolve()
    }),
  )
  trial.after(async () => {
    if (exit === undefined) process.kill(-child.pid!, 'SIGKILL')
    await exited
  })
  const ready = () => /"pid":(\d+)[^\n]*"port":(\d+)[^\n]*"msg":"ready"/.exec(said)
  await waitUntil('ready', 60_000, () => {
    if (exit !== undefined) throw new Error(`it ended with ${exit}: ${said}`)
    return ready() !== null
  })
  const [, pid, port] = ready()!.map(Number) as [number, number, number]
  const stop = async (signal: NodeJS.Signals) => {
    if (exit === undefined) process.kill(pid, signal)
    return exited
  }
  return { url: `http://127.0.0.1:${port}`, pid, stop }
}
