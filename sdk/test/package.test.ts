import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { compile, lendTypes, type Package, pack, project, published, run } from './package.ts'
import { CREDENTIALS, open, restaurant } from './restaurant.ts'

const LARGEST_BYTES = 12_000
const OLDEST_NODE = process.env.npm_node_execpath ?? '/usr/bin/node' // npm may be run by an older Node than ours

let sdk: Package
before(async () => {
  sdk = await pack()
})

test('the core is at most 12 kB, compressed; the generated list of operations comes on top', (t) => {
  const code = readdirSync(sdk.dist).filter((name) => name.endsWith('.js'))
  const bytesOf = (names: readonly string[]) =>
    gzipSync(names.map((name) => readFileSync(join(sdk.dist, name), 'utf8')).join('\n')).length
  const core = bytesOf(code.filter((name) => name !== 'resources.js'))
  t.diagnostic(
    `@comptoir/sdk is ${bytesOf(code)} bytes with gzip, its core ${core}: ${code.length} files, not minified`,
  )
  assert.ok(core <= LARGEST_BYTES, `${core} bytes`)
})

test('the tarball holds the build, the README and the licence, and nothing else', async () => {
  const paths = await published()
  const others = paths.filter((path) => !/^dist\/((http|events|menu)\/)?[a-z-]+(\.d\.ts|\.js)$/.test(path))
  assert.deepEqual(others.sort(), ['LICENSE', 'README.md', 'package.json'])
  assert.ok(paths.includes('dist/index.js') && paths.includes('dist/index.d.ts'))
})

test('the licence is the repository’s', () => {
  const [ours, root] = ['../LICENSE', '../../LICENSE'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  )
  assert.equal(ours, root)
})

/** Lists, creates and reads, and tells what it got. */
const program = (baseUrl: string) => `
import { Comptoir, ConflictError } from '@comptoir/sdk'
const client = new Comptoir(${JSON.stringify({ ...CREDENTIALS, baseUrl })})
let total = 0
for await (const { price } of client.products.list({ fields: ['price'], limit: 100 })) total += price ?? 0
await client.customers.create({ name: 'Aysel', phone: '+994501112233' })
const conflict = await client.customers.create({ name: 'Leyla', phone: '+994501112233' }).catch((error) => error)
const receipt = await client.venue(2).receipts.get(1)
console.log(total, conflict instanceof ConflictError, receipt.venue_id)
`
const TOLD = '8340 true 2\n'

test('it works in an ESM project, and brings nothing with it', async (t) => {
  const folder = await project(sdk, { 'program.js': program(await open(t, restaurant())) })
  assert.equal((await run(process.execPath, ['program.js'], { cwd: folder })).stdout, TOLD)
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
  assert.deepEqual(installed, ['@comptoir'])
})

test('it works under Node 20', async (t) => {
  const version = existsSync(OLDEST_NODE) ? (await run(OLDEST_NODE, ['--version'])).stdout.trim() : 'not there'
  if (!version.startsWith('v20.')) return t.skip(`${OLDEST_NODE} is ${version}`)
  t.diagnostic(`${OLDEST_NODE} is ${version}`)
  const folder = await project(sdk, { 'program.js': program(await open(t, restaurant())) })
  assert.equal((await run(OLDEST_NODE, ['program.js'], { cwd: folder })).stdout, TOLD)
})

const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true }
const onNode = { module: 'nodenext', target: 'es2022', lib: ['es2022'], types: ['node'] }
const bundled = { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['es2022', 'dom'], types: [] }

for (const [where, options] of [
  ['that knows Node and not the web', onNode],
  ['that knows the web and not Node, as a bundler sees it', bundled],
] as const)
  test(`it works in a TypeScript project ${where}, every declaration checked`, async (t) => {
    const wrong = `
// @ts-expect-error: the result has what was asked for, and no more
client.products.list({ fields: ['price'] }).page().then(({ data }) => data[0]?.cost_price)
`
    const folder = await project(sdk, {
      'program.ts': program(await open(t, restaurant())) + wrong,
      'tsconfig.json': JSON.stringify({ compilerOptions: { ...strict, ...options }, files: ['program.ts'] }),
    })
    if (options === onNode) await lendTypes(folder)
    assert.equal(await compile('--project', folder), '')
    assert.equal((await run(process.execPath, ['program.ts'], { cwd: folder })).stdout, TOLD)
  })
