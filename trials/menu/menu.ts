import { createHash } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { pricedAt } from '../../back-office/src/pages/till/menu.ts'
import { type Priced, priceAt as sdkPriceAt } from '../../sdk/src/menu/price.ts'
import type { Random } from '../../server/src/demo/random.ts'
import { createCredential } from '../../server/src/directory/credentials.ts'
import { addIntegrator } from '../../server/src/directory/registry.ts'
import { menuCache } from '../../server/src/menu/snapshot/cache.ts'
import { makeMenu } from '../../server/src/menu/snapshot/make.ts'
import { readMenu } from '../../server/src/menu/snapshot/read.ts'
import { etagOf, type MenuKey, readMark } from '../../server/src/menu/snapshot/version.ts'
import { endStops } from '../../server/src/menu/timed.ts'
import type { PriceWindow } from '../../server/src/resources/menu/price-windows.ts'
import { priceAt } from '../../server/src/resources/menu/price-windows.ts'
import { instantOf } from '../../server/src/values/values.ts'
import { WEEKDAYS, wallClock } from '../../server/src/values/wall-clock.ts'
import { putRows, staff } from '../../server/test/database/store.ts'
import { openService, type Service, untilFree } from '../harness/in-process.ts'
import { addTenant, ENGINES, type Engine, install } from '../harness/installation.ts'
import { menu as exampleMenu } from '../harness/menu.ts'
import { openOffice } from '../harness/office/back-office.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { apiRequests, officeRequests } from '../store-calls/requests.ts'
import { killedImport } from './killed-import.ts'
import { menuRows, randomRows } from './rows.ts'
import { spoiltSheets } from './sheets.ts'

/** M6, M9, M10: equal tags mean equal bodies, a body is of one moment, and everybody charges the same at the same instant. */
export async function menu(trial: Trial): Promise<void> {
  for (const engine of ENGINES) {
    await trial.promise(`equal ETags of menus mean equal bodies, whatever is written, ${engine}`, (reportFailure) =>
      randomSteps(trial, engine, reportFailure),
    )
    await trial.promise(`a menu is the state at its version while eight write, ${engine}`, (reportFailure) =>
      readersAndWriters(trial, engine, reportFailure),
    )
    await trial.promise(`a spreadsheet is imported whole or not at all, ${engine}`, (reportFailure) =>
      spoiltSheets(trial, engine, reportFailure),
    )
    await trial.promise(`a spreadsheet is whole or not there when the process is killed, ${engine}`, (reportFailure) =>
      killedImport(trial, engine, reportFailure),
    )
  }
  await trial.promise('SDK, till and server charge the same in every zone at every instant', (reportFailure) =>
    samePrices(trial, reportFailure),
  )
  await trial.promise('what priceAt says is what an order costs', (reportFailure) => sameOrders(trial, reportFailure))
}

const VENUES = [1, 2]
const SALE_TYPES = [1, 2]
const hashOf = (body: string | Buffer) => createHash('sha256').update(body).digest('base64url')

/** Every route that writes, imports of random rows, and the clock, in any order; after each step every menu is made again. */
async function randomSteps(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const random = trial.random(`menu ${engine}`)
  const installation = await install(trial, engine)
  const { keys, credentials, brand_id } = installation
  const service = await openService(trial, installation)
  const { db } = service.deps
  await putRows(db, brand_id, [...exampleMenu('first'), ...menuRows()])
  const writes = await writesOf(service, { db, keys, credentials })
  const known = new Map<string, string>()
  const latest = new Map<string, string>()
  const done = { routes: 0, refused: 0, imports: 0, clocks: 0, versions: 0 }
  const look = async (step: string) => {
    for (const venue_id of VENUES)
      for (const sale_type_id of SALE_TYPES) {
        const key: MenuKey = { brand_id, venue_id, sale_type_id, lang: undefined }
        // A cache of its own: the body is made of the rows as they are now.
        const made = await menuCache(db, 1)
          .find(key, '')
          .catch(() => undefined) // the sale type is not active here now
        if (!made) continue
        const hash = hashOf(made.bytes)
        const before = known.get(made.etag)
        if (before !== undefined && before !== hash) reportFailure(`${step}: ${made.etag} has two bodies`)
        known.set(made.etag, hash)
        const place = `${venue_id} ${sale_type_id}`
        if (latest.get(place) !== made.etag) done.versions++
        latest.set(place, made.etag)
      }
  }
  await look('the first rows')
  for (let turn = 1; turn <= trial.sizes.menuSteps; turn++) {
    const chance = random.between(1, 10)
    if (chance <= 4) {
      const { name, prepare, expected } = random.pick(writes)
      // What other steps did can be in the way, a sale type that is not active any more, for example.
      const status = await prepare(turn)
        .then(untilFree)
        .then((reply) => reply.status)
        .catch(() => undefined)
      done.routes++
      if (status === undefined || !expected(status)) done.refused++
      await look(name)
    } else if (chance <= 9) {
      const rows = randomRows(random)
      await putRows(db, brand_id, rows).catch(() => done.refused++)
      done.imports++
      await look(JSON.stringify(rows))
    } else {
      const now = instantOf(Date.now() + random.between(0, 100) * 60_000)
      await endStops(db, now).catch(() => done.refused++) // a store that is too busy; they end the next time
      done.clocks++
      await look('the clock')
    }
  }
  await servedAsMade(service, { credentials, brand_id }, reportFailure)
  const { routes, refused, imports, clocks, versions } = done
  return `${routes} writes by ${writes.length} routes, ${imports} imports, ${clocks} times the clock: ${versions} new menus, ${known.size} tags; ${refused} refused`
}

/** What the service answers from its own cache is what the rows make now. */
async function servedAsMade(
  { call, token, deps }: Service,
  { credentials, brand_id }: { credentials: Parameters<Service['token']>[0]; brand_id: number },
  reportFailure: ReportFailure,
): Promise<void> {
  const headers = { 'x-token': await token(credentials) }
  for (const sale_type_id of SALE_TYPES) {
    const {
      status,
      text,
      headers: answered,
    } = await call({
      method: 'GET',
      path: `/menu?sale_type_id=${sale_type_id}`,
      headers,
    })
    if (status !== 200) continue
    const { venue } = JSON.parse(text).data
    const made = await menuCache(deps.db, 1).find({ brand_id, venue_id: venue.id, sale_type_id, lang: undefined }, '')
    if (answered.etag === made.etag && text !== made.bytes.toString())
      reportFailure(`${made.etag} is served differently`)
  }
}

async function writesOf(
  service: Service,
  { db, keys, credentials }: Pick<Awaited<ReturnType<typeof install>>, 'db' | 'keys' | 'credentials'>,
) {
  const annex = await addTenant(db, keys, 'annex', 'annex-hub', [...staff(), ...exampleMenu('annex')])
  await addIntegrator(db, 'trust', { name: 'Spare', id: 'spare', test: false })
  const { client_id } = await createCredential(db, keys, 'trust', { brand: 'bistro', username: 'owner' })
  const office = await openOffice(service, 'bistro', 'a long and quiet afternoon')
  const other = { slug: 'annex', integrator_id: 'spare', client_id: annex.credentials.client_id }
  const all = [...(await apiRequests(service, credentials)), ...officeRequests(office, { db, client_id, other })]
  // Without those after which nobody may do anything any more.
  return all.filter(({ name }) => !/^GET |session|password|invitation|credentials|rotation|quotas/.test(name))
}

const PAIRS = 40

/** Writers change two products to one price in a transaction; a reader that sees two prices, or two bodies of one version, has no moment. */
async function readersAndWriters(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const installation = await install(trial, engine, menuRows())
  const { deps } = await openService(trial, installation)
  const { db } = deps
  const { brand_id } = installation
  const key: MenuKey = { brand_id, venue_id: 1, sale_type_id: 1, lang: undefined }
  const product = (id: number, price: number) => ({
    kind: 'product',
    id,
    name: `P${id}`,
    type: 'DISH',
    status: 1,
    price,
  })
  const pair = (index: number, price: number) => [product(1_000 + index, price), product(2_000 + index, price)]
  for (let index = 0; index < PAIRS; index++) await putRows(db, brand_id, pair(index, 1))

  let [reads, written, isOver] = [0, 0, false]
  const bodies = new Map<string, string>()
  const apart = new Map<string, Set<string>>()
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const random = trial.random(`writer ${writer} ${engine}`)
    while (!isOver) {
      await putRows(db, brand_id, pair(random.between(0, PAIRS - 1), random.between(1, 10_000)))
      written++
      await nextTurn() // on the embedded engine a writer that never waits leaves no turn to readers
    }
  })
  const read = async () => {
    const rows = await readMenu(db, key)
    const text = await makeMenu(rows, undefined)
    const etag = etagOf(rows.mark, key)
    const before = bodies.get(etag)
    if (before !== undefined && before !== hashOf(text)) reportFailure(`${etag} has two bodies`)
    bodies.set(etag, hashOf(text))
    const { products } = JSON.parse(text)
    for (let index = 0; index < PAIRS; index++)
      if (products[1_000 + index].price !== products[2_000 + index].price)
        reportFailure(`${etag}: one price is from before, the other from after`)
  }
  const pauses = trial.random(`pauses ${engine}`)
  /** The same with the mark read by itself: the promise must notice. */
  const readApart = async () => {
    const etag = etagOf(await readMark(db, key), key)
    await sleep(pauses.between(0, 20))
    const { mark: _, ...rows } = await readMenu(db, key)
    const text = await makeMenu({ ...rows, mark: { position: 0, nonce: 0 } }, undefined)
    apart.set(etag, (apart.get(etag) ?? new Set()).add(hashOf(text)))
  }
  const isNoticed = () => [...apart.values()].some(({ size }) => size > 1)
  while (reads < trial.sizes.menuReads || !isNoticed()) {
    await Promise.all([read(), read(), read(), readApart(), readApart(), readApart()])
    reads += 3
    if (reads > trial.sizes.menuReads * 20) {
      reportFailure('marks that are read apart from rows were not noticed')
      break
    }
  }
  isOver = true
  await Promise.all(writers)
  return `${reads} reads beside ${written} writes of 8: ${bodies.size} versions; a mark read apart from its rows was noticed`
}

const ZONES = [
  ...['Europe/Paris', 'Europe/London', 'Europe/Lisbon', 'Europe/Istanbul', 'Europe/Kyiv', 'Asia/Baku', 'Asia/Tbilisi'],
  ...['Asia/Tashkent', 'Asia/Almaty', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Tokyo', 'Asia/Tehran', 'Asia/Gaza'],
  ...['Africa/Casablanca', 'Africa/Cairo', 'Africa/Lagos', 'America/New_York', 'America/St_Johns', 'America/Sao_Paulo'],
  ...['America/Havana', 'America/Santiago', 'America/Los_Angeles', 'America/Nuuk', 'Australia/Lord_Howe', 'UTC'],
  ...['Australia/Adelaide', 'Pacific/Auckland', 'Pacific/Chatham', 'Pacific/Apia'],
]

function randomWindow(random: Random): PriceWindow & { price: number } {
  const time = () => `${String(random.between(0, 23)).padStart(2, '0')}:${random.pick(['00', '15', '30', '59'])}`
  const day = () => `2026-${random.pick(['03', '10', '11'])}-${String(random.between(1, 30)).padStart(2, '0')}`
  const [from, to] = [time(), time()]
  const [starts_on, ends_on] = [day(), day()].sort()
  return {
    price: random.between(1, 9),
    ...(random.percent(60) && { days: WEEKDAYS.filter(() => random.percent(50)) }),
    ...(from !== to && random.percent(80) && { from, to }),
    ...(random.percent(20) && { starts_on: starts_on! }),
    ...(random.percent(20) && { ends_on: ends_on! }),
  }
}

/** Instants near the changes of clocks, and anywhere in a year. */
function randomInstant(random: Random): number {
  const change = random.pick(['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-25', '2026-11-01', '2026-09-27'])
  const near = Date.parse(change) + random.between(-30, 60) * 1_800_000
  return (
    (random.percent(70) ? near : Date.UTC(2026, 0, 1) + random.between(0, 365 * 24 * 60) * 60_000) +
    random.pick([0, -1, 999])
  )
}

async function samePrices(trial: Trial, reportFailure: ReportFailure): Promise<string> {
  const random = trial.random('prices')
  const { priceInstants } = trial.sizes
  let inWindows = 0
  for (let turn = 0; turn < priceInstants; turn++) {
    const price_windows = Array.from({ length: random.between(1, 4) }, () => randomWindow(random))
    const time_zone = random.pick(ZONES)
    const at = randomInstant(random)
    const item = { price: 10, price_windows }
    const [server, sdk] = [
      priceAt(item, wallClock(at, time_zone)),
      sdkPriceAt(item as unknown as Priced, at, time_zone),
    ]
    const plain = { id: 1, name: '', price: 10, own: 10, variants: [] }
    const [till] = pricedAt([plain as never], { time_zone, timed: { 1: item } }, at)
    if (server !== 10) inWindows++
    if (server !== sdk || server !== till!.price)
      reportFailure(
        `${new Date(at).toISOString()} in ${time_zone}, ${JSON.stringify(price_windows)}: ${server}, ${sdk}, ${till!.price}`,
      )
  }
  return `${priceInstants} instants in ${ZONES.length} zones, ${inWindows} of them within a window`
}

const ORDERED = 7

/** The menu as a website has it, and the orders that it sends for later today and this week. */
async function sameOrders(trial: Trial, reportFailure: ReportFailure): Promise<string> {
  const random = trial.random('orders')
  const installation = await install(trial, 'SQLite', menuRows())
  const { call, token, deps } = await openService(trial, installation)
  const headers = { 'x-token': await token(installation.credentials) }
  let priced = 0
  for (let turn = 0; turn < trial.sizes.pricedOrders; turn++) {
    await putRows(deps.db, installation.brand_id, [
      { kind: 'venue', id: 1, name: 'Main', is_main: true, time_zone: random.pick(ZONES) },
      { kind: 'product', id: ORDERED, name: 'Ordered', type: 'DISH', status: 1, price: 10 },
      ...[1, 2, 3].flatMap((id) => [
        {
          kind: 'price_list',
          id,
          name: `L${id}`,
          status: true,
          scopes: [{ sale_type_id: 1, priority: random.between(1, 2), windows: [windowOnly(randomWindow(random))] }],
        },
        { kind: 'price', id, list_id: id, product_id: ORDERED, price: id },
      ]),
    ])
    const { text } = await call({ method: 'GET', path: '/menu?sale_type_id=1', headers })
    const { products, venue } = JSON.parse(text).data
    const at = new Date(Date.now() + random.between(60, 6 * 24 * 60) * 60_000).toISOString()
    const body = JSON.stringify({
      sale_type_id: 1,
      scheduled_at: at,
      products: [{ product_id: ORDERED, count: 1 }],
    })
    const answer = await untilFree(() => call({ method: 'POST', path: '/orders?dry_run=1', headers, body }))
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text.slice(0, 200)}`)
    const [total, said] = [JSON.parse(answer.text).data.total, sdkPriceAt(products[ORDERED], at, venue.time_zone)]
    if (total !== said) reportFailure(`${at} in ${venue.time_zone}: the order costs ${total}, priceAt says ${said}`)
    if (said !== 10) priced++
  }
  return `${trial.sizes.pricedOrders} orders for some time in six days, ${priced} at the price of a list`
}

const windowOnly = ({ days, from, to }: PriceWindow) => ({
  ...(days && days.length > 0 && { days: [...days] }),
  ...(from !== undefined && { from, to }),
})
