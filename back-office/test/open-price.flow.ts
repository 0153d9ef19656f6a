import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoForTests, inBrowser, signIn } from './browser.ts'
import { answered, ask, look, openTillAt, product } from './staff.ts'

// T24: a product with an open price, from the menu to the receipt.

const demo = demoForTests()

const VOUCHER = 'Bon cadeau'
const FISH = 'Poisson du jour'

test(
  'a manager opens a price; at the till it is typed, on keys and on the screen, and repeats as it was',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit()
    await signIn(demo, page)
    const make = async (values: object) => (await ask(page, 'POST', '/edit/products', values)).data.id as number
    const voucher = await make({ name: VOUCHER, type: 'PRODUCT', status: 1 })
    await make({
      name: FISH,
      type: 'DISH',
      status: 1,
      open_price: true,
      modifications: [{ name: 'entier' }, { name: 'filet', barcode: '4006381333931' }],
    })

    await page.goto(`${demo.url}/back-office/menu/products/${voucher}?tab=details`)
    await page.getByRole('switch', { name: 'Open price' }).check({ force: true })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.locator('.changes').getByText('Open price').waitFor()
    await look(page, 'open-price-review')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('switch', { name: 'Open price', checked: true }).waitFor()
    await look(page, 'open-price-form')

    await openTillAt(demo.url, page)
    await product(page, VOUCHER).getByText('open price').waitFor()
    const dialog = page.getByRole('dialog')
    const add = dialog.getByRole('button', { name: /^(Add|Save|Choices)/ })
    await page.keyboard.type('2 bon cad')
    await page.keyboard.press('Enter')
    await add.waitFor()
    assert.equal(await add.isDisabled(), true, 'it has no price yet')
    await page.keyboard.type('12,5')
    await look(page, 'open-price')
    await page.keyboard.press('Enter')
    await answered(page, 1)
    const line = (text: string) => page.locator('.till-line', { hasText: text })
    await line('25.00').waitFor()

    await product(page, VOUCHER).click()
    for (const key of ['4', '0', 'Erase', '5']) await dialog.getByRole('button', { name: key, exact: true }).click()
    await page.keyboard.press('Enter')
    await answered(page, 2)
    await line('45.00').waitFor()

    await product(page, FISH).click()
    await page.keyboard.type('1000001')
    await dialog.getByText('At most').waitFor()
    assert.equal(await add.isDisabled(), true)
    await page.setViewportSize({ width: 1024, height: 768 })
    await look(page, 'open-price-too-high')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByRole('textbox').fill('28')
    await page.keyboard.press('Enter')
    await dialog.getByRole('radio', { name: /filet/ }).check({ force: true })
    await look(page, 'open-price-choices')
    await page.keyboard.press('Enter')
    await answered(page, 3)
    await line('28.00').getByText('filet').waitFor()

    await line('45.00').click()
    await dialog.getByRole('button', { name: 'Price' }).click()
    await page.keyboard.type('60')
    await page.keyboard.press('Enter')
    await line('60.00').waitFor()
    await answered(page, 3)

    await page.keyboard.type('4006381333931')
    await page.keyboard.press('Enter')
    await add.waitFor()
    await page.keyboard.type('.5')
    await page.keyboard.press('Enter')
    await dialog.getByRole('radio', { name: /filet/, checked: true }).waitFor()
    await page.keyboard.press('Escape')

    await page.keyboard.press('F4')
    await page.locator('.till-line.sent').nth(2).waitFor()
    await answered(page, 3)
    await page.locator('.till-who').click()
    await dialog.getByRole('button', { name: 'Repeat the round' }).click()
    await answered(page, 6)
    for (const amount of ['25.00', '60.00', '28.00']) assert.equal(await line(amount).count(), 2, amount)
    await look(page, 'open-price-again')
    assert.deepEqual(problems, [])
  },
)

test('on a phone in French the keys are large, and all of them are on the screen', inBrowser, async () => {
  const { page, problems } = await demo.visit({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    locale: 'fr-FR',
  })
  await page.goto(`${demo.url}/back-office/sign-in`)
  const session = { brand: 'demo', username: 'owner', password: 'demo' }
  await ask(page, 'POST', '/session', session)
  await ask(page, 'PUT', '/language', { language: 'fr' })
  const [{ id }] = (await ask(page, 'GET', '/read/products?filters=[["name","Limonade artisanale"]]')).data
  await ask(page, 'PATCH', `/edit/products/${id}`, { open_price: true })
  await page.goto(`${demo.url}/back-office/till`)
  await page.locator('.till-key.primary').first().click()
  await product(page, 'Limonade artisanale').waitFor()
  assert.match(await product(page, 'Limonade artisanale').innerText(), /prix libre/)
  await product(page, 'Limonade artisanale').tap()
  const dialog = page.getByRole('dialog')
  for (const key of ['7', '.', '5']) await dialog.getByRole('button', { name: key, exact: true }).tap()
  await look(page, 'open-price-fr')
  for (const key of await dialog.locator('.till-pad button, [type=submit]').all()) {
    const { y, height } = (await key.boundingBox())!
    assert.ok(height >= 44 && y + height <= 640, `${await key.textContent()}: ${y} ${height}`)
  }
  await dialog.locator('[type=submit]').tap()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('.till-line', { hasText: '7,50' }).waitFor({ state: 'attached' })
  assert.deepEqual(problems, [])
})
