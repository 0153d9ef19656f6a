import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

// Imports point left, never right: docs/architecture.md says why.
const ROOMS = ['storage', 'http', 'auth', 'resources', 'back-office', 'demo', 'cli']
const ASSEMBLY = ['app.ts', 'deps.ts', 'main.ts', 'serve.ts', 'config.ts']

const source = fileURLToPath(new URL('../src/', import.meta.url))
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !/\.(test|suite)\.ts$|-fixture\.ts$/.test(file))
const importsOf = (file: string) =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1]!)
const roomOf = (file: string) => ROOMS.indexOf(file.split('/')[0]!)

test('imports point from right to left', () => {
  for (const file of files)
    for (const name of importsOf(file)) {
      if (!name.startsWith('.') || ASSEMBLY.includes(file)) continue
      const target = normalize(join(dirname(file), name))
      if (ASSEMBLY.includes(target))
        assert.ok(target === 'config.ts' || roomOf(file) === ROOMS.indexOf('cli'), `${file} → ${target}`)
      else if (!target.startsWith('..')) assert.ok(roomOf(target) <= roomOf(file), `${file} → ${target}`)
    }
})

const ONLY: [what: RegExp, files: string[]][] = [
  [/^node:sqlite$/, ['storage/sqlite.ts', 'storage/sqlite-backup.ts', 'storage/sqlite-thread.js']],
  [/^pg$/, ['storage/postgres.ts']],
  [/^ioredis$/, ['storage/redis-log.ts']],
  [/^jose$/, ['auth/token.ts']],
]
test('each driver is known to one file', () => {
  for (const file of files)
    for (const name of importsOf(file))
      for (const [driver, allowed] of ONLY)
        if (driver.test(name)) assert.ok(allowed.includes(file), `${file} → ${name}`)
})

test('only config.ts reads the environment', () => {
  for (const file of files.filter((name) => name !== 'config.ts'))
    assert.ok(!readFileSync(join(source, file), 'utf8').includes('process.env'), file)
})
