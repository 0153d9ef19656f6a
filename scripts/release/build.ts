import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import server from '../../server/package.json' with { type: 'json' }
import { currentDays } from '../../server/src/demo/days-file.ts'
import { copyFiles } from './files.ts'
import { notice } from './notice.ts'
import { copyPackages, type Work } from './packages.ts'

// `npm run build` makes dist/: the service as JavaScript, its pages and the packages that it runs on, in the places that they have in a
// checkout. It is a folder to start from, and the npm package @comptoir/server.

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
export const DIST = join(ROOT, 'dist')
export const { version } = server

const LICENCES = 'back-office/dist/.vite/licences.json'
const DAYS = 'server/dist/demo-days.json.zst'
const DEPLOY = ['Caddyfile', 'comptoir.service', 'health.js']

/** Builds into an empty folder. The pages, the SDK and the demo's days are those that `npm run prepare` made. */
export function build(target: string): void {
  if (!existsSync(join(ROOT, LICENCES)) || currentDays() === undefined)
    throw new Error('The pages or the days of the demo are not those of this code: npm run prepare')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const from = (path: string) => join(ROOT, path)
  const to = (path: string) => join(target, path)

  compile(target)
  copyFiles(from('server/src'), to('server/src'), (file) => !/\.(ts|js|json)$/.test(file))
  cpSync(from(DAYS), to(DAYS))
  copyFiles(from('back-office/dist'), to('back-office/dist'), (file) => !file.startsWith('.'))
  const packages = copyPackages(ROOT, target)
  const sdk = 'node_modules/@comptoir/sdk'
  copyFiles(from('sdk'), to(sdk), (file) => /^(dist\/.*\.js|package\.json|LICENSE)$/.test(file))

  writeFileSync(to('package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`)
  writeFileSync(to('NOTICE'), notice([...packages, ...worksInPages(), worksInReference()]))
  cpSync(from('LICENSE'), to('LICENSE'))
  cpSync(from('scripts/release/README.md'), to('README.md'))
  for (const file of globSync('docs/{,pictures/,performance/}*.{md,webp,svg}', { cwd: ROOT }))
    cpSync(from(file), to(file))
  for (const file of DEPLOY) cpSync(from(`deploy/${file}`), to(`deploy/${file}`))
}

function compile(target: string): void {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const words = [tsc, '--project', join(ROOT, 'scripts/release/tsconfig.json'), '--outDir', target]
  execFileSync(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] })
  chmodSync(join(target, 'server/bin/comptoir.js'), 0o755)
}

/** With all packages in the archive, so that what was tested is what is installed, also without a network. */
function manifest() {
  const { name, description, license, type, engines, dependencies } = server
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { comptoir: 'server/bin/comptoir.js' },
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  }
}

/** The packages in the scripts of the pages, as the bundler lists them. */
function worksInPages(): Work[] {
  const listed = JSON.parse(readFileSync(join(ROOT, LICENCES), 'utf8')) as {
    name: string
    version: string
    identifier?: string
    text?: string
  }[]
  return listed.map(({ name, version, identifier = '', text }) => ({
    name,
    version,
    licence: identifier,
    texts: text ? [text] : [],
  }))
}

/** The script of GET /docs. */
function worksInReference(): Work {
  const text = readFileSync(join(ROOT, 'server/src/openapi/reference/LICENSE'), 'utf8').trim()
  return { name: '@scalar/api-reference', version: '', licence: 'MIT', texts: [text] }
}

if (import.meta.main) build(DIST)
