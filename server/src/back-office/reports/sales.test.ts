import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows, type Row } from '../../../test/database/store.ts'
import { MERGE_RULES } from '../../events/merge.ts'
import { openDatabase } from '../../storage/open.ts'
import { fromScaled } from '../../values/values.ts'
import { type Browser, offices } from '../office-fixture.ts'
import { channelOf, HOUSE, paidBy, rowsOf, type Sale, sales, sellerOf, sum, totalOf } from './report-fixture.ts'

const [FROM, TO] = ['2026-02-18', '2026-02-23']
const RANGE = `from=${FROM}&to=${TO}`

onEachEngine('sales compared, and files for an accountant', (make) => {
  const office = offices(make)
  const given = sales('compared', 400)
  let [owner, manager] = [] as unknown as [Browser, Browser]

  before(async () => {
    const built = await office()
    const bistro = await built.brand('bistro', { rows: HOUSE })
    const db = await openDatabase(built.installation.config, 'command', MERGE_RULES)
    await putRows(db, bistro.id, [...rowsOf(given), ...MONEY])
    await db.close()
    owner = await built.staffBrowser('bistro')
    manager = await built.staffBrowser('bistro', 'manager')
  })

  const counted = (from: string, to: string, venues: readonly number[]) =>
    given.filter(
      ({ venue_id, shift_date, status, rule }) =>
        venues.includes(venue_id) && shift_date >= from && shift_date <= to && status === 2 && rule > 0,
    )
  const rows = async (browser: Browser, path: string) => {
    const { status, body } = await browser.ask('GET', `/reports/${path}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data as Row[]
  }
  const lines = async (browser: Browser, path: string) => {
    const { status, body } = await browser.ask('GET', `/reports/accounting/${path}`)
    assert.equal(status, 200, JSON.stringify(body))
    const [header, ...own] = (body as string).trimEnd().split('\r\n')
    const names = header!.split(',').map((name) => name.slice(1, -1))
    return own.map((line) =>
      Object.fromEntries(
        [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)]
          .slice(0, names.length)
          .map(([, text, bare], index) => [names[index]!, text ?? (bare === '' ? null : Number(bare))]),
      ),
    ) as Record<string, string | number | null>[]
  }

  /** What `keysOf` puts a sale under, with the share that counts there. */
  const naive = (
    venues: readonly number[],
    sharesOf: (sale: Sale) => Iterable<readonly [key: unknown, amount: number]>,
  ) => {
    const groups = new Map<string, { receipts: number; total: number }[]>()
    for (const [period, some] of [counted(FROM, TO, venues), counted('2026-02-12', '2026-02-17', venues)].entries())
      for (const sale of some)
        for (const [key, amount] of sharesOf(sale)) {
          const name = JSON.stringify(key)
          if (!groups.has(name))
            groups.set(name, [
              { receipts: 0, total: 0 },
              { receipts: 0, total: 0 },
            ])
          const group = groups.get(name)![period]!
          group.receipts += sale.refund ? 0 : 1
          group.total += amount
        }
    return new Map(
      [...groups].map(([key, [now, then]]) => [
        key,
        {
          receipts: now!.receipts,
          total: fromScaled(now!.total),
          before_receipts: then!.receipts,
          before_total: fromScaled(then!.total),
        },
      ]),
    )
  }

  test('each kind adds up what was closed, beside as many days before, for the venues that one may enter', async () => {
    const kinds: [path: string, keyOf: (row: Row) => unknown, sharesOf: Parameters<typeof naive>[1]][] = [
      ['hours', ({ hour }) => hour, (sale) => [[13, totalOf(sale)]]], // at noon of UTC, in Paris
      ['weekdays', ({ weekday }) => weekday, (sale) => [[new Date(sale.shift_date).getUTCDay() || 7, totalOf(sale)]]],
      ['people', ({ id }) => id, (sale) => [[sellerOf(sale), totalOf(sale)]]],
      ['methods', ({ id }) => id, paidBy],
      ['channels', ({ id, source }) => ({ id, source }), (sale) => [[channelOf(sale), totalOf(sale)]]],
    ]
    for (const [path, keyOf, sharesOf] of kinds)
      for (const [query, venues, who] of [
        ['', [1, 2, 3], owner],
        ['&venue_id=2', [2], owner],
        ['', [1, 2], manager],
      ] as const) {
        const found = await rows(who, `sales/${path}?${RANGE}${query}`)
        const sums = found.map(({ receipts, total, before_receipts, before_total, ...row }) => [
          JSON.stringify(keyOf(row as Row)),
          { receipts, total, before_receipts, before_total },
        ])
        const wanted = naive(venues, sharesOf)
        assert.ok(wanted.size > 0)
        assert.deepEqual(new Map(sums as [string, never][]), new Map([...wanted]), path)
      }
  })

  test('what has an id has its name', async () => {
    const names = async (path: string) =>
      new Map((await rows(owner, `sales/${path}?${RANGE}`)).map(({ id, name }) => [id, name]))
    assert.deepEqual((await names('methods')).get(1), 'Cash')
    assert.deepEqual((await names('channels')).get(1), 'Here')
    assert.deepEqual((await names('people')).get(null), null)
  })

  test('the file of receipts has each one with its parts, refunds below zero', async () => {
    for (const [who, venues] of [
      [owner, [1, 2, 3]],
      [manager, [1, 2]],
    ] as const) {
      const file = await lines(who, `receipts.csv?${RANGE}`)
      const some = counted(FROM, TO, venues)
      assert.deepEqual(
        file.map(({ id, total }) => [id, total]).sort(([one], [other]) => Number(one) - Number(other)),
        some.map((sale) => [sale.id, fromScaled(totalOf(sale))]),
      )
    }
  })

  test('the file of payments agrees with the taxes of each day and with what was paid by each method', async () => {
    const file = await lines(owner, `payments.csv?${RANGE}`)
    const some = counted(FROM, TO, [1, 2, 3])
    const scaled = (amount: string | number | null) => Math.round(Number(amount) * 10_000)
    for (const [day, own] of Map.groupBy(some, ({ shift_date }) => shift_date)) {
      const ofDay = file.filter(({ shift_date }) => shift_date === day)
      const taxed = (tax: string, name: string) =>
        sum(
          ofDay.filter((row) => row.tax === tax),
          (row) => scaled(row[name]!),
        )
      assert.equal(
        taxed('VAT', 'tax_amount'),
        sum(own, ({ i_tax }) => i_tax),
      )
      assert.equal(taxed('VAT', 'base'), 10 * sum(own, ({ i_tax }) => i_tax))
      assert.equal(
        taxed('City', 'tax_amount'),
        sum(own, ({ e_tax }) => e_tax),
      )
      for (const method of [1, 2, null])
        assert.equal(
          sum(
            ofDay.filter((row) => row.payment_method_id === method),
            (row) => scaled(row.amount!),
          ),
          sum(own, (sale) => paidBy(sale).get(method) ?? 0),
          `${day} ${method}`,
        )
    }
  })

  test('the file of transactions has the business days of each venue, and those of none only for all venues', async () => {
    const ids = async (query: string) => (await lines(owner, `transactions.csv?${query}`)).map(({ id }) => id)
    const day = 'from=2026-02-20&to=2026-02-20'
    assert.deepEqual(await ids(day), [2, 3, 5])
    assert.deepEqual(await ids(`${day}&venue_id=1`), [2, 3])
    assert.deepEqual(await ids('from=2026-02-21&to=2026-02-21'), [4])
    assert.equal((await manager.ask('GET', `/reports/accounting/transactions.csv?${day}`)).status, 403)
    const [first] = await lines(owner, `transactions.csv?${day}`)
    assert.deepEqual([first!.balance, first!.category, first!.amount, first!.after_amount], ['Bank', 'Sale', 2, 3])
  })
})

/** Movements around the ends of a business day of Paris, which begins at 04:00 there; the last one is of no venue. */
const MONEY: Row[] = [
  { kind: 'finance_category', id: 1, name: 'Sale', type: 'INCOME', status: 1 },
  { kind: 'balance', id: 101, name: 'Bank', type: 'CARD', venue_id: 1, position: 1 },
  { kind: 'balance', id: 102, name: 'Old', type: 'CARD', position: 2 },
  ...[
    '2026-02-20T02:59:59.999Z',
    '2026-02-20T03:00:00.000Z',
    '2026-02-21T02:59:59.999Z',
    '2026-02-21T03:00:00.000Z',
  ].map((operated_at, index, all) => ({
    kind: 'transaction',
    id: index + 1,
    venue_id: 1,
    balance_id: 101,
    category_id: 1,
    step: index + 1,
    amount: index + 1,
    before_amount: sum(all.slice(0, index), (each) => all.indexOf(each) + 1),
    after_amount: sum(all.slice(0, index + 1), (each) => all.indexOf(each) + 1),
    operated_at,
  })),
  {
    kind: 'transaction',
    id: 5,
    balance_id: 102,
    category_id: 1,
    step: 1,
    amount: 1,
    before_amount: 0,
    after_amount: 1,
    operated_at: '2026-02-20T12:00:00.000Z',
  },
]
