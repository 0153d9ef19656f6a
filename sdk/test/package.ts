import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const SDK = fileURLToPath(new URL('..', import.meta.url))
const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url))

export const run = promisify(execFile)

/** Runs the compiler; answers what it found fault with. */
export async function compile(...options: string[]): Promise<string> {
  const tsc = join(MODULES, 'typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, ...options]).catch((error) => error)
  return stdout
}

const scratch: string[] = []
after(() => Promise.all(scratch.map((folder) => rm(folder, { recursive: true, force: true }))))

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'comptoir-sdk-'))
  scratch.push(folder)
  return folder
}

export interface Package {
  dist: string
  tarball: string
}

/** The package made from the sources as they are now, beside the one that others may be using. */
export async function pack(): Promise<Package> {
  const folder = await emptyFolder()
  const dist = join(folder, 'dist')
  const faults = await compile('--project', SDK, '--outDir', dist)
  if (faults) throw new Error(faults)
  for (const file of ['package.json', 'README.md', 'LICENSE']) await copyFile(join(SDK, file), join(folder, file))
  const { filename } = await npmPack(folder)
  return { dist, tarball: join(folder, filename) }
}

/** What publishing would send out. */
export async function published(): Promise<string[]> {
  const { files } = await npmPack(SDK, '--dry-run')
  return files.map(({ path }) => path)
}

async function npmPack(cwd: string, ...options: string[]): Promise<{ filename: string; files: { path: string }[] }> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', ...options], { cwd })
  return JSON.parse(stdout)[0]
}

/** A project of its own that has these files, and the package as its only dependency. */
export async function project({ tarball }: Package, files: Record<string, string>): Promise<string> {
  const folder = await emptyFolder()
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
  return folder
}

/** Lets a project use the types that the repository has installed. */
export const lendTypes = (folder: string): Promise<void> =>
  symlink(join(MODULES, '@types'), join(folder, 'node_modules/@types'))
