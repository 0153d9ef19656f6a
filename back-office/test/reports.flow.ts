import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility, choosePassword, demoForTests, inBrowser, invitationOf, signIn } from './browser.ts'

const demo = demoForTests()

/** The lines of the file behind the button, the header first. No cell of these has a line break. */
async function downloadCsv(page: Page): Promise<string[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /as CSV$/ }).click(),
  ])
  return readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
}

const rowsIn = (page: Page) => page.locator('.rows tbody tr')

test('each report shows the demo in a chart and a table, and CSV has the same rows', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await page.getByRole('link', { name: 'Reports' }).click()
  for (const [tab, choice, header] of [
    ['Days', undefined, 'shift_date,receipts,refunds,subtotal,total_discount,'],
    ['Sales', 'hours', 'hour,receipts,total,before_receipts,before_total'],
    ['Sales', 'weekdays', 'weekday,receipts,'],
    ['Sales', 'people', 'id,name,receipts,'],
    ['Sales', 'methods', 'id,name,receipts,'],
    ['Sales', 'channels', 'id,name,source,receipts,'],
    ['Taxes', undefined, 'id,name,rate,included,base,amount,receipts'],
    ['Products', 'Products', 'id,name,category,count,'],
    ['Products', 'Categories', 'id,name,count,'],
    ['Margin', 'Days', 'shift_date,total,tax,cost,margin'],
    ['Margin', 'Products', 'id,name,category,count,total,tax,cost,margin'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: tab }).click()
    if (tab === 'Sales') await page.getByRole('combobox', { name: 'Rows' }).selectOption(choice)
    else if (choice) await page.getByRole('radiogroup', { name: 'Rows' }).getByText(choice, { exact: true }).click()
    await page.getByRole('link', { name: `Download ${tab} as CSV` }).waitFor()
    await page.locator('.recharts-bar-rectangle path').first().waitFor()
    await rowsIn(page).first().waitFor()
    await checkAccessibility(page, `${tab} ${choice}`)
    const [first, ...lines] = await downloadCsv(page)
    assert.ok(first!.replaceAll('"', '').startsWith(header), `${first} of ${tab}`)
    const shown = await rowsIn(page).count()
    const all = /of (\d+)$/.exec((await page.getByRole('status').allTextContents()).join(' '))?.[1]
    assert.equal(lines.length, all === undefined ? shown : Number(all), `${tab} ${choice}`)
  }
  assert.deepEqual(problems, [])
})

test('an accountant takes the files of a month, and paper shows the figures alone', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await page.goto(`${demo.url}/back-office/reports/accounting`)
  const files = ['Receipts', 'Payments', 'Transactions', 'Shifts', 'Taxes']
  for (const name of files) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: `Download ${name} as CSV` }).click(),
    ])
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    assert.ok(lines.length > 1, `${name} has lines`)
  }
  await checkAccessibility(page, 'the files of a month')
  await page.goto(`${demo.url}/back-office/reports/day`)
  await rowsIn(page).first().waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 690, height: 1000 }) // A4 within its margins
  assert.ok(await page.locator('.rows thead').isVisible())
  assert.equal(await page.getByRole('navigation', { name: 'Pages' }).isVisible(), false)
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 690)
  assert.deepEqual(problems, [])
})

test('a report that takes long says how far it is', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await page.addInitScript(() => {
    const real = window.fetch
    window.fetch = async (...asked) => {
      if (!String(asked[0]).includes('/reports/margin/days')) return real(...asked)
      const encoder = new TextEncoder()
      const body = new ReadableStream<Uint8Array>({
        start(answer) {
          answer.enqueue(encoder.encode('{"progress":{"done":120000,"total":366000}}\n'))
          Object.assign(window, {
            async goOn() {
              answer.enqueue(encoder.encode(await (await real(...asked)).text()))
              answer.close()
            },
          })
        },
      })
      return new Response(body)
    }
  })
  await page.goto(`${demo.url}/back-office/reports/margin`)
  await page.getByText('120,000 of 366,000 receipts read').waitFor()
  assert.equal(await page.getByRole('progressbar', { name: 'How far the report is' }).getAttribute('value'), '120000')
  await page.evaluate('goOn()')
  await rowsIn(page).first().waitFor()
  assert.equal(await page.getByRole('progressbar').count(), 0)
  assert.deepEqual(problems, [])
})

test('the report of a shift opens beside the list of shifts', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await page.goto(`${demo.url}/back-office/reports/shifts`)
  await rowsIn(page).first().waitFor()
  const [header, ...lines] = await downloadCsv(page)
  assert.ok(header!.replaceAll('"', '').startsWith('id,venue_id,terminal_id,number,status,'), header)
  assert.ok(lines.length >= (await rowsIn(page).count()))
  // Opens the report of a closed shift: what the drawer of an open one should hold is shown to nobody.
  await rowsIn(page)
    .filter({ hasNotText: 'Open' })
    .first()
    .getByRole('button', { name: /^Report of shift/ })
    .click()
  const report = page.getByRole('dialog')
  await report.getByRole('heading', { name: 'Cash' }).waitFor()
  await report.getByText('Expected').waitFor()
  await checkAccessibility(page, 'the report of a shift')
  assert.deepEqual(problems, [])
})

test('a venue and a range are in the address, and a range without receipts is said to be one', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await page.goto(`${demo.url}/back-office/reports/day`)
  await rowsIn(page).first().waitFor()
  const total = () => page.locator('.sums .figure').first().textContent()
  const ofAll = await total()
  await page.getByRole('combobox', { name: 'Venue' }).click()
  await page.getByRole('option', { name: 'Le Comptoir des Halles' }).click()
  await page.waitForFunction((before) => document.querySelector('.sums .figure')?.textContent !== before, ofAll)
  assert.match(page.url(), /venue=2/)
  await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Margin' }).click()
  await page.getByRole('heading', { name: 'Where the total goes, by day' }).waitFor()
  assert.match(page.url(), /venue=2/)
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await page.getByText('No receipt was closed from Fri, 31 Jan 2020 to Fri, 31 Jan 2020').waitFor()
  await page.getByLabel('From', { exact: true }).fill('2019-01-01')
  await page.getByText('A report covers at most 366 days.').waitFor()
  assert.deepEqual(problems, [])
})

test('who may not read receipts is shown no reports of them', inBrowser, async () => {
  const { page } = await demo.visit()
  await choosePassword(page, await invitationOf(demo, 'demo', 'cook'))
  await page.goto(`${demo.url}/back-office/office`)
  await page.getByRole('heading', { name: 'Stop list' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Reports' }).count(), 0)
  const refused = await page.request.get(`${demo.url}/back-office/api/reports/day.csv?from=2026-01-01&to=2026-01-31`)
  assert.equal(refused.status(), 403)
})
