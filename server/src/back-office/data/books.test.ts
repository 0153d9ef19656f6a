import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { type Audited, CHECKED } from '../../pos/books/audit.ts'
import { keepAudit } from '../../pos/books/last-audit.ts'
import { offices } from '../office-fixture.ts'
import type { Books } from '../schema.ts'

const rows: Row[] = [
  ...[1, 2].map((id) => ({ kind: 'venue', id, name: `Venue ${id}`, is_main: id === 1 })),
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'role', id: 2, name: 'Accountant', permissions: ['finance-balances:read'] },
  { kind: 'role', id: 3, name: 'Waiter', permissions: ['receipts:read'] },
  { kind: 'user', id: 1, username: 'owner', role_id: 1 },
  { kind: 'user', id: 2, username: 'accountant', role_id: 2, venue_ids: [2] },
  { kind: 'user', id: 3, username: 'waiter', role_id: 3 },
]
const BROKEN: Audited = {
  receipts: 12,
  findings: [{ invariant: 'I1', subject: 'receipt 7', problem: 'total is 1, the lines make 2' }],
}

onEachEngine('the Books page', (make) => {
  const office = offices(make)

  test('the last audit is shown to those who may read balances, with its rows to those who may enter every venue', async () => {
    const { deps, brand, staffBrowser } = await office()
    const { id } = await brand('bistro', { rows })
    const owner = await staffBrowser('bistro')
    assert.deepEqual((await owner.ask('GET', '/books')).body, { audit: null })
    const instant = '2026-02-01T10:00:00.000Z'
    for (const audited of [{ receipts: 3, findings: [] }, BROKEN])
      await deps.db.transaction((tx) => keepAudit(tx, id, audited, { at: instant, ms: 40.4 }))

    const shownTo = async (visitor: typeof owner) => {
      const { audit } = (await visitor.ask('GET', '/books')).body as Books
      return audit!
    }
    const { invariants, version, ...rest } = await shownTo(owner)
    assert.deepEqual(rest, { at: instant, ms: 40, receipts: 12 }, 'the last one')
    assert.match(version, /^\d+\.\d+\.\d+/)
    assert.deepEqual(
      invariants.map(({ invariant }) => invariant),
      CHECKED,
    )
    const [{ subject, problem }] = BROKEN.findings as [(typeof BROKEN.findings)[number]]
    assert.deepEqual(invariants[0], { invariant: 'I1', found: 1, findings: [{ subject, problem }] })
    assert.deepEqual(invariants[1], { invariant: 'I2', found: 0, findings: [] })

    const accountant = await shownTo(await staffBrowser('bistro', 'accountant'))
    assert.deepEqual(accountant.invariants[0], { invariant: 'I1', found: 1, findings: [] })
    const waiter = await (await staffBrowser('bistro', 'waiter')).ask('GET', '/books')
    assert.deepEqual([waiter.status, waiter.body.details], [403, { required: 'finance-balances:read' }])
  })
})
