import { join } from 'node:path'
import { type Bench, type Entry, measure } from '../bench.ts'
import { credentialsOf, type Env, million, thousand } from '../data.ts'
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
