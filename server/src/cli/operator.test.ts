import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comptoir, comptoirJson } from '../../test/command.ts'
import { onEachEngine } from '../../test/database/engines.ts'

const staff = [
  { kind: 'venue', id: 1, name: 'Main', is_main: true },
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'user', id: 1, username: 'owner', role_id: 1 },
]

onEachEngine('people, on the command line', (make) => {
  test('are invited by a link whose secret no server is sent, listed, and removed; all of it audited', async () => {
    const here = await make()
    await comptoirJson(here, ['brand', 'add', 'bistro'])
    const rows = staff.map((row) => `${JSON.stringify(row)}\n`).join('')
    await comptoirJson(here, ['import', '--brand', 'bistro', '-'], rows)

    const origin = ['--origin', 'https://pos.example.com/anything']
    const invite = ['user', 'invite', '--brand', 'bistro', '--user', 'owner']
    const { link } = await comptoirJson<{ link: string }>(here, [...invite, ...origin])
    assert.match(link, /^https:\/\/pos\.example\.com\/back-office\/invitation#[\w-]{43}$/)
    assert.match((await comptoir(here, invite)).stdout, /^http:\/\/127\.0\.0\.1:0\/back-office\/invitation#/)
    const added = await comptoirJson<{ link: string }>(here, ['operator', 'add', 'ada', ...origin])
    const again = await comptoirJson<{ link: string }>(here, ['operator', 'invite', 'ada', ...origin])
    assert.notEqual(again.link, added.link)
    assert.deepEqual(await comptoirJson(here, ['operator', 'list']), [{ name: 'ada', invited: true }])
    await comptoirJson(here, ['operator', 'remove', 'ada'])

    const log = (await comptoir(here, ['audit', 'list', '--json'])).stdout
    const actions = (JSON.parse(log) as { action: string }[]).map(({ action }) => action).slice(4)
    assert.deepEqual(actions, ['user.invite', 'user.invite', 'operator.add', 'operator.invite', 'operator.remove'])
    for (const secret of [link, added.link, again.link]) assert.ok(!log.includes(secret.split('#')[1]!))
  })

  test('a mistake is said in a sentence', async () => {
    const here = await make()
    for (const [words, sentence] of [
      [['user', 'invite', '--brand', 'nowhere', '--user', 'owner'], /There is no brand "nowhere"/],
      [['operator', 'invite', 'nobody'], /There is no operator "nobody"/],
      [['operator', 'add', 'Ada Lovelace'], /cannot be an operator's name/],
      [['operator', 'add', 'ada', '--origin', 'pos'], /--origin must be an address/],
    ] as const) {
      const { code, stderr } = await comptoir(here, [...words])
      assert.equal(code, 1)
      assert.match(stderr, sentence)
    }
    assert.deepEqual(await comptoirJson(here, ['operator', 'list']), [], 'a link that cannot be printed invites nobody')
  })
})
