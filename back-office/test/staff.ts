import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { checkAccessibility, settled } from './browser.ts'

/** What a route of the staff answers to the person who is signed in on the page. */
// biome-ignore lint/suspicious/noExplicitAny: the wire's
export async function ask(page: Page, method: string, path: string, body?: object, venue = 1): Promise<any> {
  const [status, answer] = await page.evaluate(
    async ([method, path, body, venue]) => {
      const response = await fetch(`/back-office/api${path}`, {
        method: method as string,
        headers: {
          'x-comptoir': '1',
          'x-venue': String(venue),
          ...(method !== 'GET' && { 'idempotency-key': crypto.randomUUID() }),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return [response.status, await response.json().catch(() => ({}))] as const
    },
    [method, path, body, venue] as const,
  )
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(answer)}`)
  return answer
}

/** Makes a person on the page Staff, as far as the password that their link needs. */
export async function newPerson(page: Page, username: string, role: string, password: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New person' }).click()
  await dialog.getByLabel('Username').fill(username)
  await dialog.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: role, exact: true }).click()
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByLabel('Your password').fill(password)
}

/** Axe, and nothing wider than the screen. With COMPTOIR_SHOTS a picture of it in that folder, for a person to look at. */
export async function look(page: Page, name: string): Promise<void> {
  await settled(page)
  const shots = process.env.COMPTOIR_SHOTS
  const { width } = page.viewportSize()!
  if (shots) await page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: true })
  assert.ok(
    (await page.evaluate(() => document.documentElement.scrollWidth)) <= width,
    `${name} is wider than a screen of ${width}`,
  )
  await checkAccessibility(page, name)
}

/** 7:1, for a bright kitchen and a dim room. */
export async function checkContrast(page: Page, where: string): Promise<void> {
  const low = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Found[] }> } }
    interface Found {
      nodes: { html: string }[]
    }
    const { violations } = await axe.run({
      runOnly: ['color-contrast-enhanced'],
      rules: { 'color-contrast-enhanced': { enabled: true } },
    })
    return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))
  })
  assert.deepEqual(low, [], where)
}

/** The same page as a phone and as a tablet show it, in light and in dark. */
export async function lookAtAll(
  page: Page,
  name: string,
  check = async (_page: Page, _where: string) => {},
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [width, height] of [
      [1280, 800],
      [360, 740],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      await look(page, `${name}-${colorScheme}`)
      await check(page, `${name}-${colorScheme}`)
    }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** By its link beside the page. */
export const linkTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true })

/** What the till has on its menu under this name. */
export const product = (page: Page, name: string) => page.locator('.till-product', { hasText: name })

/** The till of the demo at its first terminal. */
export async function openTillAt(url: string, page: Page): Promise<void> {
  await page.goto(`${url}/back-office/till`)
  const terminal = page.locator('.till-key.primary').first()
  await product(page, 'Limonade artisanale').or(terminal).first().waitFor()
  if (await page.getByRole('heading', { name: 'Where are you?' }).isVisible()) await terminal.click()
  await product(page, 'Limonade artisanale').waitFor()
}

/** Once the receipt at hand has so many lines, and the server has all of them. */
export const answered = (page: Page, count: number) =>
  page.waitForFunction(
    (expected) =>
      document.querySelectorAll('.till-line').length === expected && !document.querySelector('.till-line.waiting'),
    count,
  )

/** How many open receipts the server has, of everybody or of one person. */
export async function openReceipts(page: Page, user?: number): Promise<number> {
  const filters = [['status', 1], ...(user === undefined ? [] : [['user_id', user]])]
  const { data } = await ask(page, 'GET', `/read/receipts?limit=200&filters=${JSON.stringify(filters)}`)
  return data.length
}
