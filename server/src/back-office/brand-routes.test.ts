import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { putRows, staff } from '../../test/database/store.ts'
import { createCredential } from '../directory/credentials.ts'
import { offices, PASSWORD } from './office-fixture.ts'

onEachEngine('credentials in the hands of staff', (make) => {
  const office = offices(make)

  test('are bound and displayed only where the staff user’s permissions and venues are within the person’s own', async () => {
    const { deps, brand, staffBrowser } = await office()
    const rows = [
      ...staff(),
      { kind: 'venue', id: 2, name: 'Terrace' },
      { kind: 'role', id: 2, name: 'Manager', permissions: ['addons:manage', 'products:read'] },
      { kind: 'role', id: 3, name: 'Reader', permissions: ['products:read'] },
      { kind: 'role', id: 4, name: 'Writer', permissions: ['products:read', 'customers:write'] },
      { kind: 'user', id: 2, username: 'manager', role_id: 2, venue_ids: [1] },
      { kind: 'user', id: 3, username: 'reader', role_id: 3, venue_ids: [1] },
      { kind: 'user', id: 4, username: 'writer', role_id: 4, venue_ids: [1] },
      { kind: 'user', id: 5, username: 'elsewhere', role_id: 3, venue_ids: [1, 2] },
      { kind: 'user', id: 6, username: 'everywhere', role_id: 3 },
    ]
    const { id } = await brand('bistro', { rows })
    const client = new Map<string, string>()
    for (const username of ['owner', 'manager', 'reader', 'writer', 'elsewhere', 'everywhere']) {
      const input = { brand: 'bistro', username, venue_id: 1 }
      client.set(username, (await createCredential(deps.db, deps.keys, 'test', input)).client_id)
    }
    const manager = await staffBrowser('bistro', 'manager')
    const bind = (user_id: number) => manager.ask('POST', '/credentials', { name: 'Hub', user_id, venue_id: 1 })
    const display = (username: string) =>
      manager.ask('POST', `/credentials/${client.get(username)}/secret`, { password: PASSWORD })
    for (const [username, user_id, expected] of [
      ['owner', 1, 403],
      ['manager', 2, 200],
      ['reader', 3, 200],
      ['writer', 4, 403],
      ['elsewhere', 5, 403],
      ['everywhere', 6, 403],
    ] as const) {
      const answers = [await bind(user_id), await display(username)]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [expected, expected],
        username,
      )
      for (const { body } of answers)
        if (expected === 403) assert.match(body.message, /permissions or venues that you do not have/)
    }
    const { users, venues } = (await manager.ask('GET', '/staff')).body
    assert.deepEqual(users.map((user: { username: string }) => user.username).sort(), ['manager', 'reader'])
    assert.deepEqual(venues, [{ id: 1, name: 'Main', is_main: true }])

    await putRows(deps.db, id, [{ kind: 'role', id: 3, name: 'Reader', permissions: ['receipts:read'] }])
    assert.equal((await display('reader')).status, 403, 'a role that grew a moment ago')
    const owner = await staffBrowser('bistro', 'owner')
    const shown = await owner.ask('POST', `/credentials/${client.get('writer')}/secret`, { password: PASSWORD })
    assert.equal(shown.status, 200)
  })

  test('anybody who manages add-ons switches one off, and on only what they may display', async () => {
    const { deps, brand, staffBrowser } = await office()
    const rows = [
      ...staff(),
      { kind: 'venue', id: 2, name: 'Terrace' },
      { kind: 'role', id: 2, name: 'Manager', permissions: ['addons:manage', 'products:read'] },
      { kind: 'role', id: 3, name: 'Reader', permissions: ['products:read'] },
      { kind: 'user', id: 2, username: 'manager', role_id: 2, venue_ids: [1] },
      { kind: 'user', id: 3, username: 'reader', role_id: 3, venue_ids: [1] },
      { kind: 'user', id: 4, username: 'elsewhere', role_id: 3, venue_ids: [2] },
    ]
    const { id } = await brand('bistro', { rows })
    const manager = await staffBrowser('bistro', 'manager')
    const owner = await staffBrowser('bistro', 'owner')
    const enabled = (client_id: string) =>
      deps.db.text('select enabled from credentials where brand_id = ? and client_id = ?', [id, client_id])
    for (const [username, venue_id, allowed] of [
      ['owner', 1, false],
      ['elsewhere', 2, false],
      ['reader', 1, true],
    ] as const) {
      const { client_id } = await createCredential(deps.db, deps.keys, 'test', { brand: 'bistro', username, venue_id })
      const change = (who: typeof owner, on: boolean) => who.ask('PATCH', `/credentials/${client_id}`, { enabled: on })
      assert.equal((await change(manager, false)).status, 204, username)
      const { status, body } = await change(manager, true)
      assert.equal(status, allowed ? 204 : 403, username)
      if (!allowed) assert.match(body.message, /permissions or venues that you do not have/)
      assert.equal(Number(await enabled(client_id)), Number(allowed), username)
      assert.equal((await change(owner, true)).status, 204, username)
    }
  })
})
