import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditBooks } from '../../server/src/pos/books/audit.ts'
import { type ActivityStore, openActivityStore } from '../../server/src/storage/activity-store.ts'
import type { Row } from '../../server/test/database/store.ts'
import { type Answer, inParallel, waitUntil } from '../harness/client.ts'
import { type Client, client, ENGINES, type Engine, install, retryWhileBusy } from '../harness/installation.ts'
import { type Staff, signedInOwner } from '../harness/office/staff.ts'
import { comptoir, type Server, serve } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { paymentMethod } from '../venue/drawer.ts'

const GUESTS = 8 // erased at once, before each kill
const [LATEST_MS, LATEST_SETTLING_MS] = [150, 300]
const WITHIN_MS = 60_000
const [DISH, PRICE, CARD] = [1, 5, 1]
const PLACES = ['customers', 'orders', 'receipts', 'receipt_lines'] as const

const HOUSE: Row[] = [
  { kind: 'venue', id: 1, name: 'Main', is_main: true, accept: 'client' },
  { kind: 'sale_type', id: 1, name: 'Takeaway', system_type: 'TAKEAWAY', channel: 'TAKEAWAY', status: {}, position: 1 },
  { kind: 'product', id: DISH, name: 'Dish', type: 'DISH', price: PRICE, status: 1 },
  paymentMethod(CARD, 'CARD'),
]

/** An erasure is one transaction, and what follows it comes within a minute; whatever is killed, nothing of the person is found then. */
export async function erasing(trial: Trial): Promise<void> {
  await inParallel(ENGINES.length, (index) => nothingLeft(trial, ENGINES[index]!), ENGINES.length)
}

function nothingLeft(trial: Trial, engine: Engine): Promise<void> {
  const promise = `who is erased is found nowhere, whatever is killed, ${engine}`
  return trial.promise(promise, async (reportFailure) => {
    const { erasureKills, settlingKills, slack } = trial.sizes
    const random = trial.random(promise)
    const house = await openHouse(trial, engine)
    const counted = { erased: 0, again: 0 }
    const guests: Guest[] = []
    const erase = async (those: readonly Guest[]) => {
      counted.erased += those.length
      return Promise.all(those.map(house.erase))
    }

    for (let kill = 0; kill < erasureKills; kill++) {
      const those = await house.welcome()
      guests.push(...those)
      const erasing = erase(those)
      await sleep(random.between(0, LATEST_MS))
      await house.replace()
      for (const [index, { status }] of (await erasing).entries()) {
        const guest = those[index]!
        const isErased = await wholeOrNot(house, guest, reportFailure)
        if (status === 200 && !isErased) reportFailure(`customer ${guest.id} was erased, and is not`)
        if (![0, 200, 503].includes(status)) reportFailure(`customer ${guest.id}: ${status}`)
        if (status === 200) continue
        counted.again++
        const answer = await retryWhileBusy(() => house.erase(guest))
        if (answer.status !== 200) reportFailure(`customer ${guest.id}, erased again: ${JSON.stringify(answer.body)}`)
      }
    }
    for (let kill = 0; kill < settlingKills; kill++) {
      const those = await house.welcome()
      guests.push(...those)
      await erase(those)
      await house.settles()
      await sleep(random.between(0, LATEST_SETTLING_MS))
      await house.replace()
    }
    const since = performance.now()
    await waitUntil('everything is settled', 2 * WITHIN_MS * slack, house.isSettled)
    const ms = performance.now() - since
    if (ms > WITHIN_MS * slack) reportFailure(`what follows was done ${(ms / 1000).toFixed(0)} s after a start`)
    await house.stop()
    await notFound(house, guests, reportFailure)
    return `${erasureKills} kills while ${GUESTS} were erased and ${settlingKills} in what follows, ${counted.erased} erased, ${counted.again} of them again, settled ${(ms / 1000).toFixed(0)} s after the last start`
  })
}

interface Guest {
  readonly id: string
  /** A word in everything that is known of them. */
  readonly canary: string
}

type House = Awaited<ReturnType<typeof openHouse>>

async function openHouse(trial: Trial, engine: Engine) {
  const installation = await install(trial, engine, HOUSE)
  const { db, env, config, brand_id, credentials } = installation
  const staff: Staff = await signedInOwner(trial, installation)
  let server: Server = await serve(trial, installation)
  const caller: Client = await client(trial, server.url, credentials)
  const said: Server['said'][] = [server.said]
  let guests = 0
  const due = () => db.texts('select due_at from erasures order by due_at', [])
  return {
    ...installation,
    said: () => said.map((each) => each()).join(''),
    activity: (): Promise<ActivityStore> => openActivityStore(config),
    /** Guests with an address, an order that was closed and one that was refused; a copy of SQLite still knows them. */
    async welcome(): Promise<Guest[]> {
      const those = await Promise.all(Array.from({ length: GUESTS }, () => newGuest(caller, staff, server, ++guests)))
      if (engine === 'SQLite') await comptoir(env, 'backup', copyOf(env.COMPTOIR_DATA!, guests))
      return those
    },
    erase: ({ id }: Guest): Promise<Answer> => staff(server.url, 'POST', `/customers/${id}/erase`, { body: {} }),
    async replace() {
      await server.stop('SIGKILL')
      server = await serve(trial, installation)
      said.push(server.said)
      caller.moveTo(server.url)
    },
    isSettled: async () => (await due()).length === 0,
    /** Waits until a worker has begun with what follows: it takes erasures by moving their time. */
    async settles() {
      const [before] = await due()
      await waitUntil('a worker begins', WITHIN_MS * trial.sizes.slack, async () => (await due())[0] !== before)
    },
    stop: () => server.stop(),
    brand_id,
  }
}

const copyOf = (data: string, guests: number) => join(dirname(data), `${guests}.backup`)

async function newGuest(caller: Client, staff: Staff, server: Server, number: number): Promise<Guest> {
  const canary = `canary${String(number).padStart(5, '0')}x`
  const post = async (path: string, body: object) => {
    const headers = { 'idempotency-key': `${path} ${number}`, 'x-venue': '1' }
    const answer = await retryWhileBusy(() => caller.ask(path, { method: 'POST', body, headers }))
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data as { id: string | number; receipt_id: number; total: number }
  }
  const phone = `+331${String(number).padStart(8, '0')}`
  const known = { name: `${canary} name`, phone, email: `${canary}@example.com`, code: canary }
  const { id } = await post('/customers', { ...known, description: `${canary} is allergic` })
  const order = (auto_order_accept: boolean) => ({
    sale_type_id: 1,
    integration_uuid: crypto.randomUUID(),
    products: [{ product_id: DISH, count: 1, note: `${canary} note` }],
    customer: { id: Number(id), name: `${canary} name`, phone, address: `${canary} street` },
    comment: `${canary} comment`,
    auto_order_accept,
  })
  const placed = await post('/orders', order(true))
  await post(`/receipts/${placed.receipt_id}/close`, { payment_methods: [{ id: CARD, amount: placed.total }] })
  const headers = { 'idempotency-key': `refused ${number}`, 'x-venue': '1' }
  const waiting = await retryWhileBusy(() => caller.ask('/orders', { method: 'POST', body: order(false), headers }))
  const { id: refused } = waiting.body.data as { id: number }
  await retryWhileBusy(() => staff(server.url, 'POST', `/orders/${refused}/refuse`, { body: { reason: 'closed' } }))
  return { id: String(id), canary }
}

/** Answers whether a customer is erased, and holds every place against it. */
async function wholeOrNot({ db, brand_id }: House, { id, canary }: Guest, reportFailure: ReportFailure) {
  const [row] = await db.rows<{ erased_at: string | null }>(
    'select erased_at from customers where brand_id = ? and id = ?',
    [brand_id, id],
  )
  const isErased = row!.erased_at !== null
  for (const place of PLACES) {
    const rows = await db.rows(`select * from ${place} where brand_id = ?`, [brand_id])
    const isThere = JSON.stringify(rows).includes(canary)
    if (isThere === isErased)
      reportFailure(`customer ${id} is ${isErased ? '' : 'not '}erased, and ${place} ${isThere ? 'has' : 'lacks'} them`)
  }
  return isErased
}

/** Looks for everybody in every table, log and file. */
async function notFound(house: House, guests: readonly Guest[], reportFailure: ReportFailure): Promise<void> {
  const { db, brand_id, env } = house
  const activity = await house.activity()
  const texts: [where: string, text: string][] = [['the log', house.said()]]
  for (const store of [db, activity])
    for (const { name } of await store.rows<{ name: string }>(store.dialect.tableNames, []))
      texts.push([`table ${name}`, JSON.stringify(await store.rows(`select * from ${name}`, []))])
  await activity.close()
  const { findings, receipts } = await auditBooks(db, brand_id)
  for (const { invariant, subject, problem } of findings) reportFailure(`${invariant} ${subject}: ${problem}`)
  if (receipts < guests.length) reportFailure(`${receipts} receipts are left of ${guests.length}`)
  const folder = dirname(env.COMPTOIR_DATA!)
  for (const name of globSync('**/*', { cwd: folder }))
    if (statSync(join(folder, name)).isFile()) texts.push([name, readFileSync(join(folder, name), 'latin1')])
  for (const [where, text] of texts) {
    const isOlder = where.endsWith('.backup')
    const found = guests.filter(({ canary }) => text.includes(canary))
    if (isOlder && found.length === 0) reportFailure(`${where} lacks those who were erased afterwards`)
    if (!isOlder && found.length > 0)
      reportFailure(`${where} has ${found.length} of ${guests.length}, the first ${found[0]!.canary}`)
  }
}
