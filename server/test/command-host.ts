import { Readable, Writable } from 'node:stream'
import { main } from '../src/main.ts'
import type { Request } from './command.ts'

// Runs the commands of one test file, one after the other: to start a process and load the modules takes half a second of a core, and
// most promises about a command are not about its process (command.ts).

/** Puts a stream in place of one of the process's own. Returns what was written to it. */
function collect(name: 'stdout' | 'stderr'): () => string {
  const chunks: Buffer[] = []
  const value = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  Object.defineProperty(process, name, { value, configurable: true })
  return () => Buffer.concat(chunks).toString()
}

process.on('message', async ({ words, env, input }: Request) => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = 0
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true })
  const [stdout, stderr] = [collect('stdout'), collect('stderr')]
  await main(words)
  process.send!({ code: process.exitCode, stdout: stdout(), stderr: stderr() })
})
process.setMaxListeners(0) // each command that can be stopped listens for signals, and expects to end with its process
