import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pack, project, run } from './package.ts'
import { open, restaurant } from './restaurant.ts'

test('the quick start runs as it is written', async (t) => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, quickStart] = /```js\n(.*?)```/s.exec(readme)!
  const baseUrl = process.env.COMPTOIR_BASE_URL ?? (await open(t, restaurant()))
  t.diagnostic(process.env.COMPTOIR_BASE_URL ? `against ${baseUrl}` : 'against the restaurant in the test')

  const folder = await project(await pack(), {
    'quick-start.js': quickStart!.replace('http://127.0.0.1:8080/v2', baseUrl),
  })
  const { stdout, stderr } = await run(process.execPath, ['quick-start.js'], { cwd: folder })

  const lines = stdout.trimEnd().split('\n')
  assert.equal(stderr, '')
  assert.ok(lines.length > 2, 'no products')
  assert.match(lines.at(-2)!, /^customer \S+$/)
  assert.match(lines.at(-1)!, /^receipt 1 [\d.]+$/)
})
