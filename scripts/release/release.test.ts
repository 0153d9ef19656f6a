import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import lock from '../../package-lock.json' with { type: 'json' }
import { currentDays } from '../../server/src/demo/days-file.ts'
import { build, version } from './build.ts'
import { notice } from './notice.ts'
import { npmPackage } from './release.ts'

// What `npm run build` makes, outside of the checkout, where nothing of that can be found by mistake.

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'comptoir-build-'))
const dist = join(folder, 'dist')
const COMPTOIR = join(dist, 'server/bin/comptoir.js')
const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder }
let files: string[]

before(() => {
  assert.ok(currentDays(), 'the days of the demo are of other code')
  build(dist)
  files = globSync('**/*', { cwd: dist, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('a build has what is run, and nothing else', () => {
  const outside = files.filter((file) => !/^(server|back-office\/dist|node_modules|docs|deploy)\//.test(file))
  assert.deepEqual(outside.sort(), ['LICENSE', 'NOTICE', 'README.md', 'package.json'])
  const unwanted = /\.([cm]?ts|tsx|map)$|\.(test|suite|flow)\.|-fixture\.|(^|\/)\.|\/(tests?|benchmarks?)\//
  assert.deepEqual(
    files.filter((file) => unwanted.test(file)),
    [],
  )
  for (const file of [
    'server/bin/comptoir.js',
    'server/migrations/0001-directory.js',
    'server/src/pos/books/running/audit-thread.js',
    'server/src/storage/sqlite/activity-thread.js',
    'server/src/openapi/reference/scalar.js.gz',
    'server/src/http/favicon.ico',
    'server/dist/demo-days.json.zst',
    'back-office/dist/index.html',
    'node_modules/@comptoir/sdk/dist/index.js',
    'docs/operating.md',
    'deploy/comptoir.service',
  ])
    assert.ok(files.includes(file), file)
})

test('it has the packages that the lock file names for running, each with its licence in NOTICE', () => {
  const installed = files.filter((file) => /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file))
  const wanted = Object.entries(lock.packages as Record<string, { dev?: boolean; link?: boolean }>)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path]) => `${path}/package.json`)
  assert.deepEqual(installed.sort(), [...wanted, 'node_modules/@comptoir/sdk/package.json'].sort())
  const text = readFileSync(join(dist, 'NOTICE'), 'utf8')
  for (const path of installed) {
    const { name, version: own } = JSON.parse(readFileSync(join(dist, path), 'utf8'))
    assert.ok(name === '@comptoir/sdk' || text.includes(`\n${name} ${own} (`), name)
  }
  for (const name of ['react-dom', '@mantine/core', '@scalar/api-reference'])
    assert.ok(text.includes(`\n${name} `), name)
  assert.throws(
    () => notice([{ name: 'odd', version: '1.0.0', licence: '', texts: [] }]),
    /odd 1\.0\.0 names no licence/,
  )
})

test('comptoir says its version', async () => {
  const { stdout } = await run(process.execPath, [COMPTOIR, '--version'], { env })
  assert.equal(stdout, `${version}\n`)
})

test('comptoir starts from it, without the checkout, and serves its pages', async () => {
  const child = spawn(process.execPath, [COMPTOIR, 'serve'], {
    cwd: folder,
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  let port: string | undefined
  for await (const line of createInterface(child.stdout)) {
    port = /"port":(\d+)[^\n]*"msg":"ready"/.exec(line)?.[1]
    if (port) break
  }
  assert.ok(port, 'it ended before it was ready')
  child.stdout.resume()
  const [asset] = files.filter((file) => /^back-office\/dist\/assets\/.*\.js$/.test(file))
  const pages = ['health/ready', 'back-office/', asset!.replace('/dist/', '/'), 'docs/js/scalar.js', 'openapi.json']
  for (const path of pages) {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`)
    await answer.arrayBuffer()
    assert.equal(answer.status, 200, path)
  }
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
})

test('npm packs all of it', async () => {
  const { stdout } = await run('tar', ['-tzf', npmPackage({ dist, folder })], { maxBuffer: 2 ** 24 })
  assert.deepEqual(stdout.trim().split('\n').sort(), files.map((path) => `package/${path}`).sort())
})
