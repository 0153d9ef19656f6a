import type { Page } from 'playwright-core'
import { settled } from './browser.ts'

// Every page that there is, for flows that look at all of them and for `npm run screenshots`. A page that is added to the router is added
// here: layout.test.ts holds the two beside each other.

/** Pages of the owner of the demo, by their address. */
export const BRAND_PAGES = [
  '/today',
  '/till',
  '/kitchen',
  '/kitchen/all',
  '/shift',
  '/floor',
  '/menu',
  '/menu/products/1',
  '/menu/products/1?tab=prices',
  '/menu/products/1?tab=recipe',
  '/menu/categories/1',
  '/menu/price-lists',
  '/menu/price-lists/1',
  '/menu/guest-prices',
  '/menu/problems',
  '/menu/spreadsheet',
  '/stop-list',
  '/stock',
  '/customers',
  '/staff',
  '/staff/roles',
  '/reports/day',
  '/reports/sales',
  '/reports/shifts',
  '/reports/products',
  '/reports/taxes',
  '/reports/margin',
  '/reports/accounting',
  '/books',
  '/settings',
  '/settings/brand',
  '/settings/venues',
  '/settings/tables',
  '/settings/payment-methods',
  '/settings/taxes',
  '/settings/printers',
  '/settings/devices',
  '/printers',
  '/printers/1',
  '/open-api',
  '/webhooks',
  '/activity',
  '/activity/requests',
  '/events',
  '/data/receipts',
  '/data/products',
  '/data/price-lists',
  '/audit',
  '/account',
  '/connect',
] as const

/** Pages of the operator. */
export const OPERATOR_PAGES = [
  '/operator/brands',
  '/operator/integrators',
  '/operator/rotation?brand=demo',
  '/operator/shared-brands',
  '/operator/health',
  '/operator/backups',
  '/operator/webhooks',
  '/operator/sign-ins',
  '/operator/activity',
  '/operator/activity/requests',
  '/operator/audit',
] as const

/** As the name of a file. */
export const pageName = (path: string) => path.slice(1).replaceAll(/[^a-z\d-]+/g, '-')

/** Opens a page and waits until it stands. */
export async function openPage(page: Page, url: string, path: string): Promise<void> {
  await page.goto(`${url}/back-office${path}`)
  await stands(page)
}

/**
 * Goes to a page as a link of another page does, which takes a fraction of loading everything, and waits until it stands. Returns its
 * path: another one where somebody may not stand here.
 */
export async function goToPage(page: Page, path: string): Promise<string> {
  await page.evaluate((to) => history.pushState(null, '', to), `/back-office${path}`)
  const arrived = await page.waitForFunction(() => {
    const { state } = (window as unknown as { __TSR_ROUTER__: { state: RouterState } }).__TSR_ROUTER__
    return state.status === 'idle' && state.resolvedLocation.pathname
  })
  await stands(page)
  return (await arrived.jsonValue()) as string
}
interface RouterState {
  status: string
  resolvedLocation: { pathname: string }
}

async function stands(page: Page): Promise<void> {
  await page.locator('main h1, main h2').first().waitFor({ timeout: 60_000 })
  await page.waitForFunction(() => !document.querySelector('.mantine-Loader-root'))
  await settled(page)
}

/** Texts that are cut off: what hides its overflow is narrower than what it says. What people typed may be, where it is meant to. */
export const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const says = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== '')
    return [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
      const { overflowX, textOverflow, clipPath, display } = getComputedStyle(element)
      if (element.scrollWidth <= element.clientWidth + 1 || !says(element) || display === 'inline') return []
      const isHidden = clipPath !== 'none' || element.clientWidth <= 1 || element.closest('[data-truncate], .mono')
      if (isHidden || !['hidden', 'clip'].includes(overflowX) || textOverflow === 'ellipsis') return []
      return [`${element.className} “${element.textContent!.trim().slice(0, 60)}”`]
    })
  })
