import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { comptoir, serving } from '../../server/test/command.ts'
import { onEmbeddedEngine } from '../../server/test/database/engines.ts'
import { until } from '../../server/test/until.ts'
import { pack, project } from './package.ts'

const PAGE = readFileSync(new URL('../../docs/take-orders.md', import.meta.url), 'utf8')
const DEMO = 'http://127.0.0.1:8080'

/** Takes calls of the demo's port to the one that was free. */
const detour = (url: string) => `
const { fetch } = globalThis
globalThis.fetch = (address, init) => fetch(String(address).replace('${DEMO}/', '${url}/'), init)
`

const blocks = (language: string) =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map((match) => match[1]!)

onEmbeddedEngine('docs/take-orders.md', (make) => {
  test('the tutorial runs word for word: placed, accepted, cooked, delivered', async () => {
    const [website, ...others] = blocks('js')
    assert.deepEqual(others, [])
    const written = website!.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'))
    assert.ok(written.length <= 30, `${written.length} lines`)
    const [run, staff] = blocks('sh').map((block) => block.trim().split('\n'))
    assert.deepEqual(run, ['node website.mjs'])

    const here = await make()
    const server = await serving(here, ['--demo'])
    const folder = await project(await pack(), { 'website.mjs': website!, 'detour.js': detour(server.url) })
    const words = run![0]!.split(' ').slice(1)
    const guest = spawn(process.execPath, ['--import', './detour.js', ...words], { cwd: folder })
    let said = ''
    guest.stdout.setEncoding('utf8').on('data', (text) => (said += text))
    guest.stderr.setEncoding('utf8').on('data', (text) => (said += text))
    const ended = new Promise<number | null>((resolve) => guest.once('close', resolve))
    try {
      await until(() => guest.exitCode !== null || said.includes('order is PENDING'))
      assert.match(said, /order is PENDING/)
      for (const command of staff!) {
        const [npx, program, ...step] = command.split(' ')
        assert.deepEqual([npx, program], ['npx', 'comptoir'])
        const { code, stderr } = await comptoir(here, [...step, '--url', server.url])
        assert.equal(code, 0, `${command}: ${stderr}`)
        if (step[1] === 'accept') await until(() => guest.exitCode !== null || said.includes('RECEIVED'))
      }
      assert.equal(await ended, 0, said)
    } finally {
      guest.kill('SIGKILL')
    }
    const lines = said.trim().split('\n')
    assert.match(lines[0]!, /^menu: \d+ products, the first is \S/)
    assert.match(lines[1]!, /^to pay: [\d.]+$/)
    assert.deepEqual(
      lines.slice(2).map((line) => line.trim().replace(/\d+$/, 'N')),
      ['order is PENDING', 'order is RECEIVED N', 'order is DELIVERED N'],
    )
    assert.equal(await server.stop(), 0)
  })
})
