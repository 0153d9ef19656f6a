import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choosePassword, demoForTests, inBrowser, invitationOf } from './browser.ts'
import { BRAND_PAGES, goToPage } from './every-page.ts'

// Everybody finds their place: each role of the demo opens every page there is, and everything that a page links to.

const demo = demoForTests()

const OFFICE = '/back-office'
/** Addresses that lead on to the first of several pages, by role. */
const LEADS_ON = ['/', '/office', '/reports', '/data']
/** Pages of which only their owner knows: at the address stands a sentence on what the role lacks. */
const TOLD = ['/open-api', '/activity', '/activity/requests', '/audit']

// The owner's pages are those of layout.flow.ts; a cashier's are a waiter's.
for (const role of ['manager', 'waiter', 'cook', 'accountant'])
  test(`${role}: no page fails, asks for what is refused, or links to what may not be opened`, inBrowser, async () => {
    const { page, problems } = await demo.visit()
    const refused: string[] = []
    let here = 'the sign-in'
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(`${here}: ${response.request().method()} ${response.url()}`)
    })
    await choosePassword(page, await invitationOf(demo, 'demo', role))
    const open = async (path: string) => {
      here = path
      const arrived = await goToPage(page, path)
      assert.equal(await page.getByText('This did not work').count(), 0, path)
      return arrived
    }
    const links = new Map<string, string>()
    const mine: string[] = []
    for (const path of BRAND_PAGES) {
      const arrived = await open(path)
      if (arrived !== path.split('?')[0]) continue
      if (await page.getByText('does not include managing add-ons').isVisible()) {
        assert.ok(TOLD.includes(path), `${path} says what the role lacks`)
        continue
      }
      mine.push(path)
      const found = await page
        .locator(`a[href^="${OFFICE}"]`)
        .evaluateAll((all) => all.map((a) => a.getAttribute('href')!))
      for (const href of found) links.set(href.slice(OFFICE.length).split(/[?#]/)[0] || '/', path)
    }
    assert.ok(mine.length >= 3, `${role} has ${mine.join(', ')}`)
    const deadEnds: string[] = []
    for (const [path, from] of alike(links)) {
      const arrived = await open(path)
      const isTold = await page.getByText('does not include managing add-ons').isVisible()
      if ((arrived !== path && !LEADS_ON.includes(path)) || isTold) deadEnds.push(`${from} links to ${path}`)
    }
    assert.deepEqual(deadEnds, [])
    assert.deepEqual(refused, [])
    assert.deepEqual(problems, [])
  })

/** One link of each kind: what leads to one product does as what leads to another. */
function alike(links: ReadonlyMap<string, string>): [string, string][] {
  const kinds = new Map(
    [...links].map(([path, from]) => [path.replaceAll(/\/\d+/g, '/:id'), [path, from] as [string, string]]),
  )
  return [...kinds.values()]
}
