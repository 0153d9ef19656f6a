import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { putRows, staff, stores } from '../../test/database/store.ts'
import type { Database } from '../storage/database.ts'
import type { Tables } from '../storage/tables.ts'
import { auditRows, record, verifyAudit } from './audit.ts'
import { createCredential, listCredentials, rotateCredential, setCredentialEnabled } from './credentials.ts'
import { addBrand, addIntegrator, setBrandMode, setIntegrator, setQuota } from './registry.ts'
import { displayedSecret, secretHash } from './secrets.ts'

onEachEngine('the directory', (make) => {
  const open = stores(make)

  async function furnished() {
    const opened = await open()
    const brand = await addBrand(opened.db, 'test', { slug: 'bistro', test: true })
    await putRows(opened.db, brand.id, staff())
    return { ...opened, brand }
  }

  const actions = async (db: Database) => (await Array.fromAsync(auditRows(db))).map(({ action }) => action)

  test('a new brand has customer group 1 and nothing else', async () => {
    const { db } = await open()
    const brand = await addBrand(db, 'test', { slug: 'bistro', test: false })
    const [group] = await db.texts('select body from customer_groups where brand_id = ?', [brand.id])
    assert.equal(JSON.parse(group!).system_type, 'default')
    for (const table of ['venues', 'roles', 'users', 'customers', 'products'])
      assert.deepEqual(await db.texts(`select id from ${table} where brand_id = ?`, [brand.id]), [], table)
  })

  test('a slug belongs to one brand, also when two ask for it at once', async () => {
    const { db } = await open()
    const attempts = Array.from({ length: 8 }, () => addBrand(db, 'test', { slug: 'bistro', test: false }))
    const results = await Promise.allSettled(attempts)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const result of results)
      if (result.status === 'rejected') assert.match(result.reason.message, /already a brand "bistro"/)
  })

  test('an empty, invisible or unprintable name is refused, and a good one is kept trimmed', async () => {
    const { db, ring, brand } = await furnished()
    for (const name of ['', ' \t', '\u200b', 'a\u001b[2Jb', 'a'.repeat(256)]) {
      const refused = { message: /^The name of a/ }
      await assert.rejects(addBrand(db, 'test', { slug: 'cantine', name, test: false }), refused)
      await assert.rejects(addIntegrator(db, 'test', { name, test: false }), refused)
      await assert.rejects(createCredential(db, ring, 'test', { brand: brand.slug, username: 'owner', name }), refused)
    }
    assert.equal(
      (await addBrand(db, 'test', { slug: 'cantine', name: ' La Cantine ', test: false })).name,
      'La Cantine',
    )
  })

  test('every change leaves an audit row with before and after, in one unbroken chain', async () => {
    const { db, ring, brand } = await furnished()
    await setBrandMode(db, 'test', brand.slug, false)
    await addIntegrator(db, 'test', { name: 'Hub', id: 'hub', test: false })
    await setIntegrator(db, 'test', 'hub', { active: false })
    await setQuota(db, 'test', brand.slug, 'hub', 5_000)
    const { client_id } = await createCredential(db, ring, 'test', { brand: brand.slug, username: 'owner' })
    await setCredentialEnabled(db, 'test', client_id, false)
    await rotateCredential(db, ring, 'test', client_id, 60)
    assert.deepEqual(await actions(db), [
      'brand.add',
      'venue.import',
      'role.import',
      'user.import',
      'brand.set',
      'integrator.add',
      'integrator.set',
      'quota.set',
      'credential.create',
      'credential.disable',
      'credential.rotate',
    ])
    assert.deepEqual(await verifyAudit(db, ring.audit), { rows: 11, intact: true, broken_at: null })
    const change = (await Array.fromAsync(auditRows(db)))[4]!
    assert.equal(JSON.parse(change.before!).test, 1)
    assert.equal(JSON.parse(change.after!).test, 0)
  })

  test('while a long chain is verified, everybody else gets a turn', async () => {
    const { db, ring } = await open()
    const change = { actor: 'test', action: 'test', subject: 'x', brand_id: null, before: undefined, after: undefined }
    for (let part = 0; part < 6; part++)
      await db.transaction(async (tx) => {
        for (let row = 0; row < 100; row++) await record(tx, change)
      })
    let turns = 0
    setImmediate(() => turns++)
    const { rows, intact } = await verifyAudit(db, ring.audit)
    assert.deepEqual({ rows, intact }, { rows: 600, intact: true })
    assert.equal(turns, 1)
  })

  test('a change that fails leaves no audit row', async () => {
    const { db, brand } = await furnished()
    const before = await actions(db)
    await assert.rejects(setQuota(db, 'test', brand.slug, 'nobody', 1), /no integrator/)
    assert.deepEqual(await actions(db), before)
  })

  for (const [what, tamper] of [
    ['altered', "update audit set actor = 'somebody else' where id = 2"],
    ['taken out', 'delete from audit where id = 2'],
    ['cut off at the end', 'delete from audit where id = 4'],
  ] as const)
    test(`audit verify notices a row that was ${what}`, async () => {
      const { db, ring } = await furnished()
      await db.transaction((tx) => tx.run(tamper, []))
      const { intact, broken_at } = await verifyAudit(db, ring.audit)
      assert.deepEqual({ intact, broken_at }, { intact: false, broken_at: what === 'cut off at the end' ? 4 : 2 })
    })

  test('a secret rests as a keyed hash and a cipher that opens for its own credential only', async () => {
    const { db, ring, brand } = await furnished()
    const { client_id, client_secret } = await createCredential(db, ring, 'test', {
      brand: brand.slug,
      username: 'owner',
    })
    const row = (await db.rows<Tables['credentials']>('select * from credentials', []))[0]!
    assert.equal(row.secret_hash, secretHash(ring, row.secret_kid, client_secret))
    assert.equal(displayedSecret(ring, brand.id, client_id, row), client_secret)
    assert.equal(displayedSecret(ring, brand.id + 1, client_id, row), undefined)
    const resting = JSON.stringify([row, await Array.fromAsync(auditRows(db)), await listCredentials(db, brand)])
    assert.ok(!resting.includes(client_secret))
  })

  test('a credential takes the main venue, or one that its user may enter', async () => {
    const { db, ring, brand } = await furnished()
    await putRows(db, brand.id, [
      { kind: 'venue', id: 2, name: 'Terrace', is_main: true },
      { kind: 'user', id: 2, username: 'waiter', role_id: 1, venue_ids: [1] },
    ])
    await createCredential(db, ring, 'test', { brand: brand.slug, username: 'owner' })
    assert.equal((await listCredentials(db, brand))[0]!.venue_id, 2)
    await assert.rejects(
      createCredential(db, ring, 'test', { brand: brand.slug, username: 'waiter' }),
      /has no access to venue 2/,
    )
    await createCredential(db, ring, 'test', { brand: brand.slug, username: 'waiter', venue_id: 1 })
    await assert.rejects(
      createCredential(db, ring, 'test', { brand: brand.slug, username: 'owner', venue_id: 9 }),
      /no venue 9/,
    )
    await assert.rejects(
      createCredential(db, ring, 'test', { brand: brand.slug, username: 'ghost' }),
      /no user "ghost"/,
    )
  })
})
