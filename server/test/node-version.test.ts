import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BIN = fileURLToPath(new URL('../bin/comptoir.js', import.meta.url))

/** Makes a Node say that it is another version. */
const pretending = (version: string) => {
  const code = `
    Object.defineProperty(process, 'version', { value: 'v${version}' })
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  return `--import=data:text/javascript,${encodeURIComponent(code)}`
}

const comptoirOn = (version: string) =>
  spawnSync(process.execPath, [pretending(version), BIN, '--help'], { encoding: 'utf8' })

for (const version of ['20.20.2', '22.21.0', '24.13.9'])
  test(`comptoir refuses to run on Node ${version}, in one sentence`, () => {
    const { status, stderr, stdout } = comptoirOn(version)
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, /^comptoir needs Node 24\.14 or newer; this is v[\d.]+\..*\n$/)
    assert.ok(stderr.includes(`v${version}.`))
  })

for (const version of ['24.14.0', '25.0.0'])
  test(`comptoir runs on Node ${version}`, () => {
    const { status, stderr, stdout } = comptoirOn(version)
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /^Usage: comptoir /)
  })

test('package.json asks for the same Node, and brings one', () => {
  for (const file of ['package.json', 'server/package.json'])
    assert.equal(JSON.parse(readFileSync(`${ROOT}/${file}`, 'utf8')).engines.node, '>=24.14')
  const [major, minor] = process.versions.node.split('.').map(Number)
  assert.ok(major === 24 && minor! >= 14, process.version)
})

test('npm ci on Node 20 says nothing about engines', () => {
  const { status, stderr, error } = spawnSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: pretending('20.20.2') },
    encoding: 'utf8',
  })
  assert.deepEqual([error, status], [undefined, 0], stderr)
  assert.doesNotMatch(stderr, /EBADENGINE|Unsupported engine/)
})
