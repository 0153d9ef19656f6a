import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { demoForTests, inBrowser, signIn } from './browser.ts'

// People at one till: they take turns by PIN, and somebody with the right approves what a waiter may not do.

const demo = demoForTests()

const OWNER = { name: 'Odile', pin: '8642' }
const WAITER = { id: 4, name: 'Łukasz', first: '2580', pin: '7391' }
const CASHIER = { id: 3, name: 'Aïcha', first: '2580', pin: '9173' }

/** Asks the server as the page would. */
const ask = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ([how, where, sent]) => {
      const answer = await fetch(`/back-office/api${where}`, {
        method: how as string,
        headers: { 'x-comptoir': '1', ...(sent ? { 'content-type': 'application/json' } : {}) },
        ...(sent ? { body: JSON.stringify(sent) } : {}),
      })
      return { status: answer.status, body: await answer.json().catch(() => undefined) }
    },
    [method, path, body] as const,
  )

const tap = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) }).click()

async function comesIn(page: Page, { name, first, pin }: { name: string; first?: string; pin: string }) {
  await tap(page, name)
  await page.locator('.pin-dots').fill(first ?? pin)
  await page.keyboard.press('Enter')
  if (first !== undefined) {
    await page.locator('.names b').waitFor() // somebody else chose it
    await page.locator('.pin-dots').fill(pin)
    await page.keyboard.press('Enter')
  }
  await page.waitForURL(/\/till/)
  await page.locator('.till-product').first().waitFor()
}

async function adds(page: Page): Promise<void> {
  const before = await page.locator('.till-line').count()
  for (let index = 0; index < 20; index++) {
    await page.locator('.till-product').nth(index).click()
    await page.waitForTimeout(200)
    if ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape')
    else if ((await page.locator('.till-line').count()) > before) return
  }
  assert.fail('no product was added')
}

test(
  'two people take turns at a till; one voids with the owner’s PIN and a reason, and goes on as themselves',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${demo.url}/back-office/sign-in`)
    assert.equal(
      (await ask(page, 'POST', '/session', { brand: 'demo', username: 'owner', password: 'demo' })).status,
      204,
    )
    assert.equal((await ask(page, 'PUT', '/pin', { password: 'demo', pin: OWNER.pin })).status, 204)
    assert.equal((await ask(page, 'PATCH', '/edit/venues/1', { reason_for: ['void'] })).status, 200)
    for (const { id, first } of [WAITER, CASHIER])
      assert.equal((await ask(page, 'PUT', `/people/${id}/pin`, { password: 'demo', pin: first })).status, 204)
    await page.goto(`${demo.url}/back-office/settings/devices`)
    await page.locator('input[name=name]').fill('Bar')
    await page.locator('form button[type=submit]').click()
    await page.waitForURL(/sign-in/)

    await comesIn(page, WAITER)
    await adds(page)
    await page.keyboard.press('F4')
    await page.locator('.till-line.sent').first().waitFor()
    await page.locator('.till-line.sent').first().click()
    await page.locator('dialog .till-reasons button').first().click()
    await tap(page, OWNER.name)
    await page.locator('.pin-dots').fill(OWNER.pin)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Why?' }).waitFor()
    await page.getByRole('radio').first().check()
    const reason = await page.getByRole('radio').first().locator('xpath=..').innerText()
    await page.getByRole('button', { name: /^Go on/ }).click()
    await page.locator('.till-line.sent').first().waitFor({ state: 'detached' })
    assert.match(await page.locator('.till-person').innerText(), new RegExp(WAITER.name), 'they go on as themselves')

    const { page: office } = await demo.visit() // by password: a PIN opens the till alone
    await signIn(demo, office)
    const { acts, open } = await office.evaluate(async () => {
      const newest = `limit=1&sort[0][0]=id&sort[0][1]=desc&filters=${encodeURIComponent('[["status",1]]')}`
      const open = await (await fetch(`/back-office/api/read/receipts?${newest}`)).json()
      if (!open.data) throw new Error(JSON.stringify(open))
      const { id } = open.data[0]
      const read = async (path: string) => (await (await fetch(`/back-office/api${path}`)).json()).data
      return {
        acts: (await read(`/receipts/${id}/acts`)) as Record<string, unknown>[],
        open: (await read(`/read/receipts/${id}?include=details`)) as { number: number },
      }
    })
    const gone = acts.find(({ action }) => action === 'void')
    assert.deepEqual([gone?.user_id, gone?.approved_by], [WAITER.id, 1])
    const reasons = (await ask(office, 'GET', '/read/reasons?limit=200')).body.data as { id: number; name: string }[]
    assert.equal(reasons.find(({ id }) => id === gone?.reason_id)?.name, reason)

    // The next one comes in by F10: the line that they add to the receipt says whose it is.
    await adds(page)
    await page.keyboard.press('F4')
    await page.locator('.till-line.sent').first().waitFor()
    await page.waitForFunction(() => !document.querySelector('.till-line.waiting'))
    // A question that is open keeps nobody here.
    await page.locator('.till-line.sent').first().click()
    await page.locator('dialog .till-reasons button').first().click()
    await page.getByRole('button', { name: OWNER.name }).waitFor()
    await page.keyboard.press('F10')
    await page.waitForURL(/sign-in/)
    await comesIn(page, CASHIER)
    assert.match(await page.locator('.till-person').innerText(), new RegExp(CASHIER.name))
    const { number } = open
    await page
      .locator('.till-receipt')
      .filter({ hasText: `#${number}` })
      .first()
      .click()
    await page.locator('.till-line.sent').first().waitFor()
    await adds(page)
    await page.locator('.till-line.new').getByText(`by ${CASHIER.name}`).waitFor()
    assert.deepEqual(
      problems.filter((problem) => !/40[0-9]/.test(problem)),
      [],
    )
  },
)
