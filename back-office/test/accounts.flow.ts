import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkAccessibility,
  chooseFromMenu,
  choosePassword,
  demoForTests,
  inBrowser,
  invitationOf,
  PASSWORD,
  settled,
  signIn,
} from './browser.ts'
import { newPerson } from './staff.ts'

const demo = demoForTests()

test(
  'a brand’s user cannot see another brand, and a user without the permission cannot see the module',
  inBrowser,
  async () => {
    const link = await invitationOf(demo, 'demo-live', 'owner')
    const other = await demo.visit()
    await choosePassword(other.page, link)
    await other.page.getByRole('heading', { name: 'Today' }).waitFor()
    await other.page.goto(`${demo.url}/back-office/open-api`)
    await other.page.getByRole('row', { name: 'demo-live-client' }).waitFor()
    assert.equal(await other.page.getByText('demo-client', { exact: true }).count(), 0)
    await other.page.getByRole('link', { name: 'Audit' }).click()
    await other.page.getByRole('row', { name: 'demo-live-client' }).waitFor()
    assert.equal(await other.page.getByRole('row', { name: 'demo-disabled' }).count(), 0)
    await other.page.goto(`${demo.url}/back-office/operator/brands`)
    await other.page.getByRole('heading', { name: 'Open API' }).waitFor()

    const spent = await demo.visit()
    await spent.page.goto(link)
    await spent.page.getByText('This link does not work').waitFor()

    const { page } = await demo.visit()
    await choosePassword(page, await invitationOf(demo, 'demo', 'waiter'))
    await page.getByRole('heading', { name: 'Where are you?' }).waitFor() // at the till
    await page.getByRole('link', { name: 'Back office' }).click()
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await page.goto(`${demo.url}/back-office/open-api`)
    await page.getByText('Your role, Waiter, does not include managing add-ons').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Open API' }).count(), 0)
    await page.goto(`${demo.url}/back-office/audit`)
    await page.getByText('Your role, Waiter, does not include managing add-ons').waitFor()
    assert.deepEqual([...other.problems, ...spent.problems], [])
  },
)

test('the owner makes somebody and their link; each lands where they work, also on a phone', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await page.getByRole('link', { name: 'Staff' }).click()
  const dialog = page.getByRole('dialog')
  const phone = { viewport: { width: 360, height: 740 } }
  for (const [username, role, landing] of [
    ['nina', 'Waiter', 'Where are you?'],
    ['karl', 'Cook', 'Kitchen'],
    ['rosa', 'Accountant', 'Reports'],
    ['paul', 'Manager', 'Today'],
  ] as const) {
    await newPerson(page, username, role, 'demo')
    if (role === 'Waiter') await checkAccessibility(page, 'asking for a link')
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    const link = (await page.locator('[data-value="Link"]').textContent())!
    if (role === 'Waiter') await checkAccessibility(page, 'the link of a colleague')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row', { name: username }).getByText('Invited').waitFor()

    const other = await demo.visit(phone)
    await other.page.goto(link)
    await other.page.getByLabel('New password').fill(PASSWORD)
    await other.page.getByLabel('The same again').fill(PASSWORD)
    await other.page.getByRole('button', { name: 'Save and sign in' }).click()
    await other.page.getByRole('heading', { name: landing, exact: true }).waitFor()
    await settled(other.page)
  }
  await page.reload()
  await page.getByRole('row', { name: 'nina' }).getByText('Active').waitFor()
  await checkAccessibility(page, 'staff')
  await page.getByRole('link', { name: 'Roles' }).click()
  await page.getByRole('link', { name: 'Waiter', exact: true }).click()
  await dialog.getByRole('checkbox', { name: /^Cancel open receipts/ }).check()
  await checkAccessibility(page, 'a role')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByText('New: cancel open receipts').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved: Waiter').waitFor()
  assert.deepEqual(problems, [])
})

test('a person changes the password, keeps this session, and ends all of them', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await choosePassword(page, await invitationOf(demo, 'demo', 'manager'))
  const other = await demo.visit()
  await signIn(demo, other.page, 'demo', 'manager', PASSWORD)

  await chooseFromMenu(page.getByRole('button', { name: 'Théo Lindqvist' }), 'Your account')
  await page.getByText('You are signed in as manager of Le Comptoir').waitFor()
  const fill = async (current: string, fresh: string, repeat = fresh) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password').fill(fresh)
    await page.getByLabel('The same again').fill(repeat)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await fill(PASSWORD, 'seven cups of coffee', 'six cups of coffee')
  await page.getByText('The two are not the same').waitFor()
  await fill('not my password', 'seven cups of coffee')
  await page.getByText('Wrong restaurant, username, password or code.').waitFor()
  await fill(PASSWORD, 'passwordpassword')
  await page.getByText('one of the first that would be guessed').waitFor()
  await checkAccessibility(page, 'a refused password')
  await fill(PASSWORD, 'seven cups of coffee')
  await page.getByText('Your password is changed').waitFor()
  assert.equal(await page.getByLabel('Current password').inputValue(), '')
  await other.page.goto(`${demo.url}/back-office/account`)
  await other.page.getByText('You were signed out').waitFor()

  await page.reload()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(demo, page, 'demo', 'manager', 'seven cups of coffee')
  assert.deepEqual(problems, [])
})
