import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../test/database/engines.ts'
import { stores } from '../../test/database/store.ts'
import { exported } from '../cli/export.ts'
import { addBrand } from '../directory/registry.ts'
import { auditBooks } from '../pos/books/audit.ts'
import type { Transaction } from '../storage/database.ts'
import { loadDays } from './days-file.ts'
import { historyOptions, makeDay } from './history.ts'
import { openHouse } from './open-house.ts'
import { dayIndex } from './opening-hours.ts'

/** A Thursday. Clocks were set forward on two of the days before: in Montréal, and three weeks later in Paris and Lisbon. */
const NOW = new Date('2026-04-02T12:00:00.000Z')

onEachEngine('days of the demo that come from the file', (make) => {
  const open = stores(make)

  test('are what the commands make: a day by commands leaves the same rows and events as the same day from the file', async () => {
    const { db } = await open()
    const over = dayIndex(NOW)
    const house = async (
      slug: string,
      days: (tx: Transaction, brand: { id: number; slug: string }) => Promise<void>,
    ) => {
      const { id } = await addBrand(db, 'test', { slug, test: true })
      await db.transaction(async (tx) => {
        await openHouse(tx, id, { now: NOW })
        await days(tx, { id, slug })
      })
      return id
    }
    const byFile = await house('file', async (tx, { id }) => {
      assert.ok(await loadDays(tx, id, NOW, over), 'the file is of other code: npm run prepare')
    })
    const byCommands = await house('commands', async (tx, brand) => {
      await loadDays(tx, brand.id, NOW, over - 1)
      await makeDay(tx, brand, over - 1, historyOptions(NOW, undefined))
    })

    const linesOf = async (id: number) => (await Array.fromAsync(exported(db, id))).join('').split('\n')
    const lines = await linesOf(byFile)
    assert.ok(lines.some((line) => line.startsWith('{"kind":"receipt"') && line.includes('"shift_date":"2026-04-01"')))
    assert.deepEqual(lines, await linesOf(byCommands))
    const eventsOf = (brand_id: number) =>
      db.texts(
        `select type || ' ' || subject || ' ' || source || ' ' || data from events where brand_id = ? order by position`,
        [brand_id],
      )
    assert.deepEqual(await eventsOf(byFile), await eventsOf(byCommands))
    for (const id of [byFile, byCommands]) assert.deepEqual((await auditBooks(db, id)).findings, [])
  })
})
