import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { putRows, staff, stores } from '../../test/database/store.ts'
import { createCredential } from '../directory/credentials.ts'
import { addBrand } from '../directory/registry.ts'
import { putEndpoint } from '../webhooks/endpoint-fixture.ts'
import { LeaseLost, writeOutcomes } from '../webhooks/sending/store.ts'
import { fence, LEASE_MS, leaseKey, leases, mayStart } from './lease.ts'

onEachEngine('leases', (make) => {
  const open = stores(make)

  test('W24: one of several senders has an endpoint; one that stood still writes nothing and starts nothing', async () => {
    const { db, ring } = await open()
    const { id: brand_id } = await addBrand(db, 'test', { slug: 'bistro', test: false })
    await putRows(db, brand_id, staff())
    const { client_id } = await createCredential(db, ring, 'test', { brand: 'bistro', username: 'owner' })
    const counters = { failures: 0, probes: 0, notices: 0, not_before: 0 }
    await putEndpoint(db, { brand_id, client_id, id: 'we_1' })
    const endpoint = { brand_id, id: 'we_1' }
    const senders = Array.from({ length: 8 }, (_, index) => leases(db, 'webhook_endpoints', `sender ${index}`))
    const claims = await Promise.all(senders.map(({ claim }) => claim(endpoint)))
    assert.equal(claims.filter(Boolean).length, 1, 'one wins')
    const winner = claims.findIndex(Boolean)
    const [first, other] = [claims[winner]!, senders[(winner + 1) % 8]!]
    const renew = async (leases: (typeof first)[]) => [...(await senders[winner]!.renew(leases))]
    assert.deepEqual(await renew([first]), [leaseKey(endpoint)])
    assert.deepEqual(await renew([]), [], 'what was dropped runs out')
    assert.deepEqual(await renew([{ ...first, term: first.term - 1 }]), [])

    const write = (lease: typeof first, position: number) =>
      writeOutcomes(db, lease, 1, {
        changes: { cursor: { position, nonce: 0 }, added: [], changed: [], removed: [] },
        counters: { ...counters, due_at: null, last_success_at: null, last_failure: null },
        transitions: [],
        replay: undefined,
        redelivered: [],
      })
    await write(first, 5)
    assert.ok(mayStart(first))
    first.since -= 10_001 // it stood still
    assert.ok(!mayStart(first), 'less than 20 s are left')

    await db.transaction((tx) =>
      tx.run('update webhook_endpoints set lease_until = lease_until - ?', [LEASE_MS + 1_000]),
    )
    const second = (await other.claim(endpoint))!
    assert.equal(second.term, first.term + 1)
    await assert.rejects(write(first, 3), LeaseLost)
    assert.deepEqual(await renew([first]), [])
    await senders[winner]!.release(first) // does nothing to what another holds
    await write(second, 6)
    const [row] = await db.rows<{ position: number; lease_holder: string }>('select * from webhook_endpoints', [])
    assert.deepEqual([row!.position, row!.lease_holder], [6, `sender ${(winner + 1) % 8}`])

    await db.transaction((tx) =>
      tx.run(`update webhook_endpoints set state = 'pending', version = 2, due_at = 0, failures = 3`, []),
    )
    assert.equal(await write(second, 7), false, 'it was changed by hand')
    const [changed] = await db.rows<object>('select position, due_at, failures from webhook_endpoints', [])
    assert.deepEqual({ ...changed }, { position: 7, due_at: 0, failures: 3 })

    await db.transaction((tx) => fence(tx, 'webhook_endpoints', endpoint))
    await assert.rejects(write(second, 8), LeaseLost)
    assert.ok(await senders[winner]!.claim(endpoint), 'it is free')
  })
})
