import { type Database, type Queries, UniqueViolation } from '../storage/database.ts'
import { insertRow, updateRows, upsertRow } from '../storage/rows.ts'
import { readName } from '../values/values.ts'
import { lockDirectory, record } from './audit.ts'
import { lastEnd, liveSecrets, MAX_EARLIER } from './earlier-secrets.ts'
import { newEpochs } from './end-access.ts'
import type { KeyRing } from './keys.ts'
import { displayedSecret, newClientId, newIntegratorId, newSecret, type SecretAtRest, secretAtRest } from './secrets.ts'

// Changes to the directory, for the command line and the back office alike. Each is one transaction with its audit row.

/** A change that cannot be made; the message says why, to the person who asked for it. */
export class Rejected extends Error {}

// The lock comes first, so that what a change reads is still so when it writes.
const change = <Result>(db: Database, work: (tx: Queries) => Promise<Result>): Promise<Result> =>
  db.transaction(async (tx) => {
    await lockDirectory(tx)
    return work(tx)
  })

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const IDENTIFIER = /^[A-Za-z0-9_-]{1,64}$/
const MOST_PER_MINUTE = 1e9 // D7.5
const LONGEST_OVERLAP_S = 30 * 86_400

function checkedName(whose: string, text: string): string {
  const result = readName(text)
  if ('must' in result) throw new Rejected(`The name of ${whose} ${result.must}`)
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

/** A new brand has its default customer group and nothing else (D4.4). */
export async function addBrand(
  db: Database,
  actor: string,
  brand: { slug: string; name?: string | undefined; test: boolean },
): Promise<Brand> {
  if (!SLUG.test(brand.slug))
    throw new Rejected(
      `"${brand.slug}" cannot be a brand's slug: use lower-case letters, digits and dashes, at most 63`,
    )
  const name = checkedName('a brand', brand.name ?? brand.slug)
  const created_at = new Date().toISOString()
  try {
    return await change(db, async (tx) => {
      const [last] = await tx.rows<{ id: number | null }>('select max(id) as id from brands', [])
      const row = {
        id: (last?.id ?? 0) + 1,
        slug: brand.slug,
        name,
        test: Number(brand.test),
        created_at,
      }
      await insertRow(tx, 'brands', row)
      await insertRow(tx, 'customer_groups', defaultGroup(row.id, created_at))
      await record(tx, {
        actor,
        action: 'brand.add',
        subject: row.slug,
        brand_id: row.id,
        before: undefined,
        after: row,
      })
      return row
    })
  } catch (error) {
    if (error instanceof UniqueViolation && error.constraint === 'brands_slug')
      throw new Rejected(`There is already a brand "${brand.slug}"`)
    throw error
  }
}

const defaultGroup = (brand_id: number, now: string) => ({
  brand_id,
  id: 1,
  system_type: 'default',
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
  return change(db, async (tx) => {
    const before = await findBrand(tx, slug)
    const after = { ...before, test: Number(test) }
    await updateRows(tx, 'brands', { id: before.id }, { test: after.test })
    await record(tx, { actor, action: 'brand.set', subject: slug, brand_id: before.id, before, after })
    return after
  })
}

/** §8 tier 3, rule 4: requests a minute for one integrator and brand. */
export function setQuota(
  db: Database,
  actor: string,
  slug: string,
  integrator_id: string,
  per_minute: number,
): Promise<void> {
  if (!Number.isSafeInteger(per_minute) || per_minute < 0 || per_minute > MOST_PER_MINUTE)
    throw new Rejected(`A quota is a whole number from 0 to ${MOST_PER_MINUTE}`)
  return change(db, async (tx) => {
    const brand = await findBrand(tx, slug)
    await findIntegrator(tx, integrator_id)
    const [before] = await tx.rows(
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
  })
}

export async function addIntegrator(
  db: Database,
  actor: string,
  asked: { name: string; id?: string | undefined; test: boolean },
): Promise<Integrator> {
  const row = {
    id: asked.id ?? newIntegratorId(),
    name: checkedName('an integrator', asked.name),
    active: 1,
    test: Number(asked.test),
    created_at: new Date().toISOString(),
    epoch: 1,
  }
  if (!IDENTIFIER.test(row.id))
    throw new Rejected(`"${row.id}" cannot be an integrator's id: use letters, digits, _ and -, at most 64`)
  return change(db, async (tx) => {
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
  asked: { active?: boolean | undefined; test?: boolean | undefined },
): Promise<Integrator> {
  return change(db, async (tx) => {
    const before = await findIntegrator(tx, id)
    const active = Number(asked.active ?? before.active)
    const after = {
      ...before,
      active,
      test: Number(asked.test ?? before.test),
      epoch: before.epoch + (before.active > active ? 1 : 0),
    }
    await updateRows(tx, 'integrators', { id }, { active, test: after.test, epoch: after.epoch })
    await record(tx, { actor, action: 'integrator.set', subject: id, brand_id: null, before, after })
    return after
  })
}

/** A credential as it may be shown: nothing of its secret. */
export interface Credential {
  brand_id: number
  client_id: string
  name: string
  user_id: number
  venue_id: number
  enabled: number
  epoch: number
  /** When the last of the earlier secrets ends. */
  previous_until: string | null
  created_at: string
}

const SHOWN = 'brand_id, client_id, name, user_id, venue_id, enabled, epoch, created_at, earlier_secrets'

type StoredCredential = Omit<Credential, 'previous_until'> & { earlier_secrets: string | null }

const shown = ({ earlier_secrets, ...row }: StoredCredential): Credential => ({
  ...row,
  previous_until: lastEnd(liveSecrets(earlier_secrets, Date.now())),
})

export interface NewCredential {
  brand: string
  username: string
  venue_id?: number | undefined
  name?: string | undefined
  /** The demo's are the only ones that are not random (D5.2). */
  fixed?: { client_id: string; client_secret: string } | undefined
}

/** §5.1: credentials are bound to one staff user, whose permissions govern all calls made with them. */
export function createCredential(
  db: Database,
  ring: KeyRing,
  actor: string,
  asked: NewCredential,
): Promise<{ client_id: string; client_secret: string }> {
  return change(db, async (tx) => {
    const brand = await findBrand(tx, asked.brand)
    const user = await findUser(tx, brand, asked.username)
    const venue_id = await chosenVenue(tx, brand, user, asked.venue_id)
    const client_id = asked.fixed?.client_id ?? newClientId()
    const client_secret = asked.fixed?.client_secret ?? newSecret()
    const row = {
      brand_id: brand.id,
      client_id,
      name: checkedName('a credential', asked.name ?? `Open API for ${user.username}`),
      user_id: user.id,
      venue_id,
      enabled: 1,
      epoch: 1,
      created_at: new Date().toISOString(),
    }
    await insertRow(tx, 'credentials', { ...row, ...secretAtRest(ring, brand.id, client_id, client_secret) })
    await record(tx, {
      actor,
      action: 'credential.create',
      subject: client_id,
      brand_id: brand.id,
      before: undefined,
      after: row,
    })
    return { client_id, client_secret }
  })
}

async function findUser(db: Queries, brand: Brand, username: string) {
  const [user] = await db.rows<{ id: number; username: string; venue_ids: string | null }>(
    'select id, username, venue_ids from users where brand_id = ? and username = ?',
    [brand.id, username],
  )
  if (!user) throw new Rejected(`Brand "${brand.slug}" has no user "${username}"`)
  return user
}

// D5.4: the brand's main venue unless another is named; in either case one that the user may enter.
async function chosenVenue(
  db: Queries,
  brand: Brand,
  user: { username: string; venue_ids: string | null },
  asked: number | undefined,
) {
  const venues = await db.rows<{ id: number }>('select id from venues where brand_id = ? order by is_main desc, id', [
    brand.id,
  ])
  if (venues.length === 0) throw new Rejected(`Brand "${brand.slug}" has no venue yet: import one first`)
  const venue_id = asked ?? venues[0]!.id
  if (!venues.some(({ id }) => id === venue_id)) throw new Rejected(`Brand "${brand.slug}" has no venue ${venue_id}`)
  if (user.venue_ids !== null && !(JSON.parse(user.venue_ids) as number[]).includes(venue_id))
    throw new Rejected(
      `User "${user.username}" may not enter venue ${venue_id}${asked === undefined ? ': choose one with --venue' : ''}`,
    )
  return venue_id
}

export async function listCredentials(db: Queries, brand: Brand): Promise<Credential[]> {
  const text = `select ${SHOWN} from credentials where brand_id = ? order by client_id`
  return (await db.rows<StoredCredential>(text, [brand.id])).map(shown)
}

// The command line names a credential alone; the back office also says whose it must be.
async function findCredential(db: Queries, client_id: string, brand?: Pick<Brand, 'id'>): Promise<StoredCredential> {
  const named = `select ${SHOWN} from credentials where client_id = ?`
  const found = brand
    ? await db.rows<StoredCredential>(`${named} and brand_id = ?`, [client_id, brand.id])
    : await db.rows<StoredCredential>(named, [client_id])
  if (found.length === 0) throw new Rejected(`There is no credential "${client_id}"`)
  if (found.length > 1) throw new Rejected(`Several brands have a credential "${client_id}"`)
  return found[0]!
}

/** §3: the module's toggle. Tokens that were live when it was switched off stay dead. */
export function setCredentialEnabled(
  db: Database,
  actor: string,
  client_id: string,
  enabled: boolean,
  brand?: Pick<Brand, 'id'>,
): Promise<Credential> {
  return change(db, async (tx) => {
    const before = await findCredential(tx, client_id, brand)
    const epochs = enabled ? {} : newEpochs(before.epoch, before.earlier_secrets)
    const action = enabled ? 'credential.enable' : 'credential.disable'
    return replaceCredential(tx, actor, action, before, { ...before, ...epochs, enabled: Number(enabled) })
  })
}

/**
 * The operator's support task (§3): a new secret. With an overlap the old one and its tokens work until it ends, and those before
 * it until their own ends. Without one every earlier secret ends at once: that is for a secret that leaked.
 */
export function rotateCredential(
  db: Database,
  ring: KeyRing,
  actor: string,
  client_id: string,
  overlapS: number,
  brand?: Pick<Brand, 'id'>,
): Promise<{ client_id: string; client_secret: string }> {
  if (!Number.isSafeInteger(overlapS) || overlapS < 0 || overlapS > LONGEST_OVERLAP_S)
    throw new Rejected(`An overlap is a whole number of seconds from 0 to ${LONGEST_OVERLAP_S}`)
  return change(db, async (tx) => {
    const before = await findCredential(tx, client_id, brand)
    const client_secret = newSecret()
    const { secret_kid: kid, secret_hash: hash } = await restingSecret(tx, before)
    const until = new Date(Date.now() + overlapS * 1000).toISOString()
    const earlier = [{ epoch: before.epoch, kid, hash, until }, ...liveSecrets(before.earlier_secrets, Date.now())]
    if (overlapS > 0 && earlier.length > MAX_EARLIER) {
      const [ends] = earlier
        .slice(1)
        .map((secret) => secret.until)
        .sort()
      throw new Rejected(
        `Three secrets of "${client_id}" work already: rotate after ${ends}, when one has ended, or without an overlap, which ends them all`,
      )
    }
    const after = {
      ...before,
      epoch: before.epoch + 1,
      earlier_secrets: overlapS > 0 ? JSON.stringify(earlier) : null,
    }
    const secret = secretAtRest(ring, before.brand_id, client_id, client_secret)
    await replaceCredential(tx, actor, 'credential.rotate', before, after, secret)
    return { client_id, client_secret }
  })
}

/** §5.1: the secret again, to a person who may see it. That it was displayed is a row in the audit log. */
export function displayCredential(
  db: Database,
  ring: KeyRing,
  actor: string,
  client_id: string,
  brand: Pick<Brand, 'id'>,
): Promise<{ client_id: string; client_secret: string }> {
  return change(db, async (tx) => {
    const found = await findCredential(tx, client_id, brand)
    const client_secret = displayedSecret(ring, brand.id, client_id, await restingSecret(tx, found))
    if (client_secret === undefined)
      throw new Rejected('The key that guards this secret is no longer in the key ring: ask the operator to rotate it')
    const action = 'credential.display'
    await record(tx, { actor, action, subject: client_id, brand_id: brand.id, before: undefined, after: undefined })
    return { client_id, client_secret }
  })
}

async function restingSecret(db: Queries, { brand_id, client_id }: Pick<Credential, 'brand_id' | 'client_id'>) {
  const [row] = await db.rows<SecretAtRest>(
    'select secret_kid, secret_hash, secret_cipher from credentials where brand_id = ? and client_id = ?',
    [brand_id, client_id],
  )
  return row!
}

async function replaceCredential(
  tx: Queries,
  actor: string,
  action: string,
  before: StoredCredential,
  after: StoredCredential,
  secret = {},
): Promise<Credential> {
  const { brand_id, client_id, enabled, epoch, earlier_secrets } = after
  await updateRows(tx, 'credentials', { brand_id, client_id }, { enabled, epoch, earlier_secrets, ...secret })
  await record(tx, { actor, action, subject: client_id, brand_id, before: shown(before), after: shown(after) })
  return shown(after)
}
