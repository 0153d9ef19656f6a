import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility, demoForTests, inBrowser, signIn, signInOperator } from './browser.ts'
import { BRAND_PAGES, cutTexts, goToPage, OPERATOR_PAGES, openPage } from './every-page.ts'
import { ask } from './staff.ts'

const demo = demoForTests()

const WIDTHS = [1280, 768, 360]

/** How far the page is wider than the screen, and which tables leave their cards. */
const tooWide = (page: Page) =>
  page.evaluate(() => [
    ...(document.documentElement.scrollWidth > innerWidth ? ['the page'] : []),
    ...[...document.querySelectorAll('.rows')]
      .filter((table) => table.scrollWidth > table.parentElement!.clientWidth)
      .map((table) => `a table: ${table.textContent!.slice(0, 40)}`),
  ])

for (const [side, paths] of [
  ['brand', BRAND_PAGES],
  ['operator', OPERATOR_PAGES],
] as const)
  for (const [language, colours] of [
    ['en', 'in light and dark'],
    ['fr', 'but for colours, which are those of English'],
  ] as const)
    test(
      `${side}, ${language}: every page fits phone, tablet and desk, no text is cut, axe finds nothing wrong ${colours}`,
      inBrowser,
      async () => {
        const { page, problems } = await demo.visit({ colorScheme: 'light' })
        await (side === 'brand' ? signIn(demo, page) : signInOperator(demo, page))
        await ask(page, 'PUT', '/language', { language })
        await openPage(page, demo.url, paths[0])
        assert.equal(await page.locator('html').getAttribute('lang'), language)
        const faults: string[] = []
        for (const path of paths) {
          await page.setViewportSize({ width: 1280, height: 800 })
          assert.equal(await goToPage(page, path), path.split('?')[0])
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 800 })
            const found = [...(await tooWide(page)), ...(await cutTexts(page))]
            faults.push(...found.map((fault) => `${path} at ${width}: ${fault}`))
          }
          const look = (name: string, rules: object) =>
            checkAccessibility(page, `${path} at 360, ${name}`, rules).catch((error: Error) =>
              faults.push(error.message),
            )
          // Measuring colours takes most of the time of axe; no other rule asks for them.
          if (language === 'en') {
            await look('light', {})
            await page.emulateMedia({ colorScheme: 'dark' })
            await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
            await look('dark', { runOnly: ['color-contrast'] })
            await page.emulateMedia({ colorScheme: 'light' })
          } else await look(language, { rules: { 'color-contrast': { enabled: false } } })
        }
        assert.deepEqual(faults, [])
        assert.deepEqual(problems, [])
      },
    )
