import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

// The structure that docs/architecture.md describes. Imports point to an earlier folder of this list, or to the same one.
const FOLDERS = [
  'storage',
  'values',
  'http',
  'limits',
  'lists',
  'observe',
  'openapi',
  'directory',
  'auth',
  'resources',
  'back-office',
  'demo',
  'cli',
]
const ASSEMBLY = ['app.ts', 'deps.ts', 'main.ts', 'serve.ts', 'supervise.ts', 'config.ts']
const ONE_FILE_A_THING = ['resources', 'demo', 'cli']
const MOST_FILES = 12

const source = fileURLToPath(new URL('../src/', import.meta.url))
const files = globSync('**/*.{ts,js}', { cwd: source }).filter(
  (file) => !/\.(test|suite)\.ts$|-fixture\.ts$/.test(file),
)
const textOf = (file: string) => readFileSync(join(source, file), 'utf8')
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/(?:from|(?<!\{)import\(|new URL\()\s*'([^']+)'/g)].map((match) => match[1]!)
const placeOf = (file: string) => FOLDERS.indexOf(file.split('/')[0]!)
/** The files of server/src that a file imports. */
const neighboursOf = (file: string) =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)))
    .filter((target) => files.includes(target))

test('imports point one way', () => {
  for (const file of files.filter((each) => !ASSEMBLY.includes(each)))
    for (const target of neighboursOf(file))
      if (ASSEMBLY.includes(target)) assert.ok(target === 'config.ts' || file.startsWith('cli/'), `${file} → ${target}`)
      else assert.ok(placeOf(target) <= placeOf(file), `${file} → ${target}`)
})

test('no files import each other in a circle', () => {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), [...path, file].join(' → '))
    if (done.has(file)) return
    for (const target of neighboursOf(file)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
})

test('every file is in a folder that has a place, and no folder has too many', () => {
  for (const file of files) assert.ok(ASSEMBLY.includes(file) || placeOf(file) !== -1, file)
  for (const [folder, inside] of Map.groupBy(files, dirname))
    assert.ok(ONE_FILE_A_THING.includes(folder) || inside.length <= MOST_FILES, `${folder}: ${inside.length} files`)
})

test('the state of a request is declared in one file', () => {
  assert.deepEqual(
    files.filter((file) => textOf(file).includes("declare module 'fastify'")),
    ['http/call.ts'],
  )
})

const ONLY: [what: RegExp, files: RegExp][] = [
  [/^node:sqlite$/, /^storage\/sqlite\//],
  [/^pg$/, /^storage\/postgres\.ts$/],
  [/^ioredis$/, /^limits\/redis-log\.ts$/],
  [/^jose$/, /^auth\/token\.ts$/],
]
test('each driver is known to one place', () => {
  for (const file of files)
    for (const name of importsOf(file))
      for (const [driver, allowed] of ONLY) if (driver.test(name)) assert.match(file, allowed, `${file} → ${name}`)
})

test('only config.ts reads the environment', () => {
  for (const file of files.filter((name) => name !== 'config.ts'))
    assert.ok(!textOf(file).includes('process.env'), file)
})
