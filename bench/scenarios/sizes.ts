import { join } from 'node:path'
import { type Bench, type Entry, measure } from '../bench.ts'
import { directWorks, signIn, startComptoir } from '../contestants/comptoir.ts'
import { credentialsOf, type Env, million, thousand } from '../data.ts'
import type { Request } from '../load.ts'
import { ask, type Server } from '../processes.ts'
import { copyOf, copyOfDemo } from './contest.ts'

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
  const works = {
    small: await directWorks(small.url, credentialsOf(data.small)),
    demo: await directWorks(demo.url, credentialsOf(data.demo)),
    large: await directWorks(large.url, credentialsOf(data.large)),
  }

  await measure(bench, SIZE_RECEIPT, [
    await entry(SMALL, small, works.small.receipt!),
    await entry(DEMO_SIZE, demo, works.demo.receipt!),
    await entry(LARGE, large, works.large.receipt!),
  ])
  await measure(bench, SIZE_PAGE, [
    await entry(SMALL, small, works.small.page!),
    await entry(DEMO_SIZE, demo, works.demo.page!),
    await entry(LARGE, large, await pageOfManyBrands(large.url, data.large, works.large.page!)),
  ])
  const page = works.demo.page!
  await measure(bench, SIZE_PLACE, [
    await entry(FIRST_PAGE, demo, page),
    await entry(LATE_PAGE, demo, { ...page, path: `${page.path}&page=100` }),
  ])
}

async function entry(contestant: string, { url }: Server, request: Request): Promise<Entry> {
  const { body } = await ask(url, request)
  return { contestant, url, request, bytes: Buffer.byteLength(body) }
}

/** Requests for the brands in turn, so that more than one brand's rows are read. */
async function pageOfManyBrands(url: string, data: string, page: Request): Promise<Request> {
  const credentials = credentialsOf(data)
  const tokens: string[] = []
  for (let n = 1; n <= BRANDS_ASKED; n++) tokens.push(await signIn(url, { ...credentials, brand: `demo-${n * 31}` }))
  return { ...page, headers: { 'x-token': tokens[0]! }, vary: { header: 'x-token', values: tokens } }
}
