import { mkdtempSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { serving } from './command.ts'
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
const server = await serving({ env: { COMPTOIR_DATA: mkdtempSync('/tmp/ex/d') + '/data', PORT: '0' } }, ['--demo'])
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
const log = (...w: unknown[]) => process.stdout.write(w.join(' ') + '\n')
page.on('request', (r) => log('REQ', r.method(), r.url().slice(0, 120)))
page.on('console', (m) => log('CON', m.type(), m.text().slice(0, 300)))
try {
  await page.goto(`${server.url}/docs`)

  await page.getByRole('heading', { name: 'Comptoir', exact: true }).waitFor({ timeout: 60000 })
  const nav = page.locator('aside').first(); page.setDefaultTimeout(8000)
  log(await nav.innerHTML().catch(() => page.locator('body').innerHTML()).then((t) => t.replace(/class="[^"]*"/g,'').replace(/<svg.*?<\/svg>/gs,'').slice(0, 2500)))
  log('inputs', JSON.stringify(await page.locator('input, [contenteditable]').evaluateAll((es) => (es as any[]).map((e) => [e.tagName, e.id, e.placeholder, e.type, e.value, e.getAttribute('aria-label'), e.textContent]))))
  for (const tag of ['Products', 'Receipts']) { await nav.getByText(tag, { exact: true }).first().click(); await page.waitForTimeout(1500) }
  await page.screenshot({ path: '/tmp/ex/2.png' })
  log(await nav.innerText())
  log('buttons', JSON.stringify(await page.getByRole('button', { name: /Test Request/ }).evaluateAll((es) => es.map((e) => e.textContent))))
  await page.getByRole('button', { name: /Test Request.*receipts/ }).first().click({ timeout: 10000 })
  await page.waitForTimeout(2000)
  await page.screenshot({ path: '/tmp/ex/3.png' })
  log('dialog', await page.getByRole('dialog').first().innerText().catch(String))
  await page.getByRole('button', { name: /^Send/ }).first().click({ timeout: 10000 })
  await page.waitForTimeout(2500)
  await page.screenshot({ path: '/tmp/ex/4.png' })
  log('dialog', await page.getByRole('dialog').first().innerText().catch(String))
} catch (e) { log('ERR', String(e).slice(0, 1500)); await page.screenshot({ path: '/tmp/ex/err.png' }) }
await browser.close(); await server.stop()
