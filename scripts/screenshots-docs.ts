import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openDemo, settled, signIn } from '../back-office/test/browser.ts'
import { openPage } from '../back-office/test/every-page.ts'
import { start } from '../server/test/command.ts'
import { installPackages, PACKAGES_FOR } from './packages.ts'

// `npm run screenshots:docs`: the pictures of docs/, of the demo on a Friday evening, at work.

const FOLDER = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
/** Until tables are seated and the kitchen has work, at 60 times the speed of a restaurant. */
const LIVE_MS = 60_000
const FRIDAY = 5
const EVENING_UTC = 18.5
const HOUR_MS = 3_600_000

await installPackages(PACKAGES_FOR.screenshots, (line) => process.stdout.write(`${line}\n`))
const aheadMs = untilFridayEvening(new Date())
const demo = await openDemo(['--demo'], { NODE_OPTIONS: `--import=data:text/javascript,${clockAhead(aheadMs)}` })
try {
  mkdirSync(FOLDER, { recursive: true })
  const guests = start(demo, ['demo', 'live', '--speed', '60', '--seed', '7', '--url', demo.url])
  await sleep(LIVE_MS)
  guests.kill('SIGKILL') // asked to stop it would close what is open
  await atTheDesk(await somebody())
  // A kitchen has a larger screen; its picture is as wide as the others.
  const kitchen = await somebody({ viewport: { width: 1920, height: 1200 }, deviceScaleFactor: 2 / 3 })
  await openPage(kitchen, demo.url, '/kitchen/1')
  await shoot(kitchen, 'kitchen')
} finally {
  await demo.stop()
}

async function atTheDesk(page: Page): Promise<void> {
  await openPage(page, demo.url, '/today')
  await page.getByRole('button', { name: 'Ask no more' }).click()
  await shoot(page, 'today')
  await openPage(page, demo.url, '/floor')
  await shoot(page, 'floor')
  await openPage(page, demo.url, '/menu')
  await shoot(page, 'menu')
  await openPage(page, demo.url, '/menu/products/82?tab=recipe')
  await shoot(page, 'recipe')
  await page.evaluate(() => {
    localStorage.setItem('comptoir-venue', '1')
    localStorage.setItem('comptoir-terminals', '{"1":{"id":1,"name":"Comptoir"}}')
  })
  await page.goto(`${demo.url}/back-office/till`)
  await page.locator('.till-product').first().waitFor()
  await page.locator('.till-receipt', { hasText: /^S\d/ }).first().click()
  await page.locator('.till-line-name').first().waitFor()
  await shoot(page, 'till')
}

async function somebody(options?: BrowserContextOptions): Promise<Page> {
  const { page } = await demo.visit(options)
  await page.clock.install({ time: Date.now() + aheadMs })
  await signIn(demo, page)
  return page
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0) // no row under the pointer, no tooltip
  await settled(page)
  const png = await page.screenshot()
  const { page: blank, context } = await demo.visit() // the policy of our own pages would refuse this
  const webp = await blank.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: image.width, height: image.height })
      canvas.getContext('2d')!.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.9).split(',')[1]!
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await context.close()
  writeFileSync(`${FOLDER}${name}.webp`, webp, 'base64')
}

function untilFridayEvening(now: Date): number {
  const evening = new Date(now)
  evening.setUTCDate(now.getUTCDate() + ((FRIDAY - now.getUTCDay() + 7) % 7))
  evening.setUTCHours(0, 0, 0, EVENING_UTC * HOUR_MS)
  return evening.getTime() - now.getTime()
}

/** A module that puts the clock of a process ahead. */
function clockAhead(ms: number): string {
  return encodeURIComponent(
    `const Clock=Date;globalThis.Date=class extends Clock{constructor(...a){a.length?super(...a):super(Clock.now()+${ms})}static now(){return Clock.now()+${ms}}}`,
  )
}
