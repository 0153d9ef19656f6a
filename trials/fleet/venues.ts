import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { lineOf, whole } from '../../server/src/pos/books/books-fixture.ts'
import { putRows, type Row } from '../../server/test/database/store.ts'
import { type Answer, atRate, countStatus, tally } from '../harness/client.ts'
import { addTenant, type Client, client, type Installation, install } from '../harness/installation.ts'
import { serve } from '../harness/server.ts'
import { checked, type Trial } from '../harness/trial.ts'
import { paymentMethod } from '../venue/drawer.ts'

const VENUES_A_BRAND = 10
const INGREDIENTS = [50, 51, 52]
const CASH = 1
const PRICE = 5
const LOCKED_MS = 2_000
const P99_MS = 50
const NEIGHBOURS_A_SECOND = 10
const WAITS_MS = 500 // less would mean that nothing was locked
const NEIGHBOUR_TURNS = Math.ceil((NEIGHBOURS_A_SECOND * LOCKED_MS) / 1_000 / (VENUES_A_BRAND - 1)) + 1

/** One venue's stock row that is held for seconds delays the closes of that venue, and of no other. */
export async function venues(trial: Trial): Promise<void> {
  const { chainVenues, closesASecond, chainSeconds, slack } = trial.sizes
  await trial.promise(
    `a venue whose stock is locked for ${LOCKED_MS / 1000} s delays no other`,
    checked(`${closesASecond} closes a second over ${chainVenues} venues, ${chainSeconds} s`, async () => {
      const warmUpSeconds = chainSeconds / 4 // a process that has just started is slower, and is not what this is about
      const seconds = warmUpSeconds + chainSeconds + LOCKED_MS / 1000
      const chain = await openChain(trial, chainVenues, closesASecond * seconds)
      const closeOther = (index: number) => chain.close(1 + (index % (chainVenues - 1))) // not the one that is locked
      await chain.close(0) // which makes its stock
      await atRate(closesASecond, sleep(warmUpSeconds * 1_000), closeOther)
      const during = sleep(chainSeconds * 1_000)
      const [{ waited, neighbours }, others] = await Promise.all([
        chain.lockFirst(LOCKED_MS, (chainSeconds * 1_000 - LOCKED_MS) / 2),
        atRate(closesASecond, during, closeOther),
      ])
      const answers = [...others, ...neighbours]
      const [p99, p90] = [quantile(others, 0.99), quantile(neighbours, 0.9)] // of few, one may be late by chance
      const isQuick = p99 <= P99_MS * slack && p90 <= P99_MS * slack
      const ok = countStatus(answers, 200) === answers.length && isQuick && waited.ms >= WAITS_MS
      const summary = `the locked one was answered ${waited.status} after ${waited.ms.toFixed(0)} ms`
      const beside = `p90 ${p90.toFixed(1)} ms of ${neighbours.length} in its brand meanwhile`
      return { seen: `${tally(answers)}, p99 ${p99.toFixed(1)} ms, ${beside}; ${summary}`, ok }
    }),
  )
}

const quantile = (answers: readonly Answer[], share: number) =>
  answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(answers.length * share)]!

/** Brands of several venues each, with receipts that wait to be closed. */
async function openChain(trial: Trial, count: number, closes: number) {
  const installation = await install(trial, 'PostgreSQL')
  const { db, keys, env } = installation
  const brands: { brand_id: number; credentials: Installation['credentials'] }[] = []
  for (let first = 0; first < count; first += VENUES_A_BRAND) {
    const tenant = await addTenant(db, keys, `chain-${first}`, `hub-${first}`, brandRows())
    await putRows(db, tenant.brand_id, openReceipts(Math.ceil(closes / count) + 1 + NEIGHBOUR_TURNS))
    brands.push(tenant)
  }
  const { url } = await serve(trial, installation)
  const clients: Client[] = []
  for (const { credentials } of brands) clients.push(await client(trial, url, credentials))
  const next = new Map<number, number>()
  const close = (venue: number) => {
    const place = venue % VENUES_A_BRAND
    const turn = next.get(venue) ?? 0
    next.set(venue, turn + 1)
    return clients[Math.floor(venue / VENUES_A_BRAND)]!.ask(`/receipts/${receiptId(place, turn)}/close`, {
      method: 'POST',
      body: { payment_methods: [{ id: CASH, amount: PRICE }] },
      headers: { 'x-venue': String(place + 1) },
    })
  }
  return {
    close,
    /**
     * Holds the stock of the first venue. Answers what a close of it was told meanwhile, done when it was free or to try again, and
     * those of its brand's other venues.
     */
    async lockFirst(ms: number, afterMs: number): Promise<{ waited: Answer; neighbours: Answer[] }> {
      const holder = new pg.Client({ connectionString: env.DATABASE_URL })
      await holder.connect()
      await sleep(afterMs)
      await holder.query('begin')
      const stock = 'select id from stocks where brand_id = $1 and venue_id = 1 for update'
      const { rowCount } = await holder.query(stock, [brands[0]!.brand_id])
      if (rowCount === 0) throw new Error('the first venue has no stock')
      const held = sleep(ms).then(() => holder.query('rollback'))
      const [waited, neighbours] = await Promise.all([
        close(0),
        atRate(NEIGHBOURS_A_SECOND, held, (index) => close(1 + (index % (VENUES_A_BRAND - 1)))),
      ])
      await holder.end()
      return { waited, neighbours }
    },
  }
}

const receiptId = (place: number, turn: number) => turn * VENUES_A_BRAND + place + 1

const brandRows = (): Row[] => [
  ...Array.from({ length: VENUES_A_BRAND }, (_, place) => ({
    kind: 'venue',
    id: place + 1,
    name: `Venue ${place + 1}`,
    is_main: place === 0,
  })),
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'user', id: 1, username: 'owner', role_id: 1 },
  ...INGREDIENTS.map((id) => ({ kind: 'product', id, name: `Ingredient ${id}`, type: 'INGREDIENT' })),
  { kind: 'product', id: 1, name: 'Dish', type: 'DISH', price: PRICE },
  paymentMethod(CASH, 'CASH'),
]

const openReceipts = (turns: number): Row[] =>
  Array.from({ length: turns * VENUES_A_BRAND }, (_, index) => {
    const id = index + 1
    const { shown, copied } = lineOf(id, PRICE, 1)
    const recipe = INGREDIENTS.map((product_id) => ({ product_id, gross: 3_333 }))
    return whole(id, [{ shown, copied: { ...copied, recipe } }], {
      venue_id: (index % VENUES_A_BRAND) + 1,
      discount_type: 0,
      discount_value: 0,
      service_charge: 0,
    })
  })
