import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, before, test } from 'node:test'
import type { RouteOptions } from 'fastify'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows } from '../../../test/database/store.ts'
import { auditBooks } from '../../pos/books/audit.ts'
import { CARD, ROWS } from '../../pos/closing/closing-fixture.ts'
import { line } from '../../pos/receipts/till-fixture.ts'
import type { Queries } from '../../storage/database.ts'
import { type Browser, offices, PASSWORD } from '../office-fixture.ts'
import { tokenHash } from '../people/accounts.ts'
import { findLiveSessions, openPinSession } from '../people/sessions.ts'
import { isForPins } from './pin-scope.ts'
import { refuseReplaced, refuseWeakPin } from './pins.ts'

const API = '/back-office/api'
const MINUTE = 60_000

test('a PIN is refused that repeats a digit or runs', () => {
  for (const pin of ['0000', '77777', '1234', '4321', '890123', '98765432', '123', '123456789', '12a4', ''])
    assert.throws(() => refuseWeakPin(pin), { name: 'pin_weak' }, pin)
  for (const pin of ['1212', '2580', '1357', '73190264']) refuseWeakPin(pin)
})

onEachEngine('people at a shared terminal', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>>
  let owner: Browser
  let brand_id: number
  const routes: { method: string; path: string }[] = []

  before(async () => {
    built = await office()
    built.app.addHook('onRoute', ({ method, url }: RouteOptions) => {
      if (url.startsWith(`${API}/`))
        for (const each of [method].flat()) routes.push({ method: each, path: url.slice(API.length) })
    })
    await built.app.ready()
    brand_id = (await built.brand('bistro', { rows: ROWS, quota: 1e9 })).id
    owner = await built.staffBrowser('bistro')
    for (const [id, pin] of [
      [2, '2580'],
      [3, '1379'],
    ])
      assert.equal((await owner.ask('PUT', `/people/${id}/pin`, { password: PASSWORD, pin: String(pin) })).status, 204)
    assert.equal((await owner.ask('PUT', '/pin', { password: PASSWORD, pin: '8642' })).status, 204)
  })

  /** An enrolled browser; the manager who enrolled it has signed out. */
  async function till(use = 'till'): Promise<Browser & { device_id: string }> {
    const manager = await built.staffBrowser('bistro')
    const enrolled = await manager.ask('POST', '/terminals/1/devices', { name: 'Bar', use })
    assert.equal(enrolled.status, 200, JSON.stringify(enrolled.body))
    await manager.ask('DELETE', '/session', {})
    return Object.assign(manager, { device_id: enrolled.body.id as string })
  }
  // A terminal has room for few.
  afterEach(() => built.deps.db.transaction((tx) => tx.run(`update devices set revoked_at = created_at`, [])))
  const enter = (browser: Browser, user_id: number, pin: string, more: object = {}) =>
    browser.ask('POST', '/device/session', { user_id, pin, ...more })
  async function as(browser: Browser, user_id: number, pin: string) {
    const { status, body } = await enter(browser, user_id, pin)
    if (status === 409 && body.error === 'pin_change') await enter(browser, user_id, pin, { new_pin: `${pin}7` })
    else assert.equal(status, 204, JSON.stringify(body))
  }

  test('a device shows names and initials before anybody is signed in, and a browser that is none shows nothing', async () => {
    const browser = await till()
    const { status, body } = await browser.ask('GET', '/device')
    assert.equal(status, 200)
    assert.deepEqual(body.people.map(({ id }: { id: number }) => id).sort(), [1, 2, 3])
    assert.equal((await built.browser().ask('GET', '/device')).status, 401)
  })

  test('a PIN that somebody else set is changed at first use, and opens a session of the venue', async () => {
    const browser = await till()
    assert.equal((await enter(browser, 2, '2580')).body.error, 'pin_change')
    assert.equal((await enter(browser, 2, '2580', { new_pin: '1111' })).body.error, 'pin_weak')
    assert.equal((await enter(browser, 2, '2580', { new_pin: '2589' })).status, 204)
    const me = (await browser.ask('GET', '/me')).body
    assert.deepEqual([me.id, me.device.by_pin, me.device.terminal_id, me.venues.length], [2, true, 1, 1])
    assert.equal((await enter(browser, 2, '2580')).status, 401, 'the old one is gone')
    assert.equal((await enter(browser, 2, '2589', { new_pin: '8520' })).body.error, 'pin_session', 'by password now')
    assert.equal((await enter(browser, 2, '2589')).status, 204)
    assert.equal((await browser.ask('GET', '/read/receipts', undefined, { 'x-venue': '2' })).status, 403)
  })

  test('a session by PIN reads the venue of its device alone, also of somebody who may enter every venue', async () => {
    const browser = await till()
    const manager = await built.staffBrowser('bistro')
    await open(manager, '2')
    for (const venue of ['1', '2'])
      assert.equal((await manager.ask('PUT', '/stop-list/2', { limit: 90 }, { 'x-venue': venue })).status, 200)
    await as(browser, 1, '8642')
    const venuesAt = async (person: Browser, path: string) => {
      const { status, body } = await person.ask('GET', path)
      assert.equal(status, 200, `${path} ${JSON.stringify(body)}`)
      return new Set(body.data.map(({ venue_id }: { venue_id: number }) => venue_id))
    }
    for (const path of [
      '/read/receipts?venue=all',
      '/read/terminals?venue=all',
      '/read/tables?venue=all',
      '/stop-list',
    ]) {
      assert.ok((await venuesAt(manager, path)).has(2), path)
      assert.ok(!(await venuesAt(browser, path)).has(2), path)
    }
    for (const venue of ['1', '2']) await manager.ask('DELETE', '/stop-list/2', undefined, { 'x-venue': venue })
  })

  test('a session by PIN, and what it follows, ends where its terminal is switched off', async () => {
    const browser = await till()
    await as(browser, 2, '2589')
    const hash = tokenHash(browser.cookie!.split('=')[1]!)
    const live = () => findLiveSessions(built.deps.db, new Set([hash]), built.clock.ms)
    assert.equal((await live()).size, 1)
    const manager = await built.staffBrowser('bistro')
    const turn = async (status: number) =>
      assert.equal((await manager.ask('PATCH', '/edit/terminals/1', { status })).status, 200)
    await turn(0)
    assert.equal((await live()).size, 0)
    assert.equal((await browser.ask('GET', '/me')).status, 401)
    await turn(1)
  })

  test('a session by PIN is good at its device alone', async () => {
    const browser = await till()
    await as(browser, 1, '8642')
    const elsewhere = built.browser()
    elsewhere.cookie = browser.cookie
    assert.equal((await elsewhere.ask('GET', '/me')).status, 401)
    assert.equal((await browser.ask('GET', '/me')).status, 200)
  })

  test('a session by PIN may call what service needs, and every other route is 403 pin_session', async () => {
    const browser = await till()
    await as(browser, 1, '8642') // the owner, who may do anything with a password
    const open = ['POST /session', 'POST /operator/session', 'POST /invitation', 'POST /invitation/acceptance']
    const others = routes.filter(
      ({ method, path }) =>
        !isForPins(method, API + path) &&
        ![
          ...open,
          'GET /setup',
          'HEAD /setup',
          'POST /setup',
          'GET /device',
          'HEAD /device',
          'POST /device/session',
        ].includes(`${method} ${path}`),
    )
    assert.ok(others.length > 100, `${others.length} routes`)
    for (const { method, path } of others) {
      const url = path.replaceAll(/:\w+/g, '1').replaceAll('*', 'x')
      const { status, body } = await browser.ask(method as 'GET', url)
      if (method === 'HEAD') assert.equal(status, 403, `${method} ${path}`)
      else assert.deepEqual([status, body.error], [403, 'pin_session'], `${method} ${path}`)
    }
  })

  test('a revoked device ends its sessions', async () => {
    const browser = await till()
    await as(browser, 2, '2589')
    assert.equal((await browser.ask('GET', '/me')).status, 200)
    const manager = await built.staffBrowser('bistro')
    const { body } = await manager.ask('GET', '/devices')
    assert.ok(body.devices.some(({ id }: { id: string }) => id === browser.device_id))
    assert.equal((await manager.ask('DELETE', `/devices/${browser.device_id}`)).status, 204)
    assert.equal((await browser.ask('GET', '/me')).status, 401)
    assert.equal((await browser.ask('GET', '/device')).status, 401)
  })

  test('after three wrong ones each waits longer, at this device, and at once only one is tried', async () => {
    const browser = await till()
    built.clock.ms += 25 * 60 * MINUTE
    for (let count = 0; count < 3; count++) assert.equal((await enter(browser, 3, '0007')).body.error, 'pin_refused')
    const { status, body } = await enter(browser, 3, '1379')
    assert.deepEqual([status, body.error], [429, 'too_many_attempts'], 'also the right one waits')
    built.clock.ms += 1_001
    const together = await Promise.all(Array.from({ length: 8 }, () => enter(browser, 3, '0007')))
    assert.equal(together.filter((answer) => answer.status === 401).length, 1, 'the others wait')
    built.clock.ms += 1_500
    assert.equal((await enter(browser, 3, '1379')).status, 429, 'two seconds now')
    built.clock.ms += 501
    assert.equal((await enter(browser, 3, '1379')).body.error, 'pin_change', 'right, and set by somebody else')
  })

  test('twenty wrong ones in a day lock a PIN until it is set again', async () => {
    const [one, two] = [await till(), await till()]
    built.clock.ms += 25 * 60 * MINUTE
    for (let count = 0; count < 20; count++) {
      built.clock.ms += 5 * MINUTE + 1
      assert.equal((await enter(count % 2 ? one : two, 3, '0007')).body.error, 'pin_refused')
    }
    built.clock.ms += 5 * MINUTE + 1
    assert.equal((await enter(one, 3, '1379')).body.error, 'pin_refused', 'the right one too')
    const manager = await built.staffBrowser('bistro')
    assert.equal((await manager.ask('PUT', '/people/3/pin', { password: PASSWORD, pin: '1379' })).status, 204)
    assert.equal((await enter(one, 3, '1379')).body.error, 'pin_change')
  })

  test('a PIN that is set again ends the sessions that were opened by the one before', async () => {
    const browser = await till()
    built.clock.ms += 25 * 60 * MINUTE
    await as(browser, 2, '2589')
    assert.equal((await browser.ask('GET', '/me')).status, 200)
    const manager = await built.staffBrowser('bistro')
    assert.equal((await manager.ask('PUT', '/people/2/pin', { password: PASSWORD, pin: '2580' })).status, 204)
    assert.equal((await browser.ask('GET', '/me')).status, 401)
    assert.equal((await manager.ask('GET', '/me')).status, 200)
    assert.equal((await enter(browser, 2, '2580', { new_pin: '2589' })).status, 204)
    assert.equal((await browser.ask('GET', '/me')).status, 200)
  })

  test('a PIN that was replaced while it was checked opens nothing', async () => {
    const { db } = built.deps
    const [held] = await db.rows<{ account_id: number; set_at: string }>('select account_id, set_at from pins', [])
    const { account_id, set_at } = held!
    const opened = (proven: string) => {
      const isCurrent = (tx: Queries) => refuseReplaced(tx, account_id, proven)
      return openPinSession(db, { account_id, device_id: 'd', isCurrent }, built.clock.ms, undefined)
    }
    await assert.rejects(opened('2026-01-01T00:00:00.000Z'), { name: 'pin_refused' })
    assert.ok(await opened(set_at))
  })

  test('many names at once at one device do not fill the line of passwords', async () => {
    const [browser, other] = [await till(), await till()]
    const many = Array.from({ length: 40 }, (_, index) => enter(browser, 8000 + index, '0007'))
    const [entered] = await Promise.all([enter(other, 1, '8642'), ...many])
    assert.equal(entered.status, 204)
  })

  test('attempts about nobody are kept for a day', async () => {
    const browser = await till()
    const kept = async () => (await built.deps.db.rows('select id from pin_attempts where account_id < 0', [])).length
    for (const id of [7001, 7002, 7003]) assert.equal((await enter(browser, id, '0007')).body.error, 'pin_refused')
    assert.ok((await kept()) >= 3)
    built.clock.ms += 25 * 60 * MINUTE
    assert.equal((await enter(browser, 7004, '0007')).body.error, 'pin_refused')
    assert.equal(await kept(), 1)
  })

  test('of guesses at once about nobody no more are checked than about somebody', async () => {
    const browser = await till()
    built.clock.ms += 25 * 60 * MINUTE
    for (const user_id of [2, 77]) {
      const guesses = Array.from({ length: 10 }, () => enter(browser, user_id, '0007'))
      const checked = (await Promise.all(guesses)).filter(({ status }) => status !== 429)
      assert.equal(checked.length, 3, `of ${user_id}`)
    }
  })

  test('of two thousand guesses, twenty at once, none is checked beyond the delays, and the PIN is locked', async () => {
    const browser = await till()
    built.clock.ms += 25 * 60 * MINUTE
    let tried = 0
    for (let round = 0; round < 100; round++) {
      built.clock.ms += 10 * MINUTE
      const guesses = Array.from({ length: 20 }, (_, index) =>
        enter(browser, 2, String(20 * round + index).padStart(4, '0')),
      )
      for (const { status } of await Promise.all(guesses)) {
        assert.ok(status === 401 || status === 429, `${status}`)
        if (status === 401) tried++
      }
    }
    const { locked } = (
      await built.deps.db.rows<{ locked: number }>(
        `select count(*) as locked from pins join accounts on accounts.id = account_id
         where user_id = 2 and locked_at is not null`,
        [],
      )
    )[0]!
    assert.deepEqual([locked, tried], [1, 102], 'three, then one each ten minutes')
    const manager = await built.staffBrowser('bistro')
    assert.equal((await manager.ask('PUT', '/people/2/pin', { password: PASSWORD, pin: '2580' })).status, 204)
    assert.equal((await enter(browser, 2, '2580', { new_pin: '2589' })).status, 204)
  })

  test('what a database holds of a PIN tells nothing without the key ring', async () => {
    const rows = await built.deps.db.rows<{ hash: string; kid: string }>('select hash, kid from pins', [])
    assert.ok(rows.length >= 3)
    const { isPassword } = await import('../people/passwords.ts')
    for (const { hash } of rows)
      for (const pin of ['2589', '8642', '1379']) assert.equal(await isPassword(hash, pin), false)
  })

  const open = async (browser: Browser, venue = '1') => {
    const body = { cid: randomUUID(), sale_type_id: 2, lines: [line(2), line(2)] }
    const opened = await browser.ask('POST', '/receipts', body, { 'x-venue': venue })
    assert.equal(opened.status, 200, JSON.stringify(opened.body))
    const { id } = opened.body.data
    assert.equal((await browser.ask('POST', `/receipts/${id}/send`, {}, { 'x-venue': venue })).status, 200)
    const lines = await built.deps.db.rows<{ id: number }>(
      'select id from receipt_lines where brand_id = ? and receipt_id = ? order by position',
      [brand_id, id],
    )
    return { id, lines: lines.map((each) => each.id) }
  }

  test('somebody with the right approves one act of a waiter, who goes on as themselves', async () => {
    const browser = await till()
    await as(browser, 2, '2589')
    const { id, lines } = await open(browser)
    const gone = (index: number, headers = {}) =>
      browser.ask('DELETE', `/receipts/${id}/lines/${lines[index]}`, undefined, headers)
    const refused = await gone(0)
    assert.deepEqual([refused.status, refused.body.details], [403, { required: 'receipts:void', approvable: true }])
    const ask = (user_id: number, pin: string, more: object = {}) =>
      browser.ask('POST', '/approvals', { user_id, pin, permission: 'receipts:void', receipt_id: id, ...more })
    assert.equal((await ask(1, '0007')).body.error, 'pin_refused')
    assert.equal((await ask(2, '2589')).status, 403, 'a waiter cannot lend what they have not')
    const other = (await ask(1, '8642', { receipt_id: id + 1 })).body.token
    assert.equal((await gone(0, { 'x-approval': other })).status, 403, 'of another receipt')
    const { token } = (await ask(1, '8642')).body
    const both = await Promise.all([gone(0, { 'x-approval': token }), gone(1, { 'x-approval': token })])
    assert.deepEqual(both.map(({ status, body }) => [status, body.error]).sort(), [
      [200, undefined],
      [409, 'approval_used'],
    ])
    assert.equal((await browser.ask('GET', '/me')).body.id, 2)
    const acts = (await browser.ask('GET', `/receipts/${id}/acts`)).body.data
    const voids = acts.filter(({ action }: { action: string }) => action === 'void')
    assert.deepEqual(
      voids.map(({ user_id, approved_by, terminal_id }: Record<string, number>) => [user_id, approved_by, terminal_id]),
      [[2, 1, 1]],
    )
    const late = (await ask(1, '8642')).body.token
    built.clock.ms += MINUTE + 1
    const left = both[0]!.status === 200 ? 1 : 0
    assert.equal((await gone(left, { 'x-approval': late })).status, 403, 'it was good for a minute')
    const manager = await built.staffBrowser('bistro')
    const { body } = await manager.ask('GET', '/reports/reasons?from=2026-03-01&to=2026-04-30&by=approver')
    assert.ok(
      body.data.some(
        ({ kind, name, count }: Record<string, unknown>) => kind === 'void' && name !== null && count === 1,
      ),
    )
    assert.deepEqual((await auditBooks(built.deps.db, brand_id)).findings, [])
  })

  test('an approval to go on with a receipt of another waiter is of that one, also where lines move to a second', async () => {
    const manager = await built.staffBrowser('bistro')
    const venue = { kind: 'venue', id: 1, name: 'Main', is_main: true, time_zone: 'Europe/Paris' }
    await putRows(built.deps.db, brand_id, [{ ...venue, own_receipts: 1 }])
    const [one, two, third] = [await open(manager), await open(manager), await open(manager)]
    const browser = await till()
    await as(browser, 2, '2589')
    const own = await open(browser)
    const move = (from: number, lines: number[], to: number, more = {}, dry = '') =>
      browser.ask('POST', `/receipts/${from}/move${dry}`, { lines: [{ id: lines[0] }], receipt_id: to }, more)
    const ask = async (receipt_id: number) => {
      const input = { user_id: 1, pin: '8642', permission: 'receipts:others', receipt_id }
      return { 'x-approval': (await browser.ask('POST', '/approvals', input)).body.token as string }
    }
    assert.equal((await move(one.id, one.lines, two.id, {}, '?dry_run=1')).status, 200, 'what would be is told')
    assert.equal((await move(one.id, one.lines, own.id)).body.details.approvable, true)
    const second = await open(browser)
    const { details } = (await move(second.id, second.lines, two.id)).body
    assert.deepEqual(details, { required: 'receipts:others', receipt_id: two.id, approvable: true })
    assert.equal((await move(second.id, second.lines, two.id, await ask(two.id))).status, 200, 'also of the second')
    const approved = await ask(one.id)
    assert.equal((await move(one.id, one.lines, two.id, approved)).status, 403, 'of the first alone')
    assert.equal((await move(one.id, one.lines, own.id, approved, '?dry_run=1')).status, 200)
    assert.equal((await move(one.id, one.lines, own.id, approved)).status, 200)
    const both = [await ask(one.id), await ask(two.id)].map((each) => each['x-approval'])
    const [voiding, others] = [
      await browser.ask('POST', '/approvals', {
        user_id: 1,
        pin: '8642',
        permission: 'receipts:void',
        receipt_id: third.id,
      }),
      await ask(third.id),
    ]
    const lines = { lines: [{ id: one.lines[1] }], receipt_id: two.id }
    const refused = await browser.ask('POST', `/receipts/${one.id}/move`, lines, { 'x-approval': both[0]! })
    assert.deepEqual(
      refused.body.details,
      { required: 'receipts:others', receipt_id: two.id, approvable: true },
      'the second can be approved too',
    )
    const gone = (tokens: string) =>
      browser.ask('DELETE', `/receipts/${third.id}/lines/${third.lines[0]}`, undefined, { 'x-approval': tokens })
    const needed = `${others['x-approval']},${voiding.body.token}`
    assert.equal((await gone(others['x-approval'])).body.details.required, 'receipts:void')
    assert.equal((await gone(voiding.body.token)).body.details.required, 'receipts:others')
    assert.equal((await gone(needed)).status, 200, 'an act that needs two has both')
    assert.equal((await gone(needed)).body.error, 'approval_used')
    const acts = (await browser.ask('GET', `/receipts/${third.id}/acts`)).body.data
    assert.deepEqual(
      acts
        .filter((act: Record<string, unknown>) => act.approved_by !== undefined)
        .map(({ action, approved_by, to }: Record<string, unknown>) => [action, approved_by, to]),
      [
        ['void', 1, undefined],
        ['approve', 1, 'receipts:others'],
      ],
    )
    const moved = await browser.ask(
      'POST',
      `/receipts/${one.id}/merge`,
      { receipt_id: two.id },
      { 'x-approval': both.join() },
    )
    assert.equal(moved.status, 200, JSON.stringify(moved.body))
    assert.deepEqual((await auditBooks(built.deps.db, brand_id)).findings, [])
    await putRows(built.deps.db, brand_id, [venue])
    const tidy = await built.staffBrowser('bistro')
    assert.equal((await tidy.ask('DELETE', `/devices/${browser.device_id}`)).status, 204)
  })

  test('what is approved of a reprint is that of one receipt', async () => {
    const manager = await built.staffBrowser('bistro')
    const done = async (path: string, body: object) => {
      const answer = await manager.ask('POST', path, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.data
    }
    const printer = await done('/edit/printers', { name: 'Desk', printer_kind: 'virtual', status: 1 })
    await done('/edit/print-routes', { document: 'bill', printer_id: printer.id })
    const printed = async () => {
      const { id } = await open(manager)
      const { remaining } = (await manager.ask('GET', `/read/receipts/${id}?include=details`)).body.data
      await done(`/receipts/${id}/close`, { payment_methods: [{ id: CARD, amount: remaining }] })
      await done('/print', { document: 'receipt', receipt_id: id })
      return id
    }
    const [one, two] = [await printed(), await printed()]
    const browser = await till()
    await as(browser, 2, '2589')
    const print = (receipt_id: number, headers = {}) =>
      browser.ask('POST', '/print', { document: 'receipt', receipt_id }, headers)
    const refused = await print(one)
    const details = { required: 'receipts:reprint', receipt_id: one, approvable: true }
    assert.deepEqual([refused.status, refused.body.details], [403, details])
    const input = { user_id: 1, pin: '8642', permission: 'receipts:reprint', receipt_id: one }
    const { token } = (await browser.ask('POST', '/approvals', input)).body
    assert.equal((await print(two, { 'x-approval': token })).status, 403, 'of another receipt')
    assert.equal((await print(one, { 'x-approval': token })).status, 200)
    assert.equal((await print(one, { 'x-approval': token })).body.error, 'approval_used')
  })

  test('who enrolled and removed a device is in the audit log', async () => {
    const { device_id } = await till()
    const manager = await built.staffBrowser('bistro')
    assert.equal((await manager.ask('DELETE', `/devices/${device_id}`)).status, 204)
    const rows = await built.deps.db.rows<{ action: string; told: string }>(
      `select action, coalesce(after, before) as told from audit where action like 'device.%' order by id desc limit 2`,
      [],
    )
    const told = { id: device_id, name: 'Bar', use: 'till', venue_id: 1, terminal_id: 1 }
    assert.deepEqual(
      rows.map(({ action, told: json }) => [action, JSON.parse(json)]),
      [
        ['device.revoke', told],
        ['device.enrol', told],
      ],
    )
  })

  test('an approval is of one session, and away from a device nothing is approvable', async () => {
    const [one, two] = [await till(), await till()]
    await as(one, 2, '2589')
    await as(two, 2, '2589')
    const { id, lines } = await open(one)
    const input = { user_id: 1, pin: '8642', permission: 'receipts:void', receipt_id: id }
    const { token } = (await two.ask('POST', '/approvals', input)).body
    const gone = await one.ask('DELETE', `/receipts/${id}/lines/${lines[0]}`, undefined, { 'x-approval': token })
    assert.equal(gone.status, 403)
    const waiter = await built.staffBrowser('bistro', 'waiter')
    const plain = await waiter.ask('DELETE', `/receipts/${id}/lines/${lines[0]}`)
    assert.deepEqual(plain.body.details, { required: 'receipts:void' })
  })

  test('a terminal of a venue that somebody may not enter is as one that there is not', async () => {
    await putRows(built.deps.db, brand_id, [{ kind: 'user', id: 5, username: 'keeper', role_id: 1, venue_ids: [1] }])
    await built.deps.directory.refresh()
    const keeper = await built.staffBrowser('bistro', 'keeper')
    const answers = await Promise.all(
      [2, 21].map((id) => keeper.ask('POST', `/terminals/${id}/devices`, { name: 'Bar', use: 'till' })),
    )
    assert.equal(answers[0]!.status, 404)
    assert.deepEqual(answers[0]!.body, answers[1]!.body)
  })

  test('an approval is of the venue of its device, and of somebody who has the right still', async () => {
    const manager = { kind: 'user', id: 4, username: 'manager', role_id: 1, venue_ids: [1] }
    await putRows(built.deps.db, brand_id, [manager])
    const boss = await built.staffBrowser('bistro')
    assert.equal((await boss.ask('PUT', '/people/4/pin', { password: PASSWORD, pin: '2468' })).status, 204)
    const browser = await till()
    assert.equal((await enter(browser, 4, '2468', { new_pin: '2469' })).status, 204)
    await built.staffBrowser('bistro', 'waiter') // has a password now
    const waiter = { brand: 'bistro', username: 'waiter', password: PASSWORD }
    assert.equal((await browser.ask('POST', '/session', waiter)).status, 204)
    const act = async (venue: string, meanwhile = async () => {}) => {
      const { id, lines } = await open(browser, venue)
      const input = { user_id: 4, pin: '2469', permission: 'receipts:void', receipt_id: id }
      const { token } = (await browser.ask('POST', '/approvals', input)).body
      assert.ok(token)
      await meanwhile()
      const headers = { 'x-approval': token, 'x-venue': venue }
      return (await browser.ask('DELETE', `/receipts/${id}/lines/${lines[0]}`, undefined, headers)).status
    }
    assert.equal(await act('1'), 200)
    assert.equal(await act('2'), 403, 'they may not enter that one')
    const switchedOff = async () => {
      await putRows(built.deps.db, brand_id, [{ ...manager, active: false }])
      await built.deps.directory.refresh()
    }
    assert.equal(await act('1', switchedOff), 403)
  })

  test('a PIN that somebody set for another is good while they could set it, and gone when they are switched off', async () => {
    const head = { kind: 'user', id: 6, username: 'head', role_id: 1 }
    const put = async (row: typeof head) => {
      await putRows(built.deps.db, brand_id, [row])
      await built.deps.directory.refresh()
    }
    await put(head)
    built.clock.ms += 25 * 60 * MINUTE
    const setter = await built.staffBrowser('bistro', 'head')
    const set = async (by: Browser) =>
      assert.equal((await by.ask('PUT', '/people/3/pin', { password: PASSWORD, pin: '1379' })).status, 204)
    const browser = await till()
    await set(setter)
    await put({ ...head, role_id: 2 }) // without the right to let anybody in
    assert.equal((await enter(browser, 3, '1379')).body.error, 'pin_refused')
    await put(head)
    assert.equal((await enter(browser, 3, '1379')).body.error, 'pin_change')
    const boss = await built.staffBrowser('bistro')
    assert.equal((await boss.ask('PATCH', '/edit/users/6', { active: false })).status, 200)
    assert.equal((await boss.ask('PATCH', '/edit/users/6', { active: true })).status, 200)
    assert.equal((await enter(browser, 3, '1379')).body.error, 'pin_refused', 'also when they are back')
    await set(await built.staffBrowser('bistro', 'head'))
    await put({ ...head, username: 'heir' })
    assert.equal((await enter(browser, 3, '1379')).body.error, 'pin_refused', 'their number is somebody else’s')
  })
})
