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
  'lan',
  'limits',
  'lists',
  'observe',
  'openapi',
  'directory',
  'auth',
  'resource',
  'resources',
  'events',
  'delivery',
  'webhooks',
  'printing',
  'pos',
  'menu',
  'compat',
  'setup',
  'backup',
  'back-office',
  'demo',
  'cli',
]
const ASSEMBLY = ['app.ts', 'deps.ts', 'main.ts', 'serve.ts', 'supervise.ts', 'config.ts']
const ONE_FILE_A_THING = ['demo', 'cli']
const MAX_FILES = 12

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = fileURLToPath(new URL('../src/', import.meta.url))
const files = globSync('**/*.{ts,js}', { cwd: source }).filter(
  (file) => !/\.(test|suite)\.ts$|-fixture\.ts$/.test(file),
)
const textOf = (file: string) => readFileSync(join(source, file), 'utf8')
const importsIn = (text: string) =>
  [...text.matchAll(/(?:from|import|import\(|new URL\()\s*'([^']+)'/g)].map((match) => match[1]!)
const placeOf = (file: string) => FOLDERS.indexOf(file.split('/')[0]!)
/** The files that a file imports, from the folder that `folder` is relative to. */
const targetsIn = (file: string, folder: string) =>
  importsIn(readFileSync(file, 'utf8'))
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(folder, name)))
/** The files of server/src that a file of it imports. */
const neighboursOf = (file: string) =>
  targetsIn(join(source, file), dirname(file)).filter((target) => files.includes(target))

test('imports point one way', () => {
  for (const file of files.filter((each) => !ASSEMBLY.includes(each)))
    for (const target of neighboursOf(file))
      if (ASSEMBLY.includes(target)) assert.ok(target === 'config.ts' || file.startsWith('cli/'), `${file} → ${target}`)
      else assert.ok(placeOf(target) <= placeOf(file), `${file} → ${target}`)
})

test('no files import each other in a circle, for types neither', () => {
  const trees = '{server/src,sdk/src,back-office/src,bench,trials,acceptance,scripts}/**/*.{ts,tsx,js}'
  const all = new Set(globSync(trees, { cwd: root, exclude: ['**/node_modules/**'] }))
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), [...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    for (const target of targetsIn(join(root, file), dirname(file))) if (all.has(target)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of all) visit(file, [])
})

test('no SQL in http/', () => {
  for (const file of files.filter((name) => name.startsWith('http/')))
    assert.doesNotMatch(textOf(file), /\b(select .+ from|insert into|update \w+ set|delete from) /i, file)
})

test('every file is in a folder that has a place, and no folder has too many', () => {
  for (const file of files) assert.ok(ASSEMBLY.includes(file) || placeOf(file) !== -1, file)
  const others = globSync(['{sdk,back-office}/src/**/*.{ts,tsx}', '{trials,acceptance,bench,server/test}/**/*.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/*.test.ts'],
  })
  for (const [folder, inside] of Map.groupBy([...files, ...others], dirname))
    assert.ok(ONE_FILE_A_THING.includes(folder) || inside.length <= MAX_FILES, `${folder}: ${inside.length} files`)
})

test('the state of a request is declared in one file', () => {
  assert.deepEqual(
    files.filter((file) => textOf(file).includes("declare module 'fastify'")),
    ['http/call.ts'],
  )
})

const ONLY: [what: RegExp, files: RegExp][] = [
  [/^node:sqlite$/, /^storage\/sqlite\//],
  [/^pg$/, /^storage\/postgres\//],
  [/^ioredis$/, /^(limits\/redis-log|events\/news\/redis-news)\.ts$/],
  [/^jose\b/, /^auth\/token\.ts$/],
]
test('each driver is known to one place', () => {
  for (const file of files)
    for (const name of importsIn(textOf(file)))
      for (const [driver, allowed] of ONLY) if (driver.test(name)) assert.match(file, allowed, `${file} → ${name}`)
})

test('only config.ts reads the environment', () => {
  for (const file of files.filter((name) => name !== 'config.ts'))
    assert.ok(!textOf(file).includes('process.env'), file)
})

test('Markdown wraps at 100 columns; code and tables may be wider', () => {
  for (const file of globSync(['*.md', '{docs,sdk,examples}/*.md'], { cwd: root })) {
    const prose = readFileSync(join(root, file), 'utf8')
      .replaceAll(/^```.*?^```$/gms, '')
      .split('\n')
    for (const line of prose) assert.ok(line.length <= 100 || line.startsWith('|'), `${file}: ${line}`)
  }
})

test('every rule that a comment cites is in docs/contract.md', () => {
  const contract = readFileSync(join(root, 'docs/contract.md'), 'utf8')
  const citing = globSync('{server,trials,acceptance,sdk/src,back-office/src}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  for (const file of citing)
    for (const [, comment] of readFileSync(join(root, file), 'utf8').matchAll(/(?:\/\/|--|^\s*\/?\*\*?) (.*)$/gm))
      for (const [rule] of comment!.matchAll(/\b(?:[PEWM]\d{1,2}|[SI]\d{1,2}(?![-\w])|D\d\.\d{1,2})\b/g))
        assert.match(contract, new RegExp(`\\b${rule.replace('.', '\\.')}\\b`), `${file}: ${rule}`)
})

test('docs/trust.md names every experiment', () => {
  const page = readFileSync(join(root, 'docs/trust.md'), 'utf8')
  const table = readFileSync(join(root, 'trials/experiments.ts'), 'utf8')
  for (const [, name] of table.matchAll(/^ {4}(\w+),$/gm)) assert.ok(page.includes(`| \`${name}\` |`), name)
})

test('nothing is written in words that nobody says', () => {
  const written = globSync(
    ['{server,sdk,back-office,trials,acceptance,bench,scripts,examples}/**/*.{ts,tsx}', 'docs/*.md', '*.md', '.ci/run'],
    { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', 'server/test/house.test.ts'] },
  )
  for (const file of written) {
    const [archaic] = /.*\b(?:whoever|anew)\b.*/i.exec(readFileSync(join(root, file), 'utf8')) ?? []
    assert.equal(archaic, undefined, `${file}: ${archaic}`)
  }
})

test('a comment begins with a verb or the noun it describes', () => {
  const own = globSync('{server,sdk,back-office,trials,acceptance,bench,scripts,examples}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
  for (const file of own) {
    const text = readFileSync(join(root, file), 'utf8')
    const [unclear] = /(?:\/\/|\/\*\*?(?:\n *\*)?) (?:Of|Who|Whose|Those)\b.*/.exec(text) ?? []
    assert.equal(unclear, undefined, `${file}: ${unclear}`)
  }
})
