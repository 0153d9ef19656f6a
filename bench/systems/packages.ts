import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { CACHE } from '../data.ts'
import { run } from '../processes.ts'

// What users would pick instead has native parts, which are there for some versions of Node only.
const OLDEST = 20
const NEWEST = 24
const OWN = '22.23.3'

interface Installed {
  folder: string
  node: string
}

/** Installs packages, in exact versions, into a folder of the cache, with the Node that will run them. */
export async function installed(name: string, packages: readonly string[]): Promise<Installed> {
  const node = systemNode() ?? (await ownNode())
  return { folder: await install(name, packages, node), node }
}

async function install(name: string, packages: readonly string[], node: string): Promise<string> {
  const folder = join(CACHE, name)
  const done = join(folder, 'installed')
  if (existsSync(done)) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  await run({
    command: 'npm',
    words: ['install', '--no-audit', '--no-fund', ...packages],
    env: { PATH: dirname(node) + delimiter + process.env.PATH },
    cwd: folder,
    log: join(folder, 'install.log'),
  })
  writeFileSync(done, packages.join('\n'))
  return folder
}

/** A Node of this machine that they support; npm scripts put the project's own first in the path, and that one is too new. */
function systemNode(): string | undefined {
  const places = (process.env.PATH ?? '').split(delimiter).filter((place) => !place.includes('node_modules'))
  return places
    .map((place) => join(place, 'node'))
    .find((file) => {
      if (!existsSync(file)) return false
      const major = Number(execFileSync(file, ['-p', 'parseInt(process.versions.node)'], { encoding: 'utf8' }))
      return major >= OLDEST && major <= NEWEST
    })
}

async function ownNode(): Promise<string> {
  const folder = await install(`node-${OWN}`, [`node@${OWN}`], process.execPath)
  return join(folder, 'node_modules/node/bin/node')
}
