import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Comptoir } from '@comptoir/sdk'
import type { Page } from 'playwright-core'
import { demoForTests, inBrowser, signIn } from './browser.ts'
import { ask, linkTo, look, lookAtAll } from './staff.ts'

// An owner builds the menu: a dish with choices, words and a picture, a happy hour, a spreadsheet, and what is still missing.

type Row = Record<string, unknown>

const demo = demoForTests()
const button = (page: Page, name: RegExp | string) => page.getByRole('button', { name })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

/** Saves what needs no look, and waits until the server has it. */
async function put(page: Page): Promise<void> {
  const answer = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.equal((await answer).status(), 200)
}

/** Looks at what changes, and saves it. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review', exact: true }).last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

test(
  'a dish is made, gets choices of another, allergens and a picture, and /menu has all of it',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit()
    await signIn(demo, page)
    await linkTo(page, 'Menu').click()
    await page.getByText(/\d+ products/).waitFor()
    await lookAtAll(page, 'menu')
    await button(page, 'New dish or product').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Gaufre de Liège')
    await dialog.getByRole('textbox', { name: 'Price', exact: true }).fill('6,5')
    await look(page, 'menu-new')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Gaufre de Liège' }).waitFor()
    await look(page, 'menu-basics')

    await tab(page, 'Choices').click()
    await page.getByRole('combobox', { name: 'Use one that other dishes have' }).click()
    await page.getByRole('option').first().click()
    await page.getByRole('textbox', { name: 'Name of the group' }).waitFor()
    await look(page, 'menu-choices')
    await save(page)
    await page.getByText('Also of:').first().waitFor()

    await button(page, 'More').click()
    await tab(page, 'Allergens').click()
    await page.getByText('Stated', { exact: true }).click()
    await look(page, 'menu-allergens')
    await put(page)
    await tab(page, 'Pictures').click()
    const hash = (await ask(page, 'GET', '/menu-editor')).data.products.find(({ image }: Row) => image).image
    const drawn = await fetch(`${demo.url}/media/demo/${hash}`)
    const [mimeType, buffer] = [drawn.headers.get('content-type')!, Buffer.from(await drawn.arrayBuffer())]
    await page.locator('input[type=file]').setInputFiles({ name: 'gaufre', mimeType, buffer })
    await page.getByRole('img', { name: 'Picture 1' }).waitFor()
    await look(page, 'menu-pictures')
    await put(page)
    for (const name of ['Prices', 'Sizes', 'Recipe', 'Languages', 'Details', 'History']) {
      await tab(page, name).click()
      await look(page, `menu-${name.toLowerCase()}`)
    }

    const venue = new Comptoir({
      baseUrl: `${demo.url}/v2`,
      clientId: 'demo-client',
      clientSecret: 'demo-secret',
      brand: 'demo',
      integratorId: 'demo-integrator',
    }).venue(1)
    const menu = await venue.menu.get({ sale_type_id: 1 })
    const [id, gaufre] = Object.entries(menu.products).findLast(([, { name }]) => name === 'Gaufre de Liège')!
    const entry = menu.entries[`product-${id}`]!
    assert.deepEqual([gaufre.price, gaufre.groups!.length], [6.5, 1])
    assert.deepEqual(entry.allergens, { contains: [], may_contain: [] })
    assert.equal((await fetch(`${demo.url}/media/demo/${entry.images![0]!.small}`)).status, 200)
    assert.deepEqual(problems, [])
  },
)

test('sizes have words of their own, and one that is typed in stays open until it is saved', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  const { products } = (await ask(page, 'GET', '/menu-editor')).data
  const { id, sizes } = products.find((product: { sizes: Row[] }) => product.sizes.length > 1)
  await page.goto(`${demo.url}/back-office/menu/products/${id}?tab=languages`)
  const section = page.getByRole('region', { name: 'Sizes' })
  const size = (at: number) => section.getByRole('button', { name: sizes[at].name, exact: true })
  await size(0).click()
  const typed = section.getByRole('textbox', { name: /^Name/ }).first()
  await typed.fill('By the glass')
  await size(1).click()
  await section.getByRole('textbox', { name: /^Name/ }).nth(1).waitFor()
  assert.equal(await typed.inputValue(), 'By the glass')
  assert.ok(await size(0).isDisabled())
  await look(page, 'menu-sizes-words')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  for (const leave of [page.locator('.back-link'), linkTo(page, 'Customers'), tab(page, 'Prices')]) {
    await leave.click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await typed.inputValue(), 'By the glass')
  }
  const answer = page.waitForResponse((response) => response.request().method() === 'PUT')
  await section.getByRole('button', { name: 'Save' }).first().click()
  assert.equal((await answer).status(), 200)
  const entry = (await ask(page, 'GET', `/menu-entries/product-${sizes[0].id}`)).data
  assert.equal(entry.values.translations.en.name, 'By the glass')

  await page.goto(`${demo.url}/back-office/menu/categories/1`)
  await page.getByRole('textbox', { name: /^Name/ }).first().fill('To begin with')
  await tab(page, 'Pictures').click()
  await question.waitFor()
  await look(page, 'menu-leaving')
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.locator('input[type=file]').waitFor({ state: 'attached' })
  await linkTo(page, 'Customers').click()
  await page.getByRole('heading', { name: 'Customers' }).waitFor()
  assert.deepEqual(problems, [])
})

test('a price in the list is looked at before it is saved, and says where a list rules', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await page.goto(`${demo.url}/back-office/menu`)
  await page.getByRole('searchbox', { name: 'Search' }).fill('limonade')
  const price = page.getByRole('textbox', { name: 'Price of Limonade artisanale' })
  assert.equal(await price.inputValue(), '4.20')
  await price.fill('4,40')
  await button(page, 'Review').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('4.40').waitFor()
  await look(page, 'menu-price-review')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Its own price does not reach every till').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('link', { name: 'Limonade artisanale' }).click()
  await tab(page, 'Prices').click()
  await page.getByText('What guests pay now').waitFor()
  await lookAtAll(page, 'menu-prices')
  assert.deepEqual(problems, [])
})

test(
  'a happy hour is a price list with a week, pasted prices and a percent; guests pay it while it holds',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit()
    await signIn(demo, page)
    await page.goto(`${demo.url}/back-office/menu/price-lists`)
    await button(page, 'New price list').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Friday night')
    await dialog.getByRole('textbox', { name: 'Priority (highest wins)' }).fill('99')
    await button(page, 'Add times').click()
    await look(page, 'menu-list')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Friday night', exact: true }).click()
    await button(page, 'Paste prices').click()
    await dialog.getByRole('textbox').fill('Espresso\t1,50\nCappuccino\t3')
    await button(page, 'Take them over').click()
    await look(page, 'menu-list-prices')
    await save(page)

    await page.goto(`${demo.url}/back-office/menu/guest-prices`)
    const row = page.getByRole('row', { name: /Espresso/ })
    await row.getByText('2.70').waitFor()
    await page.getByLabel('At (empty: now)').fill('2026-11-20T18:00') // a Friday
    await row.getByText('1.50').waitFor()
    await row.getByText(/Friday night.*Fri 17:00–19:00/).waitFor()
    await look(page, 'menu-guests')
    assert.deepEqual(problems, [])
  },
)

test(
  'the menu is downloaded, changed, looked at and imported; a wrong cell is named and nothing is done',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit()
    await signIn(demo, page)
    await page.goto(`${demo.url}/back-office/menu/spreadsheet`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'With commas' }).click(),
    ])
    const text = readFileSync(await download.path(), 'utf8')
    const choose = async (file: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'menu.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    await choose(text)
    await page.getByText('The file changes nothing').waitFor()
    await choose('category,name,price\r\nDesserts > Glaces,Sorbet citron,much\r\n')
    await page.getByText('Line 2, price:').waitFor()
    assert.equal(await button(page, /^Import \d/).count(), 0)
    await choose('category,name,price\r\nDesserts > Glaces,Sorbet citron,"4,50"\r\n')
    await page.getByText('1 new, 0 changed, 0 unchanged.').waitFor()
    await page.getByText('New categories: Desserts, Desserts > Glaces.').waitFor()
    await lookAtAll(page, 'menu-sheet')
    await button(page, 'Import 1 line').click()
    await page.getByText('Imported: 1 new, 0 changed.').waitFor()
    const { data } = await ask(page, 'GET', '/read/products?filters=[["name","Sorbet citron"]]')
    assert.equal(data[0].price, 4.5)

    await page
      .getByRole('navigation', { name: 'Pages about the menu' })
      .getByRole('link', { name: 'To complete' })
      .click()
    const missing = page.getByRole('region', { name: 'No picture' })
    await look(page, 'menu-problems')
    await missing.getByRole('link', { name: 'Sorbet citron' }).click()
    await page.getByRole('heading', { name: 'Sorbet citron' }).waitFor()
    await page.getByRole('tab', { name: 'Pictures', selected: true }).waitFor()
    assert.deepEqual(problems, [])
  },
)
