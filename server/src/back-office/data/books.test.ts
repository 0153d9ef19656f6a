import assert from 'node:assert/strict'
import { constants } from 'node:os'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import type { Row } from '../../../test/database/store.ts'
import { until } from '../../../test/until.ts'
import { leases } from '../../delivery/lease.ts'
import { setBrandTerms } from '../../directory/brand-terms.ts'
import { type Audited, CHECKED } from '../../pos/books/audit.ts'
import { booksChecker } from '../../pos/books/running/checker.ts'
import { endCheck } from '../../pos/books/running/checks.ts'
import { keepAudit } from '../../pos/books/running/last-audit.ts'
import { askForNights } from '../../pos/books/running/nights.ts'
import { type Browser, offices } from '../office-fixture.ts'
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
    const check = { state: 'none', done: 0, total: 0, failed: false }
    assert.deepEqual((await owner.ask('GET', '/books')).body, { audit: null, check, nightly: '04:00' })
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

  // At low priority it might not end while other tests run.
  const checkerOf = ({ deps }: Awaited<ReturnType<typeof office>>) =>
    booksChecker(deps, constants.priority.PRIORITY_NORMAL)
  const readBooks = async (person: Browser) => (await person.ask('GET', '/books')).body as Books
  const checked = (person: Browser) =>
    until(async () => (await readBooks(person)).check.state === 'none', 'the check does not end')

  test('Check now runs once beside the service, however many ask and processes look, and keeps what it found', async () => {
    const built = await office()
    const { id } = await built.brand('bistro', { rows })
    const other = await built.brand('other', { rows })
    const [owner, accountant] = [await built.staffBrowser('bistro'), await built.staffBrowser('bistro', 'accountant')]
    const waiter = await built.staffBrowser('bistro', 'waiter')
    assert.equal((await waiter.ask('POST', '/books/check')).status, 403)
    for (const person of [owner, accountant, owner]) {
      const { status, body } = await person.ask('POST', '/books/check')
      assert.deepEqual([status, body.data.state], [200, 'waiting'])
    }
    const checkers = [checkerOf(built), checkerOf(built)]
    try {
      await checked(owner)
      const { audit, check } = await readBooks(owner)
      assert.deepEqual([check.failed, audit!.invariants.every(({ found }) => found === 0)], [false, true])
      const terms = await built.deps.db.rows<{ brand_id: number; term: number }>(
        'select brand_id, term from book_checks',
        [],
      )
      const own = terms.filter(({ brand_id }) => [id, other.id].includes(brand_id))
      assert.equal(own.length, 1, 'nobody asked for the other brand')

      await built.deps.db.transaction((tx) =>
        tx
          .run('update users set name = ? where brand_id = ? and id = 1', ['Another', id])
          .then(() => tx.run(`update counters set value = value + 1 where brand_id = ? and name = 'users'`, [id])),
      )
      await owner.ask('POST', '/books/check')
      await checked(owner)
      const broken = (await readBooks(owner)).audit!.invariants.filter(({ found }) => found > 0)
      assert.equal(broken.length, 1)
    } finally {
      for (const checker of checkers) await checker.close()
    }
  })

  test('a check whose process is gone is taken over, and one that was fenced keeps nothing', async () => {
    const built = await office()
    const { id } = await built.brand('bistro', { rows })
    const owner = await built.staffBrowser('bistro')
    await owner.ask('POST', '/books/check')
    const { db } = built.deps
    const gone = (await leases(db, 'book_checks', 'a process that is gone').claim({ brand_id: id, id: 'books' }))!
    assert.equal((await readBooks(owner)).check.state, 'running')
    await db.transaction((tx) => tx.run('update book_checks set lease_until = 0 where brand_id = ?', [id])) // its time is over
    const checker = checkerOf(built)
    try {
      await checked(owner)
    } finally {
      await checker.close()
    }
    assert.equal(await db.transaction((tx) => endCheck(tx, gone, false)), false)
    assert.notEqual((await readBooks(owner)).audit, null)
  })

  test('the books are checked once a night, from the set time on by the clock of the first venue, or not at all', async () => {
    const built = await office()
    const zones = [
      { kind: 'venue', id: 1, name: 'Baku', is_main: true, time_zone: 'Asia/Baku' }, // UTC+4
      { kind: 'venue', id: 2, name: 'Lisbon', time_zone: 'Europe/Lisbon' },
    ]
    const receipt = { kind: 'receipt', id: 1, venue_id: 1, total: 1 }
    const { id } = await built.brand('bistro', { rows: [...zones, ...rows.slice(2), receipt] })
    const { db, now } = built.deps
    const asked = async () =>
      (await db.texts('select night from book_checks where brand_id = ? and asked_at is not null', [id]))[0]
    const look = async () => {
      await askForNights(db, now())
      return asked()
    }
    const at = (text: string) => {
      built.clock.ms = Date.parse(text)
    }
    const done = () => db.transaction((tx) => tx.run('update book_checks set asked_at = null where brand_id = ?', [id]))
    at('2026-03-01T23:59:00Z') // 03:59 in Baku
    assert.equal(await look(), undefined)
    at('2026-03-02T00:00:00Z')
    assert.equal(await look(), '2026-03-02')
    await done()
    at('2026-03-02T19:00:00Z')
    assert.equal(await look(), undefined, 'once a day')
    at('2026-03-03T09:00:00Z') // nobody was up at four
    assert.equal(await look(), '2026-03-03')
    await done()
    await setBrandTerms(db, 'test', 'bistro', { books_check: 'off' })
    at('2026-03-04T09:00:00Z')
    assert.equal(await look(), undefined)
    await setBrandTerms(db, 'test', 'bistro', { books_check: '23:30' })
    assert.equal(await look(), undefined)
    at('2026-03-04T19:30:00Z')
    assert.equal(await look(), '2026-03-04')
  })
})
