import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { comptoir, comptoirJson } from '../../server/test/command.ts'
import { checkAccessibility, type Demo, openDemo, signIn, signInOperator } from './browser.ts'

let demo: Demo
before(async () => {
  demo = await openDemo()
})
after(() => demo.stop())

async function called(method: string, path: string, { headers = {}, body }: { headers?: object; body?: object } = {}) {
  const response = await fetch(`${demo.url}/v2${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('a credential is created, used, switched off and refused within a second, and Audit has all of it', async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)

  await page.getByRole('button', { name: 'New credentials' }).click()
  await page.getByLabel('Name').fill('Delivery hub')
  await page.getByRole('combobox', { name: 'Acts as' }).click()
  await page.getByRole('option', { name: 'Łukasz Zając, Waiter' }).click()
  await page.getByText('read receipts, with what was sold and paid').waitFor()
  const refused = page.locator('.permissions .no')
  assert.deepEqual(await refused.allTextContents(), [
    'add customers, with their contact details',
    'read stock movements, with their costs',
  ])
  await checkAccessibility(page, 'the dialog for new credentials')
  await page.getByRole('button', { name: 'Create' }).click()

  const value = async (name: string) => (await page.locator(`[data-value="${name}"]`).textContent())!
  const client_id = await value('Client id')
  const client_secret = await value('Client secret')
  assert.match((await page.locator('pre').textContent())!, new RegExp(`curl .*/v2/auth[^]*${client_secret}`))
  await checkAccessibility(page, 'the secret')
  await page.getByRole('button', { name: 'Done' }).click()

  const credentials = { client_id, client_secret, brand: 'demo', integrator_id: 'demo-integrator' }
  const token = String((await called('POST', '/auth', { body: credentials })).body.token)
  const receipt = () => called('GET', '/receipts/1', { headers: { 'x-token': token } })
  assert.equal((await receipt()).status, 200)
  const row = page.getByRole('row', { name: 'Delivery hub' })
  await row.getByText('just now').waitFor({ timeout: 15_000 })

  await row.locator('.mantine-Switch-track').click()
  await page.getByText('tokens that were already issued stop working, and stay dead').waitFor()
  await checkAccessibility(page, 'the question before switching off')
  const asked = performance.now()
  await page.getByRole('button', { name: 'Switch off' }).click()
  while ((await receipt()).status !== 401) assert.ok(performance.now() - asked < 1000, 'refused within a second')
  assert.equal((await called('POST', '/auth', { body: credentials })).body.message, 'Client is disabled')
  await row.getByText('Off', { exact: true }).waitFor()

  await row.getByRole('button', { name: 'Show secret' }).click()
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong')
  await page.getByRole('button', { name: 'Display the secret' }).click()
  await page.getByText('This is not right').waitFor()
  await page.getByRole('textbox', { name: 'Password' }).fill('demo')
  await page.getByRole('button', { name: 'Display the secret' }).click()
  await page.getByText(client_secret, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByText('Unbroken').waitFor()
  await page.getByLabel('Filter').fill(client_id)
  await page.getByRole('row').nth(4).waitFor({ state: 'detached' })
  const entries = (await page.getByRole('row').allTextContents()).slice(1)
  const [displayed, off, created] = entries
  assert.equal(entries.length, 3)
  assert.match(displayed!, /^Secret displayed.*owner/)
  assert.match(off!, /^Credentials switched off.*status On → Off/)
  assert.match(created!, /^Credentials created.*name Delivery hub/)
  assert.deepEqual(problems, [])
})

test('a brand’s user cannot see another brand, and whoever lacks the permission cannot see the module', async () => {
  const invite = async (brand: string, user: string) =>
    (
      await comptoirJson<{ link: string }>(demo, [
        'user',
        'invite',
        '--brand',
        brand,
        '--user',
        user,
        '--origin',
        demo.url,
      ])
    ).link
  const choose = async (link: string) => {
    const visit = await demo.visit()
    await visit.page.goto(link)
    await visit.page.getByLabel('New password').fill('a long and quiet afternoon')
    await visit.page.getByLabel('The same again').fill('a long and quiet afternoon')
    await checkAccessibility(visit.page, 'the invitation')
    await visit.page.getByRole('button', { name: 'Save and sign in' }).click()
    await visit.page.locator('#content').waitFor()
    return visit
  }

  const link = await invite('demo-live', 'owner')
  const other = await choose(link)
  await other.page.getByRole('row', { name: 'demo-live-client' }).waitFor()
  assert.equal(await other.page.getByText('demo-client', { exact: true }).count(), 0)
  await other.page.getByRole('link', { name: 'Audit' }).click()
  await other.page.getByRole('row', { name: 'demo-live-client' }).waitFor()
  assert.equal(await other.page.getByRole('row', { name: 'demo-disabled' }).count(), 0)
  await other.page.goto(`${demo.url}/back-office/operator/brands`)
  await other.page.getByRole('heading', { name: 'Open API' }).waitFor()

  const spent = await demo.visit()
  await spent.page.goto(link)
  await spent.page.getByText('This link does not work').waitFor()

  const { page } = await choose(await invite('demo', 'waiter'))
  await page.getByText('Your role, Waiter, does not include managing add-ons').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Open API' }).count(), 0)
  await page.goto(`${demo.url}/back-office/audit`)
  await page.getByText('Your role, Waiter, does not include managing add-ons').waitFor()
  assert.deepEqual([...other.problems, ...spent.problems], [])
})

test('an operator makes a brand and an integrator, and rotates a secret', async () => {
  const { page, problems } = await demo.visit()
  await signInOperator(demo, page)
  await page.getByRole('button', { name: 'New brand' }).click()
  await page.getByLabel('Name').fill('La Cantine')
  await page.getByLabel('Slug').fill('cantine')
  await checkAccessibility(page, 'the dialog for a new brand')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('comptoir user invite --brand cantine').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: 'La Cantine' }).getByRole('button', { name: 'Go live' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click()
  await page.getByRole('row', { name: 'La Cantine' }).getByText('Live', { exact: true }).waitFor()

  await page.getByRole('row', { name: 'La Cantine' }).getByRole('button', { name: 'Set quota' }).click()
  await page.getByRole('combobox', { name: 'Integrator' }).click()
  await page.getByRole('option', { name: 'Demo integrator' }).click()
  await page.getByLabel('Calls a minute').fill('5000')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: 'La Cantine' }).getByText('5,000 a minute').waitFor()

  await page.getByRole('link', { name: 'Rotation' }).click()
  await page.getByRole('combobox', { name: 'Brand' }).click()
  await page.getByRole('option', { name: 'Le Comptoir, in production' }).click()
  await page.getByRole('button', { name: 'Rotate' }).click()
  await page.getByLabel('Your password').fill('demo')
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
  await page.locator('[data-value="Client secret"]').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('The secret before works until').waitFor()
  assert.deepEqual(problems, [])
})

test('axe finds nothing wrong with any page, light or dark, wide or narrow, and nothing runs past 360 pixels', async () => {
  const brandPages = ['/open-api', '/audit']
  const operatorPages = ['brands', 'integrators', 'rotation?brand=demo', 'shared-brands', 'health', 'sign-ins', 'audit']
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 360]) {
      const options = { colorScheme, viewport: { width, height: 740 } }
      const owner = await demo.visit(options)
      await owner.page.goto(`${demo.url}/back-office/sign-in`)
      await owner.page.getByRole('button', { name: 'Sign in' }).waitFor()
      await checkAccessibility(owner.page, `sign-in ${colorScheme} ${width}`)
      await signIn(demo, owner.page)
      const operator = await demo.visit(options)
      await signInOperator(demo, operator.page)
      const visits = [
        ...brandPages.map((path) => [owner, path] as const),
        ...operatorPages.map((name) => [operator, `/operator/${name}`] as const),
      ]
      for (const [{ page, problems }, path] of visits) {
        await page.goto(`${demo.url}/back-office${path}`)
        await page.locator('.card').first().waitFor()
        await checkAccessibility(page, `${path} ${colorScheme} ${width}`)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        assert.ok(overflow <= 0, `${path} is ${overflow} pixels too wide at ${width}`)
        const tables = await page
          .locator('.rows')
          .evaluateAll((all) => all.map((table) => table.scrollWidth - table.parentElement!.clientWidth))
        assert.ok(
          tables.every((beyond) => beyond <= 0),
          `a table of ${path} leaves its card at ${width}`,
        )
        assert.deepEqual(problems, [], path)
      }
      await owner.context.close()
      await operator.context.close()
    }
})

test('the keyboard alone reaches everything: sign in, open the dialog, leave it, toggle the menu', async () => {
  const { page } = await demo.visit()
  await page.goto(`${demo.url}/back-office/sign-in`)
  await page.getByLabel('Brand').focus()
  for (const text of ['demo', 'owner', 'demo']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await page.getByRole('heading', { name: 'Open API' }).waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content')
  await page.getByRole('button', { name: 'New credentials' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent === 'New credentials')
})

test('the page is asked for anew, its assets are kept, and the policy leaves no way for anybody else’s code', async () => {
  const page = await fetch(`${demo.url}/back-office/audit`)
  const html = await page.text()
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.equal(
    page.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
      "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  const [, script] = /src="(\/back-office\/assets\/[^"]+\.js)"/.exec(html)!
  const asset = await fetch(`${demo.url}${script}`)
  assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(asset.headers.get('content-encoding'), 'gzip')
  for (const path of ['/assets/../index.html', '/assets/..%2f..%2fpackage.json', '/assets/nothing.js', '/api/nothing'])
    assert.equal((await fetch(`${demo.url}/back-office${path}`)).status, path.includes('/../') ? 200 : 404, path)
  const { page: tab, problems } = await demo.visit()
  await tab.goto(`${demo.url}/back-office/sign-in`)
  await tab.evaluate(() => {
    const style = document.createElement('style')
    style.textContent = 'body { display: none }'
    document.head.append(style)
  })
  await tab.waitForFunction(() => document.body.checkVisibility())
  assert.match(problems.join('\n'), /style-src/, 'a violation is noticed by these tests')
})

test('when the session ends elsewhere, the page goes to the door and back to where it was', async () => {
  const { page } = await demo.visit()
  await signIn(demo, page)
  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByText('Unbroken').waitFor()
  const other = await demo.visit()
  await signIn(demo, other.page)
  await other.page.getByRole('button', { name: 'Odile Castaing' }).click()
  await other.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click()
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Filter').fill('anything')
  await page.getByText('You were signed out').waitFor()
  await page.getByLabel('Brand').fill('demo')
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password', { exact: true }).fill('demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Audit' }).waitFor()
})

test('a page says so when the service is away, and comes back', async () => {
  const { page } = await demo.visit()
  await signIn(demo, page)
  await page.route('**/api/audit?*', (route) => route.abort())
  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByText('The service cannot be reached').waitFor({ timeout: 20_000 })
  await checkAccessibility(page, 'a failure')
  await page.unroute('**/api/audit?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row').nth(1).waitFor()
  assert.equal((await comptoir(demo, ['audit', 'verify'])).code, 0)
})
