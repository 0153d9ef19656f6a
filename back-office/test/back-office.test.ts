import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthenticationError, Comptoir } from '@comptoir/sdk'
import { checkAccessibility, demoForTests, exactly, inBrowser, signIn } from './browser.ts'

const demo = demoForTests()

test(
  'a credential is created, used by the SDK, switched off and refused within a second, and Audit has all of it',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit()
    await signIn(demo, page)
    await page.goto(`${demo.url}/back-office/open-api`)

    await page.getByRole('button', { name: 'New credentials' }).click()
    await page.getByLabel('Name').fill('Delivery hub')
    await page.getByRole('combobox', { name: 'Acts as' }).click()
    await page.getByRole('option', { name: 'Łukasz Zając, Waiter' }).click()
    await page.getByText('read receipts, with what was sold and paid').waitFor()
    const refused = page.locator('.permissions .no')
    assert.deepEqual(await refused.allTextContents(), [
      'read who works here and in which role',
      'read balances of cash, bank and people',
      'add customers, with their contact details',
      'read taxes',
      'read printers and what is printed where',
      'read storages',
      'read suppliers, with what they are owed',
      'read the categories of income and expenses',
      'place orders and take their own back',
      'read stock documents: deliveries, waste, counts',
      'write stock documents and publish them',
      'read what is in stock, with its value',
      'read stock movements, with their costs',
      'read cash shifts, with their reports',
      'read every movement of money',
      'follow every change of what they may read',
    ])
    await checkAccessibility(page, 'the dialog for new credentials')
    await page.getByRole('button', { name: 'Create' }).click()

    const value = async (name: string) => (await page.locator(`[data-value="${name}"]`).textContent())!
    const client_id = await value('Client id')
    const client_secret = await value('Client secret')
    assert.match((await page.locator('pre').textContent())!, new RegExp(`curl .*/v2/auth[^]*${client_secret}`))
    await checkAccessibility(page, 'the secret')
    await page.getByRole('button', { name: 'Done' }).click()

    const program = new Comptoir({
      baseUrl: `${demo.url}/v2`,
      clientId: client_id,
      clientSecret: client_secret,
      brand: 'demo',
      integratorId: 'demo-integrator',
    })
    assert.equal((await program.receipts.get(1)).id, 1)
    const row = page.getByRole('row', { name: 'Delivery hub' })
    await row.getByText('just now').waitFor({ timeout: 60_000 })

    await row.locator('.mantine-Switch-track').click()
    await page.getByText('tokens that were already issued stop working for good').waitFor()
    await checkAccessibility(page, 'the question before switching off')
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Switch off' }).click()
    assert.equal((await saved).status(), 204)
    const off = performance.now()
    await assert.rejects(
      async () => {
        while (performance.now() - off < 30_000) await program.receipts.get(1)
      },
      (error) => error instanceof AuthenticationError && error.message.includes('Client is disabled'),
      'refused, the token that it held and the next',
    )
    await row.getByText('Off', { exact: true }).waitFor()

    await row.getByRole('button', { name: 'Show secret' }).click()
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong')
    await page.getByRole('button', { name: 'Display the secret' }).click()
    await page.getByText('Wrong restaurant, username, password or code.').waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill('demo')
    await page.getByRole('button', { name: 'Display the secret' }).click()
    await page.getByText(client_secret, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByText('Unbroken').waitFor()
    await page.getByLabel('Filter').fill(client_id)
    await exactly(page.getByRole('row'), 4)
    const entries = (await page.getByRole('row').allTextContents()).slice(1)
    const [displayed, disabled, created] = entries
    assert.match(displayed!, /^Secret displayed.*owner/)
    assert.match(disabled!, /^Credentials switched off.*status On → Off/)
    assert.match(created!, /^Credentials created.*name Delivery hub/)
    assert.deepEqual(problems, [])
  },
)
