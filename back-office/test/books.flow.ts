import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { comptoir } from '../../server/test/command.ts'
import { checkAccessibility, demoForTests, exactly, inBrowser, signIn } from './browser.ts'

const demo = demoForTests()

test('Check now checks the books beside the service, and leads to what it found', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await page.getByRole('link', { name: 'Books' }).click()
  const check = page.getByRole('button', { name: 'Check now' })
  await page
    .getByText('Not checked yet')
    .or(page.getByText('Sound', { exact: true }))
    .or(page.locator('.check-progress'))
    .first()
    .waitFor()
  if (await check.isEnabled()) await check.click() // the night's may run already
  await page.getByText('It runs beside the service').waitFor()
  await checkAccessibility(page, 'a check that runs')
  await page.getByText('Sound', { exact: true }).waitFor({ timeout: 60_000 })
  await exactly(page.getByRole('cell', { name: 'Holds' }), (await page.getByRole('row').count()) - 1)

  const file = new DatabaseSync(join(demo.env.COMPTOIR_DATA!, 'comptoir.db'))
  file.exec(`update receipts set details = replace(details, '"paid":', '"e_tax":9,"paid":') where id = 17`)
  file.close()
  await check.click()
  const broken = page.getByRole('region', { name: 'Records that break I1' })
  await broken.getByText('e_tax is 9, the lines make 0').waitFor({ timeout: 60_000 })
  await checkAccessibility(page, 'broken books')
  await page.getByRole('link', { name: 'Today' }).click()
  await page.locator('.notice[data-level=error]').waitFor()
  await page.goBack()
  await broken.getByRole('link', { name: 'receipt 17' }).first().click()
  await page.waitForURL(/\/data\/receipts\?id=/)
  await page.getByRole('cell', { name: '17', exact: true }).waitFor()
  assert.equal((await comptoir(demo, ['audit', 'books', '--brand', 'demo'])).code, 1)
  assert.deepEqual(problems, [])
})
