import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { onEachEngine } from '../../test/database/engines.ts'
import { putRows, staff } from '../../test/database/store.ts'
import { until } from '../../test/until.ts'
import { offices } from '../back-office/office-fixture.ts'
import { putEndpoint } from './endpoint-fixture.ts'
import { receiver } from './receiver-fixture.ts'
import { newSecret, sealed } from './secrets.ts'

onEachEngine('webhooks in the back office', (make) => {
  const office = offices(make)

  test('W20: what was sent in each hour, and a delivery signed now with the rights of the person who looks', async () => {
    const { brand, staffBrowser, deps, clock } = await office({
      COMPTOIR_WEBHOOKS: 'inside',
      COMPTOIR_WEBHOOK_ALLOW: '127.0.0.0/8',
    })
    const clerk = { kind: 'role', id: 2, name: 'Clerk', permissions: ['webhooks:manage', 'events:read'] }
    const rows = [clerk, { kind: 'user', id: 2, username: 'bo', name: 'Bo', role_id: 2 }]
    const { id: brand_id, client_id, credentials } = await brand('bistro', { rows: [...staff(), ...rows] })
    const [hub, secret, id] = [await receiver(), newSecret(), `we_${'a'.repeat(22)}`]
    const secrets = sealed(deps.keys, brand_id, id, secret)
    const types = '["product.*"]'
    const { integrator_id } = credentials
    const [head] = await deps.db.rows<{ position: number; nonce: number }>(
      'select position, nonce from events where brand_id = ? order by position desc limit 1',
      [brand_id],
    )
    const given = { brand_id, client_id, integrator_id, id, url: hub.url, types, secrets, payload: 'full', ...head }
    await putEndpoint(deps.db, given)
    await putRows(deps.db, brand_id, [{ kind: 'product', id: 1, name: "Cook's tea", type: 'PRODUCT' }])
    await until(() => hub.received.length === 1, 'it comes')
    const [owner, bo] = [await staffBrowser('bistro'), await staffBrowser('bistro', 'bo')]

    const hours = await owner.ask('GET', `/webhook-endpoints/${id}/hours`)
    const at = `${new Date(clock.ms).toISOString().slice(0, 13)}:00:00.000Z`
    assert.deepEqual(hours.body.data, [{ at, delivered: 1, failed: 0 }])

    const [sent] = hub.received
    const path = `/webhook-endpoints/${id}/signed?event=`
    const { status, body } = await owner.ask('GET', path + sent!.id)
    assert.equal(status, 200, JSON.stringify(body))
    const { url, headers, body: text } = body.data
    assert.equal(url, hub.url)
    assert.deepEqual(JSON.parse(text), JSON.parse(sent!.body))
    assert.ok(text.includes("Cook's tea"))
    assert.equal(Number(headers['webhook-timestamp']), Math.floor(clock.ms / 1000))
    assert.equal(headers['webhook-signature'], new Webhook(secret).sign(sent!.id, new Date(clock.ms), text))
    assert.ok(!JSON.stringify(body).includes(secret.slice('whsec_'.length)))

    for (const event of ['evt_0000000000000000000000000', 'msg_1', ''])
      assert.equal((await owner.ask('GET', path + event)).status, 404, event)
    assert.equal((await bo.ask('GET', path + sent!.id)).status, 404, 'somebody who may not see products')
    assert.equal((await bo.ask('GET', `/webhook-endpoints/${id}/hours`)).status, 200)
  })
})
