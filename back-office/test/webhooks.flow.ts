import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { isSignedBy, receiver } from '../../server/src/webhooks/receiver-fixture.ts'
import { until } from '../../server/test/until.ts'
import { demoForTests, exactly, inBrowser, signIn, signInOperator } from './browser.ts'
import { ask, linkTo, look, lookAtAll } from './staff.ts'

const demo = demoForTests()

/** One more event about the same product. */
let portions = 0
const sellOut = (page: Page) => ask(page, 'PUT', '/stop-list/1', { limit: ++portions })

test('an endpoint is made, its receiver fails, recovers and is sent everything again', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  const hub = await receiver()
  await signIn(demo, page)
  await page.getByRole('button', { name: 'Integrations' }).click()
  await linkTo(page, 'Webhooks').click()
  await page.getByText('No endpoints yet').waitFor()
  await look(page, 'webhooks-none')

  await page.getByRole('button', { name: 'New endpoint' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Hub')
  await dialog.getByLabel('Address').fill('http://192.168.0.1/hooks')
  await dialog.getByLabel('Events').fill('stop_list.changed')
  await dialog.getByLabel('Integrator id').fill('demo-integrator')
  await dialog.getByRole('button', { name: 'New endpoint' }).click()
  await dialog.getByText('url must begin with https://.').or(dialog.getByText('url must have')).first().waitFor()
  await lookAtAll(page, 'webhooks-new')
  await dialog.getByLabel('Address').fill(hub.url)
  await dialog.getByRole('button', { name: 'New endpoint' }).click()
  const secret = (await dialog.locator('[data-value=Secret]').textContent())!
  assert.match(secret, /^whsec_/)
  await look(page, 'webhooks-secret')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: 'Hub' }).getByText('Active').waitFor()
  assert.ok(!(await page.content()).includes(secret))
  await lookAtAll(page, 'webhooks-list')

  await page.getByRole('link', { name: 'Hub' }).click()
  await page.getByRole('heading', { name: 'Hub' }).waitFor()
  await page.getByText('Nothing is held').waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The receiver accepted the test with status 204.').waitFor()
  await sellOut(page)
  await hub.has(1)
  assert.ok(isSignedBy(secret, hub.events()[0]!))
  const log = page.getByRole('table', { name: 'Deliveries' })
  await log.getByRole('row', { name: 'stop_list.changed' }).getByText('Delivered').waitFor()

  // It fails: what is sent is held, and what is behind it waits.
  hub.answer(500)
  await sellOut(page)
  await sellOut(page)
  const held = page.getByRole('table', { name: 'Held events' })
  await held.getByRole('row', { name: 'After the one before it' }).waitFor()
  await held.getByRole('row', { name: 'An error of the receiver (500)' }).waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test failed: An error of the receiver (500)').waitFor()
  await log.getByRole('row', { name: 'Attempt 2' }).first().waitFor() // it is tried again by itself
  await lookAtAll(page, 'webhooks-held')
  const heldFilter = page.getByRole('search', { name: 'Held events' })
  await heldFilter.getByLabel('State').selectOption('Failed')
  await page.getByText('No held event is of this kind').waitFor()
  await heldFilter.getByLabel('State').selectOption('All')
  await held.waitFor()

  const ada = await demo.visit()
  await signInOperator(demo, ada.page)
  await ada.page.getByRole('link', { name: 'Webhooks' }).click()
  await ada.page.getByRole('row', { name: 'demo: Hub' }).getByText('Active').waitFor()
  await lookAtAll(ada.page, 'webhooks-operator')

  const failed = log.getByRole('row', { name: 'An error of the receiver' }).first()
  await failed.getByRole('button', { name: /^Details of/ }).click()
  await dialog.getByText('What the receiver answered').waitFor()
  await look(page, 'webhooks-delivery')
  await page.keyboard.press('Escape')
  await exactly(dialog, 0)

  // It recovers.
  hub.answer(204)
  await heldFilter.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Nothing is held').waitFor()
  await page.getByText('Up to date').waitFor()

  // Everything once more, under the same ids.
  const ids = new Set(hub.events().map(({ id }) => id))
  const before = hub.events().length
  await page.getByRole('button', { name: 'Replay events' }).click()
  await look(page, 'webhooks-replay')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('table', { name: 'Replays' }).getByText('Done').waitFor()
  const again = () =>
    new Set(
      hub
        .events()
        .slice(before)
        .map(({ id }) => id),
    ) // with those of the hour before the endpoint was made
  await until(() => ids.isSubsetOf(again()))
  await log.getByRole('row', { name: 'Replay' }).first().waitFor()
  await look(page, 'webhooks-replayed')

  await page.getByRole('button', { name: 'New secret' }).click()
  await dialog.getByRole('button', { name: 'Make a new secret' }).click()
  const next = (await dialog.locator('[data-value=Secret]').textContent())!
  assert.ok(next.startsWith('whsec_') && next !== secret)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText(/^Paused since/).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Name').fill('Hub of the guests')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Hub of the guests' }).waitFor()
  await look(page, 'webhooks-paused')
  await page.getByRole('button', { name: 'Resume' }).click()
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()

  // It says that it is gone, which both pages tell.
  hub.answer(410)
  await sellOut(page)
  await page.getByText('The receiver answered 410: it is gone.').waitFor()
  await lookAtAll(page, 'webhooks-gone')
  await page.getByRole('link', { name: 'All endpoints' }).click()
  await page.getByText(/^Hub of the guests: disabled since/).waitFor()
  await look(page, 'webhooks-notice')
  await page.getByRole('link', { name: 'Hub of the guests' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No endpoints yet').waitFor()
  assert.deepEqual(problems, [])
})
