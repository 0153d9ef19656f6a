import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import {
  choosePassword,
  type Demo,
  invitationOf,
  openDemo,
  settled,
  signIn,
  signInOperator,
  type Visit,
} from '../back-office/test/browser.ts'
import { BRAND_PAGES, OPERATOR_PAGES, openPage, pageName } from '../back-office/test/every-page.ts'
import { ask } from '../back-office/test/staff.ts'
import { comptoirJson } from '../server/test/command.ts'
import { installPackages, PACKAGES_FOR } from './packages.ts'

// `npm run screenshots`: every page in both languages, light and dark, 1280 and 360 wide, for a person to look at; dialogs in English.

const FOLDER = fileURLToPath(new URL('../screenshots/', import.meta.url))

/** Each language is seen wide and narrow, light and dark. */
const LOOKS = [
  { language: 'en', colorScheme: 'light', width: 1280 },
  { language: 'en', colorScheme: 'dark', width: 360 },
  { language: 'fr', colorScheme: 'dark', width: 1280 },
  { language: 'fr', colorScheme: 'light', width: 360 },
] as const

await installPackages(PACKAGES_FOR.screenshots, (line) => process.stdout.write(`${line}\n`))
const demo = await openDemo()
try {
  mkdirSync(FOLDER, { recursive: true })
  await use(demo)
  for (const { language, colorScheme, width } of LOOKS) {
    const visit = () => demo.visit({ colorScheme, viewport: { width, height: width === 360 ? 740 : 800 } })
    const shoot = async (page: Page, name: string, fullPage = true) => {
      await page.mouse.move(0, 0) // no row under the pointer, no tooltip
      await settled(page)
      await page.screenshot({ path: `${FOLDER}${name}-${language}-${width}-${colorScheme}.png`, fullPage })
    }
    const owner = await visit()
    await signIn(demo, owner.page)
    await everyPage(demo, owner, BRAND_PAGES, language, shoot)
    const operator = await visit()
    await signInOperator(demo, operator.page)
    await everyPage(demo, operator, OPERATOR_PAGES, language, shoot)
    if (language !== 'en') continue
    await doors(demo, await visit(), shoot)
    await dialogs(demo, await visit(), shoot, width)
    await without(demo, await visit(), shoot)
    await operatorDialogs(demo, await visit(), shoot)
  }
} finally {
  await demo.stop()
}

type Shoot = (page: Page, name: string, fullPage?: boolean) => Promise<void>

async function everyPage(
  { url }: Demo,
  { page, context }: Visit,
  paths: readonly string[],
  language: string,
  shoot: Shoot,
): Promise<void> {
  await ask(page, 'PUT', '/language', { language })
  for (const path of paths) {
    await openPage(page, url, path)
    await shoot(page, pageName(path))
  }
  if (paths === BRAND_PAGES) await till(page, url, shoot)
  await ask(page, 'PUT', '/language', { language: 'en' }) // dialogs are found by their English names
  await context.close()
}

/** The till of a terminal, with what it sells. */
async function till(page: Page, url: string, shoot: Shoot): Promise<void> {
  await page.evaluate(() => {
    localStorage.setItem('comptoir-venue', '1')
    localStorage.setItem('comptoir-terminals', '{"1":{"id":1,"name":"Comptoir"}}')
  })
  await page.goto(`${url}/back-office/till`)
  await page.locator('.till-product').first().waitFor()
  await shoot(page, 'till-at-work')
}

/** Some life: calls by two integrators, a wrong password, an integrator more. */
async function use({ url }: Demo): Promise<void> {
  const { integrator_id } = await comptoirJson<{ integrator_id: string }>(demo, [
    'integrator',
    'add',
    'Table bookings',
    '--test',
  ])
  await comptoirJson(demo, ['brand', 'add', 'cantine', '--name', 'La Cantine'])
  await comptoirJson(demo, ['brand', 'set', 'demo', '--integrator', integrator_id, '--quota', '5000'])
  for (const id of ['demo-integrator', integrator_id]) {
    const body = { client_id: 'demo-client', client_secret: 'demo-secret', brand: 'demo', integrator_id: id }
    const headers = { 'content-type': 'application/json' }
    const signedIn = await fetch(`${url}/v2/auth`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { token } = (await signedIn.json()) as { token: string }
    await fetch(`${url}/v2/receipts/1`, { headers: { 'x-token': token } })
  }
}

async function doors({ url }: Demo, { page }: Visit, shoot: Shoot): Promise<void> {
  await page.goto(url)
  await shoot(page, 'home')
  const { link } = await comptoirJson<{ link: string }>(demo, [
    ...['brand', 'add', `bistrot-${Date.now()}`, '--name', 'Bistrot', '--setup', '--origin', url],
  ])
  await page.goto(link)
  await page.locator('button[type=submit]').waitFor()
  await shoot(page, 'setup')
  await page.goto(`${url}/back-office/sign-in`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await shoot(page, 'sign-in')
  await page.getByRole('tab', { name: 'Operator' }).click()
  await shoot(page, 'sign-in-operator')
  await page.goto(await invitationOf(demo, 'demo', 'manager'))
  await page.getByLabel('New password').waitFor()
  await shoot(page, 'invitation')
  const name = `ada${Date.now()}`
  const { link: operator } = await comptoirJson<{ link: string }>(demo, ['operator', 'add', name, '--origin', url])
  await page.goto('about:blank')
  await page.goto(operator)
  await page.getByText('Authenticator app', { exact: true }).waitFor()
  await shoot(page, 'invitation-operator')
}

async function dialogs(demo: Demo, { page }: Visit, shoot: Shoot, width: number): Promise<void> {
  await signIn(demo, page)
  await page.goto(`${demo.url}/back-office/open-api`)
  await page.getByRole('row', { name: 'demo-client' }).waitFor()
  if (width === 360) {
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog').waitFor()
    await shoot(page, 'menu', false)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'New credentials' }).click()
  await page.getByLabel('Name').fill('Delivery hub')
  await page.getByRole('combobox', { name: 'Acts as' }).click()
  await page.getByRole('option', { name: 'Aïcha Bensoussan, Cashier' }).click()
  await shoot(page, 'new-credentials', false)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('The credentials are ready').waitFor()
  await shoot(page, 'secret', false)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: 'Delivery hub' }).first().locator('.mantine-Switch-track').click()
  await page.getByRole('button', { name: 'Switch off' }).waitFor()
  await shoot(page, 'switch-off', false)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`${demo.url}/back-office/audit`)
  await page.getByText('Unbroken').waitFor()
  await page.getByRole('row').nth(1).waitFor()
  await page
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'audit-details', false)
  await activity(demo, page, shoot)
}

/** What integrations did, and what they read. */
async function activity({ url }: Demo, page: Page, shoot: Shoot): Promise<void> {
  await page.goto(`${url}/back-office/activity/requests`)
  await page.getByRole('row').nth(1).waitFor()
  const details = () => page.getByRole('button', { name: /^Details of/ }).first()
  await details().click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'activity-request', false)
  await page.goto(`${url}/back-office/data/price-lists`)
  await details().click()
  await page.getByRole('tab', { name: 'JSON' }).waitFor()
  await shoot(page, 'data-parts', false)
  await page.getByRole('tab', { name: 'JSON' }).click()
  await shoot(page, 'data-json', false)
}

/** Somebody who may do nothing here but look after their own account. */
async function without(demo: Demo, { page }: Visit, shoot: Shoot): Promise<void> {
  await choosePassword(page, await invitationOf(demo, 'demo', 'waiter'))
  await shoot(page, 'till-of-a-waiter')
  await page.goto(`${demo.url}/back-office/account`)
  await page.getByLabel('Current password').waitFor()
  await shoot(page, 'account-of-a-waiter')
}

async function operatorDialogs(demo: Demo, { page }: Visit, shoot: Shoot): Promise<void> {
  await signInOperator(demo, page)
  await page.goto(`${demo.url}/back-office/operator/rotation?brand=cantine`)
  await page.getByText('This brand has no credentials').waitFor()
  await shoot(page, 'empty')
  await page.goto(`${demo.url}/back-office/operator/brands`)
  await page.getByRole('button', { name: 'Actions for La Cantine' }).click()
  await page.getByRole('menuitem', { name: 'Setup link' }).waitFor()
  await shoot(page, 'operator-brand-actions', false)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Actions for Le Comptoir', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Invite staff' }).click()
  await page.getByRole('combobox', { name: 'Staff member' }).click()
  await page.getByRole('option', { name: 'Théo Lindqvist' }).click()
  await shoot(page, 'operator-invite', false)
  await page.getByLabel('Your password').fill('demo')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.locator('[data-value="Link"]').waitFor()
  await shoot(page, 'operator-link', false)
}
