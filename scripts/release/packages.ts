import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyFiles } from './files.ts'

// The packages that the service needs at run time: what `npm ci --omit=dev` would install, taken from what is installed.

/** A work of others that is shipped. */
export interface Work {
  name: string
  version: string
  licence: string
  /** Texts of its licence files. */
  texts: readonly string[]
}

interface LockEntry {
  version?: string
  dev?: boolean
  link?: boolean
}

const RUN = /\.(js|mjs|cjs|json|wasm|node)$/
const LICENCE = /^(licen[cs]e|copying|notice)/i
const TEST = /\.test\.[cm]?js$/
const NOT_RUN = /^(test|tests|bench|benchmark|benchmarks|docs|example|examples|coverage|\.[^/]*)\//

/** Copies what of each package is run, and its licence: no types, tests, sources or pages. Returns the packages. */
export function copyPackages(root: string, target: string): Work[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>
  }
  const wanted = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  )
  return wanted.map(([path, { version }]) => {
    const folder = join(root, path)
    const installed = existsSync(folder) ? workIn(folder) : undefined
    if (installed?.version !== version)
      throw new Error(`${path} is ${installed?.version ?? 'not installed'}, not ${version}: npm ci`)
    copyFiles(folder, join(target, path), (file) => isNeeded(file) && !/(^|\/)node_modules\//.test(file))
    return installed!
  })
}

const isNeeded = (file: string) => LICENCE.test(file) || (RUN.test(file) && !TEST.test(file) && !NOT_RUN.test(file))

/** What a package's folder says of it. */
function workIn(folder: string): Work {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile() && LICENCE.test(file.name))
  const texts = files.map((file) => readFileSync(join(folder, file.name), 'utf8').trim())
  return { name, version, licence: license, texts }
}
