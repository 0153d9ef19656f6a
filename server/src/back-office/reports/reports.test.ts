import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows } from '../../../test/database/store.ts'
import { uuidOf } from '../../demo/random.ts'
import { MERGE_RULES } from '../../events/merge.ts'
import { roundTo, unitOf } from '../../pos/rounding.ts'
import { StoreUnavailable } from '../../storage/database.ts'
import { openDatabase } from '../../storage/open.ts'
import { fromScaled } from '../../values/values.ts'
import { type Browser, offices } from '../office-fixture.ts'
import {
  CATEGORY,
  costOf,
  HOUSE,
  isLive,
  type Line,
  linesTotalOf,
  rowsOf,
  type Sale,
  SHIFTS,
  STORED_REPORT,
  sales,
  subtotalOf,
  sum,
  totalOf,
} from './report-fixture.ts'

const RANGE = 'from=2026-02-12&to=2026-02-23'
const PERMISSIONS: Record<string, string> = {
  day: 'receipts:read',
  products: 'receipts:read',
  categories: 'receipts:read',
  'margin/days': 'receipts:read',
  'margin/products': 'receipts:read',
  taxes: 'finance-taxes:read',
  'sales/hours': 'receipts:read',
  'sales/weekdays': 'receipts:read',
  'sales/people': 'receipts:read',
  'sales/methods': 'receipts:read',
  'sales/channels': 'receipts:read',
  shifts: 'finance-cash-shifts:read',
}
const REPORTS = Object.keys(PERMISSIONS)

onEachEngine('reports', (make) => {
  const office = offices(make)
  const given = sales('reports', 400)
  let built: Awaited<ReturnType<typeof office>>
  let [owner, manager] = [] as unknown as [Browser, Browser]
  let credentials: object

  before(async () => {
    built = await office()
    const bistro = await built.brand('bistro', { rows: [...HOUSE, ...SHIFTS] })
    credentials = bistro.credentials
    const other = await built.brand('other', { rows: HOUSE })
    const db = await openDatabase(built.installation.config, 'command', MERGE_RULES) // which no busy machine hurries
    await putRows(db, bistro.id, rowsOf(given))
    await putRows(db, other.id, rowsOf(sales('other', 40)))
    await db.close()
    owner = await built.staffBrowser('bistro')
    manager = await built.staffBrowser('bistro', 'manager')
  })

  const counted = (venues: readonly number[]) =>
    given.filter(
      ({ venue_id, shift_date, status, rule }) =>
        venues.includes(venue_id) &&
        shift_date >= '2026-02-12' &&
        shift_date <= '2026-02-23' &&
        status === 2 &&
        rule > 0,
    )
  const rows = async (browser: Browser, path: string) => {
    const { status, body } = await browser.ask('GET', `/reports/${path}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  const CHOICES = [
    { query: '', venues: [1, 2, 3], who: () => owner },
    { query: '&venue_id=2', venues: [2], who: () => owner },
    { query: '', venues: [1, 2], who: () => manager },
  ]
  const byDay = (some: readonly Sale[]) =>
    [...Map.groupBy(some, ({ shift_date }) => shift_date)].sort(([one], [other]) => (one < other ? -1 : 1))

  test('a day is the sum of the receipts that were closed on it, refunds against the rest', async () => {
    for (const { query, venues, who } of CHOICES) {
      const naive = byDay(counted(venues)).map(([shift_date, some]) => {
        const amounts = (['service_charge_value', 'delivery_fee', 'i_tax', 'e_tax'] as const).map((name) => [
          name,
          fromScaled(sum(some, (sale) => sale[name])),
        ])
        const [receipts, total] = [some.filter(({ refund }) => !refund).length, sum(some, totalOf)]
        return {
          shift_date,
          receipts,
          refunds: some.length - receipts,
          subtotal: fromScaled(sum(some, subtotalOf)),
          total_discount: fromScaled(sum(some, (sale) => subtotalOf(sale) - linesTotalOf(sale))),
          ...Object.fromEntries(amounts),
          total: fromScaled(total),
          average: receipts && fromScaled(Number(roundTo(unitOf(2), BigInt(total), BigInt(receipts)))),
        }
      })
      assert.ok(naive.length > 8)
      assert.deepEqual(await rows(who(), `day?${RANGE}${query}`), naive)
    }
  })

  const linesOf = (some: readonly Sale[]) =>
    some.flatMap(({ refund, lines }) => lines.filter(isLive).map((line) => ({ ...line, refund })))
  const soldOf = (lines: readonly (Line & { refund: boolean })[]) => ({
    count: fromScaled(sum(lines, ({ count }) => count)),
    subtotal: fromScaled(sum(lines, ({ subtotal }) => subtotal)),
    discount: fromScaled(sum(lines, ({ subtotal, total }) => subtotal - total)),
    total: fromScaled(sum(lines, ({ total }) => total)),
    refunded: fromScaled(-sum(lines, ({ refund, total }) => (refund ? total : 0))) || 0,
  })
  const NAMES: Record<number, string> = { 1: '=Galette, "complète"', 2: 'Cider', 3: 'Gift card', 5: 'Pizza, small' }
  const IDS: Record<string, number> = { Plates: 1, Drinks: 2 }

  test('products and categories are the sums of the lines that are not void, the largest first', async () => {
    for (const { query, venues, who } of CHOICES) {
      const lines = linesOf(counted(venues))
      const products = [...Map.groupBy(lines, ({ product_id }) => product_id)]
        .map(([id, own]) => ({ id, name: NAMES[id], category: CATEGORY[id], ...soldOf(own) }))
        .sort((one, other) => other.total - one.total)
      assert.equal(products.length, 4)
      assert.deepEqual(await rows(who(), `products?${RANGE}${query}`), products)
      const categories = [...Map.groupBy(lines, ({ product_id }) => CATEGORY[product_id] ?? null)]
        .map(([name, own]) => ({ id: IDS[name ?? ''] ?? null, name, ...soldOf(own) }))
        .sort((one, other) => other.total - one.total)
      assert.deepEqual(await rows(who(), `categories?${RANGE}${query}`), categories)
    }
  })

  test('margins are what include=costs says, added up', async () => {
    const headers = { 'x-token': await built.token(credentials) }
    const shown: {
      id: number
      costs: { margin: number; cost: number; receipt_products: { id: number; margin: number }[] }
    }[] = []
    for (let page = 1; ; page++) {
      const { body } = await built.call(`/receipts?include=costs&venue=all&limit=200&page=${page}`, { headers })
      shown.push(...(body.data as typeof shown))
      if ((body.data as []).length < 200) break
    }
    const costs = new Map(shown.map(({ id, costs: own }) => [id, own]))
    const scaled = (amount: number) => Math.round(amount * 10_000)
    for (const { query, venues, who } of CHOICES) {
      const some = counted(venues)
      const days = byDay(some).map(([shift_date, own]) => ({
        shift_date,
        total: fromScaled(sum(own, totalOf)),
        tax: fromScaled(sum(own, ({ i_tax, e_tax }) => i_tax + e_tax)),
        cost: fromScaled(sum(own, costOf)),
        margin: fromScaled(sum(own, ({ id }) => scaled(costs.get(id)!.margin))),
      }))
      assert.deepEqual(await rows(who(), `margin/days?${RANGE}${query}`), days)

      const margins = new Map(
        some.flatMap(({ id }) => costs.get(id)!.receipt_products.map((line) => [line.id, line.margin])),
      )
      const products = [
        ...Map.groupBy(
          some.flatMap(({ lines }) => lines),
          ({ product_id }) => product_id,
        ),
      ]
        .map(([id, all]) => {
          const own = all.filter(isLive)
          const [total, tax] = [sum(own, (line) => line.total), sum(own, (line) => line.tax)]
          const cost = sum(all, (line) => line.cost)
          const wasted = sum(
            all.filter((line) => !isLive(line)),
            (line) => line.cost,
          )
          const margin = sum(own, (line) => scaled(margins.get(line.id)!)) - wasted
          assert.equal(margin, total - tax - cost)
          return {
            id,
            name: NAMES[id],
            category: CATEGORY[id],
            count: fromScaled(sum(own, ({ count }) => count)),
            total: fromScaled(total),
            tax: fromScaled(tax),
            cost: fromScaled(cost),
            margin: fromScaled(margin),
          }
        })
        .sort((one, other) => other.margin - one.margin)
      assert.deepEqual(await rows(who(), `margin/products?${RANGE}${query}`), products)
    }
  })

  test('over more receipts than one read may pass over, parts are read one by one and added up, and a page hears of it', async (t) => {
    const { db } = built.deps
    const count = (text: string) => db.transaction((tx) => tx.run(text, []))
    for (const path of ['products', 'categories', 'margin/days', 'margin/products']) {
      const whole = await rows(owner, `${path}?${RANGE}`)
      await count('update venue_days set receipts = receipts + 20000 where receipts > 0') // so it seems
      const scan = t.mock.method(db, 'scan')
      try {
        assert.deepEqual(await rows(owner, `${path}?${RANGE}`), whole)
        assert.ok(scan.mock.callCount() > 12) // days, and each by its venues
        const { headers, body } = await built.app.inject({
          url: `/back-office/api/reports/${path}?${RANGE}`,
          headers: { host: 'pos.example.com', cookie: owner.cookie!, accept: 'application/x-ndjson' },
        })
        assert.equal(headers['content-type'], 'application/x-ndjson')
        const lines = body.trimEnd().split('\n')
        assert.deepEqual(JSON.parse(lines.pop()!).data, whole)
        const heard = lines.map((line) => JSON.parse(line).progress as { done: number; total: number })
        assert.deepEqual(
          [heard[0]!.done, heard.at(-1)!.done, heard.length],
          [0, heard[0]!.total, scan.mock.callCount() / 2 + 1],
        )
        assert.ok(heard.every(({ done }, index) => index === 0 || done > heard[index - 1]!.done))
      } finally {
        scan.mock.restore()
        await count('update venue_days set receipts = receipts - 20000 where receipts > 0')
      }
    }
  })

  test('a report that one read is enough for is one line', async () => {
    const { body } = await owner.ask('GET', `/reports/margin/days?${RANGE}`, undefined, {
      accept: 'application/x-ndjson',
    })
    assert.deepEqual(body.data, await rows(owner, `margin/days?${RANGE}`))
  })

  test('taxes are what GET /finance/taxes/report says', async () => {
    const headers = { 'x-token': await built.token(credentials) }
    const naive = (venues: readonly number[]) => {
      const some = counted(venues)
      const receipts = some.filter(({ refund }) => !refund).length
      const taxed = (amount: (sale: Sale) => number, times: number) => ({
        base: fromScaled(times * sum(some, amount)),
        amount: fromScaled(sum(some, amount)),
        receipts,
      })
      return [
        { id: 1, name: 'VAT', rate: 10, included: true, ...taxed(({ i_tax }) => i_tax, 10) },
        { id: 2, name: 'City', rate: 1, included: false, ...taxed(({ e_tax }) => e_tax, 100) },
      ]
    }
    for (const { query, venues, who } of CHOICES)
      assert.deepEqual(await rows(who(), `taxes?${RANGE}${query}`), naive(venues))
    const { body } = await built.call('/finance/taxes/report?venue=all&date[0]=2026-02-12&date[1]=2026-02-23', {
      headers,
    })
    assert.deepEqual(body.data, { taxes: naive([1, 2, 3]) })
  })

  test('shifts are listed by the day of their opening, each with its report', async () => {
    const ids = async (browser: Browser, query = '') =>
      (await rows(browser, `shifts?${RANGE}${query}`)).map(({ number }: { number: number }) => number)
    assert.deepEqual(await ids(owner), [4, 3, 2])
    assert.deepEqual(await ids(owner, '&venue_id=3'), [4, 3])
    assert.deepEqual(await ids(manager), [2])
    const report = async (browser: Browser, number: number) => {
      const { status, body } = await browser.ask('GET', `/reports/shifts/${uuidOf('shift', number)}`)
      return status === 200 ? body.data : status
    }
    assert.deepEqual(await report(manager, 2), STORED_REPORT)
    const open = await report(owner, 3)
    assert.deepEqual([open.number, open.cash.opening, open.sales.receipts], [3, 100, 0])
    assert.equal(await report(manager, 3), 404)
    const elsewhere = await built.staffBrowser('other')
    assert.equal(await report(elsewhere, 2), 404)
    assert.equal((await owner.ask('GET', '/reports/shifts/7')).status, 400)
  })

  test('a file of shifts whose first rows cannot be read is answered 503, and not cut off', async (t) => {
    t.mock.method(built.deps.db, 'scan', () => Promise.reject(new StoreUnavailable('away')))
    const { status, body } = await owner.ask('GET', `/reports/shifts.csv?${RANGE}`)
    assert.deepEqual([status, body.error], [503, 'unavailable'])
  })

  test('CSV has the rows of the page, quoted, and no cell that a spreadsheet would run', async () => {
    for (const path of REPORTS) {
      const data = (await rows(owner, `${path}?${RANGE}`)) as Record<string, unknown>[]
      const { status, body, headers } = await owner.ask('GET', `/reports/${path}.csv?${RANGE}`)
      assert.deepEqual([status, headers['content-type']], [200, 'text/csv; charset=utf-8; header=present'])
      assert.equal(
        headers['content-disposition'],
        `attachment; filename="${path.replace('/', '-')}-2026-02-12-2026-02-23.csv"`,
      )
      const [header, ...lines] = (body as string).split('\r\n')
      assert.equal(lines.pop(), '')
      const columns = header!.split(',').map((name) => name.slice(1, -1))
      const missing = data.flatMap((row) => Object.keys(row)).filter((name) => !columns.includes(name))
      assert.deepEqual([missing, lines.length], [[], data.length])
      const text = (value: string) => (value === NAMES[1] ? `"'=Galette, ""complète"""` : `"${value}"`)
      const cell = (value: unknown) => (typeof value === 'string' ? text(value) : String(value ?? ''))
      assert.deepEqual(
        lines,
        data.map((row) => columns.map((name) => cell(row[name])).join(',')),
      )
    }
  })

  test('a range has both ends, in order and at most 366 days apart; a venue is one that the person may enter', async () => {
    for (const path of REPORTS.flatMap((name) => [name, `${name}.csv`])) {
      for (const [query, parameter] of [
        ['from=2026-02-12', 'to'],
        ['from=2026-02-12&to=2026-02-30', 'to'],
        ['from=2026-02-12&to=2026-02-11', 'to'],
        ['from=2026-02-12&to=2027-02-13', 'to'],
        ['from=9999-12-30&to=9999-12-31', 'to'],
        [`${RANGE}&venue_id=x`, 'venue_id'],
        [`${RANGE}&what=1`, 'what'],
      ]) {
        const { status, body } = await owner.ask('GET', `/reports/${path}?${query}`)
        assert.deepEqual([status, body.details?.parameter], [400, parameter], `${path}?${query}`)
      }
      assert.equal((await owner.ask('GET', `/reports/${path}?from=2026-02-12&to=2027-02-12`)).status, 200)
      assert.equal((await manager.ask('GET', `/reports/${path}?${RANGE}&venue_id=3`)).status, 403, path)
      assert.equal((await owner.ask('GET', `/reports/${path}?${RANGE}&venue_id=4`)).status, 403, path)
    }
    assert.deepEqual((await owner.ask('GET', '/reports/day?from=2025-01-01&to=2025-12-31')).body, {
      success: true,
      data: [],
      total: 0,
    })
    assert.deepEqual((await owner.ask('GET', '/reports/products?from=2025-01-01&to=2025-12-31')).body, {
      success: true,
      data: [],
      total: 0,
      pagination: { page: 1, per_page: 50, total: 0, total_pages: 0 },
    })
  })

  test('each report needs its permission', async () => {
    const cook = await built.staffBrowser('bistro', 'cook')
    for (const path of REPORTS.flatMap((name) => [name, `${name}.csv`])) {
      const { status, body } = await cook.ask('GET', `/reports/${path}?${RANGE}`)
      assert.deepEqual([status, body.details?.required], [403, PERMISSIONS[path.replace('.csv', '')]], path)
    }
  })
})
