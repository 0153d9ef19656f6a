import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEmbeddedEngine } from '../../test/database/engines.ts'
import { staff } from '../../test/database/store.ts'
import { offices } from './office-fixture.ts'

onEmbeddedEngine('how much one person may ask for', (make) => {
  const office = offices(make)

  test('is 3,000 calls in a minute, from whatever browsers; then Retry-After, and nobody else is refused', async () => {
    const { deps, brand, browser, staffBrowser } = await office()
    await brand('bistro', { rows: [...staff(), { kind: 'user', id: 2, username: 'second', role_id: 1 }] })
    const [person, other] = [await staffBrowser('bistro'), await staffBrowser('bistro', 'second')]
    const tab = Object.assign(browser(), { cookie: person.cookie })
    const [account] = await deps.db.rows<{ id: number }>('select id from accounts where user_id = 1', [])
    const made = async () => (await deps.windows.look(3, `person:${account!.id}`, 3_000)).count
    while ((await made()) < 2_999) await deps.windows.take(3, `person:${account!.id}`, 3_000)
    assert.equal((await person.ask('GET', '/me')).status, 200)
    const refused = await tab.ask('GET', '/me')
    assert.equal(refused.status, 429)
    const { reset } = refused.body.details
    assert.ok(reset >= 1 && reset <= 60)
    assert.deepEqual(refused.body, {
      error: 'rate_limited',
      message: `More than 3000 calls in a minute: wait ${reset} s.`,
      details: { limit: 3_000, reset },
    })
    assert.equal(refused.headers['retry-after'], String(reset))
    assert.equal((await other.ask('GET', '/me')).status, 200)
  })
})
