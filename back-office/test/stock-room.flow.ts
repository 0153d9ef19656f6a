import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { choosePassword, demoForTests, inBrowser, invitationOf, signIn } from './browser.ts'
import { ask, linkTo, look, lookAtAll } from './staff.ts'

const demo = demoForTests()

interface OnHand {
  product_id: number
  name: string
  quantity: number
  is_low: boolean
}

const onHand = async (page: Page, name: string): Promise<number> => {
  const { data } = await ask(page, 'GET', '/stock-room')
  return data.find((row: OnHand) => row.name === name).quantity
}

const dialogOf = (page: Page) => page.getByRole('dialog')

/** Writes a document about one product and books it. */
async function book(page: Page, button: string, name: string, quantity: string, cost?: string): Promise<void> {
  const dialog = dialogOf(page)
  await page.getByRole('button', { name: button, exact: true }).click()
  await dialog.getByLabel('Add a product').fill(name)
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.getByLabel(new RegExp(`^${name}`)).fill(quantity)
  if (cost) await dialog.getByLabel(`Cost of one ${name}`).fill(cost)
  await look(page, `stock-${button.toLowerCase()}`)
  await dialog.getByRole('button', { name: 'Book now' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('a delivery, waste and a count while selling; a draft is booked and reversed', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await choosePassword(page, await invitationOf(demo, 'demo', 'manager'))
  await linkTo(page, 'Stock').click()
  await page.getByRole('table', { name: 'On hand' }).waitFor()
  const { data: rows } = await ask(page, 'GET', '/stock-room')
  const firstEnough = rows.findIndex(({ is_low }: OnHand) => !is_low)
  assert.ok(
    rows.slice(firstEnough).every(({ is_low }: OnHand) => !is_low),
    'what runs low comes first',
  )
  await lookAtAll(page, 'stock')
  const { name } = rows.find((row: OnHand) => /^[A-Za-z ]+$/.test(row.name)) as OnHand
  const before = await onHand(page, name)

  await book(page, 'Receive', name, '12,5', '2.40')
  assert.equal(await onHand(page, name), sum(before, 12.5))
  await book(page, 'Waste', name, '2')
  assert.equal(await onHand(page, name), sum(before, 10.5))

  // Counted while selling: what moves after a figure was typed does not change what it says.
  const dialog = dialogOf(page)
  await page.getByRole('button', { name: 'Count', exact: true }).click()
  await dialog.getByLabel('Add a product').fill(name)
  await page.keyboard.press('Enter')
  await dialog.getByLabel(new RegExp(`^${name}`)).fill('100')
  const { product_id } = rows.find((row: OnHand) => row.name === name) as OnHand
  const storage_id = (await ask(page, 'GET', '/read/storages')).data.find(
    ({ is_main }: { is_main: number }) => is_main === 1,
  ).id
  await page.waitForTimeout(50)
  const sold = await ask(page, 'POST', '/operations', { type: 4, storage_id, items: [{ product_id, quantity: 3 }] })
  await ask(page, 'POST', `/operations/${sold.data.id}/publish`, {})
  await dialog.getByRole('button', { name: 'Book now' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await onHand(page, name), 97, '100 were there, then 3 went')

  await page.getByRole('button', { name: 'Receive', exact: true }).click()
  await dialog.getByLabel('Add a product').fill(name)
  await page.keyboard.press('Enter')
  await dialog.getByLabel(new RegExp(`^${name}`)).fill('4')
  await dialog.getByRole('button', { name: 'Keep as a draft' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await onHand(page, name), 97, 'a draft moves nothing')
  await page.getByRole('tab', { name: 'Documents' }).click()
  const table = page.getByRole('table', { name: 'Documents' })
  const draft = table.getByRole('row').filter({ hasText: 'Draft' }).first()
  await draft.waitFor()
  await lookAtAll(page, 'stock-documents')
  const document = (await draft.locator('strong').textContent())!
  await draft.getByRole('button', { name: `Details of ${document}` }).click()
  await dialog.getByRole('table').waitFor()
  await lookAtAll(page, 'stock-document')
  await dialog.getByRole('button', { name: 'Book it' }).click()
  await page
    .getByRole('dialog', { name: /^Book / })
    .getByRole('button', { name: 'Book it' })
    .click()
  await page.getByRole('dialog', { name: /^Book / }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Reverse' }).waitFor()
  assert.equal(await onHand(page, name), 101)
  await dialog.getByRole('button', { name: 'Reverse' }).click()
  await page
    .getByRole('dialog', { name: /^Reverse / })
    .getByRole('button', { name: 'Reverse' })
    .click()
  await dialog.getByText('A new document takes everything back, once.').waitFor({ state: 'detached' })
  assert.equal(await onHand(page, name), 97)
  assert.ok(await dialog.getByRole('button', { name: 'Reverse' }).isDisabled(), 'once')
  assert.deepEqual(problems, [])
})

test('booking that was refused leaves one draft, however often it is tried', inBrowser, async () => {
  const { page } = await demo.visit()
  await signIn(demo, page)
  await linkTo(page, 'Stock').click()
  await page.getByRole('table', { name: 'On hand' }).waitFor()
  const { data: rows } = await ask(page, 'GET', '/stock-room')
  const { name } = rows.find((row: OnHand) => /^[A-Za-z ]+$/.test(row.name)) as OnHand
  const count = async () => (await ask(page, 'GET', '/read/operations?limit=1')).total as number
  const [documents, before] = [await count(), await onHand(page, name)]
  let refusals = 2
  await page.route('**/operations/*/publish', (route) =>
    refusals-- > 0
      ? route.fulfill({ status: 409, json: { error: 'refused', message: 'The storage is being counted.' } })
      : route.continue(),
  )
  await page.route('**/stock-room/products', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500)) // Enter is quicker, and counts
    await route.continue()
  })
  const dialog = dialogOf(page)
  await page.getByRole('button', { name: 'Receive', exact: true }).click()
  await dialog.getByLabel('Add a product').fill(name)
  await page.keyboard.press('Enter')
  await dialog.getByLabel(new RegExp(`^${name}`)).fill('5')
  await dialog.getByRole('button', { name: 'Book now' }).click()
  await dialog.getByText('The storage is being counted.').waitFor()
  assert.equal(await count(), documents + 1)
  await dialog.getByRole('button', { name: 'Book now' }).click()
  await page.waitForFunction(() => !document.querySelector('[data-loading]'))
  await dialog.getByText('The storage is being counted.').waitFor()
  assert.equal(await count(), documents + 1, 'the same draft')
  await dialog.getByLabel(new RegExp(`^${name}`)).fill('6')
  await dialog.getByRole('button', { name: 'Book now' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await count(), documents + 1, 'the changed one has taken its place')
  assert.equal(await onHand(page, name), sum(before, 6))
})

test('a transfer moves from one storage to the other', inBrowser, async () => {
  const { page } = await demo.visit()
  await signIn(demo, page)
  await linkTo(page, 'Stock').click()
  await page.getByRole('table', { name: 'On hand' }).waitFor()
  const rows = (await ask(page, 'GET', '/stock-room')).data as (OnHand & { storage_id: number })[]
  const storages = (await ask(page, 'GET', '/read/storages')).data as { id: number; name: string; is_main: number }[]
  const main = storages.find(({ is_main }) => is_main === 1)!
  const other = storages.find(({ is_main }) => is_main === 0)!
  const { name } = rows.find((row) => /^[A-Za-z ]+$/.test(row.name) && row.storage_id === main.id)!
  const held = async (storage: number): Promise<number> => {
    const { data } = await ask(page, 'GET', '/stock-room')
    return data.find((row: (typeof rows)[number]) => row.name === name && row.storage_id === storage)?.quantity ?? 0
  }
  const before = [await held(main.id), await held(other.id)] as const
  const dialog = dialogOf(page)
  await page.getByRole('button', { name: 'Transfer', exact: true }).click()
  await dialog.getByLabel('Add a product').fill(name)
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.getByLabel(new RegExp(`^${name}`)).fill('2')
  // From where it was to go: it goes the other way round.
  for (const [from, to] of [[other, main] as const, [main, other] as const]) {
    await dialog.getByLabel('From').selectOption(String(from.id))
    assert.equal(await dialog.getByLabel('To', { exact: true }).inputValue(), String(to.id))
  }
  await look(page, 'stock-transfer')
  await dialog.getByRole('button', { name: 'Book now' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual([await held(main.id), await held(other.id)], [sum(before[0], -2), sum(before[1], 2)])
})

const sum = (one: number, other: number) => Math.round((one + other) * 10_000) / 10_000

test('a customer is created, found without accents, changed and topped up', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await linkTo(page, 'Customers').click()
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
  await page.getByRole('table').waitFor()
  await lookAtAll(page, 'customers')
  const dialog = dialogOf(page)
  await page.getByRole('button', { name: 'New customer' }).click()
  await dialog.getByLabel('Name').fill('Zoë Ångström-Łęcka')
  await dialog.getByLabel('Phone').fill('+46 70 000 11 22')
  await look(page, 'customer-new')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Top up' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Find a customer').fill('angstrom-lec')
  await page.getByRole('table', { name: 'Customers found' }).waitFor()
  await page.getByRole('button', { name: 'Details of Zoë Ångström-Łęcka' }).click()

  await dialog.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Code').fill('ZOE-1')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('ZOE-1').waitFor()

  await dialog.getByRole('button', { name: 'Top up' }).click()
  await dialog.getByLabel('Amount').fill('25,50')
  await dialog.getByRole('combobox', { name: 'Paid by' }).selectOption({ label: 'Carte bancaire' })
  await look(page, 'customer-top-up')
  await dialog.getByRole('button', { name: 'Top up' }).click()
  await page.getByText('The balance is 25.50 now.').waitFor()
  await dialog.getByRole('table', { name: 'Balance' }).getByText('25.50').first().waitFor()
  await lookAtAll(page, 'customer')
  assert.deepEqual(problems, [])
})

test('who may only look sees no button', inBrowser, async () => {
  const { page } = await demo.visit()
  await choosePassword(page, await invitationOf(demo, 'demo', 'accountant'))
  await linkTo(page, 'Stock').click()
  await page.getByText('You can view the stock.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Receive' }).count(), 0)
  await linkTo(page, 'Customers').click()
  await page.getByRole('table').waitFor()
  assert.equal(await page.getByRole('button', { name: 'New customer' }).count(), 0)
})
