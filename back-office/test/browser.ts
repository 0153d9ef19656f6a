import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { skipWithout } from '../../scripts/packages.ts'
import { launchChromium } from '../../server/test/chromium.ts'
import { comptoirJson, serving } from '../../server/test/command.ts'
import { template } from '../../server/test/database/engines.ts'
import { until } from '../../server/test/until.ts'

// A real browser before a real server: `comptoir serve --demo`, and Debian's Chromium.

export interface Demo {
  url: string
  env: Record<string, string>
  /** A browser of its own for one person: no cookie of anybody else's. */
  visit(options?: BrowserContextOptions): Promise<Visit>
  /** What the server printed so far. */
  logged(): string
  /** Closes what everybody has open. */
  leave(): Promise<void>
  /** Kills the server, as a power cut would. */
  kill(): Promise<void>
  /** Starts it again at the same address. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface Visit {
  page: Page
  context: BrowserContext
  /** What the Content Security Policy refused and what the pages threw; a good visit has neither. */
  problems: string[]
}

/** A machine that does other things too takes long for a page; what is wrong stays wrong. */
const PATIENCE_MS = 60_000

/** For a test with the demo in a browser: skipped where there is no Chromium. */
export const inBrowser = { skip: skipWithout('chromium') }

/** One demo for all browser tests of a file. */
export function demoForTests(): Demo {
  const demo = {} as Demo
  before(async () => {
    if (!inBrowser.skip) Object.assign(demo, await openDemo())
  })
  afterEach(() => demo.leave?.()) // otherwise live pages of earlier tests keep drawing during the next
  after(() => demo.stop?.())
  return demo
}

/** The demo restaurant, served and visited; with no words a service without a restaurant. */
export async function openDemo(
  words: readonly string[] = ['--demo'],
  settings: Record<string, string> = {},
): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-browser-'))
  const env = { COMPTOIR_DATA: join(folder, 'data'), PORT: '0', ...settings }
  if (words.includes('--demo') && template?.demo) cpSync(template.demo, env.COMPTOIR_DATA, { recursive: true }) // or the server fills it
  let server = await serving({ env }, [...words])
  const { url } = server
  const browser = await launchChromium()
  return {
    url,
    env,
    async visit(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options })
      context.setDefaultTimeout(PATIENCE_MS)
      // Flows read English, and the first language of the demo is French.
      if (!options.locale) await context.addInitScript("sessionStorage.setItem('comptoir.language.picked', 'en')")
      const page = await context.newPage()
      const problems: string[] = []
      page.on('console', (message) => {
        // A refusal that a page expects is an error to the console and to nobody else.
        if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) problems.push(message.text())
      })
      page.on('pageerror', (error) => problems.push(String(error)))
      return { page, context, problems }
    },
    async leave() {
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    logged: () => server.logged(),
    async kill() {
      await server.stop('SIGKILL')
    },
    async restart() {
      server = await serving({ env: { ...env, PORT: new URL(url).port } }, [...words])
    },
    async stop() {
      await browser.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function signIn(demo: Demo, page: Page, brand = 'demo', username = 'owner', password = 'demo') {
  await page.goto(`${demo.url}/back-office/sign-in`)
  await page.getByLabel('Your restaurant').fill(brand)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await enter(page, 'Sign in')
}

/** Presses a button and is in. A service that is too busy to check a password says so, and is asked again. */
async function enter(page: Page, name: string): Promise<void> {
  const inside = page.locator('#content')
  const press = (button: string) => page.getByRole('button', { name: button }).click({ timeout: 5_000 })
  await page.getByRole('button', { name }).click()
  await until(async () => {
    await inside.or(page.getByRole('alert')).first().waitFor()
    if (await inside.isVisible()) return true
    await press(name).catch(() => press('Try again').catch(() => {}))
    return false
  }, `${name} leads nowhere`)
}

export const PASSWORD = 'a long and quiet afternoon'

/** A link as the command line prints it. */
export async function invitationOf(demo: Demo, brand: string, user: string): Promise<string> {
  const words = ['user', 'invite', '--brand', brand, '--user', user, '--origin', demo.url]
  return (await comptoirJson<{ link: string }>(demo, words)).link
}

/** Takes a link up, and is in. */
export async function choosePassword(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByLabel('The same again').fill(PASSWORD)
  await checkAccessibility(page, 'the invitation')
  await enter(page, 'Save and sign in')
}

export async function signInOperator(demo: Demo, page: Page) {
  await page.goto(`${demo.url}/back-office/sign-in`)
  await page.getByRole('tab', { name: 'Operator' }).click()
  await page.getByLabel('Name').fill('operator')
  await page.getByLabel('Password', { exact: true }).fill('demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Brands' }).waitFor()
}

/** Opens a menu and takes one of its items. A row that is replaced meanwhile closes its menu: it is opened again. */
export async function chooseFromMenu(button: Locator, name: string): Promise<void> {
  const item = button.page().getByRole('menuitem', { name, exact: true })
  await until(async () => {
    if (!(await item.isVisible())) await button.click()
    return item.click({ timeout: 3_000 }).then(
      () => true,
      () => false,
    )
  }, `${name} is in no menu`)
}

/** Waits until there are exactly so many. That one more is not there is true of a table that is not loaded yet. */
export const exactly = (target: Locator, count: number): Promise<void> =>
  until(async () => (await target.count()) === count, `there are not ${count} of ${target}`)

/** Once nothing is awaited and nothing moves: a colour that is fading in is measured as it is in that moment. */
export const settled = (page: Page) =>
  page.waitForFunction(
    () =>
      !document.querySelector('[aria-busy]') &&
      document.getAnimations().every(({ playState }) => playState !== 'running'),
  )

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rows of a long list look like those above them, and axe takes most of its time to find out what stands over what. */
const MORE_OF_A_LIST = 'tbody tr:nth-child(n+8), li:nth-child(n+10)'

/** What axe finds wrong with the page as it stands. `rules`: its options, where not all of its rules are asked. */
export async function checkAccessibility(page: Page, where: string, rules: object = {}): Promise<void> {
  await settled(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const violations = await page.evaluate(
    async ({ alike, rules }) => {
      const { axe } = window as unknown as { axe: Axe }
      const rows = [...document.querySelectorAll<HTMLElement>(alike)]
      for (const { style } of rows) style.setProperty('display', 'none', 'important')
      const found = await axe.run({ resultTypes: ['violations'], ...rules })
      for (const { style } of rows) style.removeProperty('display')
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    },
    { alike: MORE_OF_A_LIST, rules },
  )
  assert.deepEqual(violations, [], where)
}
interface Axe {
  run(options: object): Promise<{ violations: Violation[] }>
}
interface Violation {
  id: string
  nodes: { html: string }[]
}
