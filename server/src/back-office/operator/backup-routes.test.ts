import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { until } from '../../../test/until.ts'
import { offices, PASSWORD } from '../office-fixture.ts'

onEachEngine('copies in the back office', (make) => {
  const office = offices(make)

  test('the operator makes one, and takes it away after the password, by a ticket that is good once', async () => {
    const { brand, operatorBrowser, staffBrowser, deps, clock } = await office()
    await brand('bistro')
    const ada = await operatorBrowser('ada')
    const list = async () => (await ada.ask('GET', '/operator/backups')).body.backups
    if (deps.db.dialect.engine === 'PostgreSQL') {
      assert.equal(await list(), null)
      assert.equal((await ada.ask('POST', '/operator/backups')).status, 404)
      return
    }
    const folder = join(deps.config.COMPTOIR_DATA, 'backups')
    assert.deepEqual(await list(), {
      ...{ folder, every_ms: null, keep: 96, running: false, made_at: null, failed: null, copies: [] },
    })
    assert.equal((await ada.ask('POST', '/operator/backups')).status, 204)
    await until(async () => (await list()).copies.length === 1 && !(await list()).running)
    const { copies, made_at } = await list()
    const [{ name, bytes }] = copies
    assert.ok(made_at && bytes > 0)

    const path = `/operator/backups/${name}/download`
    assert.equal((await ada.ask('POST', path, { password: 'wrong' })).status, 401)
    for (const other of ['..%2F..%2Fkeys.json', 'keys.json', 'comptoir-00009-20260101T000000Z.db'])
      assert.equal((await ada.ask('POST', `/operator/backups/${other}/download`, { password: PASSWORD })).status, 404)
    const ticketOf = async () => (await ada.ask('POST', path, { password: PASSWORD })).body.ticket as string
    const file = (ticket: string, browser = ada) => browser.ask('GET', `/operator/backups/file?ticket=${ticket}`)

    const ticket = await ticketOf()
    const got = await file(ticket)
    assert.equal(got.status, 200)
    assert.equal(got.headers['content-disposition'], `attachment; filename="${name}"`)
    assert.equal(Number(got.headers['content-length']), readFileSync(join(folder, name)).length)
    assert.equal((await file(ticket)).status, 404, 'it is good once')
    const late = await ticketOf()
    clock.ms += 61_000
    assert.equal((await file(late)).status, 404, 'and for a minute')
    assert.equal((await file(await ticketOf(), await operatorBrowser('eve'))).status, 404, 'in its own session')
    assert.equal((await (await staffBrowser('bistro')).ask('GET', '/operator/backups')).status, 404)

    for (let attempt = 0; attempt < 4; attempt++) await ada.ask('POST', path, { password: 'wrong' })
    assert.equal((await ada.ask('POST', path, { password: PASSWORD })).status, 429, 'as sign-in is')
    const mine = (await ada.ask('GET', '/operator/audit?search=backup')).body.rows
    assert.deepEqual(mine.map(({ action, subject }: Row) => [action, subject]).slice(-2), [
      ['backup.download', name],
      ['backup.make', folder],
    ])
  })
})
