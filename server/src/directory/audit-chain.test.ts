import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
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
import { addBrand } from './registry.ts'

onEachEngine('the audit chain', (make) => {
  const open = stores(make)

  const brands = async (db: Database, ...slugs: string[]) => {
    for (const slug of slugs) await addBrand(db, 'test', { slug, test: false })
  }

  /** Every row with another actor, and with a hash that anybody can compute. */
  async function rewritten(db: Database): Promise<void> {
    let previous = ''
    for (const row of await Array.fromAsync(auditRows(db))) {
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
    assert.deepEqual(await verifyAudit(db, ring.audit), { rows: 3, intact: true, broken_at: null })
    await rewritten(db)
    assert.deepEqual(await verifyAudit(db, ring.audit), { rows: 1, intact: false, broken_at: 1 })
  })

  test('stays one chain through rotations and the revocation of its first key', async () => {
    const { db, ring, installation } = await open()
    const file = installation.config.COMPTOIR_KEYS
    await brands(db, 'one')
    await rotateKeys(db, file, 'test')
    await revokeKey(db, file, 'test', ring.newest(0))
    const opened = await openKeyRing(db, file)
    await brands(db, 'two')
    assert.deepEqual(await verifyAudit(db, opened.audit), { rows: 4, intact: true, broken_at: null })
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
