import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { comptoirJson } from '../../server/test/command.ts'
import { until } from '../../server/test/until.ts'
import { choosePassword, type Demo, inBrowser, openDemo, PASSWORD, signIn } from './browser.ts'
import { modulesOf, readQr } from './qr-reader.ts'
import { look, newPerson } from './staff.ts'

// An owner opens their restaurant: `comptoir serve` on a fresh folder, then nothing but the browser.

const service = {} as Demo
before(async () => {
  if (!inBrowser.skip) Object.assign(service, await openDemo([]))
})
afterEach(() => service.leave?.())
after(() => service.stop?.())

const LINK = /http:\S+\/back-office\/setup#[\w-]{43}/

async function offeredLink(): Promise<string> {
  await until(async () => LINK.test(service.logged()), 'no link is offered')
  return LINK.exec(service.logged())![0]
}

/** A person with a pointer, whose clicks are counted. Typing is none. */
function hand() {
  let clicks = 0
  return {
    clicks: () => clicks,
    async click(target: Locator) {
      clicks++
      await target.click()
    },
    /** One click on the field, then what is typed. */
    async type(target: Locator, text: string) {
      clicks++
      await target.click()
      await target.fill(text)
    },
    async choose(target: Locator, label: string) {
      clicks += 2
      await target.selectOption({ label })
    },
  }
}

const button = (page: Page, name: RegExp | string) => page.getByRole('button', { name })

test(
  'setup, the till and the first sale, with the right tax on the bill, in the browser alone',
  inBrowser,
  async (t) => {
    const link = await offeredLink()
    const { page, problems } = await service.visit({ timezoneId: 'Europe/London' })
    const { click, type, choose, clicks } = hand()
    const began = performance.now()

    await page.goto(link)
    await choose(page.getByLabel('Country'), 'France')
    await page.getByText('wants a fiscal device or a certified till').waitFor()
    await type(page.getByLabel('Name of the restaurant'), 'Chez Odile')
    await click(button(page, 'Continue'))
    await click(page.getByLabel('At the counter'))
    await click(page.getByLabel('At tables'))
    await click(button(page, 'Continue'))
    await click(page.getByLabel('A small restaurant'))
    await click(button(page, 'Continue'))
    await type(page.getByLabel('Your name'), 'Odile Castaing')
    await type(page.getByLabel('New password'), PASSWORD)
    await type(page.getByLabel('The same again'), PASSWORD)
    await click(button(page, 'Open the restaurant'))

    await page.getByRole('heading', { name: 'Today' }).waitFor()
    const opened = page.locator('.today-opened')
    assert.deepEqual(await opened.locator('dd').allTextContents(), ['chez-odile', 'odile'])

    await click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Till' }))
    await click(button(page, 'Caisse 1'))
    await click(page.locator('.till-product', { hasText: 'Soupe du jour' }))
    await click(button(page, /^Pay/))
    await click(page.getByRole('dialog').getByRole('button', { name: 'Espèces' }))
    await page.locator('.till-change, .till-done').first().waitFor()
    const bill = (await page.locator('.till-paper').innerText()).replaceAll(/\s+/g, ' ')
    const seconds = Math.round((performance.now() - began) / 100) / 10
    assert.match(bill, /Chez Odile.*Soupe du jour.*7[.,]00.*TVA 10 %, sur place/)
    assert.match(bill, /6[.,]36.*0[.,]64/) // what the tax is of, and the tax
    t.diagnostic(`from the link to the paid bill: ${clicks()} clicks, ${seconds} s`)
    assert.ok(seconds < 180, `${seconds} s`)
    assert.equal(clicks(), CLICKS, 'docs/back-office.md says how many')
    assert.deepEqual(problems, [])

    const other = await service.visit()
    await other.page.goto(link)
    await other.page.getByRole('heading', { name: 'This link was used already' }).waitFor()
    await other.page.getByRole('link', { name: 'Sign in' }).click()
    await other.page.getByLabel('Your restaurant').waitFor()
    await page.goto(`${service.url}/back-office/sign-in`)
    assert.equal(await page.getByLabel('Your restaurant').inputValue(), 'chez-odile', 'this browser remembers it')
  },
)

const CLICKS = 18

test(
  'the owner invites a waiter by QR link, a cook and an accountant: each begins where they work',
  inBrowser,
  async () => {
    const { page, problems } = await service.visit()
    await signIn(service, page, 'chez-odile', 'odile', PASSWORD)
    const dialog = page.getByRole('dialog')
    const invite = async (username: string, role: string) => {
      await page.goto(`${service.url}/back-office/staff`)
      await newPerson(page, username, role, PASSWORD)
      await dialog.getByRole('button', { name: 'Make the link' }).click()
      const link = readQr(await modulesOf(page.getByRole('img', { name: 'The link as a picture to scan' })))
      assert.equal(link, await page.locator('[data-value="Link"]').textContent())
      return link
    }
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }

    const waiter = await service.visit(phone)
    await choosePassword(waiter.page, await invite('nina', 'Serveur'))
    await waiter.page.getByRole('heading', { name: 'Where are you?' }).waitFor()
    await waiter.page.getByRole('button', { name: 'Caisse 1' }).tap()
    await waiter.page.locator('.till-product', { hasText: 'Soupe du jour' }).waitFor()

    const cook = await service.visit(phone)
    await choosePassword(cook.page, await invite('karl', 'Cuisinier'))
    await cook.page.getByRole('heading', { name: 'Kitchen', exact: true }).waitFor()

    const accountant = await service.visit()
    await choosePassword(accountant.page, await invite('rosa', 'Comptable'))
    await accountant.page.getByRole('heading', { name: 'Reports', exact: true }).waitFor()
    await accountant.page.getByRole('link', { name: 'Books', exact: true }).click()
    await accountant.page.getByRole('button', { name: 'Check now' }).click()
    await accountant.page.getByText('Sound', { exact: true }).waitFor()
    for (const each of [page, waiter.page, cook.page, accountant.page])
      assert.equal(await each.locator('.api-says').count(), 0)
    assert.deepEqual([...problems, ...waiter.problems, ...cook.problems, ...accountant.problems], [])
  },
)

test(
  'every step is whole on a phone and on a wide screen, in both languages, and refused input stands at its field',
  inBrowser,
  async () => {
    const { link } = await comptoirJson<{ link: string }>(service, [
      ...['brand', 'add', 'cantine', '--name', 'La Cantine', '--setup', '--origin', service.url],
    ])
    for (const [locale, width] of [
      ['en-GB', 360],
      ['fr-FR', 360],
      ['en-GB', 1280],
      ['fr-FR', 1920],
    ] as const) {
      const { page, problems } = await service.visit({
        locale,
        viewport: { width, height: 800 },
        colorScheme: width === 1280 ? 'dark' : 'light',
        timezoneId: 'Europe/Paris',
      })
      const next = page.locator('button[type=submit]')
      await page.goto(link)
      await page.locator('.setup-more summary').click()
      await look(page, `setup-1-${locale}`)
      await next.click()
      await page.locator('input[type=checkbox]').nth(1).check()
      await look(page, `setup-2-${locale}`)
      await next.click()
      await look(page, `setup-3-${locale}`)
      await next.click()
      await page.locator('input[autocomplete=name]').fill('Odile')
      for (const name of ['password', 'repeat']) await page.locator(`input[name=${name}]`).fill('passwordpassword')
      await next.click()
      await page.locator('.mantine-PasswordInput-error').waitFor()
      await look(page, `setup-4-${locale}`)
      assert.deepEqual(problems, [])
      await page.context().close()
    }
    const { page } = await service.visit()
    await page.goto(link)
    await page.getByLabel(/^Address/).fill('1 rue de la Paix')
    await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('fr')
    const address = page.getByLabel(/^Adresse/)
    await address.waitFor()
    assert.equal(await address.inputValue(), '1 rue de la Paix', 'another language loses nothing')
    await page.evaluate(() => localStorage.clear())
    await page.goto('about:blank') // another fragment alone would not load the page
    await page.goto(`${service.url}/back-office/setup#${'A'.repeat(43)}`)
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await look(page, 'setup-unknown')
  },
)
