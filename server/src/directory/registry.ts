import { type Database, type Queries, type Transaction, UniqueViolation } from '../storage/database.ts'
import { EVERY_VENUE, newNonce } from '../storage/feed/append.ts'
import type { Source } from '../storage/feed/new-event.ts'
import { insertRow, updateRows, upsertRow } from '../storage/rows.ts'
import { readName } from '../values/values.ts'
import { lockDirectory, record } from './audit.ts'
import { newIntegratorId } from './secrets.ts'

// Changes to brands, quotas and integrators, for the command line and the back office alike. Each is one transaction with its audit row.

/** A change that cannot be made; the message says why, to the person who tried it. */
export class Rejected extends Error {}

// The lock comes first, so that what a change reads is still so when it writes.
export const changeDirectory = <Result>(
  db: Database,
  actor: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    await lockDirectory(tx)
    return work(tx)
  }, sourceOf(actor))

/** E4: people act in the back office; the command line is the system's. */
const sourceOf = (actor: string): Source => (/^(user|operator):/.test(actor) ? 'staff' : 'system')

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const IDENTIFIER = /^[A-Za-z0-9_-]{1,64}$/
const MAX_PER_MINUTE = 1e9 // D7.5

export function checkedName(whose: string, text: string): string {
  const result = readName(text)
  if ('explanation' in result) throw new Rejected(`The name of ${whose} ${result.explanation}`)
  return result.name
}

export interface Brand {
  id: number
  slug: string
  name: string
  test: number
  created_at: string
}

export interface Integrator {
  id: string
  name: string
  active: number
  test: number
  created_at: string
  /** Counts how often it was deactivated; tokens that were issued before stay dead. */
  epoch: number
}

const BRAND = 'id, slug, name, test, created_at'
const INTEGRATOR = 'id, name, active, test, created_at, epoch'

interface NewBrand {
  readonly slug: string
  readonly name?: string | undefined
  readonly test: boolean
}

export async function addBrand(db: Database, actor: string, brand: NewBrand): Promise<Brand> {
  const checked = checkedBrand(brand)
  try {
    return await changeDirectory(db, actor, (tx) => insertBrand(tx, actor, checked))
  } catch (error) {
    throw isSlugTaken(error) ? new Rejected(`There is already a brand "${brand.slug}"`) : error
  }
}

/** Refuses a slug or a name that a brand cannot have. */
export function checkedBrand({ slug, name, test }: NewBrand): Required<NewBrand> {
  if (!SLUG.test(slug))
    throw new Rejected(`"${slug}" cannot be a brand's slug: use lower-case letters, digits and dashes, at most 63`)
  return { slug, name: checkedName('a brand', name ?? slug), test }
}

export const isSlugTaken = (error: unknown) => error instanceof UniqueViolation && error.constraint === 'brands_slug'

/** A new brand has its default customer group and nothing else (D4.4). The transaction holds the directory's lock. */
export async function insertBrand(
  tx: Transaction,
  actor: string,
  { slug, name, test }: Required<NewBrand>,
): Promise<Brand> {
  const created_at = new Date().toISOString()
  const [last] = await tx.rows<{ id: number | null }>('select max(id) as id from brands', [])
  const row = { id: (last?.id ?? 0) + 1, slug, name: name!, test: Number(test), created_at }
  await insertRow(tx, 'brands', row)
  const start = { brand_id: row.id, nonce: newNonce() }
  await insertRow(tx, 'feeds', { brand_id: row.id, tail: 0, tail_at: created_at, tail_nonce: start.nonce })
  await insertRow(tx, 'menu_marks', { ...start, venue_id: EVERY_VENUE, position: 0 })
  const group = defaultGroup(row.id, created_at)
  await insertRow(tx, 'customer_groups', group)
  const { id, ...members } = JSON.parse(group.body) as { id: number }
  const data = { id, changed: Object.keys(members) }
  tx.publish({ brand_id: row.id, type: 'customer_group.created', subject: String(id), data })
  // The last id of a group, and the total of their list.
  for (const counter of ['customer_group_id', 'customer_groups'])
    await insertRow(tx, 'counters', { brand_id: row.id, name: counter, value: 1 })
  await record(tx, {
    actor,
    action: 'brand.add',
    subject: row.slug,
    brand_id: row.id,
    before: undefined,
    after: row,
  })
  return row
}

const defaultGroup = (brand_id: number, now: string) => ({
  brand_id,
  id: 1,
  name: 'Default',
  name_folded: 'default',
  system_type: 'default',
  created_at: now,
  updated_at: now,
  deleted_at: null,
  body: JSON.stringify({
    id: 1,
    name: 'Default',
    discount_type: null,
    discount_value: 0,
    system_type: 'default',
    total_amount: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  }),
})

export const listBrands = (db: Queries): Promise<Brand[]> => db.rows(`select ${BRAND} from brands order by slug`, [])

export async function findBrand(db: Queries, slug: string): Promise<Brand> {
  const [brand] = await db.rows<Brand>(`select ${BRAND} from brands where slug = ?`, [slug])
  if (!brand) throw new Rejected(`There is no brand "${slug}"`)
  return brand
}

export function setBrandMode(db: Database, actor: string, slug: string, test: boolean): Promise<Brand> {
  return changeDirectory(db, actor, async (tx) => {
    const before = await findBrand(tx, slug)
    const after = { ...before, test: Number(test) }
    await updateRows(tx, 'brands', { id: before.id }, { test: after.test })
    await record(tx, { actor, action: 'brand.set', subject: slug, brand_id: before.id, before, after })
    if (before.test !== after.test) publishBrand(tx, before, 'test')
    return after
  })
}

/** E1: tells readers of the feed what changed of a brand. */
export const publishBrand = (tx: Transaction, { id, slug }: Pick<Brand, 'id' | 'slug'>, member: string) =>
  tx.publish({ brand_id: id, type: 'brand.updated', subject: slug, data: { id: slug, changed: [member] } })

/** §8 tier 3, rule 4: requests a minute for one integrator and brand. */
export function setQuota(
  db: Database,
  actor: string,
  slug: string,
  integrator_id: string,
  per_minute: number,
): Promise<void> {
  if (!Number.isSafeInteger(per_minute) || per_minute < 0 || per_minute > MAX_PER_MINUTE)
    throw new Rejected(`A quota is a whole number from 0 to ${MAX_PER_MINUTE}`)
  return changeDirectory(db, actor, async (tx) => {
    const brand = await findBrand(tx, slug)
    await findIntegrator(tx, integrator_id)
    const [before] = await tx.rows<{ integrator_id: string; per_minute: number }>(
      'select integrator_id, per_minute from quotas where brand_id = ? and integrator_id = ?',
      [brand.id, integrator_id],
    )
    await upsertRow(tx, 'quotas', ['brand_id', 'integrator_id'], { brand_id: brand.id, integrator_id, per_minute })
    await record(tx, {
      actor,
      action: 'quota.set',
      subject: slug,
      brand_id: brand.id,
      before,
      after: { integrator_id, per_minute },
    })
    if (before?.per_minute !== per_minute) publishBrand(tx, brand, 'quotas')
  })
}

export async function addIntegrator(
  db: Database,
  actor: string,
  input: { name: string; id?: string | undefined; test: boolean },
): Promise<Integrator> {
  const row = {
    id: input.id ?? newIntegratorId(),
    name: checkedName('an integrator', input.name),
    active: 1,
    test: Number(input.test),
    created_at: new Date().toISOString(),
    epoch: 1,
  }
  if (!IDENTIFIER.test(row.id))
    throw new Rejected(`"${row.id}" cannot be an integrator's id: use letters, digits, _ and -, at most 64`)
  return changeDirectory(db, actor, async (tx) => {
    const taken = await tx.rows('select id from integrators where id = ?', [row.id])
    if (taken.length > 0) throw new Rejected(`There is already an integrator "${row.id}"`)
    await insertRow(tx, 'integrators', row)
    await record(tx, {
      actor,
      action: 'integrator.add',
      subject: row.id,
      brand_id: null,
      before: undefined,
      after: row,
    })
    return row
  })
}

export const listIntegrators = (db: Queries): Promise<Integrator[]> =>
  db.rows(`select ${INTEGRATOR} from integrators order by id`, [])

async function findIntegrator(db: Queries, id: string): Promise<Integrator> {
  const [integrator] = await db.rows<Integrator>(`select ${INTEGRATOR} from integrators where id = ?`, [id])
  if (!integrator) throw new Rejected(`There is no integrator "${id}"`)
  return integrator
}

export function setIntegrator(
  db: Database,
  actor: string,
  id: string,
  input: { active?: boolean | undefined; test?: boolean | undefined },
): Promise<Integrator> {
  return changeDirectory(db, actor, async (tx) => {
    const before = await findIntegrator(tx, id)
    const active = Number(input.active ?? before.active)
    const after = {
      ...before,
      active,
      test: Number(input.test ?? before.test),
      epoch: before.epoch + (before.active > active ? 1 : 0),
    }
    await updateRows(tx, 'integrators', { id }, { active, test: after.test, epoch: after.epoch })
    await record(tx, { actor, action: 'integrator.set', subject: id, brand_id: null, before, after })
    return after
  })
}
