import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { choosePassword, demoForTests, inBrowser, invitationOf, signIn } from './browser.ts'
import { ask, checkContrast, linkTo, look, lookAtAll } from './staff.ts'

const demo = demoForTests()

interface Dish {
  id: number
  name: string
}

const DISHES = encodeURIComponent(
  JSON.stringify([
    ['type', 'DISH'],
    ['status', 1],
  ]),
)

interface Product extends Dish {
  has_modifications?: boolean
  modificator_groups?: { min_select: number }[]
  station_id?: number
}

/** Dishes of one station, without anything to choose. */
async function dishesOf(page: Page): Promise<{ station: number; dishes: Dish[] }> {
  const { data } = await ask(page, 'GET', `/read/products?limit=100&include=details&filters=${DISHES}`)
  const simple = (data as Product[]).filter(
    ({ has_modifications, modificator_groups = [], station_id }) =>
      !has_modifications && station_id === 1 && modificator_groups.every(({ min_select }) => min_select === 0),
  )
  assert.ok(simple.length > 2, JSON.stringify(data.slice(0, 3)))
  return { station: 1, dishes: simple.slice(0, 3) }
}

async function sendTicket(page: Page, lines: object[], more: object = {}): Promise<number> {
  const { data } = await ask(page, 'POST', '/receipts', { cid: randomUUID(), sale_type_id: 1, lines, ...more })
  await ask(page, 'POST', `/receipts/${data.id}/send`, {})
  return data.id
}

/** The demo's venues want one for what is taken back. */
const WHY = { reason_id: 1 }

const line = ({ id }: Dish, count: number, more: object = {}) => ({ cid: randomUUID(), product_id: id, count, ...more })

test(
  'a ticket is on the screen of its station at once: started, made, brought back; what is void is struck through',
  inBrowser,
  async () => {
    const till = (await demo.visit()).page
    await signIn(demo, till)
    const { station, dishes } = await dishesOf(till)
    const [first, second] = dishes as [Dish, Dish]

    const { page, problems } = await demo.visit()
    await choosePassword(page, await invitationOf(demo, 'demo', 'cook'))
    await page.getByRole('heading', { name: 'Which station is this screen for?' }).waitFor()
    await lookAtAll(page, 'kitchen-stations', checkContrast)
    await page.goto(`${demo.url}/back-office/kitchen/${station}`)
    await page.getByRole('heading', { name: 'To make' }).waitFor()

    const table = await ask(till, 'GET', '/read/tables?limit=1')
    const { id: table_id, name } = table.data[0]
    const receipt = await sendTicket(till, [line(first, 2, { note: 'No salt, allergy' }), line(second, 1)], {
      table_id,
    })
    const sent = performance.now()
    const card = page.getByRole('article', { name, exact: true }).last()
    await card.getByText(`2 × ${first.name}`).waitFor()
    const seen = performance.now() - sent
    assert.ok(seen < 10_000, `the stream brings it, not the poll: ${Math.round(seen)} ms`)
    await card.getByText('No salt, allergy').waitFor()
    await card.getByText('New', { exact: true }).waitFor()
    await lookAtAll(page, 'kitchen', checkContrast)

    await card.getByRole('button', { name: `Start ${name}` }).click()
    await card.getByText('Cooking', { exact: true }).waitFor()
    assert.ok(await card.getByRole('button', { name: `Start ${name}` }).isDisabled(), 'it keeps its place')

    // The till takes a line back: the kitchen sees and hears it.
    const { data } = await ask(till, 'GET', `/read/receipts/${receipt}?include=receipt_products`)
    const other = data.receipt_products.find(({ product_id }: { product_id: number }) => product_id === second.id)
    await ask(till, 'DELETE', `/receipts/${receipt}/lines/${other.id}?reason_id=1`)
    await card.locator('del', { hasText: second.name }).waitFor()
    await page.locator('[aria-live]').getByText(`Void: 1 × ${second.name}, ${name}.`).waitFor()
    await lookAtAll(page, 'kitchen-void', checkContrast)

    // One tap on a line of what cooks: ready. It is gone, and comes back.
    await card.getByRole('button', { name: /^2 × .*Ready$/ }).click()
    await page.getByRole('button', { name: `Start ${name}` }).waitFor({ state: 'detached' })
    const stateNow = async () =>
      (await ask(till, 'GET', `/read/receipts/${receipt}?include=receipt_products`)).data.receipt_products[0].state
    await page.getByRole('button', { name: /^Recall \(/ }).click()
    await page
      .getByRole('button', { name: `Recall ${name}` })
      .first()
      .waitFor()
    await lookAtAll(page, 'kitchen-recall', checkContrast)
    assert.equal(await stateNow(), 'READY')
    await page
      .getByRole('button', { name: `Recall ${name}` })
      .first()
      .click()
    await card.getByText('Cooking', { exact: true }).waitFor()
    await page.waitForTimeout(500)
    await card.getByRole('button', { name: /All ready$/ }).click()
    await card.waitFor({ state: 'detached' })
    await assertSoon(stateNow, 'READY')

    // A receipt that is cancelled leaves its ticket until somebody has seen it.
    const taken = await sendTicket(till, [line(second, 1)], { table_id })
    await card.getByText(`1 × ${second.name}`).waitFor()
    await ask(till, 'POST', `/receipts/${taken}/cancel`, WHY)
    await card.getByText('Cancelled').waitFor()
    await page.getByRole('button', { name: `Seen: ${name} is cancelled` }).click()
    await card.waitFor({ state: 'detached' })
    assert.deepEqual(problems, [])
  },
)

test('lines of a ticket are ready one by one; all stations of a table are seen together', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  const { dishes } = await dishesOf(page)
  const [first, second] = dishes as [Dish, Dish]
  const table = (await ask(page, 'GET', '/read/tables?limit=2')).data[1]
  const receipt = await sendTicket(page, [line(first, 3), line(second, 1, { note: 'Nuts', allergy: true })], {
    table_id: table.id,
  })
  await sendTicket(page, [line(first, 4)], { table_id: table.id })
  await page.goto(`${demo.url}/back-office/kitchen/all`)
  const card = page.getByRole('article', { name: table.name, exact: true }).filter({ hasText: `3 × ${first.name}` })
  await card.getByText('Allergy', { exact: true }).waitFor()
  const states = async () => {
    const { data } = await ask(page, 'GET', `/read/receipts/${receipt}?include=receipt_products`)
    return data.receipt_products.map(({ state }: { state: string }) => state).join(' ')
  }
  await card.getByRole('button', { name: /^3 × .* Start$/ }).click()
  await card.getByText('Cooking', { exact: true }).first().waitFor()
  const made = card.getByRole('button', { name: /^3 × .* Ready$/ })
  await made.waitFor()
  await page.waitForTimeout(500) // a second tap at once would be a double tap
  await made.click()
  await card.getByRole('button', { name: /^3 × .* Not ready yet$/ }).waitFor()
  await assertSoon(states, 'READY SENT')

  await page.getByRole('button', { name: 'By table' }).click()
  const group = page.getByRole('region', { name: table.name, exact: true })
  await group.getByText(`4 × ${first.name}`).waitFor()
  assert.ok((await group.getByRole('article').count()) >= 2)
  await lookAtAll(page, 'kitchen-by-table', checkContrast)
  assert.deepEqual(problems, [])
})

test('the same dish is added up over the tickets; one tap sells it out and one more undoes it', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  const { station, dishes } = await dishesOf(page)
  const dish = dishes[2]!
  await page.goto(`${demo.url}/back-office/kitchen/${station}`)
  const column = page.getByRole('complementary', { name: 'To make' })
  await column.waitFor()
  for (const count of [2, 3]) await sendTicket(page, [line(dish, count)])
  const row = column.getByRole('listitem').filter({ hasText: dish.name })
  await row.getByText('5', { exact: true }).waitFor()
  const limitOf = async () => (await ask(page, 'GET', `/stop-list/${dish.id}`)).data?.limit
  await row.getByRole('button', { name: `5 × ${dish.name}` }).click() // behind a tap: nobody sells out a dish by accident
  await row.getByRole('button', { name: `${dish.name} is sold out` }).click()
  await row.getByRole('button', { name: `Undo: sell ${dish.name} again` }).waitFor()
  await assertSoon(limitOf, 0)
  await lookAtAll(page, 'kitchen-sold-out', checkContrast)
  await row.getByRole('button', { name: `Undo: sell ${dish.name} again` }).click()
  await assertSoon(limitOf, undefined)
  assert.deepEqual(problems, [])
})

test('a ticket is amber from its cooking time on and red at one and a half times, and says so', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  const { station, dishes } = await dishesOf(page)
  const dish = dishes[0]!
  for (const _ of [1, 2, 3]) await sendTicket(page, [line(dish, 1)])
  let ages = [0]
  await page.route('**/back-office/api/tickets?*', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const waiting = body.data.filter(({ state }: { state: string }) => state === 'SENT').slice(-3)
    const { cooking_time: due } = waiting[0].lines[0]
    // As if the last three had been sent before their cooking time, after it, and long after it.
    ages = [due - 1, due + 1, due * 2]
    for (const [index, ticket] of waiting.entries())
      ticket.created_at = new Date(Date.parse(body.now) - ages[index]! * 60_000).toISOString()
    await route.fulfill({ response, json: { ...body, data: waiting } })
  })
  await page.goto(`${demo.url}/back-office/kitchen/${station}`)
  const cards = page.getByRole('article')
  await cards.nth(2).waitFor()
  const levels = await cards.evaluateAll((all) => all.map((card) => card.getAttribute('data-level')))
  assert.deepEqual(levels, ['due', 'late', 'very-late'])
  await cards.nth(0).getByText(`${ages[0]} min`).waitFor()
  await cards.nth(1).getByText(`${ages[1]} min late`).waitFor()
  await cards.nth(2).getByText(`${ages[2]} min very late`).waitFor()
  const small = await page.evaluate(
    () =>
      [...document.querySelectorAll('.kitchen *')].filter(
        (element) => element.textContent?.trim() && Number.parseFloat(getComputedStyle(element).fontSize) < 24,
      ).length,
  )
  assert.equal(small, 0, 'read from two metres')
  await lookAtAll(page, 'kitchen-late', checkContrast)
  assert.deepEqual(problems, [])
})

test('the head of a late ticket does not break, and the columns fill the width', inBrowser, async () => {
  const { page } = await demo.visit()
  await signIn(demo, page)
  const { station, dishes } = await dishesOf(page)
  for (const dish of dishes) await sendTicket(page, [line(dish, 1)])
  await page.route('**/back-office/api/tickets?*', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const late = new Date(Date.parse(body.now) - 124 * 60_000).toISOString()
    const waiting = body.data.filter(({ state }: { state: string }) => state === 'SENT').slice(-3)
    const data = waiting.map((ticket: object, index: number) => ({
      ...ticket,
      table: undefined,
      number: [4, 128, 99_999][index],
      created_at: late,
    }))
    await route.fulfill({ response, json: { ...body, data } })
  })
  await page.goto(`${demo.url}/back-office/kitchen/${station}`)
  await page.getByText('124 min very late').nth(2).waitFor()
  assert.equal((await page.locator('.kitchen-offline').boundingBox())?.height, 0, 'nothing to say of the connection')
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    await look(page, 'kitchen-heads')
    const { broken, free } = await page.evaluate(() => {
      const rows = (element: Element) =>
        Math.round(element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight))
      const all = [...document.querySelectorAll('.ticket-name, .ticket-age, .ticket-state')]
      const area = document.querySelector('.tickets')!.getBoundingClientRect()
      const cards = [...document.querySelectorAll('.ticket')].map((card) => card.getBoundingClientRect())
      const columns = new Set(cards.map(({ left }) => left)).size
      const room = area.right - Math.max(...cards.map(({ right }) => right))
      return {
        broken: all.filter((element) => rows(element) > 1).map(({ textContent }) => textContent),
        // What is left beside the last column would hold no other one.
        free: columns < cards.length ? room : 0,
      }
    })
    assert.deepEqual(broken, [], `${width}`)
    assert.ok(free < 2, `${free} pixels are empty at ${width}`)
  }
})

test('a bell that the cook switched on rings for new and for cancelled tickets of the station', inBrowser, async () => {
  const till = (await demo.visit()).page
  await signIn(demo, till)
  const { station, dishes } = await dishesOf(till)
  const { page, problems } = await demo.visit()
  await page.addInitScript(() => {
    const heard = window as unknown as { tones: number[] }
    heard.tones = []
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (...when) {
      heard.tones.push(this.frequency.value)
      start.apply(this, when)
    }
  })
  const heard = () => page.evaluate(() => (window as unknown as { tones: number[] }).tones.splice(0))
  const hears = (count: number) =>
    page.waitForFunction((least) => (window as unknown as { tones: number[] }).tones.length >= least, count)
  await signIn(demo, page)
  await page.goto(`${demo.url}/back-office/kitchen/${station}`)
  const dish = dishes[0]!
  const cards = page.getByRole('article').filter({ hasText: dish.name })
  await page.getByRole('heading', { name: 'To make' }).waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy]'))
  const before = await cards.count()
  await sendTicket(till, [line(dish, 1)])
  await cards.nth(before).waitFor()
  assert.deepEqual(await heard(), [], 'it is off until somebody wants it')

  await page.getByRole('button', { name: 'Bell off' }).click()
  await page.getByRole('button', { name: 'Bell on' }).waitFor()
  const receipt = await sendTicket(till, [line(dish, 1)])
  await hears(2)
  const arrived = await heard()
  await ask(till, 'POST', `/receipts/${receipt}/cancel`, WHY)
  await page.getByText('Cancelled', { exact: true }).first().waitFor()
  await hears(3)
  assert.notDeepEqual(await heard(), arrived, 'one hears which it was')

  await page.reload()
  await page.getByRole('button', { name: /^Bell/ }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Bell off' }).count(), 0, 'it is remembered')
  await page.goto(`${demo.url}/back-office/kitchen/all`)
  await page.getByRole('button', { name: 'Bell off' }).waitFor() // by station
  assert.deepEqual(problems, [])
})

test('who may not use the kitchen has no link to it', inBrowser, async () => {
  const { page } = await demo.visit()
  await choosePassword(page, await invitationOf(demo, 'demo', 'accountant'))
  await page.goto(`${demo.url}/back-office/kitchen`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.doesNotMatch(page.url(), /kitchen/)
  assert.equal(await linkTo(page, 'Kitchen').count(), 0)
})

async function assertSoon<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  for (let tries = 0; tries < 50 && (await read()) !== expected; tries++)
    await new Promise((done) => setTimeout(done, 200))
  assert.equal(await read(), expected)
}
