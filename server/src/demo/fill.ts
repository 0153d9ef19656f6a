import { addDemoAccounts } from '../back-office/people/accounts.ts'
import { passwordHash } from '../back-office/people/passwords.ts'
import { createCredential, setCredentialEnabled } from '../directory/credentials.ts'
import type { KeyRing } from '../directory/keys.ts'
import { addBrand, addIntegrator } from '../directory/registry.ts'
import { DEMO_SECRET } from '../directory/secrets.ts'
import { importer } from '../resource/files/import.ts'
import { CATALOGUE } from '../resources/venue-pointers.ts'
import type { Database, Queries, Transaction } from '../storage/database.ts'
import { makeHistory } from './history.ts'
import { DAY, firstDay } from './opening-hours.ts'
import { takeOrders } from './orders.ts'
import { demoRows, receiptsAt } from './restaurant.ts'

/** Credentials for newcomers; the only secrets that are not random (D5.2). */
export const DEMO = {
  client_id: 'demo-client',
  client_secret: DEMO_SECRET,
  brand: 'demo',
  integrator_id: 'demo-integrator',
}

/** Accounts for the back office, on loopback only. */
export const DEMO_PEOPLE = { username: 'owner', operator: 'operator', password: 'demo' }

const ACTOR = 'demo'

/** How many times longer a receipt takes than a row of the house. */
const ROWS_PER_RECEIPT = 30

interface FillOptions {
  now: Date
  scale?: number | undefined
  progress?: (done: number, total: number) => void
}

/** Fills an empty database with the demo restaurant, all of it or nothing; returns false if there is data already. */
export async function fillDemo(db: Database, keys: KeyRing, options: FillOptions): Promise<boolean> {
  if ((await db.texts('select slug from brands limit 1', [])).length > 0) return false
  const password = await passwordHash(DEMO_PEOPLE.password) // first: a transaction waits for nothing but its database
  await db.transaction(async (tx) => {
    await fill(within(tx), tx, keys, options)
    await addDemoAccounts(within(tx), ACTOR, { ...DEMO_PEOPLE, brand: DEMO.brand, password })
  })
  return true
}

/** Whether the database holds the demo, so that what is printed about it is true. */
export const hasDemo = async (db: Queries) =>
  (await db.texts('select client_id from credentials where client_id = ?', [DEMO.client_id])).length > 0

async function fill(
  db: Database,
  tx: Transaction,
  keys: KeyRing,
  { now, scale, progress }: FillOptions,
): Promise<void> {
  const { brand, client_secret, integrator_id } = DEMO
  await addIntegrator(db, ACTOR, { name: 'Demo integrator', id: integrator_id, test: true })

  const demo = await addBrand(db, ACTOR, { slug: brand, name: 'Le Comptoir', test: true })
  const receipts = receiptsAt(scale)
  const house = demoRows({ today: now, scale })
  const total = house.length + receipts * ROWS_PER_RECEIPT
  // Dated before the first guest: what customers and suppliers brought with them is not younger than what they did here.
  const opened = new Date(firstDay(now) - 2 * DAY).toISOString()
  const rows = importer({ tx, brand_id: demo.id, actor: ACTOR, now: opened }, CATALOGUE)
  let done = 0
  const isOfToday = ({ kind }: { kind: string }) => kind === 'stop_list_entry' // it stops no sale of the days before
  for (const row of house.filter((each) => !isOfToday(each))) {
    const written = rows.add(row, ++done)
    if (!written) continue
    await written
    progress?.(done, total)
  }
  await rows.finish()
  await makeHistory(
    tx,
    { id: demo.id, slug: brand },
    {
      today: now,
      scale,
      receipts,
      progress(some) {
        done += some * ROWS_PER_RECEIPT
        progress?.(done, total)
      },
    },
  )

  const stops = importer({ tx, brand_id: demo.id, actor: ACTOR, now: now.toISOString() }, CATALOGUE)
  for (const [index, row] of house.filter(isOfToday).entries()) await stops.add(row, index + 1)
  await stops.finish()
  await takeOrders(tx, { id: demo.id, slug: brand }, { client: DEMO, now: now.toISOString() })

  // Two more ways to sign in that fail, so that a newcomer sees how (§5.4).
  const live = await addBrand(db, ACTOR, { slug: 'demo-live', name: 'Le Comptoir, in production', test: false })
  const staff = importer({ tx, brand_id: live.id, actor: ACTOR, now: now.toISOString() }, CATALOGUE)
  await staff.add({ kind: 'venue', id: 1, name: 'Le Comptoir', is_main: true }, 1)
  await staff.add({ kind: 'role', id: 1, name: 'Owner', permissions: ['*'] }, 2)
  await staff.add({ kind: 'user', id: 1, username: 'owner', name: 'Owner', role_id: 1 }, 3)
  // A tax that is added to the price, beside the demo's, which prices hold.
  await staff.add(
    {
      kind: 'tax',
      id: 1,
      name: 'Sales tax 8 %',
      rate: 8,
      included: false,
      sale_type_ids: [],
      is_default: 1,
      status: 1,
    },
    4,
  )
  await staff.finish()

  const credential = (slug: string, client_id: string, name: string) =>
    createCredential(db, keys, ACTOR, { brand: slug, username: 'owner', name, fixed: { client_id, client_secret } })
  await credential(brand, DEMO.client_id, 'Demo')
  await credential(brand, 'demo-disabled', 'Switched off')
  await setCredentialEnabled(db, ACTOR, 'demo-disabled', false)
  await credential('demo-live', 'demo-live-client', 'Live')
}

/** A transaction as a database, for the changes that would each open one. */
const within = (tx: Transaction) =>
  ({ ...tx, transaction: <Result>(work: (inner: Transaction) => Promise<Result>) => work(tx) }) as unknown as Database
