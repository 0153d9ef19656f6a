import { createHash, randomBytes } from 'node:crypto'
import { lockDirectory, record } from '../directory/audit.ts'
import { type Brand, findBrand, Rejected } from '../directory/registry.ts'
import { setupLinkSpent } from '../http/errors.ts'
import type { Database, Queries, Transaction } from '../storage/database.ts'
import { insertRow } from '../storage/rows.ts'

// One-time links to setup: for the first brand of a service, or for one brand that has nothing yet. The database holds a hash.

const LINK_MS = 24 * 3_600_000
/** How long a link that is over still says why. */
const KEPT_MS = 30 * 24 * 3_600_000

/** What a link is: its secret, and until when it is good. */
export interface SetupLink {
  readonly token: string
  readonly expires_at: string
}

/** The stored hash of a link's secret: 256 random bits need nothing slower. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

interface Row {
  hash: string
  brand_id: number | null
  expires_at: string
  used_at: string | null
}

/** A link to the setup of the first brand; undefined where there is one. Several may be good at a time: whichever is used first, is. */
export function firstSetupLink(db: Database, now: number): Promise<SetupLink | undefined> {
  return db.transaction(async (tx) => {
    await lockDirectory(tx)
    return (await hasBrands(tx)) ? undefined : insertLink(tx, null, now)
  })
}

/** A link to the setup of one brand, which replaces one that was not used. Refused where it is set up. */
export function brandSetupLink(db: Database, actor: string, slug: string, now: number): Promise<SetupLink> {
  return db.transaction(async (tx) => {
    await lockDirectory(tx)
    const { id: brand_id } = await findBrand(tx, slug)
    if (await isSetUp(tx, brand_id)) throw new Rejected(`Brand "${slug}" is set up already`)
    await tx.run('delete from setup_links where brand_id = ? and used_at is null', [brand_id])
    const link = await insertLink(tx, brand_id, now)
    const after = { expires_at: link.expires_at }
    await record(tx, { actor, action: 'brand.setup_link', subject: slug, brand_id, before: undefined, after })
    return link
  })
}

async function insertLink(tx: Transaction, brand_id: number | null, now: number): Promise<SetupLink> {
  const token = randomBytes(32).toString('base64url')
  const [created_at, expires_at] = [now, now + LINK_MS].map((ms) => new Date(ms).toISOString()) as [string, string]
  await tx.run('delete from setup_links where expires_at < ?', [new Date(now - KEPT_MS).toISOString()])
  await insertRow(tx, 'setup_links', { hash: hashOf(token), brand_id, created_at, expires_at })
  return { token, expires_at }
}

/** The brand that a good link is for; undefined where it is for the first one. Throws where the link is not good, saying why. */
export async function linkedBrand(db: Queries, token: string, now: number): Promise<Brand | undefined> {
  const [row] = await db.rows<Row>('select hash, brand_id, expires_at, used_at from setup_links where hash = ?', [
    hashOf(token),
  ])
  if (!row) throw setupLinkSpent('unknown')
  if (row.used_at !== null) throw setupLinkSpent('used')
  if (row.brand_id === null ? await hasBrands(db) : await isSetUp(db, row.brand_id)) throw setupLinkSpent('used')
  if (row.expires_at <= new Date(now).toISOString()) throw setupLinkSpent('expired')
  if (row.brand_id === null) return undefined
  const slug = await db.text('select slug from brands where id = ?', [row.brand_id])
  return findBrand(db, slug!)
}

/** Uses a link up, under the directory's lock: of two at once, the second finds it used. */
export async function useLink(tx: Transaction, token: string, now: number): Promise<Brand | undefined> {
  const brand = await linkedBrand(tx, token, now)
  await tx.run('update setup_links set used_at = ? where hash = ?', [new Date(now).toISOString(), hashOf(token)])
  return brand
}

export const hasBrands = async (db: Queries) => (await db.rows('select 1 as found from brands limit 1', [])).length > 0

/**
 * Tables that setup fills. A brand that has a row in any was set up, or an import began it: setup would write over rows, and over rights.
 */
const FILLED = [
  ...['venues', 'roles', 'users', 'storages', 'stations', 'units', 'sale_types', 'taxes', 'categories', 'products'],
  ...['payment_methods', 'terminals', 'halls', 'tables'],
]

/** A condition on brands: there is something that setup would write over. `brand` is an expression of SQL. */
export const isFilled = (brand: string): string =>
  `(${FILLED.map((table) => `exists (select 1 from ${table} where ${table}.brand_id = ${brand})`).join(' or ')})`

const isSetUp = async (db: Queries, brand_id: number) =>
  (await db.rows(`select 1 as found from brands where id = ? and ${isFilled('brands.id')}`, [brand_id])).length > 0
