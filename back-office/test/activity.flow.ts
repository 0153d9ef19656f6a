import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Comptoir, ComptoirError } from '@comptoir/sdk'
import type { Page } from 'playwright-core'
import { comptoirJson } from '../../server/test/command.ts'
import {
  checkAccessibility,
  choosePassword,
  demoForTests,
  exactly,
  inBrowser,
  invitationOf,
  signIn,
  signInOperator,
} from './browser.ts'

// The promise is two seconds; the machine that tests run on is shared.
const ARRIVES_MS = 30_000

const demo = demoForTests()

const programOf = (brand = 'demo', clientId = 'demo-client', integratorId = 'demo-integrator') =>
  new Comptoir({ baseUrl: `${demo.url}/v2`, clientId, clientSecret: 'demo-secret', brand, integratorId })

const go = (page: Page, path: string) => page.goto(`${demo.url}/back-office${path}`)
const firstDetails = (page: Page) => page.getByRole('button', { name: /^Details of/ }).first()

test('calls made with the SDK arrive in the log, the chart and the gauge', inBrowser, async (context) => {
  const overview = await demo.visit()
  await signIn(demo, overview.page)
  await go(overview.page, '/activity')
  await overview.page.getByText('No integrator called yet').waitFor()
  const log = await overview.context.newPage()
  await go(log, '/activity/requests')
  await log.getByText('No calls yet').waitFor()

  const program = programOf()
  for (let id = 1; id <= 5; id++) await program.receipts.get(id).catch(refusedOnly)
  await program.products.list({ limit: 1 }).page()
  await assert.rejects(program.receipts.get(999_999))
  const made = performance.now()
  const seconds = () => `${((performance.now() - made) / 1000).toFixed(1)} s`
  const arrived: Record<string, string> = {}
  const noted = async (what: string, seen: Promise<unknown>) => {
    await seen
    arrived[what] = seconds()
    assert.ok(performance.now() - made < ARRIVES_MS, `${what} after ${seconds()}`)
  }
  const { page } = overview
  await Promise.all([
    noted('log', log.getByRole('row', { name: /products/ }).waitFor()),
    noted('chart', page.locator('.recharts-bar-rectangle path').first().waitFor()),
    noted(
      'gauge',
      page.waitForFunction(() => Number(document.querySelector('meter')?.value) === 7),
    ),
  ])
  context.diagnostic(JSON.stringify(arrived))

  assert.equal(await page.locator('meter').getAttribute('max'), '300')
  await page.getByRole('link', { name: 'Requests: not_found' }).waitFor()
  await page.getByRole('row', { name: 'demo-client' }).getByText('just now').waitFor()
  await exactly(log.getByRole('row'), 9) // the head, a sign-in and seven calls
  assert.deepEqual(overview.problems, [])

  await page.getByRole('link', { name: 'Requests: not_found' }).click()
  await page.getByRole('row', { name: '/v2/products' }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: '/v2/receipts/:id' }).first().waitFor()
  assert.equal(await page.getByRole('row', { name: '/v2/products' }).count(), 0)
  await overview.context.close()
})

const refusedOnly = (error: unknown) => assert.ok(error instanceof ComptoirError) // a receipt of another venue

test(
  'the log is searched by the beginning of a request id, opens with a curl that holds no token, and can be paused',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit()
    const signedIn = await fetch(`${demo.url}/v2/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: 'demo-client',
        client_secret: 'demo-secret',
        brand: 'demo',
        integrator_id: 'demo-integrator',
      }),
    })
    const { token } = (await signedIn.json()) as { token: string }
    const idOfACall = async () => {
      const { headers } = await fetch(`${demo.url}/v2/receipts/1`, { headers: { 'x-token': token } })
      return headers.get('x-request-id')!
    }
    const id = await idOfACall()
    await signIn(demo, page)
    await go(page, '/activity/requests')
    await page.getByLabel('Request id').fill(id.slice(0, 24))
    await exactly(page.getByRole('row'), 2)
    await page.getByRole('row', { name: id }).waitFor()
    await firstDetails(page).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('calls of the integrator').waitFor()
    await checkAccessibility(page, 'a request')
    assert.equal(
      await dialog.locator('pre').textContent(),
      `curl -s -X GET '${demo.url}/v2/receipts/{id}' \\\n  -H "x-token: $TOKEN" \\\n  -H 'x-venue: 1'`,
    )
    assert.ok(!(await page.content()).includes(token))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('Details of'))

    await page.getByLabel('Request id').fill('none of these ids')
    await page.getByText('No call matches').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByRole('row', { name: id }).waitFor()
    await page.getByRole('switch', { name: 'Live' }).press('Space')
    await page.getByRole('switch', { name: 'Paused' }).waitFor()
    const later = await idOfACall()
    const other = await demo.visit()
    await signIn(demo, other.page)
    await go(other.page, '/activity/requests')
    await other.page.getByRole('row', { name: later }).waitFor() // it has arrived where the log is followed
    assert.equal(await page.getByRole('row', { name: later }).count(), 0)
    await page.getByRole('switch', { name: 'Paused' }).press('Space')
    await page.getByRole('row', { name: later }).waitFor()
    assert.deepEqual(problems, [])
  },
)

test('older calls are reached page by page', inBrowser, async () => {
  const program = programOf()
  for (let round = 0; round < 55; round++) await program.products.list({ limit: 1 }).page()
  const { page } = await demo.visit()
  await signIn(demo, page)
  await go(page, '/activity/requests')
  await exactly(page.getByRole('row'), 51)
  await page.getByRole('button', { name: 'Show older' }).click()
  await page.getByRole('row').nth(55).waitFor()
  await page.getByRole('switch', { name: 'Paused' }).waitFor()
})

test('a brand sees its own calls only, and the operator those of the brand that is chosen', inBrowser, async () => {
  const { integrator_id } = await comptoirJson<{ integrator_id: string }>(demo, ['integrator', 'add', 'Live hub'])
  await programOf('demo-live', 'demo-live-client', integrator_id).products.list({ limit: 1 }).page()
  await programOf().products.list({ limit: 1 }).page()
  const { page } = await demo.visit()
  await choosePassword(page, await invitationOf(demo, 'demo-live', 'owner'))
  await go(page, '/activity/requests')
  await page.getByRole('row', { name: '/v2/products' }).waitFor()
  assert.deepEqual(
    (await page.locator('tbody .sub').allTextContents()).filter((text) => text === 'Demo'),
    [],
  )
  await exactly(page.getByRole('row'), 3) // the head, a sign-in and a call
  await go(page, '/activity')
  await page.getByRole('meter', { name: 'Budget of Live hub' }).waitFor()
  assert.equal(await page.getByRole('meter').count(), 1)

  const operator = await demo.visit()
  await signInOperator(demo, operator.page)
  await operator.page.getByRole('link', { name: 'Activity' }).click()
  await operator.page.getByRole('meter', { name: 'Budget of Demo integrator' }).waitFor()
  await operator.page.getByRole('combobox', { name: 'Brand' }).click()
  await operator.page.getByRole('option', { name: '(demo-live)' }).click()
  await operator.page.getByRole('meter', { name: 'Budget of Demo integrator' }).waitFor({ state: 'detached' })
  await operator.page.getByRole('meter', { name: 'Budget of Live hub' }).waitFor()
  await operator.page.locator('[data-sum="ok"] .figure').getByText('2', { exact: true }).waitFor()
  assert.deepEqual(operator.problems, [])
})

test('who may not manage add-ons sees no activity, and of the data what their role reads', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await choosePassword(page, await invitationOf(demo, 'demo', 'waiter'))
  await page.goto(`${demo.url}/back-office/office`)
  await page.getByRole('link', { name: 'API data' }).click()
  await page.getByRole('link', { name: 'Products' }).click()
  await page.getByRole('row', { name: 'Limonade artisanale' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Activity' }).count(), 0)
  const tabs = page.getByRole('navigation', { name: 'API data' }).getByRole('link')
  const names = await tabs.allTextContents()
  for (const name of ['Customers', 'Products', 'Price lists', 'Receipts']) assert.ok(names.includes(name), name)
  for (const name of ['Stock operations', 'Suppliers', 'Users', 'Roles']) assert.ok(!names.includes(name), name)
  await go(page, '/data/stock-operations')
  await page.getByText('Your role does not allow').waitFor()
  for (const path of ['/activity', '/activity/requests']) {
    await go(page, path)
    await page.getByText('Your role, Waiter, does not include managing add-ons').waitFor()
  }
  assert.deepEqual(problems, [])
})

/** What the dialog of a product asks for. */
const EVERYTHING = ['details', 'category', 'station', 'unit', 'effective_price', 'stop'] as const

test(
  'the data page shows a product exactly as the API serves it, found by its name and sorted by its price',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit()
    await signIn(demo, page)
    await page.getByRole('button', { name: 'Integrations' }).click()
    await page.getByRole('link', { name: 'API data' }).click()
    await page.getByRole('link', { name: 'Products' }).click()
    const dearest = await programOf()
      .products.list({ limit: 1, sort: [['price', 'desc']] })
      .page()
    await page.getByRole('button', { name: 'Sort by Price' }).click()
    await page.getByRole('columnheader', { name: 'Price' }).and(page.locator('[aria-sort="ascending"]')).waitFor()
    await page.getByRole('button', { name: 'Sort by Price' }).click()
    await page.getByRole('row').nth(1).getByText(dearest.data[0]!.name).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('26 to 50 of').waitFor()

    const { data } = await programOf()
      .products.list({ filters: [['full_name', 'like', 'houmous']], sort: [['id', 'asc']], include: EVERYTHING })
      .page()
    const product = data.find(({ modifications = [] }) => modifications.length > 0)!
    await page.getByLabel('For').fill('no such name')
    await page.getByText('Nothing matches').waitFor()
    await checkAccessibility(page, 'nothing found')
    await page.getByRole('combobox', { name: 'Search by' }).click()
    await page.getByRole('option', { name: 'Full name' }).click()
    await page.getByLabel('For').fill('HOUMOUS')
    await page.getByText(`1 to ${data.length} of ${data.length}`).waitFor()
    await page.getByRole('combobox', { name: 'Search by' }).click()
    await page.getByRole('option', { name: 'Id' }).click()
    await page.getByLabel('For').fill(String(product.id))
    await page.getByText('1 to 1 of 1').waitFor()
    await firstDetails(page).click()
    const dialog = page.getByRole('dialog')
    for (const part of ['Pour deux', 'Sans ail', 'Huile d’olive']) await dialog.getByText(part).waitFor()
    await checkAccessibility(page, 'the parts of a product')
    await dialog.getByRole('tab', { name: 'JSON' }).click()
    await dialog.locator('pre').waitFor()
    assert.equal(await dialog.locator('pre').textContent(), JSON.stringify(product, null, 2))
    await checkAccessibility(page, 'the JSON of a product')
    assert.deepEqual(problems, [])
  },
)

test('a price list comes with its prices once it is opened, exactly as the API serves it', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/api/data/price-lists'))
      asked.push(`${searchParams.get('limit')} ${searchParams.get('include')}`)
  })
  await signIn(demo, page)
  await go(page, '/data/price-lists')
  const { data } = await programOf()
    .priceLists.list({ limit: 1, include: ['prices'], sort: [['id', 'asc']] })
    .page()
  assert.ok(data[0]!.prices!.length > 0)
  await firstDetails(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(data[0]!.prices![0]!.product.name).first().waitFor()
  await dialog.getByRole('tab', { name: 'JSON' }).click()
  await dialog.locator('pre').waitFor()
  assert.equal(await dialog.locator('pre').textContent(), JSON.stringify(data[0], null, 2))
  assert.deepEqual(asked, ['25 null', '1 prices'])
  assert.deepEqual(problems, [])
})

test('the events page shows a change as it is made, what changed, and leads to the object', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await go(page, '/events')
  await page.getByRole('combobox', { name: 'Type' }).fill('customer')
  await page.getByRole('option', { name: 'Customer: everything' }).click()
  const { id, name } = await programOf().customers.create({ name: 'Feed Follower' })
  const row = page.getByRole('row', { name: `Customer ${id}` })
  await row.getByText('Customer: created').waitFor()
  await checkAccessibility(page, 'events')
  await row.getByRole('link', { name: `Customer ${id}` }).click()
  await page.getByText('1 to 1 of 1').waitFor()
  await page.getByRole('row', { name }).waitFor()
  assert.deepEqual(problems, [])
})

test(
  'a page that nobody touches says that it asks by itself, and stops saying so once somebody is there',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit()
    await page.clock.install()
    await signIn(demo, page)
    await go(page, '/activity/requests')
    await page.getByRole('row').nth(1).waitFor()
    const askedBy = (sign: string) =>
      page.waitForRequest(
        (request) => request.url().includes('/activity/calls') && request.headers()['x-comptoir'] === sign,
      )
    await askedBy('1')
    await page.clock.fastForward('02:00')
    await askedBy('poll')
    await page.keyboard.press('Shift')
    await askedBy('1')
    assert.deepEqual(problems, [])
  },
)

test(
  'axe finds nothing wrong with these pages, light and wide or dark and narrow, and nothing runs past 360 pixels',
  inBrowser,
  async () => {
    const brandPages = [
      '/activity',
      '/activity/requests',
      '/data/products',
      '/data/price-lists',
      '/data/customers',
      '/data/receipts',
      '/data/stock-operations',
      '/events',
    ]
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      const options = { colorScheme, viewport: { width, height: 740 } }
      const [owner, operator] = [await demo.visit(options), await demo.visit(options)]
      await signIn(demo, owner.page)
      await signInOperator(demo, operator.page)
      for (const [{ page, problems }, path] of [
        ...brandPages.map((path) => [owner, path] as const),
        ...['/operator/activity', '/operator/activity/requests'].map((path) => [operator, path] as const),
      ]) {
        await go(page, path)
        await page.getByRole('row').nth(1).waitFor()
        await checkAccessibility(page, `${path} ${colorScheme} ${width}`)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        assert.ok(overflow <= 0, `${path} is ${overflow} pixels too wide at ${width}`)
        assert.deepEqual(problems, [], path)
      }
      await owner.context.close()
      await operator.context.close()
    }
  },
)

test('a live page says so when the service is away, and goes on by itself', inBrowser, async () => {
  const { page } = await demo.visit()
  await signIn(demo, page)
  await go(page, '/activity/requests')
  await page.getByRole('row').nth(1).waitFor()
  await page.route('**/api/activity/calls?*', (route) => route.abort())
  await page.getByText('The service cannot be reached').waitFor()
  assert.ok((await page.getByRole('row').count()) > 1, 'what was seen stays')
  await page.unroute('**/api/activity/calls?*')
  await page.getByText('The service cannot be reached').waitFor({ state: 'detached' })
})
