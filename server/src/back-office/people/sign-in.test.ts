import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, staff } from '../../../test/database/store.ts'
import { QUICK_PASSWORDS } from '../../../test/service.ts'
import { offices, PASSWORD } from '../office-fixture.ts'
import { addDemoAccounts, inviteOperator, inviteUser, removeOperator } from './accounts.ts'
import { rememberPlace } from './known-places.ts'
import { passwordHash } from './passwords.ts'
import { matchingStep, stepAt, totpCode } from './totp.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

test('codes are those of RFC 6238', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' // its appendix B, in base 32
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ] as const) {
    assert.equal(totpCode(secret, stepAt(seconds * 1000)), code)
    assert.equal(matchingStep(secret, code, (seconds + 30) * 1000), stepAt(seconds * 1000), 'a clock that runs ahead')
    assert.equal(matchingStep(secret, code, (seconds + 90) * 1000), undefined)
  }
})

onEachEngine('signing in to the back office', (make) => {
  const office = offices(make)

  test('a link works once, within a day, and a newer one replaces it', async () => {
    const { deps, brand, browser, clock } = await office()
    await brand('bistro')
    const visitor = browser()
    const invite = () => inviteUser(deps.db, 'test', 'bistro', 'owner', deps.now())
    const accept = (token: string, password = PASSWORD) =>
      visitor.ask('POST', '/invitation/acceptance', { token, password })

    const replaced = await invite()
    const token = await invite()
    assert.equal((await visitor.ask('POST', '/invitation', { token: replaced })).body.error, 'invitation_spent')
    const shown = await visitor.ask('POST', '/invitation', { token })
    assert.deepEqual(shown.body, {
      name: 'owner',
      brand: { slug: 'bistro', name: 'bistro' },
      totp: null,
      expires_at: '2026-03-02T12:00:00.000Z',
    })
    assert.equal((await accept(token, 'password1234')).body.error, 'password_weak')
    assert.equal((await accept(token)).status, 204)
    assert.equal((await visitor.ask('GET', '/me')).body.username, 'owner')
    assert.equal((await accept(token)).status, 404)

    const late = await invite()
    clock.ms += 24 * HOUR
    assert.equal((await accept(late)).status, 404)
  })

  test('a new password ends the sessions of the old one', async () => {
    const { brand, staffBrowser } = await office()
    await brand('bistro')
    const before = await staffBrowser('bistro')
    await staffBrowser('bistro')
    assert.equal((await before.ask('GET', '/me')).body.error, 'signed_out')
  })

  test('every wrong sign-in reads alike, and none gets a cookie', async () => {
    const { brand, browser, staffBrowser } = await office()
    await brand('bistro')
    await staffBrowser('bistro')
    const right = { brand: 'bistro', username: 'owner', password: PASSWORD }
    const wrong = [{ password: 'no' }, { username: 'nobody' }, { brand: 'other' }, { brand: '\ud800' }]
    for (const change of wrong) {
      const visitor = browser()
      const { status, body } = await visitor.ask('POST', '/session', { ...right, ...change })
      if (change.brand === '\ud800') assert.equal(body.error, 'validation_failed')
      else assert.deepEqual([status, body.error], [401, 'sign_in_refused'])
      assert.equal(visitor.cookie, undefined)
    }
    assert.equal((await browser().ask('POST', '/session', { ...right, username: 'OWNER' })).status, 204)
  })

  test('a session is a new one at each sign-in, idles 30 minutes, lasts 12 hours, and ends when asked', async () => {
    const { brand, browser, staffBrowser, clock } = await office()
    await brand('bistro')
    const person = await staffBrowser('bistro')
    const first = person.cookie
    const credentials = { brand: 'bistro', username: 'owner', password: PASSWORD }
    assert.equal((await person.ask('POST', '/session', credentials)).status, 204)
    assert.notEqual(person.cookie, first)
    const thief = browser()
    thief.cookie = first
    assert.equal((await thief.ask('GET', '/me')).status, 401, 'the cookie from before is dead')

    clock.ms += 31 * MINUTE
    assert.equal((await person.ask('GET', '/me')).status, 401)
    assert.equal(person.cookie, undefined, 'the cookie is cleared')

    await person.ask('POST', '/session', credentials)
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      clock.ms += 20 * MINUTE
      assert.equal((await person.ask('GET', '/me')).status, 200)
    }
    clock.ms += 20 * MINUTE
    assert.equal((await person.ask('GET', '/me')).status, 401, 'twelve hours, however busy')

    const other = browser()
    for (const one of [person, other]) await one.ask('POST', '/session', credentials)
    const kept = person.cookie
    assert.equal((await person.ask('DELETE', '/session', {})).status, 204)
    person.cookie = kept
    assert.equal((await person.ask('GET', '/me')).status, 401)
    await person.ask('POST', '/session', credentials)
    await person.ask('DELETE', '/session', { everywhere: true })
    assert.equal((await other.ask('GET', '/me')).status, 401)
  })

  test('a page that asks by itself keeps nobody signed in, and what a person does keeps them', async () => {
    const { brand, browser, staffBrowser, clock } = await office()
    await brand('bistro')
    const person = await staffBrowser('bistro')
    const page = browser({ headers: { 'x-comptoir': 'poll' } })
    page.cookie = person.cookie
    const pollFor = async (minutes: number) => {
      let status = 0
      for (let minute = 0; minute < minutes; minute++) {
        clock.ms += MINUTE
        status = (await page.ask('GET', '/credentials')).status
      }
      return status
    }
    assert.equal(await pollFor(29), 200)
    assert.equal((await person.ask('GET', '/credentials')).status, 200)
    assert.equal(await pollFor(29), 200, 'each call gives another half an hour')
    assert.equal(await pollFor(2), 401)
    assert.equal((await person.ask('GET', '/me')).status, 401)
  })

  test('wrong attempts make the next wait longer, for the account and for the address, and never for good', async () => {
    const { brand, browser, staffBrowser, clock } = await office()
    await brand('bistro')
    await staffBrowser('bistro')
    const attempt = async (address: string, username: string, password: string) => {
      for (;;) {
        const answer = await browser({ address }).ask('POST', '/session', { brand: 'bistro', username, password })
        if (answer.status !== 503) return answer // hashing twelve takes a busy machine longer than a request may
      }
    }
    const wait = async (address: string, username: string) => {
      const { status, headers } = await attempt(address, username, PASSWORD)
      return status === 429 ? Number(headers['retry-after']) : status
    }

    for (let i = 0; i < 3; i++) assert.equal((await attempt(`198.51.100.${i}`, 'owner', 'wrong')).status, 401)
    assert.equal(await wait('198.51.100.9', 'owner'), 1, 'the right password waits too')
    for (const expected of [2, 4, 8, 16]) {
      clock.ms += 500_000 / 1000 + (expected / 2) * 1000
      assert.equal((await attempt('198.51.100.9', 'Owner', 'wrong')).status, 401)
      assert.equal(await wait('198.51.100.8', 'OWNER'), expected, 'however the name is written, and from anywhere')
    }
    clock.ms += 16_000
    assert.equal(await wait('198.51.100.7', 'owner'), 204)
    assert.equal((await attempt('198.51.100.7', 'owner', 'wrong')).status, 401, 'a right password clears the account')

    const tries = Array.from({ length: 12 }, (_, i) => `nobody${i}`)
    const answers = await Promise.all(tries.map((name) => attempt('203.0.113.1', name, 'guess')))
    const statuses = answers.map(({ status }) => status).sort()
    assert.ok(statuses.filter((status) => status === 401).length <= 11, `at once: ${statuses}`)
    assert.ok((await wait('203.0.113.1', 'owner')) < 60)
    clock.ms += 15 * MINUTE
    assert.equal(await wait('203.0.113.1', 'owner'), 204)
  })

  test('strangers who know a username do not keep its owner out, who comes with a known device or from a known address', {
    timeout: 120_000,
  }, async () => {
    const { brand, browser, staffBrowser, clock } = await office()
    await brand('bistro')
    const device = await staffBrowser('bistro', 'owner', { address: '192.0.2.10' })
    const right = { brand: 'bistro', username: 'owner', password: PASSWORD }
    let [checked, delayed] = [0, 0]
    for (let round = 0; round < 9; round++) {
      for (let i = 0; i < 10; i++) {
        const stranger = browser({ address: `198.51.100.${round * 10 + i}` })
        stranger.device = `device=${'x'.repeat(43)}` // nobody's
        const { status } = await stranger.ask('POST', '/session', { ...right, password: 'wrong' })
        assert.ok(status === 401 || status === 429, String(status))
        if (status === 401) checked++
        else delayed++
        clock.ms += 500
      }
      const moved = Object.assign(browser({ address: `203.0.113.${round}` }), { device: device.device })
      assert.equal((await moved.ask('POST', '/session', right)).status, 204, `a known device, round ${round}`)
      const cleared = browser({ address: '192.0.2.10' })
      assert.equal((await cleared.ask('POST', '/session', right)).status, 204, `a known address, round ${round}`)
      const again = await device.ask('PUT', '/password', { password: PASSWORD, new_password: 'x' })
      assert.equal(again.body.error, 'password_weak', 'a person who is signed in gives the password again')
    }
    assert.ok(checked <= 9 && delayed >= 81, `${checked} checked, ${delayed} delayed: strangers gain nothing by it`)
    const { status, headers } = await browser({ address: '198.51.100.200' }).ask('POST', '/session', right)
    assert.ok(status === 429 && Number(headers['retry-after']) > 1, 'a stranger with the right password waits')
  })

  test('a known device or address has a count of its own, and being known is bound to the account', async () => {
    const { brand, browser, staffBrowser, clock } = await office()
    await brand('bistro')
    await brand('cantine')
    const owner = await staffBrowser('bistro', 'owner', { address: '192.0.2.10' })
    const other = await staffBrowser('cantine', 'owner', { address: '192.0.2.20' })
    const attempt = (from: { address: string; device?: string | undefined }, password: string) =>
      Object.assign(browser({ address: from.address }), { device: from.device }).ask('POST', '/session', {
        brand: 'bistro',
        username: 'owner',
        password,
      })
    const device = { address: '203.0.113.1', device: owner.device }
    for (let i = 0; i < 3; i++) assert.equal((await attempt(device, 'wrong')).status, 401)
    assert.equal((await attempt(device, PASSWORD)).status, 429, 'three wrong ones, then it waits')
    assert.equal((await attempt({ address: '192.0.2.10' }, 'wrong')).status, 401, 'not so its address')
    const stranger = { address: '192.0.2.20', device: other.device }
    for (let i = 0; i < 3; i++) assert.equal((await attempt(stranger, 'wrong')).status, 401)
    assert.equal((await attempt({ address: '198.51.100.1' }, PASSWORD)).status, 429, 'known to another account only')
    clock.ms += 1_000
    const back = await attempt(device, PASSWORD)
    assert.equal(back.status, 204)
    assert.ok(back.cookies[1]!.startsWith(`${owner.device};`), 'a known device keeps its token')
    assert.equal((await attempt(device, 'wrong')).status, 401, 'its right password cleared its wrong ones')
    clock.ms += 91 * 24 * HOUR
    for (let i = 0; i < 3; i++) assert.equal((await attempt({ address: '198.51.100.2' }, 'wrong')).status, 401)
    assert.equal((await attempt(device, PASSWORD)).status, 429, 'after 90 days without a sign-in it is a stranger')
  })

  test('of an account 20 places are kept, of a browser eight accounts, and only hashes of its tokens', async () => {
    const { deps, clock } = await office()
    await inviteOperator(deps.db, deps.keys, 'test', 'ada', { isNew: true }, deps.now())
    const [account] = await deps.db.rows<{ id: number }>('select id from accounts', [])
    let tokens: string[] = []
    for (let i = 0; i < 30; i++) {
      clock.ms += 1_000
      tokens = await rememberPlace(deps.db, account!.id, { tokens: [], address: `192.0.2.${i}` }, deps.now())
    }
    const places = await deps.db.texts('select place from known_places', [])
    assert.equal(places.length, 20)
    assert.ok(places.includes('address:192.0.2.29'))
    assert.ok(!JSON.stringify(places).includes(tokens[0]!))
    const crowded = Array.from({ length: 8 }, (_, i) => String(i).repeat(43))
    const kept = await rememberPlace(deps.db, account!.id, { tokens: crowded, address: '192.0.2.1' }, deps.now())
    assert.deepEqual(kept.slice(1), crowded.slice(0, 7))
    await removeOperator(deps.db, 'test', 'ada')
    assert.deepEqual(await deps.db.texts('select place from known_places', []), [])
  })

  test('35 fresh addresses at once do not keep the owner of another account out', { timeout: 60_000 }, async () => {
    const { brand, browser, staffBrowser } = await office()
    await brand('bistro')
    await brand('cantine')
    await staffBrowser('bistro')
    const owner = await staffBrowser('cantine', 'owner', { address: '192.0.2.10' })
    const crowd = Array.from({ length: 35 }, (_, i) =>
      browser({ address: `198.51.100.${i}` }).ask('POST', '/session', {
        brand: 'bistro',
        username: 'owner',
        password: 'wrong',
      }),
    )
    const right = { brand: 'cantine', username: 'owner', password: PASSWORD }
    const known = await owner.ask('POST', '/session', right)
    const elsewhere = await browser({ address: '203.0.113.1' }).ask('POST', '/session', right)
    assert.deepEqual([known.status, elsewhere.status], [204, 204])
    for (const { status } of await Promise.all(crowd)) assert.ok([401, 429, 503].includes(status), String(status))
  })

  test('a clock that was ahead does not lock an account, and opens none', async () => {
    const { brand, browser, staffBrowser, operatorBrowser, clock } = await office()
    await brand('bistro')
    const owner = await staffBrowser('bistro', 'owner', { address: '192.0.2.10' })
    const attempt = (address: string, password: string) =>
      browser({ address }).ask('POST', '/session', { brand: 'bistro', username: 'owner', password })
    clock.ms += 24 * HOUR
    const { totp } = await operatorBrowser('ada')
    for (let i = 0; i < 3; i++) assert.equal((await attempt(`198.51.100.${i}`, 'wrong')).status, 401)
    assert.equal((await attempt('198.51.100.9', PASSWORD)).status, 429)
    assert.equal((await attempt('192.0.2.10', PASSWORD)).status, 204)
    clock.ms -= 24 * HOUR
    assert.equal((await attempt('198.51.100.9', PASSWORD)).status, 204, 'a day ahead: not counted')
    for (let i = 0; i < 3; i++) assert.equal((await attempt('192.0.2.10', 'wrong')).status, 401)
    assert.equal((await attempt('192.0.2.10', PASSWORD)).status, 429, 'a sign-in of tomorrow clears nothing today')
    const code = totpCode(totp, stepAt(clock.ms))
    const operator = await browser().ask('POST', '/operator/session', { name: 'ada', password: PASSWORD, code })
    assert.equal(operator.status, 204, 'a code of tomorrow does not spend those of today')
    clock.ms += 60_000
    for (let i = 0; i < 3; i++) assert.equal((await attempt(`203.0.113.${i}`, 'wrong')).status, 401)
    clock.ms -= 60_000
    const { status, headers } = await attempt('203.0.113.9', PASSWORD)
    assert.deepEqual(
      [status, headers['retry-after']],
      [429, '1'],
      'a minute ahead: the ordinary delay, not a minute more',
    )
    assert.ok(owner.cookie)
  })

  test('an operator signs in with a password and a code that is good once', async () => {
    const { browser, operatorBrowser, deps, clock } = await office()
    const { totp } = await operatorBrowser('ada')
    const attempt = (code?: string) =>
      browser().ask('POST', '/operator/session', { name: 'ada', password: PASSWORD, ...(code && { code }) })
    assert.equal((await attempt(totpCode(totp, stepAt(clock.ms)))).status, 401, 'the code of the enrolment is spent')
    clock.ms += 30_000
    const code = totpCode(totp, stepAt(clock.ms))
    assert.equal((await attempt()).status, 401)
    const both = await Promise.all([attempt(code), attempt(code)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [204, 401])
    const rows = await deps.db.rows('select * from accounts', [])
    assert.equal(rows.length, 1)
    assert.ok(!JSON.stringify(rows).includes(totp), 'the secret rests sealed')
  })

  test('an invitation changes nothing until it is taken up, and an operator who was removed is out at once', async () => {
    const { operatorBrowser, deps } = await office()
    const ada = await operatorBrowser('ada')
    await inviteOperator(deps.db, deps.keys, 'test', 'ada', { isNew: false }, deps.now())
    assert.equal((await ada.ask('GET', '/me')).body.name, 'ada')
    await removeOperator(deps.db, 'test', 'ada')
    assert.equal((await ada.ask('GET', '/me')).status, 401)
  })

  test('the demo’s accounts work on loopback only', async () => {
    const { deps, brand, browser, clock } = await office()
    await brand('demo')
    const people = {
      brand: 'demo',
      username: 'owner',
      operator: 'operator',
      password: await passwordHash('demo', QUICK_PASSWORDS),
    }
    await addDemoAccounts(deps.db, 'demo', people)
    const attempt = async (options: object) => {
      const user = await browser(options).ask('POST', '/session', {
        brand: 'demo',
        username: 'owner',
        password: 'demo',
      })
      const operator = await browser(options).ask('POST', '/operator/session', { name: 'operator', password: 'demo' })
      return [user.status, operator.status]
    }
    assert.deepEqual(await attempt({ address: '127.0.0.1', host: 'localhost:8080' }), [204, 204])
    assert.deepEqual(await attempt({ address: '192.0.2.7', host: 'localhost:8080' }), [401, 401])
    assert.deepEqual(await attempt({ address: '127.0.0.1', host: 'rebound.example' }), [401, 401])
    const here = browser({ address: '127.0.0.1', host: '127.0.0.1' })
    const credentials = { brand: 'demo', username: 'owner', password: 'demo' }
    assert.equal((await here.ask('POST', '/session', credentials)).status, 204)
    clock.ms += 16 * MINUTE // the wrong ones above are forgotten
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      clock.ms += 10_000
      const proxied = browser({ address: '127.0.0.1', host: '127.0.0.1', headers: { [header]: '127.0.0.1' } })
      assert.equal((await proxied.ask('POST', '/session', credentials)).status, 401, header)
      proxied.cookie = here.cookie
      assert.equal((await proxied.ask('GET', '/me')).status, 401, header)
    }
    assert.equal((await here.ask('GET', '/me')).status, 200)
    const elsewhere = browser({ address: '192.0.2.7' })
    elsewhere.cookie = here.cookie
    assert.equal((await elsewhere.ask('GET', '/me')).status, 401)
  })

  test('a user who was deactivated is out within a second, and cannot come back', async () => {
    const { deps, brand, browser, staffBrowser } = await office()
    const { id } = await brand('bistro')
    const person = await staffBrowser('bistro')
    await putRows(deps.db, id, [{ kind: 'user', id: 1, username: 'owner', role_id: 1, active: false }])
    await deps.directory.refresh()
    assert.equal((await person.ask('GET', '/me')).status, 401)
    const again = await browser().ask('POST', '/session', { brand: 'bistro', username: 'owner', password: PASSWORD })
    assert.equal(again.status, 401)
    const token = await inviteUser(deps.db, 'test', 'bistro', 'owner', deps.now())
    assert.equal((await browser().ask('POST', '/invitation/acceptance', { token, password: PASSWORD })).status, 404)
    const outcomes = await deps.db.texts('select outcome from sign_ins', [])
    assert.deepEqual(
      outcomes.toSorted(),
      ['refused', 'signed_in'],
      'and the operator’s page does not say that they came back',
    )
  })

  test('passwords, links, codes and cookies stay out of the log and the tables', async () => {
    const { deps, brand, staffBrowser, operatorBrowser, lines } = await office()
    await brand('bistro', { rows: staff() })
    const token = await inviteUser(deps.db, 'test', 'bistro', 'owner', deps.now())
    const person = await staffBrowser('bistro')
    const { totp } = await operatorBrowser('ada')
    await person.ask('POST', '/session', {
      brand: 'bistro',
      username: 'canary-typed-here',
      password: 'canary-password',
    })
    const tables = ['accounts', 'invitations', 'sessions', 'sign_ins', 'known_places', 'audit']
    const rows = await Promise.all(tables.map((table) => deps.db.rows(`select * from ${table}`, [])))
    const kept = lines.join('') + JSON.stringify(rows)
    const cookies = [person.cookie!, person.device!].map((cookie) => cookie.split('=')[1]!)
    for (const secret of [PASSWORD, token, totp, ...cookies, 'canary']) assert.ok(!kept.includes(secret), secret)
  })
})
