import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { skipWithout } from '../../scripts/packages.ts'
import { freePort } from '../../scripts/services.ts'
import { launchChromium } from '../../server/test/chromium.ts'
import { comptoir, comptoirJson, type Serving, serving } from '../../server/test/command.ts'
import { template } from '../../server/test/database/engines.ts'
import { checkAccessibility, chooseFromMenu, type Demo, inBrowser, signIn } from './browser.ts'

// `comptoir serve --lan` before a browser that does not trust it, and before one that has its authority in its store.

const needed = { skip: inBrowser.skip || skipWithout('libnss3-tools') }
const ASSETS = fileURLToPath(new URL('../dist/assets/', import.meta.url))

let env: Record<string, string>
let server: Serving
let origin: string
let connect: string
const browsers: Browser[] = []
const folder = mkdtempSync(join(tmpdir(), 'comptoir-lan-flow-'))

before(async () => {
  if (needed.skip) return
  // The demo is served on loopback only, also to itself.
  env = {
    COMPTOIR_DATA: join(folder, 'data'),
    HOST: '127.0.0.1',
    PORT: '0',
    COMPTOIR_CONNECT_PORT: String(await freePort()),
  }
  if (template?.demo) cpSync(template.demo, env.COMPTOIR_DATA!, { recursive: true })
  server = await serving({ env }, ['--demo', '--lan'])
  origin = server.url.replace('http:', 'https:')
  connect = `http://127.0.0.1:${env.COMPTOIR_CONNECT_PORT}`
})
after(async () => {
  await Promise.all(browsers.map((browser) => browser.close()))
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function visit(home?: string, width = 360) {
  const browser = await launchChromium(home)
  browsers.push(browser)
  const context = await browser.newContext({ viewport: { width, height: 740 }, locale: 'en-GB' })
  // The first language of the demo is French.
  await context.addInitScript("sessionStorage.setItem('comptoir.language.picked', 'en')")
  return { context, page: await context.newPage() }
}

/** A home folder whose store of certificates has the authority, as its page offers it. */
async function trustingHome(): Promise<string> {
  const store = join(folder, 'home/.pki/nssdb')
  const file = join(folder, 'comptoir.pem')
  mkdirSync(store, { recursive: true })
  writeFileSync(file, await (await fetch(`${connect}/comptoir.pem`)).text())
  const certutil = (...words: string[]) => execFileSync('certutil', ['-d', `sql:${store}`, ...words])
  certutil('-N', '--empty-password')
  certutil('-A', '-n', 'comptoir', '-t', 'C,,', '-i', file)
  return join(folder, 'home')
}

test('a browser without the authority is told so, with the steps for its system', needed, async () => {
  const { page } = await visit()
  await page.goto(connect)
  await page.getByText('Not yet. Follow the steps').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Go to sign-in' }).count(), 0)
  assert.equal(await page.locator('details[open]').getAttribute('id'), 'chromeos')
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360)
  await checkAccessibility(page, 'Connect a device')
  await assert.rejects(page.goto(`${origin}/back-office/`), /ERR_CERT_AUTHORITY_INVALID/)
})

test('with the authority in its store everything works, service workers too', needed, async () => {
  const { page, context } = await visit(await trustingHome(), 1280)
  await page.goto(connect)
  await page.getByText('Yes. This device is connected.').waitFor()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await page.getByLabel('Your restaurant').waitFor()
  assert.equal(new URL(page.url()).origin, origin)

  await signIn({ url: origin } as Demo, page)
  const cookies = await context.cookies()
  assert.ok(cookies.length > 0 && cookies.every(({ secure }) => secure))
  await chooseFromMenu(page.getByRole('button', { name: /owner/i }), 'Connect a device')
  await page.getByText(connect, { exact: true }).waitFor()
  await checkAccessibility(page, 'Connect a device, in the back office')
  const shown = await page.locator('[data-value="SHA-256 fingerprint"]').textContent()
  assert.ok((await (await fetch(connect)).text()).includes(shown!))

  const answer = await page.goto(`${origin}/back-office/till`)
  assert.equal(answer!.headers()['strict-transport-security'], undefined)
  await page.getByRole('button', { name: 'Le Comptoir du Canal' }).waitFor()

  // A document without a policy, and a script of ours that needs no page.
  await page.goto(`${origin}/health/live`)
  const script = globSync(`${ASSETS}*.js`).find(
    (file) => !/\bimport\b|document|window/.test(readFileSync(file, 'utf8')),
  )
  const state = await page.evaluate(
    async (url) => {
      await navigator.serviceWorker.register(url, { type: 'module' })
      return window.isSecureContext
    },
    `/back-office/assets/${basename(script!)}`,
  )
  assert.equal(state, true)
})

test('commands and a second service know of it', needed, async () => {
  const fixed = { ...env, COMPTOIR_LAN: '1', PORT: new URL(origin).port }
  const words = ['user', 'invite', '--brand', 'demo', '--user', 'owner']
  const { link } = await comptoirJson<{ link: string }>({ env: fixed }, words)
  assert.ok(link.startsWith(`${origin}/back-office/invitation#`))
  const other = { ...env, COMPTOIR_DATA: join(folder, 'other'), COMPTOIR_LAN: '1' }
  const { code, stderr } = await comptoir({ env: other }, ['serve'])
  assert.equal(code, 1)
  assert.equal(
    stderr,
    `comptoir: Port ${env.COMPTOIR_CONNECT_PORT} on 127.0.0.1 is in use: stop the other program or choose another port\n`,
  )
})
