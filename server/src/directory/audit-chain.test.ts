import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { stores } from '../../test/database/store.ts'
import { MERGE_RULES } from '../events/merge.ts'
import type { Database } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { openDatabase } from '../storage/open.ts'
import { auditRows, verifyAudit } from './audit.ts'
import { revokeKey, rotateKeys } from './key-changes.ts'
import { openKeyRing } from './keys.ts'
import { addBrand, addIntegrator } from './registry.ts'

onEachEngine('the audit chain', (make) => {
  const open = stores(make)

  const brands = async (db: Database, ...slugs: string[]) => {
    for (const slug of slugs) await addBrand(db, 'test', { slug, test: false })
  }

  /** Every row with another actor and the hashes that anybody can compute, as versions before the keyed chain wrote them. */
  async function rewritten(db: Database, from = 1): Promise<void> {
    let previous = ''
    for (const row of await Array.fromAsync(auditRows(db))) {
      if (row.id < from) {
        previous = row.hash
        continue
      }
      const { id, at, action, subject, brand_id, before, after } = row
      const members = [id, at, 'somebody else', action, subject, brand_id, before, after, previous]
      const hash = createHash('sha256').update(JSON.stringify(members)).digest('hex')
      await db.transaction((tx) =>
        tx.run(`update audit set actor = 'somebody else', previous_hash = ?, hash = ? where id = ?`, [
          previous,
          hash,
          id,
        ]),
      )
      previous = hash
    }
  }

  test('that was rewritten whole, every hash made to fit, is found broken', async () => {
    const { db, ring } = await open()
    await brands(db, 'one', 'two', 'three')
    assert.deepEqual(await verifyAudit(db, ring.audit), { rows: 3, intact: true, broken_at: null, keyed_from: 1 })
    await rewritten(db)
    assert.deepEqual(await verifyAudit(db, ring.audit), { rows: 1, intact: false, broken_at: 1, keyed_from: null })
  })

  test('stays one chain through rotations and the revocation of its first key', async () => {
    const { db, ring, installation } = await open()
    const file = installation.config.COMPTOIR_KEYS
    await brands(db, 'one')
    await rotateKeys(db, file, 'test')
    await revokeKey(db, file, 'test', ring.newest(0))
    const opened = await openKeyRing(db, file)
    await brands(db, 'two')
    assert.deepEqual(await verifyAudit(db, opened.audit), { rows: 4, intact: true, broken_at: null, keyed_from: 1 })
  })

  test('of an earlier version is verified, and keyed from the first change of this one', async () => {
    const { db, installation } = await open()
    const file = installation.config.COMPTOIR_KEYS
    await brands(db, 'one', 'two')
    await rewritten(db)
    const { audit_from, ...old } = JSON.parse(readFileSync(file, 'utf8'))
    assert.equal(audit_from, 1)
    writeFileSync(file, JSON.stringify(old))
    const { audit } = await openKeyRing(db, file)
    assert.deepEqual(await verifyAudit(db, audit), { rows: 2, intact: true, broken_at: null, keyed_from: null })
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).audit_from, 3)
    await addIntegrator(db, 'test', { name: 'Hub', id: 'hub', test: false })
    assert.deepEqual(await verifyAudit(db, audit), { rows: 3, intact: true, broken_at: null, keyed_from: 3 })
    // The old rows are vouched for by the first keyed one, also against who rewrites them to fit each other.
    await db.transaction((tx) => tx.run(`update audit set actor = 'x' where id = 1`, []))
    assert.equal((await verifyAudit(db, audit)).broken_at, 1)
    await rewritten(db)
    assert.equal((await verifyAudit(db, audit)).broken_at, 3)
  })

  test('takes no row from a process that has not opened the key ring', async () => {
    const installation = await make()
    const db = await openDatabase(installation.config, 'command', MERGE_RULES)
    try {
      await migrate(db)
      await assert.rejects(brands(db, 'one'), /recorded with the key ring/)
      assert.deepEqual(await Array.fromAsync(auditRows(db)), [])
    } finally {
      await db.close()
    }
  })
})
