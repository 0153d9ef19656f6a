import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { choosePassword, demoForTests, inBrowser, invitationOf, PASSWORD, signIn } from './browser.ts'
import { answered, ask, openReceipts, openTillAt, product } from './staff.ts'

const demo = demoForTests()

const isLive = (url: string) => new URL(url).pathname.endsWith('/api/live')

/** The streams that a browser holds open, and all that it has opened. */
function streamsOf(context: BrowserContext) {
  const open = new Set<Request>()
  const seen: string[] = []
  context.on('request', (request) => {
    if (!isLive(request.url())) return
    open.add(request)
    seen.push(request.url())
  })
  context.on('requestfinished', (request) => void open.delete(request))
  context.on('requestfailed', (request) => void open.delete(request))
  const follow = (page: Page) =>
    page.on('close', () => {
      for (const request of open) if (request.frame().page() === page) open.delete(request)
    })
  for (const page of context.pages()) follow(page)
  context.on('page', follow)
  return { open, seen }
}

async function until(isTrue: () => boolean | Promise<boolean>, why: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail(why)
}

const lines = (page: Page) => page.locator('.till-line')
const status = (page: Page) => page.locator('.till-head [role=status]')
const openTill = (page: Page) => openTillAt(demo.url, page)

async function openPage(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${demo.url}/back-office/${path}`)
  await page.locator('#content').waitFor()
  return page
}

/** As a browser does with a tab that is behind another one, or comes to the front again. */
const setVisible = (page: Page, isVisible: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isVisible ? 'visible' : 'hidden',
  )

async function sendTicket(page: Page, venue = 1): Promise<void> {
  const receipt = { cid: randomUUID(), sale_type_id: 1, lines: [{ cid: randomUUID(), product_id: 1, count: 1 }] }
  const { data } = await ask(page, 'POST', '/receipts', receipt, venue)
  await ask(page, 'POST', `/receipts/${data.id}/send`, {}, venue)
}

test('six live tabs of one browser share one stream: the till sells, and every tab sees it', inBrowser, async () => {
  const { page, context, problems } = await demo.visit()
  const streams = streamsOf(context)
  await signIn(demo, page)
  await openTill(page)
  const others: Page[] = []
  for (const path of ['kitchen/all', 'shift', 'stock', 'customers', 'kitchen/1', 'till'])
    others.push(await openPage(context, path))
  await page.bringToFront()
  await product(page, 'Limonade artisanale').click()
  await product(page, 'Jus de pomme fermier').click()
  await answered(page, 2)
  assert.equal(await status(page).locator('span').textContent(), 'Connected')
  assert.equal(streams.open.size, 1, streams.seen.join())
  const rows = others.at(-1)!.locator('.till-receipt')
  await until(async () => (await rows.count()) === (await openReceipts(page)), 'another tab shows the new receipt')
  await page.keyboard.press('F8')
  await page.locator('.till-due', { hasNotText: '≈' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.till-change b').waitFor()

  // The tab that reads is closed: another one goes on.
  const before = streams.seen.length
  await page.close()
  await until(() => streams.open.size === 1 && streams.seen.length > before, 'another tab reads')
  await sendTicket(others[0]!)
  await until(
    async () => (await rows.count()) === (await openReceipts(others[0]!)),
    'and every tab still learns what happens',
  )
  assert.equal(streams.open.size, 1)
  assert.deepEqual(problems, [])
})

test('hidden tabs hold no stream and read nothing; who comes back sees what is', inBrowser, async () => {
  const { page, context } = await demo.visit()
  const streams = streamsOf(context)
  await signIn(demo, page)
  await openTill(page)
  const other = await openPage(context, 'till')
  await product(other, 'Limonade artisanale').waitFor()
  await until(() => streams.open.size === 1, 'one stream')
  await setVisible(page, false) // that which reads
  await until(() => streams.open.size === 1 && streams.seen.length > 1, 'the other one reads')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const [shown, hidden] = [other.locator('.till-receipt'), page.locator('.till-receipt')]
  const count = await hidden.count()
  await sendTicket(other)
  await until(async () => (await shown.count()) === count + 1, 'a visible tab learns of it')
  assert.deepEqual([await hidden.count(), asked], [count, []])
  await setVisible(other, false)
  await until(() => streams.open.size === 0, 'nobody looks')
  await setVisible(page, true)
  await until(async () => (await hidden.count()) === count + 1, 'it is read again')
  assert.equal(streams.open.size, 1)
})

test('tabs in different venues share the stream too, each with what happens in its own', inBrowser, async () => {
  const { page, context } = await demo.visit()
  const streams = streamsOf(context)
  await signIn(demo, page)
  await openTill(page)
  const kitchen = await openPage(context, 'kitchen')
  await kitchen.getByRole('radio').nth(1).check()
  await kitchen.getByRole('link', { name: 'All stations' }).click()
  await kitchen.getByRole('heading', { name: 'To make' }).waitFor()
  await until(() => streams.seen.some((url) => decodeURIComponent(url).endsWith('=1,2')), streams.seen.join())
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const tickets = kitchen.getByRole('article')
  const count = await tickets.count()
  await sendTicket(page, 2)
  await until(async () => (await tickets.count()) === count + 1, 'the second venue has a new ticket')
  assert.deepEqual(
    asked.filter((url) => url.includes('/read/')),
    [],
    'the till of the first has nothing to read',
  )
  assert.equal(streams.open.size, 1)
})

test('an act that has waited for 3 s is said to be not sent, and no page says Connected then', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await openTill(page)
  const held = Promise.withResolvers<void>()
  await page.route('**/back-office/api/receipts**', async (route) => {
    await held.promise
    await route.continue().catch(() => {})
  })
  await product(page, 'Limonade artisanale').click()
  assert.equal(await status(page).locator('span').textContent(), 'Connected')
  await product(page, 'Jus de pomme fermier').click()
  await status(page).getByText('Not sent: 3').last().waitFor() // with the opening of the receipt
  assert.doesNotMatch((await status(page).textContent())!, /Connected/)
  held.resolve()
  await answered(page, 2)
  await status(page).getByText('Connected').last().waitFor()
  assert.deepEqual(problems, [])
})

test(
  'the owner signs in in a second tab: what the waiter typed waits, is sent by nobody else, and as the waiter afterwards',
  inBrowser,
  async () => {
    const { page, context, problems } = await demo.visit()
    await choosePassword(page, await invitationOf(demo, 'demo', 'waiter'))
    await openTill(page)
    const { id: waiter } = await ask(page, 'GET', '/me')
    const own = await openReceipts(page, waiter)
    let isAway = true
    await page.route('**/back-office/api/receipts**', (route) => (isAway ? route.abort() : route.continue()))
    await product(page, 'Limonade artisanale').click()
    await page.keyboard.type('3 jus de pomme')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelectorAll('.till-line.waiting').length === 2)

    const second = await context.newPage()
    await signIn(demo, second)
    const before = await openReceipts(second)
    isAway = false
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await second.waitForTimeout(1_500) // longer than an act waits before it is tried again
    assert.equal(await openReceipts(second), before, 'nothing was done as the owner')
    assert.equal((await ask(second, 'GET', '/me')).username, 'owner', 'who is still signed in')

    // The owner looks at the till in the waiter's tab: it is theirs, and empty.
    await page.getByLabel('Your restaurant').fill('demo')
    await page.getByLabel('Username').fill('owner')
    await page.getByLabel('Password', { exact: true }).fill('demo')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await product(page, 'Limonade artisanale').waitFor()
    assert.equal(await lines(page).count(), 0)
    assert.equal(await openReceipts(second), before)

    await signIn(demo, page, 'demo', 'waiter', PASSWORD)
    await openTill(page)
    await answered(page, 2)
    assert.deepEqual(await page.locator('.till-line-count').allTextContents(), ['1 ×', '3 ×'])
    assert.deepEqual([await openReceipts(page), await openReceipts(page, waiter)], [before + 1, own + 1])
    assert.deepEqual(problems, [])
  },
)
