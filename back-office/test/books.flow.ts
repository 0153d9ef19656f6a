import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { comptoir } from '../../server/test/command.ts'
import { checkAccessibility, demoForTests, exactly, inBrowser, signIn } from './browser.ts'

const demo = demoForTests()
const audit = () => comptoir(demo, ['audit', 'books', '--brand', 'demo'])

test('Books shows how the last audit went, and leads to what it found', inBrowser, async () => {
  const { page, problems } = await demo.visit()
  await signIn(demo, page)
  await page.getByRole('link', { name: 'Books' }).click()
  await page.getByText('Not checked yet').waitFor()
  await page.getByText('comptoir audit books --brand demo').waitFor()

  assert.equal((await audit()).code, 0)
  await page.reload()
  await page.getByText('Sound', { exact: true }).waitFor()
  await exactly(page.getByRole('cell', { name: 'Holds' }), (await page.getByRole('row').count()) - 1)

  const file = new DatabaseSync(join(demo.env.COMPTOIR_DATA!, 'comptoir.db'))
  file.exec(`update receipts set details = replace(details, '"paid":', '"e_tax":9,"paid":') where id = 17`)
  file.close()
  assert.equal((await audit()).code, 1)
  await page.reload()
  const broken = page.getByRole('region', { name: 'Records that break I1' })
  await broken.getByText('e_tax is 9, the lines make 0').waitFor()
  await checkAccessibility(page, 'broken books')
  await broken.getByRole('link', { name: 'receipt 17' }).first().click()
  await page.waitForURL(/\/data\/receipts\?id=/)
  await page.getByRole('cell', { name: '17', exact: true }).waitFor()
  assert.deepEqual(problems, [])
})
