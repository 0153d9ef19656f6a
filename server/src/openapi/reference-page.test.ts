import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { skipWithout } from '../../../scripts/packages.ts'
import { launchChromium } from '../../test/chromium.ts'
import { type Serving, serving } from '../../test/command.ts'
import { onEmbeddedEngine } from '../../test/database/engines.ts'

const PATIENCE_MS = 60_000

/** The tags as the sidebar has them, each with what it opens. */
/** The first operation of some tags: the page makes what is further down when one gets there. */
const OPERATIONS = {
  Customers: 'get /customer-groups',
  Products: 'get /products',
  'Price Lists': 'get /price-lists',
  Receipts: 'get /receipts',
  Inventory: 'get /storages',
}

const skip = skipWithout('chromium')

onEmbeddedEngine('GET /docs in a browser', (make) => {
  let browser: Browser
  before(async () => {
    if (!skip) browser = await launchChromium()
  })
  after(() => browser?.close())

  /** Opens the page, as somebody who was never here; `asked` are the hosts that it turns to, `faults` what its console says. */
  async function visit(server: Serving): Promise<{ page: Page; origins: Set<string>; faults: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
    page.setDefaultTimeout(PATIENCE_MS)
    const origins = new Set<string>()
    const faults: string[] = []
    page.on('request', (request) => origins.add(new URL(request.url()).origin))
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico')) faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(`${server.url}/docs`)
    await page.getByRole('heading', { name: 'Comptoir', exact: true }).waitFor()
    return { page, origins, faults }
  }

  const tokenField = (page: Page) => page.getByRole('textbox', { name: /^Value/ }).first()

  test('the demo shows every operation, and a call that is tried succeeds with the token that is there', {
    skip,
  }, async () => {
    const server = await serving(await make('demo'), ['--demo'])
    const { page, origins, faults } = await visit(server)
    assert.match(await tokenField(page).inputValue(), /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/)

    const tryOut = (operation: string) => page.getByRole('button', { name: `Test Request (${operation})` })
    await tryOut('post /auth').waitFor()
    for (const [tag, operation] of Object.entries(OPERATIONS)) {
      await page.getByRole('link', { name: tag, exact: true }).click()
      await tryOut(operation).waitFor()
    }

    await tryOut('get /products').click()
    const answered = page.waitForResponse((response) => response.url().startsWith(`${server.url}/v2/products`))
    await page.getByRole('button', { name: /^Send get request/ }).click()
    assert.equal((await answered).status(), 200)
    await page.getByRole('dialog').getByText('200 OK').waitFor()
    await page.getByRole('dialog').getByText('"data"').first().waitFor()

    assert.deepEqual([[...origins], faults], [[server.url], []])
    await page.close()
    assert.equal(await server.stop(), 0)
  })

  test('without --demo nothing is filled in', { skip }, async () => {
    const server = await serving(await make())
    const { page, origins, faults } = await visit(server)
    assert.equal(await tokenField(page).inputValue(), '')
    assert.doesNotMatch(await (await fetch(`${server.url}/docs/`)).text(), /eyJ/)
    assert.deepEqual([[...origins], faults], [[server.url], []])
    await page.close()
    assert.equal(await server.stop(), 0)
  })
})
