import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { choosePassword, type Demo, demoForTests, inBrowser, invitationOf, PASSWORD, signIn } from './browser.ts'
import { answered, ask, openReceipts, openTillAt, product } from './staff.ts'

// The service worker: the till without the server, and a new version of the pages.

const demo = demoForTests()

/** Once the browser has its copy of the till, and what the till was answered is written down. */
async function copyIsMade(page: Page): Promise<void> {
  await page.waitForFunction(
    async () =>
      (await navigator.serviceWorker.ready).active?.state === 'activated' && navigator.serviceWorker.controller,
  )
  await page.waitForTimeout(2_500) // answers are written two seconds after they came
}

const lineCounts = (page: Page) => page.locator('.till-line-count')

test(
  'a tab is closed offline and opened again without the server: all is there, and it is sent once, as the same person',
  inBrowser,
  async () => {
    const { page, context, problems } = await demo.visit()
    await choosePassword(page, await invitationOf(demo, 'demo', 'waiter'))
    await openTillAt(demo.url, page)
    await copyIsMade(page)
    const { id: waiter } = await ask(page, 'GET', '/me')
    const [all, own] = [await openReceipts(page), await openReceipts(page, waiter)]

    await demo.kill()
    await product(page, 'Limonade artisanale').click()
    await page.keyboard.type('3 jus de pomme')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelectorAll('.till-line.waiting').length === 2)
    await page.close()

    const again = await context.newPage()
    await openTillAt(demo.url, again) // from the browser's copy
    await again.getByRole('list', { name: 'Not sent yet' }).getByRole('button').click()
    await lineCounts(again).nth(1).waitFor()
    assert.deepEqual(await lineCounts(again).allTextContents(), ['1 ×', '3 ×'])

    await demo.restart()
    await answered(again, 2)
    await again.waitForTimeout(2_000) // a second sending would be done by now
    assert.deepEqual([await openReceipts(again), await openReceipts(again, waiter)], [all + 1, own + 1])
    assert.deepEqual(await lineCounts(again).allTextContents(), ['1 ×', '3 ×'])
    assert.deepEqual(problems, [])
  },
)

test(
  'somebody else signs in before it is sent: it waits for the person who typed it, through closing and opening',
  inBrowser,
  async () => {
    const { page, context } = await demo.visit()
    await signIn(demo, page, 'demo', 'waiter', PASSWORD)
    await openTillAt(demo.url, page)
    await copyIsMade(page)
    const before = await openReceipts(page)
    await demo.kill()
    await product(page, 'Limonade artisanale').click()
    await page.waitForFunction(() => document.querySelectorAll('.till-line.waiting').length === 1)
    await page.close()

    await demo.restart()
    const other = await context.newPage()
    await context.clearCookies() // the session ended meanwhile
    await signIn(demo, other)
    await openTillAt(demo.url, other)
    assert.equal(await other.getByRole('list', { name: 'Not sent yet' }).count(), 0)
    await other.waitForTimeout(2_000)
    assert.equal(await openReceipts(other), before, 'nothing was done as the owner')

    await signIn(demo, other, 'demo', 'waiter', PASSWORD)
    await openTillAt(demo.url, other)
    await other.waitForFunction(
      async (count) => {
        const filters = encodeURIComponent('[["status",1]]')
        const headers = { 'x-comptoir': '1', 'x-venue': '1' }
        const answer = await fetch(`/back-office/api/read/receipts?limit=200&filters=${filters}`, { headers })
        return (await answer.json()).data.length === count
      },
      before + 1,
      { polling: 500 },
    )
  },
)

test(
  'a new version comes in the middle of a sale: it waits until the sale is over, and nothing is lost',
  inBrowser,
  async () => {
    const release = await releases(demo)
    try {
      const { page, problems } = await demo.visit()
      await signIn({ url: release.url } as Demo, page)
      await openTillAt(release.url, page)
      await copyIsMade(page)
      await product(page, 'Limonade artisanale').click()
      await answered(page, 1)
      const before = await openReceipts(page)

      release.publish()
      await page.evaluate(() => void dispatchEvent(new Event('online'))) // the page looks for one
      const said = page.getByRole('button', { name: 'A new version is ready' })
      await said.waitFor()
      assert.ok(await said.isDisabled())
      await product(page, 'Jus de pomme fermier').click()
      await answered(page, 2)
      await page.waitForTimeout(22_000) // longer than a screen has to be quiet
      assert.equal(await page.locator('meta[name=release]').count(), 0, 'still the old one')
      assert.equal(await openReceipts(page), before)

      await page.keyboard.press('F8')
      await page.locator('.till-due', { hasNotText: '≈' }).waitFor()
      await page.keyboard.press('Enter')
      await page.locator('.till-change b').waitFor()
      await page.waitForTimeout(1_000)
      await page.keyboard.press('Enter')
      await page.locator('meta[name=release]').waitFor({ state: 'attached', timeout: 60_000 }) // by itself, once it is quiet
      await product(page, 'Limonade artisanale').waitFor()
      assert.equal(await openReceipts(page), before - 1, 'which was paid')
      assert.equal(await said.count(), 0)
      assert.deepEqual(problems, [])
    } finally {
      release.close()
    }
  },
)

/** The demo behind a proxy that, once a release is published, serves its pages as another build. */
async function releases(of: Demo) {
  let isNew = false
  const changed: Record<string, (text: string) => string> = {
    '/back-office/worker.js': (text) =>
      text.replaceAll('comptoir-shell-', 'comptoir-shell-new-').replaceAll(/"[^"]*\/assets\/index-[^"]*",?/g, ''),
    '/back-office/till': (text) => text.replace('</head>', '<meta name="release" content="new"></head>'),
  }
  const server = createServer((asked: IncomingMessage, answer: ServerResponse) => {
    const change = isNew ? changed[asked.url!] : undefined
    const headers = { ...asked.headers, ...(change && { 'accept-encoding': 'identity', 'if-none-match': '' }) }
    const passed = request(`${of.url}${asked.url}`, { method: asked.method!, headers }, async (got) => {
      if (!change) return void got.pipe(answer.writeHead(got.statusCode!, got.headers))
      const { 'content-length': _, etag: __, ...kept } = got.headers
      answer.writeHead(got.statusCode!, kept).end(change(Buffer.concat(await got.toArray()).toString()))
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publish() {
      isNew = true
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
