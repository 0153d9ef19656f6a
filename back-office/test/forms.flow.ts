import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Comptoir } from '@comptoir/sdk'
import { checkAccessibility, demoForTests, exactly, inBrowser, signIn } from './browser.ts'

const demo = demoForTests()

const FORMS = 'venues roles users categories products sale-types payment-methods taxes stations terminals tables'.split(
  ' ',
)
/** Forms with an input of every kind. */
const CHECKED = ['venues', 'roles', 'users', 'sale-types']

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
      const { data } = await program.products.list({ filters: [['name', name]] }).page()
      return data[0]
    }
    await signIn(demo, page)
    await page.goto(`${demo.url}/back-office/data/products`)
    await page.getByRole('button', { name: 'New product' }).click()
    const dialog = page.getByRole('dialog')
    const named = (name: string) => dialog.getByRole('textbox', { name, exact: true })
    await named('Name').fill(' ')
    await page.keyboard.press('Tab')
    await dialog.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Dish', exact: true }).click()
    await named('Price').fill('about ten')
    await checkAccessibility(page, 'the form of a new product')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Price must be a number.').waitFor()
    await dialog.getByText('Name must have 1 to 255 characters.').waitFor()
    await checkAccessibility(page, 'faults at their fields')
    await named('Name').fill('Soupe du jour')
    await named('Price').fill('10,50')
    await named('Price').press('Enter')
    await checkAccessibility(page, 'what will be made')
    assert.equal(await inApi('Soupe du jour'), undefined, 'nothing is saved before it was looked at')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Created.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
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
    await dialog.getByRole('button', { name: 'Review' }).click()
    const changes = dialog.locator('.changes')
    await changes.getByText('11.25').waitFor()
    assert.match((await changes.textContent())!, /Price.*10\.50.*11\.25.*Active.*Active.*Inactive/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Saved. This has changed:').waitFor()
    await checkAccessibility(page, 'what has changed')
    await dialog.getByRole('button', { name: 'Done' }).click()
    const { price, status } = (await inApi('Soupe du jour'))!
    assert.deepEqual([price, status], [11.25, 0])

    await page.getByRole('button', { name: 'Details of Soupe du jour' }).click()
    await page.getByRole('button', { name: 'Stop list' }).click()
    await dialog.getByText('Now: not on the stop list.').waitFor()
    await checkAccessibility(page, 'the stop list of a product')
    await named('Portions left').fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Soupe du jour: not on the stop list → 3 left').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto(`${demo.url}/back-office/data/stop-list`)
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

    for (const resource of FORMS) {
      await page.goto(`${demo.url}/back-office/data/${resource}`)
      await page
        .getByRole('button', { name: /^Details of/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Edit' }).click()
      await dialog.getByRole('button', { name: 'Review' }).waitFor()
      if (CHECKED.includes(resource)) await checkAccessibility(page, `the form of ${resource}`)
    }
    assert.deepEqual(problems, [])
  },
)
