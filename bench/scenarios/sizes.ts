import { join } from 'node:path'
import { type Bench, type Entry, measure } from '../bench.ts'
import { credentialsOf, type Env, million, receipts, thousand } from '../data.ts'
import { ask, type Server } from '../processes.ts'
import type { Request } from '../request.ts'
import { directRequests, signIn, startComptoir } from '../systems/comptoir.ts'
import { copyOf, copyOfDemo } from './comparison.ts'

// Cost against size: the same request where there is more of everything.

export const SIZE_RECEIPT = 'GET one receipt, by size'
export const SIZE_PAGE = 'GET 50 products, by size'
export const SIZE_PLACE = 'GET 50 products, by page'

export const SMALL = '1,000 products, 1,000 receipts'
export const DEMO_SIZE = '10,000 products, 100,000 receipts'
export const LARGE = '1,000 brands, 1,000,000 products and receipts'
export const SIZE_DAY = 'GET 50 receipts of a day, by size'
export const FEW_RECEIPTS = '10,000 receipts'
export const MANY_RECEIPTS = '1,000,000 receipts'
export const FIRST_PAGE = 'page 1'
export const LATE_PAGE = 'page 100'

const BRANDS_ASKED = 32

export async function sizes(bench: Bench): Promise<void> {
  bench.say('Cost against size')
  const start = (env: Env) => startComptoir(env, join(bench.folder, 'comptoir.log'))
  const data = {
    small: copyOf(bench, await thousand()),
    demo: await copyOfDemo(bench),
    large: await million(), // too large to copy; it is only read
  }
  await using small = await start({ COMPTOIR_DATA: data.small })
  await using demo = await start({ COMPTOIR_DATA: data.demo })
  await using large = await start({ COMPTOIR_DATA: data.large })
  const requests = {
    small: await directRequests(small.url, credentialsOf(data.small)),
    demo: await directRequests(demo.url, credentialsOf(data.demo)),
    large: await directRequests(large.url, credentialsOf(data.large)),
  }

  await measure(bench, SIZE_RECEIPT, [
    await entry(SMALL, small, requests.small.receipt!),
    await entry(DEMO_SIZE, demo, requests.demo.receipt!),
    await entry(LARGE, large, requests.large.receipt!),
  ])
  await measure(bench, SIZE_PAGE, [
    await entry(SMALL, small, requests.small.page!),
    await entry(DEMO_SIZE, demo, requests.demo.page!),
    await entry(LARGE, large, await pageOfManyBrands(large.url, data.large, requests.large.page!)),
  ])
  const page = requests.demo.page!
  await measure(bench, SIZE_PLACE, [
    await entry(FIRST_PAGE, demo, page),
    await entry(LATE_PAGE, demo, { ...page, path: `${page.path}&page=100` }),
  ])
}

/** A page of a day, of a venue that has sold for a year or for a century. */
export async function days(bench: Bench): Promise<void> {
  bench.say('A day among many')
  const log = join(bench.folder, 'comptoir.log')
  const [few, many] = [await receipts(10_000), await receipts(1_000_000)] // only read
  await using small = await startComptoir({ COMPTOIR_DATA: copyOf(bench, few) }, log)
  await using large = await startComptoir({ COMPTOIR_DATA: many }, log)
  await measure(bench, SIZE_DAY, [
    await entry(FEW_RECEIPTS, small, await dayOf(small.url, few)),
    await entry(MANY_RECEIPTS, large, await dayOf(large.url, many)),
  ])
}

/** A day in the middle of what the demo itself has sold. */
async function dayOf(url: string, data: string): Promise<Request> {
  const headers = { 'x-token': await signIn(url, credentialsOf(data)) }
  const newest: Request = { method: 'GET', path: '/v2/receipts?limit=50&page=3', headers, status: 200 }
  const { data: rows } = JSON.parse((await ask(url, newest)).body) as { data: { created_at: string }[] }
  const day = rows[0]!.created_at.slice(0, 10)
  const filters = JSON.stringify([
    ['created_at', '>=', `${day}T00:00:00Z`],
    ['created_at', '<=', `${day}T23:59:59Z`],
  ])
  return { ...newest, path: `/v2/receipts?limit=50&filters=${encodeURIComponent(filters)}` }
}

async function entry(system: string, { url }: Server, request: Request): Promise<Entry> {
  const { body } = await ask(url, request)
  return { system, url, request, bytes: Buffer.byteLength(body) }
}

/** Requests for the brands in turn, so that more than one brand's rows are read. */
async function pageOfManyBrands(url: string, data: string, page: Request): Promise<Request> {
  const credentials = credentialsOf(data)
  const tokens: string[] = []
  for (let n = 1; n <= BRANDS_ASKED; n++) tokens.push(await signIn(url, { ...credentials, brand: `demo-${n * 31}` }))
  return { ...page, headers: { 'x-token': tokens[0]! }, vary: { header: 'x-token', values: tokens } }
}
