import type { Database, Queries, Transaction } from '../storage/database.ts'
import { insertRow, updateRows } from '../storage/rows.ts'
import { record } from './audit.ts'
import { lastEnd, liveSecrets, MAX_EARLIER } from './earlier-secrets.ts'
import { newEpochs } from './end-access.ts'
import type { KeyRing } from './keys.ts'
import { type Brand, changeDirectory, checkedName, findBrand, Rejected } from './registry.ts'
import { displayedSecret, newClientId, newSecret, type SecretAtRest, secretAtRest } from './secrets.ts'

// Changes to credentials, for the command line and the back office alike. Each is one transaction with its audit row.

const MAX_OVERLAP_S = 30 * 86_400

/** A credential as it may be shown: nothing of its secret. */
interface Credential {
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
  /** Given for the demo, whose id and secret are published. All others are random (D5.2). */
  fixed?: { client_id: string; client_secret: string } | undefined
}

/** §5.1: credentials are bound to one staff user, whose permissions govern all calls made with them. */
export function createCredential(
  db: Database,
  ring: KeyRing,
  actor: string,
  input: NewCredential,
): Promise<{ client_id: string; client_secret: string }> {
  return changeDirectory(db, actor, async (tx) => {
    const brand = await findBrand(tx, input.brand)
    const user = await findUser(tx, brand, input.username)
    const venue_id = await chosenVenue(tx, brand, user, input.venue_id)
    const client_id = input.fixed?.client_id ?? newClientId()
    const client_secret = input.fixed?.client_secret ?? newSecret()
    const row = {
      brand_id: brand.id,
      client_id,
      name: checkedName('a credential', input.name ?? `Open API for ${user.username}`),
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
    publishCredential(tx, 'created', row)
    return { client_id, client_secret }
  })
}

/** Never with a secret, nor with anything that leads to one (E3). */
function publishCredential(
  tx: Transaction,
  happened: 'created' | 'enabled' | 'disabled' | 'rotated',
  { brand_id, client_id, name }: Pick<Credential, 'brand_id' | 'client_id' | 'name'>,
): void {
  const data = { id: client_id, client_id, name }
  tx.publish({ brand_id, type: `credential.${happened}`, subject: client_id, data })
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
  namedVenue: number | undefined,
) {
  const venues = await db.rows<{ id: number }>('select id from venues where brand_id = ? order by is_main desc, id', [
    brand.id,
  ])
  if (venues.length === 0) throw new Rejected(`Brand "${brand.slug}" has no venue yet: import one first`)
  const venue_id = namedVenue ?? venues[0]!.id
  if (!venues.some(({ id }) => id === venue_id)) throw new Rejected(`Brand "${brand.slug}" has no venue ${venue_id}`)
  if (user.venue_ids !== null && !(JSON.parse(user.venue_ids) as number[]).includes(venue_id))
    throw new Rejected(
      `User "${user.username}" has no access to venue ${venue_id}${namedVenue === undefined ? ': choose one with --venue' : ''}`,
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
  return changeDirectory(db, actor, async (tx) => {
    const before = await findCredential(tx, client_id, brand)
    const epochs = enabled ? {} : newEpochs(before.epoch, before.earlier_secrets)
    const action = enabled ? 'credential.enable' : 'credential.disable'
    if (before.enabled !== Number(enabled)) publishCredential(tx, enabled ? 'enabled' : 'disabled', before)
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
  if (!Number.isSafeInteger(overlapS) || overlapS < 0 || overlapS > MAX_OVERLAP_S)
    throw new Rejected(`An overlap is a whole number of seconds from 0 to ${MAX_OVERLAP_S}`)
  return changeDirectory(db, actor, async (tx) => {
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
        `Three secrets of "${client_id}" are valid: rotate after ${ends}, when one has ended, or without an overlap, which ends all of them`,
      )
    }
    const after = {
      ...before,
      epoch: before.epoch + 1,
      earlier_secrets: overlapS > 0 ? JSON.stringify(earlier) : null,
    }
    const secret = secretAtRest(ring, before.brand_id, client_id, client_secret)
    await replaceCredential(tx, actor, 'credential.rotate', before, after, secret)
    publishCredential(tx, 'rotated', before)
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
  return changeDirectory(db, actor, async (tx) => {
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
