import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Entry, measure } from '../bench.ts'
import { comptoir, credentialsOf, demo, type Env } from '../data.ts'
import { ask } from '../processes.ts'
import type { Request } from '../request.ts'
import { startBaseline } from '../systems/baseline.ts'
import { signIn, startComptoir } from '../systems/comptoir.ts'
import { copyOf } from './comparison.ts'
import { saleRequests } from './sales.ts'

// What a menu costs: kept, asked again, made again after a change; a picture; and orders where prices hold at times.

export const MENU_WARM = 'GET /menu, 2,000 products'
export const MENU_SAME = 'GET /menu, 304'
export const MENU_COLD = 'a menu of 2,000 products, made after a change'
export const MENU_PICTURE = 'GET a picture'
export const MENU_ORDER = 'POST /orders, three lines, by price lists'
export const MENU_READER = 'Comptoir'
export const MENU_BASELINE = 'node:http'
export const COLD = 'GET /menu'
export const PAGES = '20 pages of 100 products'
export const TIMED = 'five timed lists'
export const UNTIMED = 'none'

const SCALE = 1 // 200 products; the others are imported
const PRODUCTS = 2_000
const COLD_ROUNDS = 15

export async function menu(bench: Bench): Promise<void> {
  bench.say('The menu')
  const data = copyOf(bench, await demo(SCALE))
  const env = { COMPTOIR_DATA: data }
  await addProducts(bench, env)
  const log = join(bench.folder, 'comptoir.log')
  await using server = await startComptoir(env, log)
  const headers = { 'x-token': await signIn(server.url, credentialsOf(data)) }
  const get = (path: string, more = {}): Request => ({
    method: 'GET',
    path,
    headers: { ...headers, ...more },
    status: 200,
  })
  const whole = get('/v2/menu?sale_type_id=1')
  const warm = await ask(server.url, whole)
  const etag = warm.headers.find(([name]) => name === 'etag')![1]!
  const same: Request = { ...get(whole.path, { 'if-none-match': etag }), status: 304 }
  const { data: shown } = JSON.parse(warm.body) as {
    data: { entries: Record<string, { images?: { large: string }[] }> }
  }
  const picture = Object.values(shown.entries).find(({ images }) => images)!.images![0]!.large
  const seen: Request = { method: 'GET', path: `/media/demo/${picture}`, headers: {}, status: 200 }
  const works = [
    [MENU_WARM, 'menu', whole],
    [MENU_SAME, 'same', same],
    [MENU_PICTURE, 'picture', seen],
  ] as const
  const answers = new Map<string, Awaited<ReturnType<typeof ask>>>()
  for (const [, name, request] of works) {
    const answer = await ask(server.url, request)
    const length = answer.headers.find(([header]) => header === 'content-length')?.[1]
    answers.set(name, { ...answer, body: 'x'.repeat(Number(length ?? 0)) }) // a picture is no text
  }
  await using baseline = await startBaseline(answers, join(bench.folder, 'baseline.log'))
  for (const [work, name, request] of works) {
    const bytes = Buffer.byteLength(answers.get(name)!.body)
    await measure(bench, work, [
      { system: MENU_BASELINE, url: baseline.url, request: { ...request, path: `/${name}` }, bytes },
      { system: MENU_READER, url: server.url, request, bytes },
    ])
  }
  await cold(bench, env, server.url, whole, get)
  await orders(bench)
}

async function addProducts(bench: Bench, env: Env): Promise<void> {
  const lines = Array.from({ length: PRODUCTS - 200 }, (_, index) => ({
    kind: 'product',
    id: 100_000 + index,
    name: `Dish number ${index}`,
    type: 'DISH',
    status: 1,
    price: 5 + (index % 40) / 4,
    category_id: 1 + (index % 8),
    description: 'With a sentence on what is in it, as menus have them.',
    taxes: [{ id: 1 }],
  }))
  await importLines(bench, env, lines)
}

async function importLines(bench: Bench, env: Env, lines: readonly object[]): Promise<void> {
  const file = join(bench.folder, 'menu.jsonl')
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await comptoir(env, 'import', file, '--brand', 'demo')
}

/** A change of the menu, then one reading of it; beside the pages that a client would read without it. One client, one after the other. */
async function cold(
  bench: Bench,
  env: Env,
  url: string,
  whole: Request,
  get: (path: string) => Request,
): Promise<void> {
  const times = { [COLD]: [] as number[], [PAGES]: [] as number[] }
  const timed = async (system: keyof typeof times, requests: readonly Request[]) => {
    const before = performance.now()
    let bytes = 0
    for (const request of requests) bytes += Buffer.byteLength((await ask(url, request)).body)
    times[system]!.push(performance.now() - before)
    return bytes
  }
  const pages = Array.from({ length: PRODUCTS / 100 }, (_, index) => get(`/v2/products?limit=100&page=${index + 1}`))
  const bytes = { [COLD]: 0, [PAGES]: 0 }
  for (let round = 0; round < COLD_ROUNDS; round++) {
    const unit = { kind: 'unit', id: 900, name: `Round ${round}`, symbol: `r${round}` }
    await importLines(bench, env, [unit])
    bytes[COLD] = await timed(COLD, [whole])
    bytes[PAGES] = await timed(PAGES, pages)
  }
  for (const system of [COLD, PAGES] as const) {
    const sorted = times[system]!.toSorted((one, other) => one - other)
    const [p50Ms, p99Ms] = [sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!]
    bench.results.push({
      system,
      work: MENU_COLD,
      bytes: bytes[system]!,
      perSecond: 1000 / p50Ms,
      p50Ms,
      p99Ms,
      generatorCpu: 0,
    })
    bench.say(`  ${MENU_COLD}: ${system} ${p50Ms.toFixed(1)} ms, at most ${p99Ms.toFixed(1)} ms`)
  }
}

const LISTS = [901, 902, 903, 904, 905]

/** Two services take turns: in one of them five lists with times name what is ordered. */
async function orders(bench: Bench): Promise<void> {
  const [without, timed] = [copyOf(bench, await demo(SCALE)), copyOf(bench, await demo(SCALE))]
  const log = join(bench.folder, 'comptoir.log')
  await using plain = await startComptoir({ COMPTOIR_DATA: without }, log)
  const token = await signIn(plain.url, credentialsOf(without))
  const { order, house } = await saleRequests(plain.url, token)
  const windows = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '11:00', to: '15:00' }]
  await importLines(bench, { COMPTOIR_DATA: timed }, [
    ...LISTS.map((id) => ({
      kind: 'price_list',
      id,
      name: `Timed ${id}`,
      status: true,
      scopes: [{ sale_type_id: house.saleType, priority: id, windows }],
    })),
    ...LISTS.flatMap((list_id, at) =>
      house.dishes.map((product_id, index) => ({
        kind: 'price',
        id: 900_000 + at * 10 + index,
        list_id,
        product_id,
        price: 4 + at,
      })),
    ),
  ])
  await using priced = await startComptoir({ COMPTOIR_DATA: timed }, log)
  const headers = {
    ...order.headers,
    'x-token': await signIn(priced.url, credentialsOf(timed)),
  }
  const entries: Entry[] = [
    { system: UNTIMED, url: plain.url, request: order, bytes: 0 },
    { system: TIMED, url: priced.url, request: { ...order, headers }, bytes: 0 },
  ]
  await measure(bench, MENU_ORDER, entries, bench.rounds * 4 - 1)
}
