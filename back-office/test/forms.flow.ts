import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Comptoir } from '@comptoir/sdk'
import { checkAccessibility, demoForTests, exactly, inBrowser, signIn } from './browser.ts'

const demo = demoForTests()

/** Settings, of which each has a list and a form. */
const SETTINGS =
  'venues tables terminals stations sale-types payment-methods taxes customer-groups storages suppliers units finance-categories'.split(
    ' ',
  )
/** Forms with an input of every kind. */
const CHECKED = ['venues', 'sale-types', 'taxes']

test(
  'a product is changed by hand: faults at their fields, a look at what will change, then the API and Audit have it',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
    const program = new Comptoir({
      baseUrl: `${demo.url}/v2`,
      clientId: 'demo-client',
      clientSecret: 'demo-secret',
      brand: 'demo',
      integratorId: 'demo-integrator',
    })
    const inApi = async (name: string) => {
      const { data } = await program.products.list({ filters: [['name', name]], include: ['details'] }).page()
      return data[0]
    }
    await signIn(demo, page)
    await page.goto(`${demo.url}/back-office/data/products`)
    await page.getByRole('button', { name: 'New product' }).click()
    const dialog = page.getByRole('dialog')
    const named = (name: string) => dialog.getByRole('textbox', { name, exact: true })
    await checkAccessibility(page, 'the form of a new product')
    await named('Name').fill(' ')
    await named('Price').fill('about ten')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await exactly(dialog.getByText('This is missing.'), 2)
    await dialog.getByText('Check: Name, Kind.').waitFor()
    await checkAccessibility(page, 'what is missing')
    await dialog.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Dish', exact: true }).click()
    await named('Name').fill('Soupe du jour')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Price must be a number.').waitFor()
    await checkAccessibility(page, 'a fault at its field')
    await named('Price').fill('10,50')
    await named('Price').press('Enter')
    await checkAccessibility(page, 'what will be made')
    assert.equal(await inApi('Soupe du jour'), undefined, 'nothing is saved before it was looked at')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Created: Soupe du jour').waitFor()
    const made = await inApi('Soupe du jour')
    assert.equal(made?.price, 10.5)
    assert.deepEqual(
      made?.taxes?.map(({ id }) => id),
      [1, 3],
      'the taxes for new products, which the form began with',
    )

    await page.getByRole('textbox', { name: 'For' }).fill('Soupe du jour')
    await page.getByRole('button', { name: 'Details of Soupe du jour' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await named('Price').fill('11.25')
    await dialog.getByRole('switch', { name: 'Active' }).click()
    await dialog.getByRole('switch', { name: 'May be discounted' }).click()
    await dialog.getByRole('button', { name: 'Review' }).click()
    const changes = dialog.locator('.changes')
    await changes.getByText('11.25').waitFor()
    assert.match((await changes.textContent())!, /Price.*10\.50.*11\.25.*Active.*Active.*Inactive/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Soupe du jour').waitFor()
    const { price, status, discountable } = (await inApi('Soupe du jour'))!
    assert.deepEqual([price, status, discountable], [11.25, 0, false], 'a switch is off where it is on by default')

    await page.getByRole('button', { name: 'Details of Soupe du jour' }).click()
    await page.getByRole('button', { name: 'Stop list' }).click()
    await dialog.getByText('Now: not on the stop list.').waitFor()
    await checkAccessibility(page, 'the stop list of a product')
    await named('Portions left').fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Soupe du jour: not on the stop list → 3 left').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto(`${demo.url}/back-office/stop-list`)
    await checkAccessibility(page, 'the stop list')
    await page.getByRole('button', { name: 'Change Soupe du jour' }).click()
    await dialog.getByText('Now: 3 left.').waitFor()
    await dialog.getByRole('button', { name: 'Take it off the stop list' }).click()
    await page.getByText('Soupe du jour: 3 left → not on the stop list').waitFor()
    await page.getByRole('button', { name: 'Change Soupe du jour' }).waitFor({ state: 'detached' })

    await page.goto(`${demo.url}/back-office/audit`)
    await page.getByLabel('Filter').fill('Soupe du jour')
    await exactly(page.getByRole('row'), 3)
    const entries = (await page.getByRole('row').allTextContents()).slice(1)
    assert.match(entries[0]!, /^Product changed.*Soupe du jour.*price 10\.5 → 11\.25.*owner/)
    assert.match(entries[1]!, /^Product created/)

    assert.deepEqual(problems, [])
  },
)

test(
  'settings are changed where they stand: tables at once, one after the other, as copies; hours as a week',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit()
    await signIn(demo, page)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: /^Tables / }).click()
    const dialog = page.getByRole('dialog')
    const row = (name: string) => page.getByRole('link', { name, exact: true })

    await page.getByRole('button', { name: 'Several at once' }).click()
    await dialog.getByLabel('Name before the number').fill('K')
    await dialog.getByLabel('Hall').fill('Kiosk')
    await dialog.getByLabel('Hall').press('Tab') // its suggestions close
    await dialog.getByText('K1 to K20').waitFor()
    await checkAccessibility(page, 'tables at once')
    await dialog.getByRole('button', { name: 'Make them' }).click()
    await page.getByText('20 made.').waitFor()
    await page.getByRole('searchbox').fill('k1')
    await exactly(page.locator('.row-open'), 11) // K1, K10 to K19

    await page.getByRole('button', { name: 'New table' }).click()
    await dialog.getByLabel('Name').fill('K21')
    await dialog.getByRole('button', { name: 'Save and add another' }).click()
    await dialog.getByText('K21 is created. Here is the next one.').waitFor()
    await dialog.getByLabel('Name').fill('K22')
    await dialog.getByLabel('Name').press('Enter')
    await page.getByText('Created: K22').waitFor()

    await page.getByRole('searchbox').fill('k22')
    await exactly(page.locator('.row-open'), 1)
    await page
      .getByRole('row')
      .nth(1)
      .click({ position: { x: 500, y: 10 } }) // the row is the link
    await dialog.getByRole('button', { name: 'Duplicate' }).click()
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[role=dialog] input[name=name]')?.value === 'K22 (copy)',
    )
    await dialog.getByLabel('Name').fill('K23')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Created: K23').waitFor()
    await page.getByRole('searchbox').fill('no such table')
    await page.getByText('Nothing matches').waitFor()

    await page.goto(`${demo.url}/back-office/settings/venues`)
    await row('Le Comptoir du Canal').click()
    await dialog.getByRole('switch', { name: 'Always open' }).uncheck()
    await dialog.getByRole('button', { name: 'Monday: add opening hours' }).click()
    await dialog.getByLabel('Monday: closes at').fill('23:30')
    await dialog.getByRole('button', { name: 'Every day as Monday' }).click()
    await dialog.getByRole('button', { name: 'Sunday: remove the hours from 09:00' }).click()
    await checkAccessibility(page, 'the week of a venue')
    const others = { 'x-comptoir': '1', 'sec-fetch-site': 'same-origin', 'x-venue': '1' }
    const meanwhile = await page.request.patch(`${demo.url}/back-office/api/edit/venues/1`, {
      data: { alarm_s: 77 },
      headers: others,
    })
    assert.equal(meanwhile.status(), 200)
    const idle = dialog.locator('input[name=idle_minutes]')
    await idle.fill('10, 25')
    await idle.press('Enter') // the field is not left: its value follows each key
    await dialog.getByRole('button', { name: 'Load it again' }).click()
    const yours = dialog.getByRole('status').filter({ hasText: 'Loaded again. You change:' })
    assert.match((await yours.textContent())!, /15, 30.*10, 25/)
    assert.equal(await dialog.getByLabel('Alarm when a ticket waits').inputValue(), '77', 'as it is now')
    assert.equal(await idle.inputValue(), '10, 25')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved: Le Comptoir du Canal').waitFor()
    const { data } = await (await page.request.get(`${demo.url}/back-office/api/edit/venues/1`)).json()
    assert.deepEqual([data.values.idle_minutes, data.values.alarm_s], [[10, 25], 77])
    assert.deepEqual(
      [Object.keys(data.values.hours), data.values.hours.sat],
      [['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], [{ from: '09:00', to: '23:30' }]],
    )

    await page.goto(`${demo.url}/back-office/settings/brand`)
    assert.ok(await page.getByRole('combobox', { name: 'Currency' }).isDisabled(), 'something was sold already')
    await page.getByLabel('Cashback in percent').fill('2,5')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.locator('.changes').getByText('2.5').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Le Comptoir').waitFor()
    await page.getByRole('button', { name: 'Review' }).waitFor()
    await checkAccessibility(page, 'the brand')

    for (const resource of SETTINGS) {
      await page.goto(`${demo.url}/back-office/settings/${resource}`)
      await page.locator('.row-open').or(page.getByText('nothing yet')).first().waitFor()
      await page.getByRole('button', { name: /^New / }).first().click()
      await dialog.getByRole('button', { name: /^(Save|Review)$/ }).waitFor()
      if (CHECKED.includes(resource)) await checkAccessibility(page, `the form of ${resource}`)
    }
    assert.deepEqual(problems, [])
  },
)
