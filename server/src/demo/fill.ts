import { addDemoAccounts } from '../back-office/people/accounts.ts'
import { passwordHash } from '../back-office/people/passwords.ts'
import { setBrandTerms } from '../directory/brand-terms.ts'
import { createCredential, setCredentialEnabled } from '../directory/credentials.ts'
import type { KeyRing } from '../directory/keys.ts'
import { addBrand, addIntegrator } from '../directory/registry.ts'
import { DEMO_SECRET } from '../directory/secrets.ts'
import { importer } from '../resource/files/import.ts'
import { CATALOGUE } from '../resources/venue-pointers.ts'
import type { Database, Queries, Transaction } from '../storage/database.ts'
import { loadDays } from './days-file.ts'
import { historyOptions, makeDay } from './history.ts'
import { ACTOR, openHouse, openToday } from './open-house.ts'
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

/**
 * Fills an empty database with the demo restaurant, all of it or nothing; returns false if there is data already. At a scale each day is
 * a transaction: what all of them publish would not fit into memory.
 */
export async function fillDemo(db: Database, keys: KeyRing, options: FillOptions): Promise<boolean> {
  if ((await db.texts('select slug from brands limit 1', [])).length > 0) return false
  const password = await passwordHash(DEMO_PEOPLE.password) // first: a transaction waits for nothing but its database
  if (options.scale === undefined) await db.transaction((tx) => fill(within(tx), keys, password, options))
  else await fill(db, keys, password, options)
  return true
}

/** Whether the database holds the demo, so that what is printed about it is true. */
export const hasDemo = async (db: Queries) =>
  (await db.texts('select client_id from credentials where client_id = ?', [DEMO.client_id])).length > 0

async function fill(
  db: Database,
  keys: KeyRing,
  password: string,
  { now, scale, progress }: FillOptions,
): Promise<void> {
  const { brand, client_secret, integrator_id } = DEMO
  await addIntegrator(db, ACTOR, { name: 'Demo integrator', id: integrator_id, test: true })

  const { id } = await addBrand(db, ACTOR, { slug: brand, name: 'Le Comptoir', test: true })
  await setBrandTerms(db, ACTOR, brand, { languages: ['fr', 'en'] })
  const today = dayIndex(now)
  const options = historyOptions(now, scale)
  await db.transaction((tx) => openHouse(tx, id, { now, scale }))
  const isLoaded = scale === undefined && (await db.transaction((tx) => loadDays(tx, id, now, today)))
  for (let index = isLoaded ? today : 0; index <= today; index++) {
    progress?.(index, today + 1)
    await db.transaction((tx) => makeDay(tx, { id, slug: brand }, index, options))
  }
  await db.transaction(async (tx) => {
    await openToday(tx, id, now)
    await takeOrders(tx, { id, slug: brand }, { client: DEMO, now: now.toISOString() })
  })

  // Two more ways to sign in that fail, so that a newcomer sees how (§5.4).
  const live = await addBrand(db, ACTOR, { slug: 'demo-live', name: 'Le Comptoir, in production', test: false })
  await db.transaction((tx) => employ(tx, live.id, now))

  const credential = (slug: string, client_id: string, name: string) =>
    createCredential(db, keys, ACTOR, { brand: slug, username: 'owner', name, fixed: { client_id, client_secret } })
  await credential(brand, DEMO.client_id, 'Demo')
  await credential(brand, 'demo-disabled', 'Switched off')
  await setCredentialEnabled(db, ACTOR, 'demo-disabled', false)
  await credential('demo-live', 'demo-live-client', 'Live')
  await addDemoAccounts(db, ACTOR, { ...DEMO_PEOPLE, brand, password })
}

/** A venue, its owner, and a tax added to prices; the demo's own tax is included in them. */
async function employ(tx: Transaction, brand_id: number, now: Date): Promise<void> {
  const staff = importer({ tx, brand_id, actor: ACTOR, now: now.toISOString() }, CATALOGUE)
  await staff.add({ kind: 'venue', id: 1, name: 'Le Comptoir', is_main: true }, 1)
  await staff.add({ kind: 'role', id: 1, name: 'Owner', permissions: ['*'] }, 2)
  await staff.add({ kind: 'user', id: 1, username: 'owner', name: 'Owner', role_id: 1 }, 3)
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
}

/** A transaction as a database, for the changes that would each open one. */
const within = (tx: Transaction) =>
  ({ ...tx, transaction: <Result>(work: (inner: Transaction) => Promise<Result>) => work(tx) }) as unknown as Database
