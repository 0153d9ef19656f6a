import { addDemoAccounts } from '../back-office/people/accounts.ts'
import { passwordHash } from '../back-office/people/passwords.ts'
import { createCredential, setCredentialEnabled } from '../directory/credentials.ts'
import type { KeyRing } from '../directory/keys.ts'
import { addBrand, addIntegrator } from '../directory/registry.ts'
import { DEMO_SECRET } from '../directory/secrets.ts'
import { importer } from '../resource/files/import.ts'
import { CATALOGUE } from '../resources/venue-pointers.ts'
import type { Database, Queries, Transaction } from '../storage/database.ts'
import { loadDays } from './days-file.ts'
import { historyOptions, makeDay } from './history.ts'
import { ACTOR, openHouse, stopProducts } from './open-house.ts'
import { dayIndex } from './opening-hours.ts'
import { takeOrders } from './orders.ts'

/** Credentials for newcomers; the only secrets that are not random (D5.2). */
export const DEMO = {
  client_id: 'demo-client',
  client_secret: DEMO_SECRET,
  brand: 'demo',
  integrator_id: 'demo-integrator',
}

/** Accounts for the back office, on loopback only. */
export const DEMO_PEOPLE = { username: 'owner', operator: 'operator', password: 'demo' }

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
  const made = { id: demo.id, slug: brand }
  await openHouse(tx, demo.id, { now, scale })
  const today = dayIndex(now)
  const options = historyOptions(now, scale)
  const done = (days: number) => progress?.(days, today + 1)
  if (scale === undefined && (await loadDays(tx, demo.id, now, today))) done(today)
  else
    for (let index = 0; index < today; index++) {
      await makeDay(tx, made, index, options)
      done(index + 1)
    }
  await makeDay(tx, made, today, options)

  await stopProducts(tx, demo.id, now)
  await takeOrders(tx, made, { client: DEMO, now: now.toISOString() })

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
