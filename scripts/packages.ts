import { execFile } from 'node:child_process'
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

// Programs that tests, trials and benchmarks run. This is the only list. The runner installs them once, before the first test file or
// experiment: files run in parallel, and apt has a lock.

/** Debian packages, and where the program that we run from each of them may be. */
const PACKAGES = {
  chromium: ['/usr/bin/chromium'],
  curl: ['/usr/bin/curl'],
  debootstrap: ['/usr/sbin/debootstrap'],
  haproxy: ['/usr/sbin/haproxy'],
  iproute2: ['/usr/sbin/ip', '/usr/bin/ip', '/sbin/ip'],
  'libnss3-tools': ['/usr/bin/certutil'],
  openssl: ['/usr/bin/openssl'],
  postgresql: ['/usr/lib/postgresql/*/bin/initdb'],
  procps: ['/usr/bin/ps', '/bin/ps'],
  'redis-server': ['/usr/bin/redis-server', '/usr/bin/valkey-server', '/usr/local/bin/redis-server'],
  sqlite3: ['/usr/bin/sqlite3'],
  strace: ['/usr/bin/strace'],
  wrk: ['/usr/bin/wrk', '/usr/local/bin/wrk', '/opt/homebrew/bin/wrk'],
}
export type Package = keyof typeof PACKAGES

/** What each command runs. */
export const PACKAGES_FOR = {
  services: ['postgresql', 'redis-server'],
  test: ['postgresql', 'redis-server', 'chromium', 'curl', 'libnss3-tools', 'openssl', 'sqlite3'],
  screenshots: ['chromium'],
  trials: ['postgresql', 'redis-server', 'strace'],
  fleetTrials: ['postgresql', 'redis-server', 'haproxy'],
  bench: ['postgresql', 'redis-server', 'procps', 'wrk'],
} satisfies Record<string, Package[]>

const find = (name: Package) =>
  PACKAGES[name]
    .flatMap((place) => globSync(place))
    .sort()
    .at(-1)

/** The program of a package. */
export function programOf(name: Package): string {
  const file = find(name)
  if (file === undefined) throw new Error(`${name} is not installed (Debian: apt-get install ${name})`)
  return file
}

/** For a test that needs a program: why it is skipped, or false. The runner says it in capitals, and fails where CI is set. */
export const skipWithout = (name: Package): string | false => (find(name) ? false : `${name} is not installed`)

/** Where packages are installed. A test passes another. */
export interface Machine {
  isRoot: boolean
  aptGet: string
  has(name: Package): boolean
  /** Tells Debian not to start the service of a package that is installed: ours is another one. */
  policyFile: string
  pauseMs: number
}
const HERE: Machine = {
  isRoot: process.getuid?.() === 0,
  aptGet: '/usr/bin/apt-get',
  has: (name) => find(name) !== undefined,
  policyFile: '/usr/sbin/policy-rc.d',
  pauseMs: 1_000,
}

/** Installs those that are missing, on Debian as root. Returns one sentence about what cannot be had. */
export async function installPackages(
  names: readonly Package[],
  say: (line: string) => void,
  machine: Machine = HERE,
): Promise<string | undefined> {
  const missing = () => names.filter((name) => !machine.has(name))
  const wanted = missing()
  if (wanted.length === 0) return undefined
  let why = 'only root on Debian can install them here'
  if (machine.isRoot && existsSync(machine.aptGet)) {
    say(`installing ${wanted.join(', ')} from Debian's packages …`)
    why = await install(wanted, say, machine).then(
      () => 'apt-get installed something else',
      (error: { stderr?: string; message: string }) => (error.stderr || error.message).trim().replaceAll('\n', ' '),
    )
  }
  const left = missing()
  if (left.length === 0) return undefined
  return `${left.join(', ')} not installed (Debian: apt-get install ${left.join(' ')}): ${why}`
}

const LOCK_WAIT_SECONDS = 600

async function install(names: readonly Package[], say: (line: string) => void, machine: Machine): Promise<void> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }, maxBuffer: 2 ** 26 }
  const giveUpAt = Date.now() + LOCK_WAIT_SECONDS * 1000
  let isWaiting = false
  async function aptGet(...words: string[]): Promise<void> {
    try {
      await promisify(execFile)(
        machine.aptGet,
        ['-qq', '-o', `DPkg::Lock::Timeout=${LOCK_WAIT_SECONDS}`, ...words],
        options,
      )
    } catch (error) {
      // apt waits for dpkg's lock, but not for that of its package lists.
      if (!/Could not get lock/.test((error as { stderr: string }).stderr) || Date.now() > giveUpAt) throw error
      if (!isWaiting) say('another program uses apt: waiting for it …')
      isWaiting = true
      await sleep(machine.pauseMs)
      await aptGet(...words)
    }
  }
  const hasPolicy = existsSync(machine.policyFile)
  if (!hasPolicy) writeFileSync(machine.policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await aptGet('update')
    await aptGet('install', '-y', '--no-install-recommends', ...names)
  } finally {
    if (!hasPolicy) rmSync(machine.policyFile, { force: true })
  }
}
