import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { comptoir } from '../../server/test/command.ts'
import { checkAccessibility, chooseFromMenu, demoForTests, inBrowser, signIn } from './browser.ts'

const demo = demoForTests()

test(
  'the keyboard alone is enough: sign in, open a dialog and leave it, switch, choose from the menu',
  inBrowser,
  async () => {
    const { page } = await demo.visit()
    await page.goto(`${demo.url}/back-office/sign-in`)
    await page.getByLabel('Your restaurant').focus()
    for (const text of ['demo', 'owner', 'demo']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.getByLabel('Password', { exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await page.goto(`${demo.url}/back-office/open-api`)
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
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
    await page.keyboard.type('Hub')
    await page.keyboard.press('Escape')
    await page.mouse.click(2, 2)
    assert.equal(
      await page.getByRole('dialog').locator('input[name=name]').inputValue(),
      'Hub',
      'what was typed is not lost',
    )
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New credentials' }).press('Enter')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Acts as' }).click()
    await page.getByRole('option').first().click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.getByRole('switch', { name: 'Status of Demo' }).press('Space')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel') // an Enter too many changes nothing
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.ok(await page.getByRole('switch', { name: 'Status of Demo' }).isChecked())

    await page.getByRole('button', { name: 'Odile Castaing' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Your account' }).waitFor()
    while ((await page.evaluate(() => document.activeElement?.textContent)) !== 'Your account')
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Change your password' }).waitFor()
  },
)

test(
  'the page is fetched again, its assets are cached, and the policy leaves no way for anybody else’s code',
  inBrowser,
  async () => {
    const page = await fetch(`${demo.url}/back-office/audit`)
    const html = await page.text()
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.equal(
      page.headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; " +
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types comptoir-worker",
    )
    const [, script] = /src="(\/back-office\/assets\/[^"]+\.js)"/.exec(html)!
    const asset = await fetch(`${demo.url}${script}`)
    assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(asset.headers.get('content-encoding'), 'gzip')
    for (const path of [
      '/assets/../index.html',
      '/assets/..%2f..%2fpackage.json',
      '/assets/nothing.js',
      '/api/nothing',
    ])
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
  },
)

test('when the session ends elsewhere, the sign-in page returns to the same page', inBrowser, async () => {
  const { page } = await demo.visit()
  await signIn(demo, page)
  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByText('Unbroken').waitFor()
  const other = await demo.visit()
  await signIn(demo, other.page)
  await chooseFromMenu(other.page.getByRole('button', { name: 'Odile Castaing' }), 'Sign out everywhere')
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Filter').fill('anything')
  await page.getByText('You were signed out').waitFor()
  assert.equal(await page.getByLabel('Your restaurant').inputValue(), 'demo', 'who signed in here is remembered')
  assert.equal(await page.getByLabel('Username').inputValue(), 'owner')
  await page.getByLabel('Password', { exact: true }).fill('demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Audit' }).waitFor()
})

test('a page says so when the service is away, and comes back', inBrowser, async () => {
  const { page } = await demo.visit()
  await signIn(demo, page)
  await page.route('**/api/audit?*', (route) => route.abort())
  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByText('The service cannot be reached').waitFor({ timeout: 60_000 })
  await checkAccessibility(page, 'a failure')
  await page.unroute('**/api/audit?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row').nth(1).waitFor()
  assert.equal((await comptoir(demo, ['audit', 'verify'])).code, 0)
})

test('the sign-in page loads little, and each page loads its own part', inBrowser, async () => {
  const { page } = await demo.visit()
  const loaded = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => {
    // Charts come by themselves, sooner or later than the page.
    if (!response.url().endsWith('.js') || response.url().includes('BarChart')) return
    const body = response.body()
    body.catch(() => {}) // it came while the page was closed, when nobody counts it any more
    loaded.set(response.url(), body)
  })
  const kilobytes = async () => {
    const sizes = (await Promise.all(loaded.values())).map((body) => gzipSync(body).length)
    return sizes.reduce((sum, size) => sum + size, 0) / 1000
  }
  await page.goto(`${demo.url}/back-office/sign-in`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const signedOut = await kilobytes()
  assert.ok(signedOut > 0 && signedOut < 175, `${signedOut} kB for the sign-in page`)
  await signIn(demo, page)
  await page.locator('.today-figures').waitFor()
  const inside = await kilobytes()
  assert.ok(inside > signedOut && inside < 250, `${inside} kB for the first page`)
})
