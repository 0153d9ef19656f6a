import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { CANCELLED, CLOSED } from '../../server/src/values/states.ts'
import { comptoir } from '../../server/test/command.ts'
import { until } from '../../server/test/until.ts'
import { checkAccessibility, demoForTests, inBrowser, signIn } from './browser.ts'
import { ask } from './staff.ts'

const demo = demoForTests()

const DISHES = encodeURIComponent(
  JSON.stringify([
    ['type', 'DISH'],
    ['status', 1],
  ]),
)
const SEATS = [1, 2, 3, 4, 5, 6]

interface FloorTable {
  id: number
  name: string
  hall_id: number
  state: string
  receipts: { id: number }[]
}

const bill = (page: Page) => page.getByRole('region', { name: 'Receipt', exact: true })
const tile = (page: Page, { name }: FloorTable) =>
  page.locator('.floor-tile').filter({ has: page.getByText(name, { exact: true }) })
/** Each press waits until the server has answered the one before. */
const answered = (page: Page) => page.waitForFunction(() => !document.querySelector('.till-line.waiting'))

async function openTill(page: Page): Promise<void> {
  await signIn(demo, page)
  await page.goto(`${demo.url}/back-office/till`)
  await page.getByRole('button', { name: 'Le Comptoir du Canal' }).click()
  await page.locator('.till-key.primary').first().click()
  await page.locator('.till-product').first().waitFor()
}

/** How many of each dish the kitchen was told to make for some receipts, by name. */
async function told(page: Page, receipts: readonly number[]): Promise<Record<string, number>> {
  const { data } = await ask(page, 'GET', '/tickets')
  const counts: Record<string, number> = {}
  for (const { receipt_id, lines } of data.tickets ?? data)
    if (receipts.includes(receipt_id))
      for (const { name, count } of lines) counts[name] = (counts[name] ?? 0) + Number(count)
  return counts
}

test(
  'six guests: courses are fired, two leave and tip, the rest moves, merges and splits evenly; the books are sound',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit()
    await openTill(page)
    const dialog = page.getByRole('dialog')
    const { data } = await ask(page, 'GET', `/read/products?limit=100&include=details&filters=${DISHES}`)
    const simple = data.filter(
      (each: { has_modifications?: boolean; station_id?: number; modificator_groups?: { min_select: number }[] }) =>
        !each.has_modifications &&
        each.station_id === 1 &&
        (each.modificator_groups ?? []).every(({ min_select }) => min_select === 0),
    ) as { id: number; name: string }[]
    const [starter, main, dessert] = simple as [{ id: number; name: string }, ...typeof simple]
    const floor = async () => (await ask(page, 'GET', '/floor')).data as { tables: FloorTable[] }
    const free = (await floor()).tables.filter(({ state }) => state === 'free')
    const table = free[0]!
    const [terrace, other] = free.filter(({ hall_id }) => hall_id !== table.hall_id) as [FloorTable, FloorTable]

    // By touch: six sit down, and each orders a starter and a main dish.
    await page.keyboard.press('F3')
    await tile(page, table).getByRole('button').first().click()
    await dialog.getByRole('button', { name: '6', exact: true }).click()
    await bill(page).getByText('6 guests').waitFor()
    await until(async () => {
      const seated = (await floor()).tables.find(({ id }) => id === table.id)!
      return seated.state === 'seated'
    }, 'nobody sits at the table')
    const source = (await floor()).tables.find(({ id }) => id === table.id)!.receipts[0]!.id
    const line = (dish: { id: number }, course: number, seat: number, more: object = {}) => ({
      cid: randomUUID(),
      product_id: dish.id,
      count: 1,
      seat,
      course,
      ...more,
    })
    const lines = SEATS.flatMap((seat) => [
      line(starter, 1, seat, seat === 3 ? { note: 'nuts', allergy: true } : {}),
      line(main!, 2, seat),
    ])
    await ask(page, 'POST', `/receipts/${source}/lines`, { lines: [...lines, line(dessert!, 3, 6)] })
    await page.waitForFunction(() => document.querySelectorAll('.till-line').length === 13)
    await checkAccessibility(page, 'a table with seats and courses')

    // Starters go at once, what follows is held until the waiter says so.
    await page.keyboard.press('F4')
    await until(async () => (await told(page, [source]))[starter.name] === 6, 'the starters are not in the kitchen')
    assert.deepEqual(await told(page, [source]), { [starter.name]: 6 })
    const kitchen = await demo.visit()
    await signIn(demo, kitchen.page)
    await kitchen.page.goto(`${demo.url}/back-office/kitchen/1`)
    await kitchen.page.getByText('nuts').first().waitFor()
    await kitchen.page
      .getByText(/allerg/i)
      .first()
      .waitFor()
    await answered(page)
    await page.keyboard.press('F6')
    await until(async () => (await told(page, [source]))[main!.name] === 6, 'the main dishes are not in the kitchen')
    await answered(page)

    // Two leave early: theirs is split off by seat, and paid by card with a tip.
    await bill(page).getByRole('button', { name: 'Split …', exact: true }).click()
    await dialog.getByRole('button', { name: 'Seat 1', exact: true }).click()
    await dialog.getByRole('button', { name: 'Seat 2', exact: true }).click()
    await dialog.getByRole('status').getByText(/€.*€/).waitFor()
    await checkAccessibility(page, 'a split')
    await dialog.getByRole('button', { name: /^Split off/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await until(async () => {
      const { receipts } = (await floor()).tables.find(({ id }) => id === table.id)!
      return receipts.length === 2
    }, 'the table has no second receipt')
    const parted = (await floor()).tables
      .find(({ id }) => id === table.id)!
      .receipts.find(({ id }) => id !== source)!.id
    const numberOf = async (id: number) =>
      (await ask(page, 'GET', `/read/receipts/${id}?include=details`)).data.number as number
    const take = async (id: number) => {
      const number = new RegExp(`#${await numberOf(id)}(?!\\d)`)
      await page.locator('.till-receipt').filter({ hasText: number }).click()
      await page.locator('.till-receipt[aria-current=true]').filter({ hasText: number }).waitFor()
    }
    await take(parted)
    await page.waitForFunction(() => document.querySelectorAll('.till-line').length === 4)
    await page.keyboard.press('F8')
    await page.locator('.till-due', { hasNotText: '≈' }).waitFor()
    await dialog.getByLabel('Tip', { exact: true }).fill('3')
    await dialog.getByRole('button', { name: 'Carte bancaire' }).click()
    await page.locator('.till-change b').waitFor()
    await page.waitForTimeout(1_000) // the change can be left once there was time to read it
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })

    // The rest moves to the terrace and merges with another table.
    await take(source)
    await page.waitForFunction(() => document.querySelectorAll('.till-line').length === 9)
    await page.locator('.till-who').click()
    const tables = dialog.getByRole('combobox', { name: /^Table/ })
    await tables.selectOption(String(terrace.id))
    await dialog.getByRole('button', { name: /^Save/ }).click()
    await until(async () => {
      const { receipts } = (await floor()).tables.find(({ id }) => id === terrace.id)!
      return receipts.some(({ id }) => id === source)
    }, 'the receipt is not on the terrace')
    const target = (
      await ask(page, 'POST', '/receipts', {
        cid: randomUUID(),
        sale_type_id: 1,
        table_id: other.id,
        lines: [line(starter, 1, 1)],
      })
    ).data.id as number
    await ask(page, 'POST', `/receipts/${target}/send`, {})
    await answered(page)
    await bill(page).getByRole('button', { name: 'Split …', exact: true }).click()
    await dialog.getByRole('button', { name: 'Everything', exact: true }).click()
    const into = dialog.locator('select')
    const label = new RegExp(`#${await numberOf(target)} `)
    await until(
      async () => (await into.locator('option').allTextContents()).some((text) => label.test(text)),
      'no target',
    )
    const option = (await into.locator('option').allTextContents()).find((text) => label.test(text))!
    await into.selectOption({ label: option })
    await dialog.getByRole('button', { name: /^Merge/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.querySelectorAll('.till-line').length === 10)

    // By keyboard: the dessert is fired, and the bill is paid in two even parts.
    await answered(page)
    await page.keyboard.press('F6')
    await until(async () => (await told(page, [target]))[dessert!.name] === 1, 'the dessert is not in the kitchen')
    await answered(page)
    const all = await told(page, [source, parted, target])
    assert.deepEqual(all, { [starter.name]: 7, [main!.name]: 6, [dessert!.name]: 1 }, 'each dish was told once')
    await page.keyboard.press('F8')
    await page.locator('.till-due', { hasNotText: '≈' }).waitFor()
    await dialog.getByRole('button', { name: '1/2', exact: true }).click()
    await dialog.getByRole('button', { name: 'Carte bancaire' }).click()
    await dialog.getByText(/ paid$/).waitFor()
    await dialog.getByRole('button', { name: 'Carte bancaire' }).click()
    await page.locator('.till-change b').waitFor()
    await page.waitForTimeout(1_000)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })

    const after = async (id: number) => (await ask(page, 'GET', `/read/receipts/${id}?include=details`)).data
    const [first, last, ended] = await Promise.all([parted, target, source].map(after))
    assert.deepEqual([first.status, last.status, ended.status], [CLOSED, CLOSED, CANCELLED])
    assert.deepEqual([first.tip, ended.merged_into], [3, target])
    for (const id of [table.id, terrace.id, other.id])
      await until(
        async () => (await floor()).tables.find((each) => each.id === id)!.state === 'free',
        `table ${id} is not free`,
      )
    await page.keyboard.press('F3')
    await checkAccessibility(page, 'the floor afterwards')
    assert.equal((await comptoir(demo, ['audit', 'books', '--brand', 'demo'])).code, 0)
    assert.deepEqual([...problems, ...kitchen.problems], [])
  },
)
