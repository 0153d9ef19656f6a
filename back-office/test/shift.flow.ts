import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { choosePassword, demoForTests, inBrowser, invitationOf, signIn } from './browser.ts'
import { ask, linkTo, look, lookAtAll } from './staff.ts'

const demo = demoForTests()

test('a shift: opened with a count, cash in and out, closed blind, and the report of it', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await choosePassword(page, await invitationOf(demo, 'demo', 'cashier'))
  await page.goto(`${demo.url}/back-office/office`) // who sells lands at the till
  await linkTo(page, 'Shift').click()
  await page.getByRole('heading', { name: 'Shift', exact: true }).waitFor()
  const drawer = page.getByRole('article').first()
  const dialog = page.getByRole('dialog')
  await drawer.waitFor()
  const terminal = (await drawer.getAttribute('aria-label'))!
  const button = (name: string) => drawer.getByRole('button', { name })
  const close = async (counted: string) => {
    await button(`Close shift: ${terminal}`).click()
    await dialog.getByLabel('Counted amount').fill(counted)
    assert.equal(await dialog.getByText('Expected', { exact: true }).count(), 0, 'it is a blind count')
    await look(page, 'shift-count')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText(`You counted ${counted}.`).waitFor()
    await dialog.getByRole('button', { name: 'Close shift' }).click()
    await dialog.getByText('Expected', { exact: true }).first().waitFor()
  }
  if (await button(`Close shift: ${terminal}`).isEnabled()) {
    await close('100.00') // the demo left it open
    await dialog.getByRole('button', { name: 'Done' }).click()
  }
  await button(`Open shift: ${terminal}`).click()
  await dialog.getByLabel('Counted amount').fill('150,00')
  await look(page, 'shift-open')
  await dialog.getByRole('button', { name: 'Open shift' }).click()
  await drawer.getByText('150.00').waitFor()
  assert.ok(await button(`Open shift: ${terminal}`).isDisabled(), 'it keeps its place')

  // Both taps of a double tap and a lost answer are one act: the key is the same until the server has answered.
  let sent = 0
  await page.route('**/cash', async (route) => {
    sent += 1
    if (sent > 1) return route.continue()
    await route.fetch() // it is done, and nobody hears of it
    return route.abort()
  })
  await button(`Cash in: ${terminal}`).click()
  await dialog.getByLabel('Amount').fill('20')
  await dialog.getByLabel('Reason').fill('Change from the bank')
  await dialog.getByRole('button', { name: 'Cash in' }).click()
  await dialog.getByText('The service cannot be reached.').waitFor()
  await dialog.getByRole('button', { name: 'Cash in' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(sent, 2)
  await button(`Cash out: ${terminal}`).click()
  await dialog.getByLabel('Amount').fill('5.50')
  await dialog.getByLabel('Reason').fill('Ice')
  await dialog.getByRole('button', { name: 'Cash out' }).click()
  await dialog.waitFor({ state: 'detached' })

  await ask(page, 'POST', '/receipts', { cid: randomUUID(), sale_type_id: 1 })
  await page.getByRole('table', { name: 'Open receipts' }).waitFor()
  await lookAtAll(page, 'shift')
  await close('164.00')
  await dialog.getByText('The drawer holds 0.50 less than it should.').waitFor()
  await dialog.getByText('164.50').first().waitFor()
  await dialog.getByText('Still open').waitFor()
  await lookAtAll(page, 'shift-closed')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await drawer.getByText('Closed', { exact: true }).waitFor()

  await page
    .getByRole('button', { name: /^Report of shift/ })
    .first()
    .click()
  await dialog.getByText('Put in').waitFor()
  await lookAtAll(page, 'shift-report')
  assert.deepEqual(problems, [])
})

test('who may only look at shifts is told so, and has no button', inBrowser, async () => {
  const { page } = await demo.visit()
  await choosePassword(page, await invitationOf(demo, 'demo', 'accountant'))
  await linkTo(page, 'Shift').click()
  await page.getByText('You can view shifts.').waitFor()
  await page.getByRole('article').first().waitFor()
  assert.equal(await page.getByRole('article').getByRole('button').count(), 0)
})

test('money of an account goes to the bank; that of drawers is taken out of their shifts', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await choosePassword(page, await invitationOf(demo, 'demo', 'accountant'))
  await linkTo(page, 'Shift').click()
  const { data } = await ask(page, 'GET', '/read/finance/balances?limit=200')
  const card = data.find((each: { type: string; venue_id?: number }) => each.type === 'CARD' && each.venue_id === 1)
  const payOut = async (amount: string) => {
    await page.getByRole('button', { name: `Pay out: ${card.name}`, exact: true }).click()
    await dialog.getByLabel('Amount').fill(amount)
    await dialog.getByLabel('What for').fill('To the bank')
    await dialog.getByRole('button', { name: 'Pay out' }).click()
  }
  const dialog = page.getByRole('dialog')
  await page.getByRole('table', { name: 'Accounts' }).waitFor()
  await lookAtAll(page, 'shift-accounts')
  await payOut('12.50')
  await page.getByText('The payout is booked.').waitFor()
  const after = (await ask(page, 'GET', `/read/finance/balances/${card.id}`)).data.amount
  assert.equal(after.toFixed(2), (card.amount - 12.5).toFixed(2))
  await page.route('**/payouts', (route) =>
    route.fulfill({
      status: 400,
      json: { error: 'validation_failed', message: '', details: { errors: [{ rule: 'cash_shift' }] } },
    }),
  ) // as for the cash of a venue that keeps shifts
  await payOut('1')
  await dialog.getByText('This cash is in the drawers').waitFor()
  assert.deepEqual(problems, [])
})

test('a shift that was opened elsewhere shows by itself', inBrowser, async () => {
  const { page } = await demo.visit()
  await signIn(demo, page)
  await page.goto(`${demo.url}/back-office/shift`)
  const { data } = await ask(page, 'GET', '/read/terminals?limit=100')
  const free = data.find(({ status }: { status: number }) => status === 1)
  const open = await ask(page, 'GET', '/read/finance/cash-shifts?limit=100&filters=[["status","OPEN"]]')
  for (const shift of open.data)
    if (shift.terminal_id === free.id) await ask(page, 'POST', `/shifts/${shift.id}/close`, { closing_amount: 0 })
  const drawer = page.getByRole('article', { name: free.name, exact: true })
  await drawer.getByText('Closed', { exact: true }).waitFor()
  await ask(page, 'POST', '/shifts', { terminal_id: free.id, opening_amount: '77.00' })
  await drawer.getByText('77.00').waitFor()
})
