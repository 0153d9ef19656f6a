import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// Run by the Node of an archive, where nothing else is: starts what was unpacked, sells as a till does, and writes what it saw as JSON.
//   node sell.js COMPTOIR EMPTY_FOLDER

const [, , comptoir = '', folder = ''] = process.argv
const { PATH = '', TMPDIR = '/tmp' } = process.env

/** @param {string} name of the data folder @param {...string} words */
function command(name, ...words) {
  const env = { PATH, TMPDIR, COMPTOIR_DATA: join(folder, name), PORT: '0' }
  const child = spawn(comptoir, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL')) // where something failed
  return child
}

/** @param {string} name @param {...string} words */
async function said(name, ...words) {
  const child = command(name, ...words)
  const lines = await Array.fromAsync(createInterface(child.stdout))
  if (child.exitCode === null) await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`comptoir ${words.join(' ')} ended with ${child.exitCode}`)
  return lines.join('\n')
}

/** Serves until `stop`, which returns the exit code. @param {string} name @param {...string} words */
async function served(name, ...words) {
  const startedAt = performance.now()
  const child = command(name, 'serve', ...words)
  const exited = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /"port":(\d+)[^\n]*"msg":"ready"/.exec(line) ?? []
    if (!port) continue
    child.stdout.resume()
    const url = `http://127.0.0.1:${port}`
    await ask(`${url}/`)
    const ms = Math.round(performance.now() - startedAt)
    const stop = async () => {
      child.kill('SIGTERM')
      return (await exited)[0]
    }
    return { url, ms, stop }
  }
  throw new Error(`serve ended with ${(await exited)[0]}`)
}

/** @param {string} url @param {RequestInit} [init] */
async function ask(url, init) {
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 500)}`)
  return { text, headers: answer.headers }
}

/** Two products, opened and closed at the till. Returns the receipt as the API has it. @param {string} url */
async function sell(url) {
  const demo = {
    client_id: 'demo-client',
    client_secret: 'demo-secret',
    brand: 'demo',
    integrator_id: 'demo-integrator',
  }
  const json = { 'content-type': 'application/json' }
  const { text } = await ask(`${url}/v2/auth`, { method: 'POST', headers: json, body: JSON.stringify(demo) })
  const { token } = JSON.parse(text)
  /** @param {string} path */
  const read = async (path) => JSON.parse((await ask(`${url}/v2/${path}`, { headers: { 'x-token': token } })).text).data

  const staff = { ...json, origin: url, 'x-comptoir': '1', cookie: '' }
  /** @param {string} path @param {unknown} body */
  const post = (path, body) =>
    ask(`${url}/back-office/api${path}`, { method: 'POST', headers: staff, body: JSON.stringify(body) })
  const session = await post('/session', { brand: 'demo', username: 'owner', password: 'demo' })
  staff.cookie = session.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')

  const stopped = new Set((await read('products/stop-list')).map(({ id }) => id))
  const products = await read('products?limit=100&filters=[["type","PRODUCT"]]')
  const sold = products.filter(({ id, has_modifications }) => !has_modifications && !stopped.has(id)).slice(0, 2)
  const lines = sold.map(({ id }) => ({ cid: randomUUID(), product_id: id, count: 1 }))
  const [saleType] = await read('sale-types')
  const card = (await read('payment-methods')).find(({ kind }) => kind === 'CARD')
  const opened = await post('/receipts', { cid: randomUUID(), sale_type_id: saleType.id, lines })
  const { id, total } = JSON.parse(opened.text).data
  await post(`/receipts/${id}/close`, { payment_methods: [{ id: card.id, amount: total }] })
  return read(`receipts/${id}`)
}

/** The pages that people open, with the first script of each. @param {string} url */
async function openPages(url) {
  for (const path of ['/back-office/', '/docs/']) {
    const page = await ask(url + path)
    const [, script] = /<script[^>]* src="([^"]+)"/.exec(page.text) ?? []
    if (!script) throw new Error(`${path} has no script`)
    await ask(new URL(script, url + path).href)
  }
  await ask(`${url}/openapi.json`)
}

const version = await said('none', '--version')
const empty = await served('own')
const codes = [await empty.stop()]
const demo = await served('demo', '--demo')
await openPages(demo.url)
const { total, status } = await sell(demo.url)
const books = await said('demo', 'audit', 'books', '--brand', 'demo')
codes.push(await demo.stop())
process.stdout.write(
  JSON.stringify({
    version,
    firstMs: empty.ms,
    demoMs: demo.ms,
    sold: { total, status },
    books,
    codes,
  }),
)
