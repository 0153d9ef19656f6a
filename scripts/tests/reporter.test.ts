import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = mkdtempSync(join(tmpdir(), 'comptoir-reporter-'))
after(() => rmSync(folder, { recursive: true }))

const FILES = {
  // It ends after all others have, though it comes first.
  'a.test.js': `
    const wait = (ms) => new Promise((done) => setTimeout(done, ms))
    test('slow', async () => {
      while (!existsSync('last')) await wait(10)
      await wait(3000) // the last one has said so, and still has to end
    })`,
  'b.test.js': `test('good', () => {}); test('left out', { skip: 'no engine' }, () => {})`,
  'c.test.js': `describe('group', () => { test('bad', () => { throw new Error('why it is bad') }) })`,
  'd.test.js': `writeFileSync('last', ''); process.exit(3)`,
}

test('a line for each file as it ends, failures with their reason, skips with theirs, and the totals', () => {
  for (const [name, text] of Object.entries(FILES)) {
    const imports = `import { describe, test } from 'node:test'\nimport { existsSync, writeFileSync } from 'node:fs'\n`
    writeFileSync(join(folder, name), imports + text)
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const reporter = fileURLToPath(new URL('reporter.ts', import.meta.url))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env // this file is itself a child of a run
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--test', '--test-concurrency=2', `--test-reporter=${reporter}`, ...Object.keys(FILES)],
    { cwd: folder, env, encoding: 'utf8' },
  )
  const lines = stdout.split('\n')
  assert.equal(status, 1)
  assert.deepEqual(
    lines.filter((line) => /^ +\d+\//.test(line)).map((line) => line.replace(/, [\d.]+ s$/, '').trim()),
    [
      '1/4  b.test.js  1 tests, 1 skipped',
      '2/4  c.test.js  1 tests, 1 FAILED',
      '3/4  d.test.js  0 tests, 1 FAILED',
      '4/4  a.test.js  1 tests',
    ],
  )
  assert.match(stdout, /^FAILED {2}c\.test\.js:3 {2}bad\nError: why it is bad\n/m)
  assert.match(stdout, /^FAILED {2}d\.test\.js:1 {2}d\.test\.js\n[\s\S]*exitCode: 3/m)
  assert.match(stdout, /^skipped, no engine:\n {2}b\.test\.js: left out\n/m)
  const end = lines.slice(lines.indexOf('ℹ tests 5') - 2)
  assert.deepEqual(end.slice(0, 2), ['FAILED  c.test.js:3  group › bad', 'FAILED  d.test.js:1  d.test.js'])
  assert.deepEqual(
    end.filter((line) => /^ℹ (tests|pass|fail|skipped) /.test(line)),
    ['ℹ tests 5', 'ℹ pass 2', 'ℹ fail 2', 'ℹ skipped 1'],
  )
})
