import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { comptoir, comptoirJson, serving } from '../../../test/command.ts'
import { type Installation, onEachEngine } from '../../../test/database/engines.ts'
import type { Tally } from './house.ts'

onEachEngine('demo live', (make) => {
  let here: Installation
  before(async () => {
    here = await make('demo')
  })

  test('guests order and sit down, staff work, no call fails that was not meant to, and the books stay sound', async () => {
    const server = await serving(here, ['--demo'])
    const words = ['demo', 'live', '--speed', '600', '--for', '8s', '--seed', '7', '--url', server.url]
    const tally = await comptoirJson<Tally>(here, words)
    assert.deepEqual(tally.failed, [])
    assert.ok(tally.closed > 0 && tally.placed > 0, JSON.stringify(tally))
    assert.ok(tally.seated > 0 && tally.fired > 0, JSON.stringify(tally))
    const { sound } = await comptoirJson<{ sound: boolean }>(here, ['audit', 'books', '--brand', 'demo'])
    assert.ok(sound)
    assert.equal(await server.stop(), 0)
  })

  test('it says what is wrong with its options, and where nothing is served', async () => {
    const refused = async (...words: string[]) => (await comptoir(here, ['demo', 'live', ...words])).stderr
    assert.match(await refused('--speed', '601'), /--speed is a whole number from 1 to 600/)
    assert.match(await refused('--for', 'soon'), /a time such as 90s, 10m or 2h/)
    assert.match(await refused('--url', 'http://127.0.0.1:1'), /^comptoir: No demo is served there/)
    assert.match((await comptoir(here, ['serve', '--live'])).stderr, /--live goes with --demo/)
  })
})
