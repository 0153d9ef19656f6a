import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { skipWithout } from '../../../scripts/packages.ts'
import { comptoir, comptoirJson, serving } from '../../test/command.ts'
import { type Installation, onEachEngine } from '../../test/database/engines.ts'

const run = promisify(execFile)
const skip = skipWithout('curl')
const CHECKOUT = new URL('../../..', import.meta.url)
const bash = async (script: string) => (await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: CHECKOUT })).stdout

onEachEngine('serve --demo', (make) => {
  let here: Installation
  before(async () => {
    here = await make() // not the one that is filled for all tests: that is of an evening long ago, and what is due since is done
  })

  test('`demo --scale` fills an empty database and refuses one that is not', async () => {
    await comptoir(here, ['demo', '--scale', '1'])
    const lines = (await comptoir(here, ['export', '--brand', 'demo'])).stdout.split('\n')
    const receipts = lines.filter((line) => line.startsWith('{"kind":"receipt"'))
    assert.ok(receipts.length > 1_800, `${receipts.length} receipts`)
    const books = await comptoirJson(here, ['audit', 'books', '--brand', 'demo'])
    assert.deepEqual(books, { sound: true, receipts: receipts.length, findings: [] })
    const { code, stderr } = await comptoir(here, ['demo', '--scale', '1'])
    assert.deepEqual(
      [code, stderr],
      [1, 'comptoir: The database is not empty: the demo restaurant needs an empty one\n'],
    )
    assert.match((await comptoir(here, ['demo', '--scale', '0'])).stderr, /from 1 to/)
  })

  test('a second start changes nothing, and the printed lines list three products', { skip }, async () => {
    const first = await serving(here, ['--demo'])
    const exported = async () => (await comptoir(here, ['export', '--brand', 'demo'])).stdout.split('\n')
    const before = await exported()
    const second = (await comptoir(here, ['export', '--brand', 'demo-live'])).stdout
    assert.match(second, /"kind":"tax".*"included":false/, 'a tax that is added to prices')
    assert.equal(await first.stop(), 0)
    const again = await serving(here, ['--demo'])
    const [known, after] = [new Set(before), await exported()]
    assert.deepEqual([after.filter((line) => !known.has(line)), after.length], [[], before.length])

    const lines = again.logged().split('\n')
    const printed = (program: string) => bash(lines.find((line) => line.startsWith(`${program} `))!)
    const listed = JSON.parse(await printed('curl'))
    assert.equal(listed.data.length, 3)
    assert.deepEqual(Object.keys(listed.data[0]), ['id', 'name', 'type', 'price'])
    const shown = await printed('npx')
    assert.match(shown, /id.*name.*type.*price/)
    for (const { name } of listed.data) assert.ok(shown.includes(name), name)
    for (const text of [`${again.url}/v2`, 'demo-client', 'demo-secret', 'demo-integrator'])
      assert.ok(again.logged().includes(text), text)
    assert.equal(await again.stop(), 0)
  })

  test('every command of docs/quick-start.md does what the page says', { skip }, async () => {
    const server = await serving(here, ['--demo'])
    const page = readFileSync(new URL('../../../docs/quick-start.md', import.meta.url), 'utf8')
    const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1]!)
    assert.equal(blocks.length, 9)
    const mark = '\necho; echo "---8<---"\n'
    const script = blocks.map((block) => block.replaceAll(/\n(?=curl)/g, mark)).join(mark)
    const output = await bash(script.replace('http://127.0.0.1:8080', server.url))
    const [
      ,
      signedIn,
      dishes,
      delivery,
      seen,
      changed,
      created,
      repeated,
      receipt,
      operation,
      live,
      disabled,
      unknown,
      full,
    ] = output.split('---8<---').map((text) => text.trim())
    assert.equal(JSON.parse(signedIn!).token_type, 'Bearer')
    const prices = JSON.parse(dishes!).data.map(({ price }: { price: number }) => price)
    assert.equal(prices.length, 5)
    assert.deepEqual(
      prices,
      prices.toSorted((a: number, b: number) => b - a),
    )
    assert.ok(JSON.parse(delivery!).data[0].prices.length > 10)
    for (const { price, effective_price } of JSON.parse(seen!).data) assert.ok(effective_price > price)
    assert.equal(JSON.parse(changed!).data.length, 3)
    assert.equal(JSON.parse(created!).data.name, 'Camille Durand')
    assert.equal(repeated, created)
    assert.equal(JSON.parse(receipt!).data.id, 1)
    assert.equal(JSON.parse(operation!).data.id, 1)
    assert.match(JSON.parse(live!).error, /^Integrator is in test mode/)
    assert.equal(JSON.parse(disabled!).message, 'Client is disabled')
    assert.match(unknown!, /"limit"/)
    assert.match(full!, /ratelimit-remaining: \d+/i)
    assert.equal(await server.stop(), 0)
  })

  test('is refused on any address but loopback', async () => {
    const { env } = await make()
    const { code, stderr } = await comptoir(
      { env: { ...env, HOST: '0.0.0.0', COMPTOIR_TRUSTED_PROXIES: '10.0.0.0/8' } },
      ['serve', '--demo'],
    )
    assert.equal(code, 1)
    assert.match(stderr, /loopback only/)
  })
})
