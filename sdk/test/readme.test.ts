import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { serving } from '../../server/test/command.ts'
import { onEmbeddedEngine } from '../../server/test/database/engines.ts'
import { pack, project, run } from './package.ts'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const DEMO = 'http://127.0.0.1:8080'

/** Takes calls of the demo's port to the one that was free. */
const detour = (url: string) => `
const { fetch } = globalThis
globalThis.fetch = (address, init) => fetch(address.replace('${DEMO}/', '${url}/'), init)
`

onEmbeddedEngine('sdk/README.md', (make) => {
  test('the quick start runs word for word, against the demo restaurant', async () => {
    const [, quickStart] = /```js\n(.*?)```/s.exec(README)!
    assert.ok(quickStart!.includes(`'${DEMO}/v2'`))
    const server = await serving(await make('demo'), ['--demo'])
    const folder = await project(await pack(), { 'quick-start.js': quickStart!, 'detour.js': detour(server.url) })

    const words = ['--import', './detour.js', 'quick-start.js']
    const { stdout, stderr } = await run(process.execPath, words, { cwd: folder })

    const lines = stdout.trimEnd().split('\n')
    assert.equal(stderr, '')
    assert.ok(lines.length > 20, `${lines.length - 2} products`)
    assert.match(lines.at(-2)!, /^customer \S+$/)
    assert.match(lines.at(-1)!, /^receipt 1 [\d.]+$/)
  })
})
