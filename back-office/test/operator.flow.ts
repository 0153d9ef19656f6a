import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepAt, totpCode } from '../../server/src/back-office/people/totp.ts'
import { comptoirJson } from '../../server/test/command.ts'
import {
  checkAccessibility,
  chooseFromMenu,
  choosePassword,
  demoForTests,
  inBrowser,
  PASSWORD,
  signInOperator,
} from './browser.ts'
import { modulesOf, readQr } from './qr-reader.ts'

const demo = demoForTests()

test('an operator makes a brand and an integrator, sets both, and rotates a secret', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signInOperator(demo, page)
  await page.getByRole('button', { name: 'New brand' }).click()
  await page.getByLabel('Name').fill('La Cantine')
  await page.getByLabel('Slug').fill('cantine')
  await checkAccessibility(page, 'the dialog for a new brand')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('/back-office/setup#').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  const act = async (action: string) => {
    await chooseFromMenu(page.getByRole('button', { name: 'Actions for La Cantine' }), action)
  }
  await act('Go live')
  await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click()
  await page.getByRole('row', { name: 'La Cantine' }).getByText('Live', { exact: true }).waitFor()

  await act('Set quota')
  await page.getByRole('combobox', { name: 'Integrator' }).click()
  await page.getByRole('option', { name: 'Demo integrator' }).click()
  await page.getByLabel('Calls a minute').fill('5000')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: 'La Cantine' }).getByText('5,000 a minute').waitFor()

  await act('Setup link')
  await page.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click()
  await page.getByText('/back-office/setup#').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('link', { name: 'Integrators' }).click()
  await page.getByRole('button', { name: 'Issue an id' }).click()
  await page.getByLabel('Name').fill('Table bookings')
  await page.getByRole('button', { name: 'Issue', exact: true }).click()
  assert.match((await page.locator('[data-value="Integrator id"]').textContent())!, /^int_/)
  await page.getByRole('button', { name: 'Done' }).click()
  const integrator = page.getByRole('row', { name: 'Table bookings' })
  await integrator.getByRole('button', { name: 'Go live' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click()
  await integrator.getByText('Live', { exact: true }).waitFor()
  await integrator.locator('.mantine-Switch-track').click()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await integrator.getByText('Inactive').waitFor()

  await page.getByRole('link', { name: 'Rotation' }).click()
  await page.getByRole('combobox', { name: 'Brand' }).click()
  await page.getByRole('option', { name: 'Le Comptoir, in production' }).click()
  await page.getByRole('button', { name: 'Rotate' }).click()
  await page.getByLabel('Your password').fill('demo')
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
  await page.locator('[data-value="Client secret"]').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('The previous secret works until').waitFor()
  assert.deepEqual(problems, [])
})

test(
  'an operator invites a brand’s owner, who gets in with the link, and the brand’s Audit says by whom',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit()
    await signInOperator(demo, page)
    await chooseFromMenu(page.getByRole('button', { name: 'Actions for Le Comptoir, in production' }), 'Invite staff')
    await page.getByRole('combobox', { name: 'Staff member' }).click()
    await page.getByRole('option', { name: 'Owner, Owner (owner)' }).click()
    await page.getByText('Has no access to the back office yet').waitFor()
    await page.getByLabel('Your password').fill('not my password')
    await page.getByRole('button', { name: 'Make the link' }).click()
    await page.getByText('Wrong restaurant, username, password or code.').waitFor()
    await page.getByLabel('Your password').fill('demo')
    await checkAccessibility(page, 'the invitation of a brand’s user')
    await page.getByRole('button', { name: 'Make the link' }).click()
    const link = (await page.locator('[data-value="Link"]').textContent())!
    await checkAccessibility(page, 'the link')
    await page.getByRole('button', { name: 'Done' }).click()

    const owner = await demo.visit()
    await choosePassword(owner.page, link)
    await owner.page.getByRole('heading', { name: 'Today' }).waitFor()
    await owner.page.getByRole('link', { name: 'Audit' }).click()
    await owner.page.getByRole('row', { name: /^User invited.*operator/ }).waitFor()
    await owner.page.getByRole('row', { name: /^Password set.*owner/ }).waitFor()
    assert.deepEqual([...problems, ...owner.problems], [])
  },
)

test('a new operator sets up codes from the key on the page and signs in with one', inBrowser, async () => {
  const { link } = await comptoirJson<{ link: string }>(demo, ['operator', 'add', 'ada', '--origin', demo.url])
  const { page, problems } = await demo.visit()
  await page.goto(link)
  const uri = (await page.getByRole('link', { name: 'Open in the app' }).getAttribute('href'))!
  assert.equal(readQr(await modulesOf(page.getByRole('img', { name: 'The key as a picture to scan' }))), uri)
  const secret = new URL(uri).searchParams.get('secret')!
  const shown = (await page.locator('[data-value="Key"]').textContent())!
  assert.equal(shown.replaceAll(' ', ''), secret)
  assert.match(shown, /^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
  await page.getByLabel('Code').fill('000000')
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByLabel('The same again').fill(PASSWORD)
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByText('Wrong restaurant, username, password or code.').waitFor()
  await page.getByLabel('Code').fill(totpCode(secret, stepAt(Date.now())))
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByRole('heading', { name: 'Brands' }).waitFor()
  await chooseFromMenu(page.getByRole('button', { name: 'ada' }), 'Sign out')

  await page.getByRole('tab', { name: 'Operator' }).click()
  await page.getByLabel('Name').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Code').fill(totpCode(secret, stepAt(Date.now()) + 1)) // one that was not used yet
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Brands' }).waitFor()
  assert.deepEqual(problems, [])
})
