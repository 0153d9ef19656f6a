import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programOf, skipWithout } from '../scripts/packages.ts'
import { CACHE } from './data.ts'
import { ask, output, run } from './processes.ts'
import { PATH, type Request, type Varied } from './request.ts'

// The load: wrk where it is or can be installed, autocannon otherwise.

const AUTOCANNON = '8.0.0'
const CONNECTIONS = 32

export interface Round extends Omit<Request, 'path' | 'status' | 'vary'> {
  url: string
  /** The values are the lines of this file. */
  vary?: { header: string; file: string }
  connections: number
  seconds: number
}

export interface Outcome {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Processor cores that the load generator used; 1 is one core fully busy. */
  generatorCpu: number
}

export interface Load {
  name: string
  /** One round; throws when an answer was not the one wanted. */
  drive(url: string, request: Request, seconds: number): Promise<Outcome>
}

interface Printed {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  refused: number
  broken: number
  cpuSeconds: number
}

/** `folder`: for its own files. */
export async function openLoad(folder: string): Promise<Load> {
  const { name, command } = await generator()
  return {
    name,
    async drive(url, request, seconds) {
      const { path, status, vary, ...rest } = request
      const round: Round = { ...rest, url: url + path, connections: CONNECTIONS, seconds }
      if (vary) {
        round.vary = { header: vary.header, file: join(folder, 'values') }
        writeFileSync(round.vary.file, `${vary.values.join('\n')}\n`)
      }
      const [file, ...words] = command(round)
      const stdout = await output(file!, words)
      const printed = JSON.parse(stdout.trim().split('\n').at(-1)!) as Printed
      // Both generators count refusals, not statuses; which status it is, one more request tells.
      const wrong = status < 400 ? printed.refused : printed.requests - printed.refused
      if (printed.requests === 0 || printed.broken > 0 || wrong > 0)
        throw new Error(
          `${request.method} ${path}: ${wrong} wrong and ${printed.broken} broken of ${printed.requests} answers`,
        )
      if (vary?.once) vary.values = vary.values.slice(printed.requests + 2 * CONNECTIONS) // with those in flight at the end
      const after = await ask(url, vary ? variedBy(request, vary) : request)
      if (vary?.once) vary.values = vary.values.slice(1)
      if (after.status !== status) throw new Error(`${request.method} ${path}: ${after.status} instead of ${status}`)
      return {
        perSecond: printed.requests / printed.seconds,
        p50Ms: printed.p50Ms,
        p99Ms: printed.p99Ms,
        generatorCpu: printed.cpuSeconds / printed.seconds,
      }
    },
  }
}

const variedBy = (request: Request, { header, values: [value = ''] }: Varied): Request =>
  header === PATH ? { ...request, path: value } : { ...request, headers: { ...request.headers, [header]: value } }

type Command = (round: Round) => string[]

async function generator(): Promise<{ name: string; command: Command }> {
  return skipWithout('wrk') ? autocannon() : wrk(programOf('wrk'))
}

function wrk(file: string) {
  const script = fileURLToPath(new URL('wrk.lua', import.meta.url))
  const { stdout: version } = spawnSync(file, ['-v'], { encoding: 'utf8' })
  const command: Command = ({ url, method, headers, body = '', vary, connections, seconds }) => [
    file,
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    '-s',
    script,
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
    '--',
    method,
    body,
    ...(vary ? [vary.header, vary.file] : []),
  ]
  return { name: /^wrk \S+/.exec(version)?.[0] ?? 'wrk', command }
}

async function autocannon() {
  const folder = join(CACHE, `autocannon-${AUTOCANNON}`)
  const module = join(folder, 'node_modules/autocannon/autocannon.js')
  if (!existsSync(module)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const words = ['install', '--no-audit', '--no-fund', `autocannon@${AUTOCANNON}`]
    await run({ command: 'npm', words, cwd: folder, log: join(folder, 'install.log') })
  }
  const script = fileURLToPath(new URL('autocannon-round.ts', import.meta.url))
  const command: Command = (round) => [process.execPath, script, module, JSON.stringify(round)]
  return { name: `autocannon ${AUTOCANNON}`, command }
}
