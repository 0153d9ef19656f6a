import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Comptoir } from '@comptoir/sdk'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { until } from '../../server/test/until.ts'
import { checkAccessibility, demoForTests, inBrowser, signIn } from './browser.ts'

const demo = demoForTests()

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true, colorScheme: 'dark' }

/** Pictures for somebody to look at, where a folder for them is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.COMPTOIR_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** A till in a browser of its own, at the first terminal of the main venue. */
async function openTill(
  options: BrowserContextOptions = {},
  before: (page: Page) => Promise<unknown> = async () => {},
) {
  const visit = await demo.visit(options)
  const { page } = visit
  await before(page)
  await signIn(demo, page)
  await page.goto(`${demo.url}/back-office/till`)
  await page.getByRole('button', { name: 'Le Comptoir du Canal' }).click()
  await page.locator('.till-key.primary').first().click()
  await product(page, 'Limonade artisanale').waitFor()
  return visit
}

/** Everything but the stream is answered so much later. */
const slowed = (page: Page, ms: number) =>
  page.route('**/back-office/api/**', async (route) => {
    if (!route.request().url().includes('/api/live')) await new Promise((resolve) => setTimeout(resolve, ms))
    await route.continue().catch(() => {}) // the page may be gone
  })

/** The till prints by its browser. */
const withoutPrinter = (page: Page) =>
  page.route('**/back-office/api/print/desk?*', (route) =>
    route.fulfill({ json: { success: true, data: { printer: null } } }),
  )

const product = (page: Page, name: string) => page.locator('.till-product', { hasText: name })
const bill = (page: Page) => page.getByRole('region', { name: 'Receipt', exact: true })
/** A new receipt has its number once it was read again. */
async function numberOf(page: Page): Promise<string> {
  const heading = bill(page).getByRole('heading', { name: /^#\d+$/ })
  await heading.waitFor()
  return (await heading.textContent())!
}
/** Its lines are answered: none of them says that it was not sent yet. */
const answered = (page: Page, count: number) =>
  page
    .waitForFunction(
      (expected) =>
        document.querySelectorAll('.till-line').length === expected && !document.querySelector('.till-line.waiting'),
      count,
    )
    .catch(async (cause) => {
      throw new Error(`not ${count} answered lines: ${await page.locator('body').innerText()}`, { cause })
    })
/** The demo's venues want one for what is taken back or given away. */
async function giveReason(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Why?' }).waitFor()
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: /^Go on/ }).click()
}
const boxOf = async (card: Locator, name: string) => (await card.getByRole('button', { name }).boundingBox())!
/** The change: it can be left once there was time to read it. */
async function changeRead(page: Page): Promise<void> {
  await page.locator('.till-change b').waitFor()
  await page.waitForTimeout(1_000)
}
const total = async (page: Page) => (await page.locator('.till-total dd').textContent())!
/** Where three columns have no room, one is shown at a time. */
const tab = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Parts of the till' }).getByRole('button', { name }).click()

test(
  'by keyboard: an order with a modifier is taken, sent and paid in cash, and the change is read',
  inBrowser,
  async () => {
    const { page, problems } = await openTill()
    await picture(page, 'till-1280-light')
    await checkAccessibility(page, 'the till')

    await page.keyboard.type('2 limon')
    await page.keyboard.press('Enter')
    await page.locator('.till-line', { hasText: 'Limonade' }).waitFor()
    await page.keyboard.type('creme')
    assert.equal(await page.locator('.till-product.first').count(), 1)
    await page.keyboard.press('Escape')
    await page.keyboard.type('cafe cr')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Missing: ').waitFor()
    assert.equal(await dialog.getByRole('button', { name: /^Add/ }).isDisabled(), true)
    await dialog.getByRole('radio', { name: 'Avoine' }).focus()
    await page.keyboard.press('Space')
    for (const group of await dialog.locator('fieldset:has(input[type=radio]:not(:checked))').all())
      if ((await group.locator('input:checked').count()) === 0) {
        await group.locator('input').first().focus()
        await page.keyboard.press('Space')
      }
    await picture(page, 'choices-1280-light')
    await checkAccessibility(page, 'the choices')
    await page.keyboard.press('Enter')
    await answered(page, 2)
    await bill(page).getByText('Avoine').waitFor()

    await page.keyboard.press('F4')
    await page.keyboard.press('F8') // at once: paying waits inside until the server has all of it
    await page.locator('.till-due', { hasNotText: '≈' }).waitFor() // the server has added the service charge
    const due = Number((await page.locator('.till-due').textContent())!.replace(/[^\d.]/g, ''))
    await picture(page, 'pay-1280-light')
    await checkAccessibility(page, 'paying')
    await page.keyboard.type('50')
    await page.keyboard.down('Enter')
    await changeRead(page)
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    assert.equal(await page.locator('.till-change b').count(), 1, 'a held key is one press')
    const change = Number((await page.locator('.till-change b').textContent())!.replace(/[^\d.]/g, ''))
    assert.equal(Math.round(change * 100), 5000 - Math.round(due * 100))
    await picture(page, 'change-1280-light')
    await checkAccessibility(page, 'the change')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New receipt' }).waitFor()
    assert.deepEqual(problems, [])
  },
)

test(
  'a press is never lost: Pay and Cash right after Send wait for the server, say so, and pay once',
  inBrowser,
  async () => {
    const { page, problems } = await openTill()
    await slowed(page, 1_500)
    await page.keyboard.type('limon')
    await page.keyboard.press('Enter')
    await page.keyboard.press('F4')
    await page.keyboard.press('F8')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Waiting for the server to have all lines.').waitFor()
    await page.keyboard.type('20')
    await page.keyboard.press('Enter')
    await dialog.getByText('Espèces: paid as soon as the server has all lines.').waitFor()
    await picture(page, 'pay-waits-1280-light')
    // The service charge is not in what the till expected: the amount is another one, and it asks again.
    await dialog.getByText('The amount has changed.').waitFor()
    await page.keyboard.press('Enter')
    await changeRead(page)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'New receipt' }).waitFor()

    // To take away there is no charge: the same amount, and the press counts.
    await page.keyboard.press('F2')
    await page.locator('.till-who').click()
    await dialog.getByText('À emporter').click()
    await dialog.getByRole('button', { name: /^Save/ }).click()
    await product(page, 'Limonade artisanale').getByText('€4.20').waitFor() // the menu of this sale type
    await page.keyboard.type('limon')
    await page.keyboard.press('Enter')
    await page.keyboard.press('F8')
    await dialog.getByText('Waiting for the server').waitFor()
    await page.keyboard.type('20')
    await page.keyboard.press('Enter')
    await changeRead(page)
    assert.equal(await dialog.getByRole('button', { name: /Cancel/ }).count(), 0, 'leaving is no cancelling')

    // A receipt that is still being read: Pay opens as soon as it is there.
    await page.keyboard.press('Enter')
    await page.locator('.till-receipt').first().click()
    await page.keyboard.press('F8')
    await page.locator('.till-due').waitFor()
    assert.deepEqual(problems, [])
  },
)

test(
  'a receipt is cancelled, a closed one found by its number and refunded, a line given, a call ended',
  inBrowser,
  async () => {
    const { page, problems } = await openTill()
    const dialog = page.getByRole('dialog')
    const call = page.getByRole('region', { name: 'Calls' }).getByRole('article').first()
    await call.getByText('wants to pay').waitFor()
    await call.getByRole('button', { name: /^Done/ }).click()
    await page.getByRole('region', { name: 'Calls' }).getByText('No calls.').waitFor()

    await product(page, 'Limonade artisanale').click()
    await product(page, 'Jus de pomme fermier').click()
    await answered(page, 2)
    await page.locator('.till-line', { hasText: 'Jus de pomme' }).click()
    await dialog.getByLabel('Gift').check()
    await picture(page, 'line-1280-light')
    await checkAccessibility(page, 'a gift')
    await dialog.getByRole('button', { name: /^Save/ }).click()
    await giveReason(page)
    await page.locator('.till-line', { hasText: 'Gift' }).waitFor()
    await answered(page, 2)
    await page.keyboard.press('F4')
    await page.locator('.till-line.new').first().waitFor({ state: 'detached' })
    await page.locator('.till-who').click()
    await dialog.getByRole('button', { name: 'Cancel receipt' }).click()
    await dialog.getByText('Some of it was sent to the kitchen.').waitFor()
    await picture(page, 'cancel-1280-light')
    await checkAccessibility(page, 'cancelling')
    await dialog.getByRole('button', { name: 'Cancel as waste' }).click()
    await giveReason(page)
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'New receipt' }).waitFor()

    await page.keyboard.type('2 limon')
    await page.keyboard.press('Enter')
    await answered(page, 1)
    const number = await numberOf(page)
    await page.keyboard.press('F8')
    await page.locator('.till-due').waitFor()
    await page.keyboard.press('Enter')
    await changeRead(page)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Closed', exact: true }).click()
    const closed = dialog.locator('.till-receipt')
    await closed.first().waitFor()
    const newest = await closed.count()
    await dialog.getByRole('button', { name: 'Show earlier' }).click()
    await until(async () => (await closed.count()) > newest)
    await dialog.getByLabel('Number of the receipt').fill(number)
    await closed.first().waitFor()
    await picture(page, 'closed-1280-light')
    await checkAccessibility(page, 'closed receipts')
    await page.keyboard.press('Enter')
    await dialog.getByText(`Receipt ${number}`).waitFor()
    await dialog.getByRole('cell', { name: '€9.90' }).first().waitFor() // seen before it is refunded
    await checkAccessibility(page, 'a closed receipt')
    await dialog.getByRole('button', { name: 'Refund …' }).click()
    await dialog.getByText(`Refund receipt ${number}`).waitFor()
    await dialog.getByLabel('Fewer').click()
    await dialog.getByText(/^≈/).waitFor()
    await picture(page, 'refund-1280-light')
    await checkAccessibility(page, 'a refund')
    await dialog.getByRole('button', { name: 'Refund, back to stock' }).click()
    await giveReason(page)
    await dialog.getByText('Give back').waitFor()
    assert.match(
      (await page.locator('.till-change').textContent())!,
      /Espèces €4\.95/,
      'one of two at 4.50, with 10 % of service',
    )
    await picture(page, 'refunded-1280-light')
    await dialog.getByRole('button', { name: /^Next/ }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Closed', exact: true }).click()
    await dialog.getByLabel('Number of the receipt').fill(number)
    await dialog.locator('.till-receipt').first().waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Refund …' }).click()
    await dialog.locator('.till-refund-amount', { hasText: '€4.95' }).waitFor() // the other one
    assert.equal(await dialog.getByLabel('Fewer').count(), 0, 'one is left')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(problems, [])
  },
)

test(
  'by touch on a phone: the same, split over two methods, with the bill locked and printed before',
  inBrowser,
  async () => {
    const { page, problems } = await openTill(PHONE, withoutPrinter)
    await page.evaluate(() => {
      const pages = window as unknown as { printed: number }
      pages.printed = 0
      window.print = () => void pages.printed++
    })
    await picture(page, 'menu-360-dark')
    await checkAccessibility(page, 'the menu on a phone')
    await product(page, 'Limonade artisanale').tap()
    await product(page, 'Croissant au beurre').tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Réchauffé').tap()
    await picture(page, 'choices-360-dark')
    await checkAccessibility(page, 'the choices on a phone')
    await dialog.getByRole('button', { name: /^Add/ }).tap()
    await tab(page, /^Receipt/)
    await page.waitForFunction(() => document.querySelectorAll('.till-line').length === 2)
    await answered(page, 2)
    await page.locator('.till-line', { hasText: 'Limonade' }).tap()
    await dialog.getByRole('group', { name: 'Count', exact: true }).getByRole('button', { name: 'More' }).tap()
    await dialog.getByLabel('Note for the kitchen').fill('no ice')
    await checkAccessibility(page, 'a line')
    await dialog.getByRole('button', { name: /^Save/ }).tap()
    await bill(page).getByText('no ice').waitFor()
    await page.locator('.till-who').tap()
    const tables = await dialog
      .getByRole('combobox', { name: /^Table/ })
      .locator('option')
      .allTextContents()
    await dialog
      .getByRole('combobox', { name: /^Table/ })
      .selectOption({ label: tables.findLast((text) => !text.includes('taken'))! })
    await picture(page, 'details-360-dark')
    await checkAccessibility(page, 'table, guests, customer')
    await dialog.getByRole('button', { name: /^Save/ }).tap()
    await answered(page, 2)
    await picture(page, 'receipt-360-dark')
    await checkAccessibility(page, 'the receipt on a phone')

    await bill(page).getByRole('button', { name: 'Print bill' }).tap()
    await bill(page).getByText('Locked: the bill was shown.').waitFor()
    await page.waitForFunction(() => (window as unknown as { printed: number }).printed === 1)
    assert.match((await page.locator('.till-paper').textContent())!, /Limonade/)

    await page.locator('.till-tabs').getByRole('button', { name: 'Pay' }).tap()
    await dialog.getByRole('button', { name: '1/2' }).tap()
    await picture(page, 'pay-360-dark')
    await checkAccessibility(page, 'paying on a phone')
    await dialog.getByRole('button', { name: 'Carte bancaire' }).tap()
    await dialog.getByText(/ paid$/).waitFor()
    await dialog
      .getByRole('button', { name: '€50' })
      .or(dialog.getByRole('button', { name: '€20' }))
      .first()
      .tap()
    await dialog.getByRole('button', { name: 'Espèces' }).tap()
    await changeRead(page)
    await picture(page, 'change-360-dark')
    await page.locator('.till-change').tap()
    assert.deepEqual(problems, [])
  },
)

test(
  'equal lines stack, a taken table asks, guests split, and what was paid is printed on its own length',
  inBrowser,
  async () => {
    const { page, problems } = await openTill({}, withoutPrinter)
    await page.evaluate(() => {
      const pages = window as unknown as { printed: string[] }
      pages.printed = []
      window.print = () => void pages.printed.push(document.querySelector('.till-paper')!.textContent!)
    })
    const printed = (count: number) =>
      page
        .waitForFunction((all) => {
          const { printed } = window as unknown as { printed: string[] }
          return printed.length === all && printed.at(-1)
        }, count)
        .then((text) => text.jsonValue())
    const dialog = page.getByRole('dialog')
    const counts = () => page.locator('.till-line-count').allTextContents()
    await page.getByText('Odile Castaing').waitFor()

    for (const name of ['Limonade artisanale', 'Jus de pomme fermier', 'Limonade artisanale'])
      await product(page, name).click()
    assert.deepEqual(await counts(), ['2 ×', '1 ×'])
    await bill(page).getByRole('button', { name: 'One more: Limonade artisanale' }).click()
    await bill(page).getByRole('button', { name: 'One fewer: Jus de pomme fermier' }).click()
    assert.deepEqual(await counts(), ['3 ×'])
    await answered(page, 1)
    await page.keyboard.press('F4')
    await page.locator('.till-line.new').waitFor({ state: 'detached' })
    await product(page, 'Limonade artisanale').click()
    assert.deepEqual(await counts(), ['3 ×', '1 ×'], 'what was sent stays as it is')
    await answered(page, 2)
    await picture(page, 'stacked-1280-light')
    await checkAccessibility(page, 'lines that stack')

    const number = await numberOf(page)
    await page.locator('.till-who').click()
    const tables = dialog.getByRole('combobox', { name: /^Table/ })
    const [taken] = (await tables.locator('option').allTextContents()).filter((text) => / · taken \(#\d+/.test(text))
    await tables.selectOption({ label: taken! })
    await dialog.getByRole('textbox', { name: 'Guests' }).fill('8')
    await dialog.getByRole('button', { name: /^Save/ }).click()
    await dialog.getByText(/ is taken$/).waitFor()
    await picture(page, 'taken-1280-light')
    await checkAccessibility(page, 'a table that is taken')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: /^Save/ }).click()
    await dialog.getByRole('button', { name: /^A second receipt on / }).click()
    await bill(page).getByText('8 guests').waitFor()

    await page.keyboard.press('F8')
    await page.locator('.till-due', { hasNotText: '≈' }).waitFor()
    await dialog.getByRole('button', { name: '1/8' }).click()
    await dialog.getByRole('button', { name: 'Carte bancaire' }).click()
    await dialog.getByText(/ paid$/).waitFor()
    // Paper is in the language of the venue, which staff here do not read.
    await page
      .locator('.till-paper', { hasText: 'Carte bancaire2,48 €Reste à payer17,32 €' })
      .waitFor({ state: 'attached' })
    await dialog.getByRole('button', { name: 'Espèces' }).click()
    await changeRead(page)
    await page.keyboard.press('F9')
    const paper = (await printed(1)) as string
    const onPaper = paper.replaceAll(/\s/g, ' ')
    for (const part of [
      'Servi par Odile Castaing',
      '8 couverts',
      'Reste à payer0,00 €',
      'TVA 10 %, sur place18,00 €1,80 €',
      'Merci de votre visite',
    ])
      assert.ok(onPaper.includes(part), `${part} in ${onPaper}`)
    const [, height] = /MediaBox *\[0 0 [\d.]+ ([\d.]+)\]/.exec(
      (await page.pdf({ preferCSSPageSize: true })).toString('latin1'),
    )!
    assert.ok(Number(height) > 200 && Number(height) < 400, `${height} points`)
    await page.keyboard.press('Enter')

    await page.getByRole('button', { name: 'Closed', exact: true }).click()
    await dialog.getByLabel('Number of the receipt').fill(number)
    await dialog.locator('.till-receipt').first().click()
    await dialog.getByRole('button', { name: 'Print receipt' }).click()
    assert.equal(await printed(2), paper)
    assert.deepEqual(problems, [])
  },
)

test('the receipt shows eight lines at 1280 × 800; opening a table asks for the guests', inBrowser, async () => {
  const { page, problems } = await openTill()
  const drinks = ['Limonade artisanale', 'Jus de pomme fermier']
  const sweets = [
    'Crêpe au caramel',
    'Mousse au chocolat',
    'Crème brûlée',
    'Tarte Tatin',
    'Île flottante',
    'Baba au rhum',
  ]
  const names = [...drinks, ...sweets]
  for (const [index, name] of names.entries()) {
    await product(page, name).click()
    await answered(page, index + 1)
  }
  const seen = await page.locator('.till-lines').evaluate((list) => {
    const bottom = list.getBoundingClientRect().bottom + 1
    const buttons = [...list.querySelectorAll('button')].map((button) => button.getBoundingClientRect())
    return {
      lines: [...list.children].filter((line) => line.getBoundingClientRect().bottom <= bottom).length,
      smallest: Math.min(...buttons.flatMap(({ width, height }) => [width, height])),
    }
  })
  assert.ok(seen.lines >= 8 && seen.smallest >= 44, JSON.stringify(seen))

  await page.keyboard.press('F3')
  const free = page.locator('.floor-tile[data-state="free"] > button').first()
  await free.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: /how many guests\?$/ }).waitFor()
  await checkAccessibility(page, 'guests')
  await dialog.getByRole('button', { name: '3', exact: true }).click()
  await bill(page).getByText('3 guests').waitFor()
  assert.deepEqual(problems, [])
})

test(
  'two tills see each other’s lines, and a payment of what is no longer due is refused with a sentence',
  inBrowser,
  async () => {
    const first = await openTill()
    await product(first.page, 'Limonade artisanale').click()
    await answered(first.page, 1)
    const title = await numberOf(first.page)
    const second = await openTill()
    await second.page
      .locator('.till-receipt')
      .filter({ has: second.page.getByText(title, { exact: true }) })
      .click()
    await answered(second.page, 1)
    await product(second.page, 'Jus de pomme fermier').click()
    await first.page.locator('.till-line', { hasText: 'Jus de pomme' }).waitFor({ timeout: 5_000 })

    await answered(first.page, 2)
    await first.page.keyboard.press('F8')
    const dialog = first.page.getByRole('dialog')
    const before = await first.page.locator('.till-due').textContent()
    await product(second.page, 'Limonade artisanale').click()
    await answered(second.page, 3)
    await dialog.getByRole('button', { name: 'Espèces' }).click()
    await dialog.getByText('This receipt was changed at another till. Nothing was paid.').waitFor()
    await picture(first.page, 'stale-1280-light')
    await first.page.waitForFunction((old) => document.querySelector('.till-due')?.textContent !== old, before)
    await dialog.getByRole('button', { name: 'Espèces' }).click()
    await first.page.locator('.till-change b').waitFor()
    assert.deepEqual([...first.problems, ...second.problems], [])
  },
)

test('an incoming order counts down, is looked at, refused with a reason or accepted', inBrowser, async () => {
  const { page, problems } = await openTill({ colorScheme: 'dark' })
  const rings = () => page.evaluate(() => (window as unknown as { rings: number }).rings)
  await page.evaluate(() => {
    const heard = window as unknown as { rings: number }
    heard.rings = 0
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (...when) {
      heard.rings++
      start.apply(this, when)
    }
  })
  const program = new Comptoir({
    baseUrl: `${demo.url}/v2`,
    clientId: 'demo-client',
    clientSecret: 'demo-secret',
    brand: 'demo',
    integratorId: 'demo-integrator',
  }).venue(1)
  const place = (order_number: string, price?: number) =>
    program.orders.place({
      integration_uuid: crypto.randomUUID(),
      order_number,
      sale_type_id: 2,
      products: [{ product_id: 1, count: 2, ...(price !== undefined && { price, portion_size: 0.5 }) }],
      ...(price !== undefined && { discount: { discount_type: 1, discount_value: 10 } }),
    })
  const open = await page.getByRole('region', { name: 'Open receipts' }).boundingBox()
  const [cheap, good] = [await place('T-1', 1), await place('T-2')]
  const orders = page.getByRole('region', { name: 'Incoming orders' })
  const card = (number: string) => orders.getByRole('article').filter({ hasText: number })
  await card('T-1').getByText('Price differs').waitFor()
  for (const differs of ['€1.00, ours €4.20', '0.5 of a portion', 'Discount 10 %'])
    await card('T-1').getByText(differs).waitFor()
  assert.match((await card('T-1').getByText('Time left').textContent())!, /\d/)
  assert.deepEqual(await page.getByRole('region', { name: 'Open receipts' }).boundingBox(), open, 'pushes nothing')
  await picture(page, 'orders-1280-dark')
  await checkAccessibility(page, 'incoming orders')
  const first = await rings()
  await page.waitForFunction((before) => (window as unknown as { rings: number }).rings > before, first)
  for (const number of ['T-1', 'T-2']) await card(number).locator('.till-order-head').click()
  const looked = await rings()
  await page.waitForTimeout(3_500)
  assert.equal(await rings(), looked, 'it rings until it is looked at')
  const [refuse, accept] = [await boxOf(card('T-1'), 'Refuse'), await boxOf(card('T-1'), 'Accept')]
  assert.ok(accept.x - refuse.x - refuse.width >= 40, 'far apart')
  await card('T-1').getByRole('button', { name: 'Refuse' }).click()
  assert.equal(await page.getByRole('dialog').locator('.till-reasons button').count(), 5)
  await page.getByRole('dialog').getByRole('button', { name: 'Too busy' }).click()
  await card('T-1').waitFor({ state: 'detached' })
  await card('T-2').getByRole('button', { name: 'Accept' }).click()
  await bill(page).getByRole('heading', { name: 'T-2' }).waitFor()
  const [refused, accepted] = [await program.orders.get(cheap.id), await program.orders.get(good.id)]
  assert.deepEqual([refused.status, refused.reason, accepted.status], ['IGNORE', 'Too busy', 'RECEIVED'])
  assert.deepEqual(problems, [])
})

test('where no method is cash, digits are still the amount and never a tip', inBrowser, async () => {
  const withoutCash = (page: Page) =>
    page.route('**/back-office/api/read/payment-methods?*', async (route) => {
      const answer = await route.fetch()
      const { data, ...rest } = await answer.json()
      await route.fulfill({ json: { ...rest, data: data.filter(({ kind }: { kind: string }) => kind !== 'CASH') } })
    })
  const { page, problems } = await openTill({}, withoutCash)
  await product(page, 'Limonade artisanale').click()
  await answered(page, 1)
  await page.keyboard.press('F8')
  await page.locator('.till-due').waitFor()
  await page.keyboard.type('3')
  await page.locator('.till-given', { hasText: /^3$/ }).waitFor()
  assert.equal(await page.locator('.till-tip input').inputValue(), '')
  await page.keyboard.press('Escape')
  assert.deepEqual(problems, [])
})

test(
  'the server is killed: the till says so, typing goes on, a reload loses nothing, and it is sent once',
  inBrowser,
  async () => {
    const { page } = await openTill()
    await product(page, 'Limonade artisanale').click()
    await answered(page, 1)
    await demo.kill()
    await product(page, 'Jus de pomme fermier').click()
    await page.getByText('Offline. Go on typing').first().waitFor()
    await page.keyboard.type('3 limon') // adds to the lemonade that stands there
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelectorAll('.till-line.waiting').length === 2)
    assert.equal(await bill(page).getByRole('button', { name: /^Pay/ }).isDisabled(), true)
    assert.equal(await page.locator('.till-line').count(), 2)
    await picture(page, 'offline-1280-light')
    await checkAccessibility(page, 'offline')
    await demo.restart()
    await slowed(page, 500) // other pages have looked by then at what the tab before had not sent
    await page.reload()
    await answered(page, 2)
    await page.waitForFunction(() => !document.querySelector('.till-head.offline'))
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const counts = await page.locator('.till-line-count').allTextContents()
    assert.deepEqual(counts, ['4 ×', '1 ×'])
    assert.notEqual(await total(page), '€0.00')
    assert.equal(await bill(page).getByRole('button', { name: /^Pay/ }).isDisabled(), false)

    // A table at which a receipt was begun without the server is taken too.
    await demo.kill()
    await page.getByText('Offline. Go on typing').first().waitFor()
    const dialog = page.getByRole('dialog')
    const tables = dialog.getByRole('combobox', { name: /^Table/ })
    const atTable = async (label: string) => {
      await page.keyboard.press('F2')
      await page.locator('.till-who').click()
      await tables.selectOption({ label })
      await dialog.getByRole('button', { name: /^Save/ }).click()
    }
    await page.locator('.till-who').click()
    const free = (await tables.locator('option').allTextContents()).filter((text) => !text.includes('taken')).at(-1)!
    await page.keyboard.press('Escape')
    await atTable(free)
    const sent: { readonly lines: readonly { readonly priced_at?: string }[] }[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/lines') && request.method() === 'POST') sent.push(request.postDataJSON())
    })
    await product(page, 'Jus de pomme fermier').click()
    await atTable(`${free} · taken (not sent yet)`)
    await dialog.getByRole('button', { name: /^Go on with it: not sent yet/ }).click()
    await page.locator('.till-line.waiting', { hasText: 'Jus de pomme' }).waitFor()
    const tappedBy = Date.now()
    await demo.restart()
    await answered(page, 1)
    // M10: it costs what it cost when it was tapped.
    const { priced_at = '' } = sent.at(-1)!.lines[0]!
    assert.ok(Math.abs(tappedBy - Date.parse(priced_at)) < 300_000 && Date.parse(priced_at) <= tappedBy, priced_at)
  },
)

test('a product without a price says so and is not sold; an empty till names what is missing', inBrowser, async () => {
  const { page, problems } = await openTill()
  const answers = async (make: (row: Record<string, unknown>) => Record<string, unknown>[]) => {
    await page.route('**/back-office/api/read/products?**', async (route) => {
      const response = await route.fetch()
      const { data, ...answer } = (await response.json()) as { data: Record<string, unknown>[] }
      await route.fulfill({ response, json: { ...answer, data: data.flatMap(make) } })
    })
    await page.reload()
  }
  const unpriced = ({ price: _, effective_price: __, ...row }: Record<string, unknown>) => row
  await answers((row) => [row.name === 'Limonade artisanale' ? unpriced(row) : row])
  const lemonade = product(page, 'Limonade artisanale')
  await lemonade.getByText('no price').waitFor()
  assert.equal(await lemonade.isDisabled(), true)
  await picture(page, 'no-price-1280-light')
  await checkAccessibility(page, 'a product without a price')

  await page.unroute('**/back-office/api/read/products?**')
  await answers(() => [])
  await page.getByText('The menu is empty: no product is active.').waitFor()
  await page.getByRole('link', { name: 'Add it' }).waitFor()
  await picture(page, 'empty-1280-light')
  await checkAccessibility(page, 'an empty till')
  assert.deepEqual(problems, [])
})
