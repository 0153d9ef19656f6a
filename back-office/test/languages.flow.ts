import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility, demoForTests, inBrowser, signIn } from './browser.ts'

const demo = demoForTests()

async function signInInFrench(page: Page, password = 'demo'): Promise<void> {
  await page.goto(`${demo.url}/back-office/sign-in`)
  await page.getByLabel('Votre restaurant').fill('demo')
  await page.getByLabel('Identifiant').fill('owner')
  await page.getByLabel('Mot de passe', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
}

test(
  'the language is the browser’s, then the brand’s, and from a choice on the person’s, in every browser',
  inBrowser,
  async () => {
    const { page, problems } = await demo.visit({ locale: 'fr-CA' })
    await page.goto(`${demo.url}/back-office/sign-in`)
    await page.getByRole('heading', { name: 'Connexion' }).waitFor()
    assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), [
      'fr',
      'ltr',
    ])
    assert.match((await page.getByText('Pas encore de mot de passe').textContent())!, /oublié\u202f\? Demandez/)
    await checkAccessibility(page, 'signing in, in French')

    await signInInFrench(page, 'a guess')
    const refusal = page.getByRole('alert')
    await refusal.getByText('Restaurant, identifiant, mot de passe ou code incorrect.').waitFor()
    await refusal.getByText('Détails').click()
    await refusal.getByText('Wrong brand, username, password or code.').waitFor()
    await checkAccessibility(page, 'a refusal in French')
    await signInInFrench(page)
    await page.locator('#content').waitFor()
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Cuisine').waitFor() // the first language of the demo
    await page.getByRole('button', { name: 'Odile Castaing' }).click()
    await page.getByRole('menuitemradio', { name: 'Français' }).click()
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Cuisine').waitFor()
    await checkAccessibility(page, 'a page in French')

    const elsewhere = await demo.visit({ locale: 'en-GB', timezoneId: 'Asia/Baku' })
    await signIn(demo, elsewhere.page)
    await elsewhere.page.getByRole('navigation', { name: 'Pages' }).getByText('Cuisine').waitFor()
    await elsewhere.page.getByText('Heures de Europe/Paris').waitFor()
    await elsewhere.page.goto(`${demo.url}/back-office/audit`)
    const shown = elsewhere.page.locator('tbody time').first()
    const at = await shown.getAttribute('datetime')
    const inParis = new Intl.DateTimeFormat('fr-FR', { timeStyle: 'medium', timeZone: 'Europe/Paris' }).format(
      new Date(at!),
    )
    assert.ok((await shown.textContent())!.endsWith(inParis), `${await shown.textContent()} ends with ${inParis}`)

    await elsewhere.page.getByRole('button', { name: 'Odile Castaing' }).click()
    await elsewhere.page.getByRole('menuitemradio', { name: 'English' }).click()
    await elsewhere.page.getByText('Times in Europe/Paris').waitFor()
    assert.deepEqual([...problems, ...elsewhere.problems], [])
  },
)
