import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility, demoForTests, inBrowser, signIn } from './browser.ts'
import { ask } from './staff.ts'

const demo = demoForTests()

const KITCHEN = 1
const DISHES = encodeURIComponent(
  JSON.stringify([
    ['type', 'DISH'],
    ['status', 1],
  ]),
)

/** Sends a dish of the first station to its printer. */
async function sendDish(page: Page): Promise<number> {
  const { data } = await ask(page, 'GET', `/read/products?limit=100&include=details&filters=${DISHES}`)
  const dish = (
    data as {
      id: number
      station_id?: number
      has_modifications?: boolean
      modificator_groups?: { min_select: number }[]
    }[]
  ).find(
    ({ has_modifications, modificator_groups = [], station_id }) =>
      !has_modifications && station_id === 1 && modificator_groups.every(({ min_select }) => min_select === 0),
  )!
  const lines = [{ cid: randomUUID(), product_id: dish.id, count: 1 }]
  const opened = await ask(page, 'POST', '/receipts', { cid: randomUUID(), sale_type_id: 1, lines })
  await ask(page, 'POST', `/receipts/${opened.data.id}/send`, {})
  return opened.data.id
}

test(
  'a ticket comes out on the page of its printer; without paper till and kitchen ring, and it is printed elsewhere',
  inBrowser,
  async () => {
    const { page: office } = await demo.visit()
    await signIn(demo, office)
    await ask(office, 'PATCH', '/edit/venues/1', { alarm_s: 2 })
    await office.goto(`${demo.url}/back-office/printers/${KITCHEN}`)
    await office.getByRole('heading', { name: 'Cuisine', exact: true }).waitFor()
    await sendDish(office)
    const paper = office.getByRole('img', { name: /^Paper: Ticket/ }).first()
    await paper.waitFor()
    assert.ok(await paper.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 300)))
    for (const line of ['A', 'B', 'C']) await office.getByRole('checkbox', { name: line, exact: true }).check()
    await office.getByRole('button', { name: 'Set the printer' }).click()
    await office.getByText('It writes with code page cp858 from now on').waitFor()
    const { data: set } = await ask(office, 'GET', `/edit/printers/${KITCHEN}`)
    assert.deepEqual([set.values.mode, set.values.code_page], ['auto', 'cp858'])
    await checkAccessibility(office, 'a printer')

    const switched = office.waitForResponse((response) => response.url().endsWith('/faults') && response.ok())
    await office.getByRole('switch', { name: 'Paper out' }).press('Space')
    await switched
    await sendDish(office)
    const kitchen = await demo.visit()
    await signIn(demo, kitchen.page)
    await kitchen.page.goto(`${demo.url}/back-office/kitchen/1`)
    const late = kitchen.page.getByText(/^Cuisine: (paper out|busy)\. 1 ticket waits\.$/)
    await late.waitFor()
    await kitchen.page.getByText('Cuisine: paper out. 1 ticket waits.').waitFor()
    await checkAccessibility(kitchen.page, 'the alarm in the kitchen')

    const till = await demo.visit()
    await signIn(demo, till.page)
    await till.page.goto(`${demo.url}/back-office/till`)
    await till.page.getByRole('button', { name: 'Le Comptoir du Canal' }).click()
    await till.page.locator('.till-key.primary').first().click()
    const alarm = till.page.getByRole('alert', { name: 'Printers' })
    await alarm.getByText('1 ticket waits.').waitFor()
    await checkAccessibility(till.page, 'the alarm at the till')
    await alarm.getByRole('button', { name: 'Seen' }).click()
    await alarm.getByRole('button', { name: 'Seen' }).waitFor({ state: 'detached' })
    await alarm.getByText('1 ticket waits.').waitFor()
    await alarm.getByRole('button', { name: 'Print elsewhere' }).click()
    await alarm.getByRole('button', { name: 'Bar' }).click()
    await alarm.waitFor({ state: 'detached' })
    await late.waitFor({ state: 'detached' })
    await office.goto(`${demo.url}/back-office/printers/2`)
    await office
      .getByRole('img', { name: /^Paper: Ticket/ })
      .first()
      .waitFor()
    assert.deepEqual([...kitchen.problems, ...till.problems], [])
  },
)
