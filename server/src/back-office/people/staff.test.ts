import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { type Browser, offices, PASSWORD } from '../office-fixture.ts'
import type { Colleague } from '../schema.ts'

const STAFF: Row[] = [
  ...[1, 2].map((id) => ({ kind: 'venue', id, name: `Venue ${id}`, is_main: id === 1 })),
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'role', id: 2, name: 'Manager', permissions: ['users:read', 'products:read', 'settings:write'] },
  { kind: 'role', id: 3, name: 'Waiter', permissions: ['products:read'] },
  { kind: 'role', id: 4, name: 'Clerk', permissions: ['users:read', 'products:read'] },
  { kind: 'role', id: 5, name: 'Cook', permissions: ['products:read', 'kitchen:use'] },
  { kind: 'user', id: 1, username: 'owner', role_id: 1 },
  { kind: 'user', id: 2, username: 'manager', role_id: 2, venue_ids: [2] },
  { kind: 'user', id: 3, username: 'waiter', name: 'Zoë', role_id: 3, venue_ids: [2] },
  { kind: 'user', id: 4, username: 'elsewhere', role_id: 3, venue_ids: [1, 2] },
  { kind: 'user', id: 5, username: 'everywhere', role_id: 3 },
  { kind: 'user', id: 6, username: 'cook', role_id: 5, venue_ids: [2] },
  { kind: 'user', id: 7, username: 'gone', role_id: 3, venue_ids: [2], active: false },
  { kind: 'user', id: 8, username: 'clerk', role_id: 4, venue_ids: [2] },
]
const HOUR = 3_600_000

onEachEngine('the people of a restaurant', (make) => {
  const office = offices(make)

  async function restaurant() {
    const built = await office()
    const { id } = await built.brand('bistro', { rows: STAFF })
    const [owner, manager] = [await built.staffBrowser('bistro'), await built.staffBrowser('bistro', 'manager')]
    const link = (person: Browser, user: number, password = PASSWORD) =>
      person.ask('POST', `/people/${user}/link`, { password })
    const opens = async (token: string) => (await built.browser().ask('POST', '/invitation', { token })).status === 200
    return { ...built, id, owner, manager, link, opens }
  }

  test('a user who makes users makes the link: once, for a day, on record, after their password', async () => {
    const { owner, manager, link, browser, opens, clock } = await restaurant()
    assert.equal((await link(manager, 3, 'not my password')).status, 401)
    const { status, body } = await link(manager, 3)
    assert.deepEqual([status, body.expires_at], [200, '2026-03-02T12:00:00.000Z'])
    const [entry] = (await owner.ask('GET', '/audit')).body.rows
    assert.deepEqual([entry.action, entry.subject, entry.actor], ['user.invite', 'waiter', 'user:bistro/manager'])
    assert.ok(!JSON.stringify(entry).includes(body.token))
    const waiter = browser()
    const accept = (token: string) => waiter.ask('POST', '/invitation/acceptance', { token, password: PASSWORD })
    assert.equal((await accept(body.token)).status, 204)
    assert.equal((await waiter.ask('GET', '/me')).body.username, 'waiter')
    assert.equal((await accept(body.token)).body.error, 'invitation_spent')

    const replaced = (await link(manager, 6)).body.token
    const newer = (await link(owner, 6)).body.token
    assert.deepEqual([await opens(replaced), await opens(newer)], [false, true])
    clock.ms += 24 * HOUR
    assert.equal(await opens(newer), false)
  })

  test('nobody lets in whom they could not make: more rights, other venues, every venue, themselves', async () => {
    const { owner, manager, link, staffBrowser } = await restaurant()
    for (const [user, expected] of [
      [1, 403], // the owner
      [4, 403], // also of another venue
      [5, 403], // of every venue
      [6, 403], // who may do what the manager may not
      [2, 409], // themselves
      [99, 404],
    ] as const)
      assert.equal((await link(manager, user)).status, expected, `user ${user}`)
    assert.equal((await link(owner, 7)).status, 409, 'who is switched off')
    const clerk = await staffBrowser('bistro', 'clerk')
    assert.deepEqual((await link(clerk, 3)).body.details, { required: 'settings:write' })
    const audited = (await owner.ask('GET', '/audit?search=user.invite')).body.rows as { actor: string }[]
    assert.deepEqual(
      audited.filter(({ actor }) => !/^test/.test(actor)),
      [],
    )
  })

  test('a link is worth what its maker is: it dies with their rights, and with more rights of whom it is for', async () => {
    const { owner, manager, link, opens, browser, deps, id } = await restaurant()
    const made = async () => (await link(manager, 3)).body.token as string
    const put = (...rows: Row[]) => putRows(deps.db, id, rows)
    const edit = async (path: string, body: object) =>
      assert.equal((await owner.ask('PATCH', `/edit${path}`, body)).status, 200, path)

    const raised = await made()
    assert.equal(await opens(raised), true)
    await edit('/users/3', { role_id: 1 })
    assert.equal(await opens(raised), false, 'who became an owner meanwhile')
    await edit('/users/3', { role_id: 3 })

    const moved = await made()
    await edit('/users/3', { venue_ids: [1, 2] })
    assert.equal(await opens(moved), false, 'who works elsewhere too')
    await edit('/users/3', { venue_ids: [2] })

    const demoted = await made()
    await edit('/roles/2', { permissions: ['users:read', 'products:read'] })
    assert.equal(await opens(demoted), false, 'of a manager who may make nobody any more')
    const accept = { token: demoted, password: PASSWORD }
    assert.equal((await browser().ask('POST', '/invitation/acceptance', accept)).status, 404)
    await edit('/roles/2', { permissions: ['users:read', 'products:read', 'settings:write'] })

    const revoked = await made()
    await edit('/users/2', { active: false })
    assert.equal(await opens(revoked), false, 'of a manager who was switched off')
    await edit('/users/2', { active: true })
    assert.equal(await opens(revoked), false, 'and is back')
    await put({ kind: 'user', id: 3, username: 'waiter', role_id: 3, venue_ids: [2] })
    const own = (await link(owner, 3)).body.token
    assert.equal(await opens(own), true)
  })

  test('the list says who is in, who was invited, who is off, when they were seen, and whom one may invite', async () => {
    const { manager, link, staffBrowser, brand, owner } = await restaurant()
    await staffBrowser('bistro', 'clerk')
    await link(manager, 3)
    const people = async (query = '') =>
      (await manager.ask('GET', `/people${query}`)).body as { people: Colleague[]; total: number }
    const { people: all, total } = await people()
    assert.equal(total, 8)
    const byName = new Map(all.map((person) => [person.username, person]))
    const states = [...byName].map(([name, { state }]) => `${name} ${state}`).sort()
    assert.deepEqual(states, [
      'clerk active',
      'cook new',
      'elsewhere new',
      'everywhere new',
      'gone off',
      'manager active',
      'owner active',
      'waiter invited',
    ])
    assert.deepEqual(
      all
        .filter(({ can_invite }) => can_invite)
        .map(({ username }) => username)
        .sort(),
      ['clerk', 'waiter'],
    )
    const { seen_at, role, venue_ids, is_own } = byName.get('manager')!
    assert.deepEqual(
      [seen_at, role, venue_ids, is_own],
      ['2026-03-01T12:00:00.000Z', { id: 2, name: 'Manager' }, [2], true],
    )
    assert.equal(byName.get('cook')!.seen_at, null)
    assert.deepEqual(
      (await people('?search=zO')).people.map(({ username }) => username),
      ['waiter'],
    )
    assert.equal((await staffBrowser('bistro', 'cook').then((cook) => cook.ask('GET', '/people'))).status, 403)
    await brand('other', { rows: STAFF })
    assert.equal((await owner.ask('GET', '/people')).body.total, 8)
    assert.ok(!JSON.stringify(await people()).includes('argon2'))
  })
})
