import { createHash, randomBytes } from 'node:crypto'
import { lockDirectory, record } from '../../directory/audit.ts'
import type { KeyRing } from '../../directory/keys.ts'
import { findBrand, Rejected } from '../../directory/registry.ts'
import { seal, unseal } from '../../directory/secrets.ts'
import { beyondOwnRights, noSuchRecord, signInRefused } from '../../http/errors.ts'
import { mayLetIn } from '../../resources/people/own-rights.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { insertRow, updateRows, upsertRow } from '../../storage/rows.ts'
import { fold } from '../../values/fold.ts'
import { newTotpSecret } from './totp.ts'

// Accounts for the back office. An account begins with an invitation, which is a link that works once.

const INVITATION_MS = 24 * 3_600_000
const OPERATOR = /^[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?$/

/** A staff user of a brand, or an operator; never both. */
export interface Account {
  id: number
  brand_id: number | null
  user_id: number | null
  slug: string | null
  username: string | null
  operator: string | null
  password: string | null
  totp_kid: string | null
  totp_cipher: string | null
  totp_step: number | null
  loopback_only: number
  language: string | null
}

const ACCOUNT = `
  select accounts.id, accounts.brand_id, accounts.user_id, brands.slug, users.username, operator, password,
         accounts.totp_kid, accounts.totp_cipher, totp_step, loopback_only, language
  from accounts
  left join brands on brands.id = accounts.brand_id
  left join users on users.brand_id = accounts.brand_id and users.id = accounts.user_id`

/** The account's name in the audit log. */
export const actorOf = ({ operator, slug, username }: Pick<Account, 'operator' | 'slug' | 'username'>) =>
  operator === null ? `user:${slug}/${username}` : `operator:${operator}`

export async function findAccount(db: Queries, id: number): Promise<Account | undefined> {
  return (await db.rows<Account>(`${ACCOUNT} where accounts.id = ?`, [id]))[0]
}

export async function findUserAccount(db: Queries, brand: string, username: string): Promise<Account | undefined> {
  const text = `${ACCOUNT} where brands.slug = ? and users.username_key = ?`
  return (await db.rows<Account>(text, [brand, fold(username)]))[0]
}

export async function findOperatorAccount(db: Queries, name: string): Promise<Account | undefined> {
  return (await db.rows<Account>(`${ACCOUNT} where operator = ?`, [name]))[0]
}

/** Stored hash of the secret of a link or a cookie: 256 random bits need nothing slower. */
export const tokenHash = (token: string) => createHash('sha256').update(token).digest('base64url')
export const newToken = () => randomBytes(32).toString('base64url')

// The directory's lock serializes changes, so that the next number is free.
async function insertAccount(
  tx: Queries,
  owner: { brand_id: number; user_id: number } | { operator: string },
): Promise<number> {
  const [last] = await tx.rows<{ id: number | null }>('select max(id) as id from accounts', [])
  const id = (last?.id ?? 0) + 1
  await insertRow(tx, 'accounts', { id, loopback_only: 0, ...owner })
  return id
}

/** Finds or creates the account of a staff user; also returns the username as stored. */
async function userAccount(tx: Queries, brand: string, named: string) {
  const { id: brand_id } = await findBrand(tx, brand)
  const [user] = await tx.rows<{ id: number; username: string }>(
    'select id, username from users where brand_id = ? and username_key = ?',
    [brand_id, fold(named)],
  )
  if (!user) throw new Rejected(`Brand "${brand}" has no user "${named}"`)
  const account = await findUserAccount(tx, brand, named)
  const id = account?.id ?? (await insertAccount(tx, { brand_id, user_id: user.id }))
  return { id, brand_id, username: user.username }
}

/** The account of a staff user, made on demand: a user with a PIN may have no password. The directory's lock is held where it is made. */
export async function staffAccount(
  tx: Queries,
  brand_id: number,
  user_id: number,
  { isMade = false } = {},
): Promise<number | undefined> {
  const [found] = await tx.rows<{ id: number }>('select id from accounts where brand_id = ? and user_id = ?', [
    brand_id,
    user_id,
  ])
  return found?.id ?? (isMade ? insertAccount(tx, { brand_id, user_id }) : undefined)
}

/** The account of a staff user who has just been made, with the password that they chose. The transaction holds the directory's lock. */
export async function addAccount(
  tx: Queries,
  owner: { brand_id: number; user_id: number },
  password: string,
): Promise<Account> {
  const id = await insertAccount(tx, owner)
  await updateRows(tx, 'accounts', { id }, { password })
  return (await findAccount(tx, id))!
}

/** Creates a link for a brand's user to choose a password with; it replaces an unused one. Returns its secret. */
export function inviteUser(db: Database, actor: string, brand: string, named: string, now: number): Promise<string> {
  return db.transaction(async (tx) => {
    await lockDirectory(tx)
    const { id, brand_id, username } = await userAccount(tx, brand, named)
    const { token, expires_at } = await invite(tx, id, now)
    await record(tx, {
      actor,
      action: 'user.invite',
      subject: username,
      brand_id,
      before: undefined,
      after: { expires_at },
    })
    return token
  })
}

/**
 * The same by one of the brand's own staff, for somebody who may do no more than they. The link is theirs: it works as long as they could
 * make it again.
 */
export function inviteColleague(
  db: Database,
  actor: string,
  { brand_id, maker_id, user_id }: { brand_id: number; maker_id: number; user_id: number },
  now: number,
): Promise<{ token: string; expires_at: string }> {
  return db.transaction(async (tx) => {
    await lockDirectory(tx)
    const [user] = await tx.rows<{ slug: string; username: string; active: number }>(
      `select brands.slug, username, active from users join brands on brands.id = users.brand_id
       where users.brand_id = ? and users.id = ?`,
      [brand_id, user_id],
    )
    if (!user) throw noSuchRecord()
    if (user_id === maker_id) throw new Rejected('Your own password is changed under Your account')
    if (user.active === 0) throw new Rejected(`${user.username} is switched off: switch them on first`)
    if (!(await mayLetIn(tx, brand_id, maker_id, user_id))) throw beyondOwnRights()
    const { id } = await userAccount(tx, user.slug, user.username)
    const { token, expires_at } = await invite(tx, id, now, NO_TOTP, maker_id)
    const entry = { actor, action: 'user.invite', subject: user.username, brand_id }
    await record(tx, { ...entry, before: undefined, after: { expires_at } })
    return { token, expires_at }
  })
}

/** The same for an operator, who chooses a password and adds the account to an authenticator app. */
export function inviteOperator(
  db: Database,
  ring: KeyRing,
  actor: string,
  name: string,
  { isNew }: { isNew: boolean },
  now: number,
): Promise<string> {
  if (!OPERATOR.test(name))
    throw new Rejected(`"${name}" cannot be an operator's name: use lower-case letters, digits and . _ -, at most 32`)
  return db.transaction(async (tx) => {
    await lockDirectory(tx)
    const account = await findOperatorAccount(tx, name)
    if (isNew && account) throw new Rejected(`There is already an operator "${name}"`)
    if (!isNew && !account) throw new Rejected(`There is no operator "${name}"`)
    const id = account?.id ?? (await insertAccount(tx, { operator: name }))
    const sealed = seal(ring, totpOwner(id), newTotpSecret())
    const { token, expires_at } = await invite(tx, id, now, { totp_kid: sealed.kid, totp_cipher: sealed.cipher })
    const action = isNew ? 'operator.add' : 'operator.invite'
    await record(tx, { actor, action, subject: name, brand_id: null, before: undefined, after: { name, expires_at } })
    return token
  })
}

const totpOwner = (account_id: number) => `totp:${account_id}`

/** The secret of an account's authenticator app; undefined when it has none. */
export const totpSecretOf = (
  ring: KeyRing,
  account_id: number,
  { totp_kid, totp_cipher }: Pick<Account, 'totp_kid' | 'totp_cipher'>,
) => (totp_kid && totp_cipher ? unseal(ring, totpOwner(account_id), { kid: totp_kid, cipher: totp_cipher }) : undefined)

type Totp = Pick<Account, 'totp_kid' | 'totp_cipher'>
const NO_TOTP: Totp = { totp_kid: null, totp_cipher: null }

async function invite(
  tx: Queries,
  account_id: number,
  now: number,
  totp: Totp = NO_TOTP,
  made_by: number | null = null,
): Promise<{ token: string; expires_at: string }> {
  const token = newToken()
  const expires_at = new Date(now + INVITATION_MS).toISOString()
  await upsertRow(tx, 'invitations', ['account_id'], {
    account_id,
    hash: tokenHash(token),
    ...totp,
    made_by,
    expires_at,
  })
  return { token, expires_at }
}

export type Invitation = Totp & { account_id: number; expires_at: string }

/** The invitation behind a link, unless it was used, replaced, is too old, or its maker could not make it any more. */
export async function findInvitation(db: Queries, token: string, now: number): Promise<Invitation | undefined> {
  const [found] = await db.rows<Invitation & { made_by: number | null; brand_id: number; user_id: number }>(
    `select account_id, invitations.totp_kid, invitations.totp_cipher, made_by, expires_at, brand_id, user_id
     from invitations join accounts on accounts.id = account_id where hash = ?`,
    [tokenHash(token)],
  )
  if (!found || found.expires_at <= new Date(now).toISOString()) return undefined
  const { made_by, brand_id, user_id, ...invitation } = found
  return made_by === null || (await mayLetIn(db, brand_id, made_by, user_id)) ? invitation : undefined
}

/** Accepts an invitation: the link stops working, and all sessions under the old password end. */
export function acceptInvitation(
  db: Database,
  token: string,
  { password, totp_step }: { password: string; totp_step: number | null },
  now: number,
): Promise<Account | undefined> {
  return db.transaction(async (tx) => {
    await lockDirectory(tx)
    const invitation = await findInvitation(tx, token, now)
    const account = invitation && (await findAccount(tx, invitation.account_id))
    if (!account) return undefined
    const { totp_kid, totp_cipher } = invitation
    return setPassword(tx, account, { password, totp_kid, totp_cipher, totp_step, loopback_only: 0 })
  })
}

/** Changes the password of a signed-in person, who has proved the one in `account`. Unused links and all sessions end. */
export function changePassword(db: Database, account: Account, password: string): Promise<Account> {
  return db.transaction(async (tx) => {
    await lockDirectory(tx)
    const { password: current } = (await findAccount(tx, account.id)) ?? {}
    if (current !== account.password) throw signInRefused() // changed while the old one was verified
    return setPassword(tx, account, { password })
  })
}

async function setPassword(
  tx: Queries,
  account: Account,
  values: { password: string } & Partial<Totp & Pick<Account, 'totp_step' | 'loopback_only'>>,
): Promise<Account> {
  await updateRows(tx, 'accounts', { id: account.id }, values) // first: it waits for a session that is being opened under the old one
  await tx.run('delete from invitations where account_id = ?', [account.id])
  await tx.run('delete from sessions where account_id = ?', [account.id])
  await record(tx, {
    actor: actorOf(account),
    action: account.operator === null ? 'user.password' : 'operator.password',
    subject: account.operator ?? account.username!,
    brand_id: account.brand_id,
    before: undefined,
    after: undefined,
  })
  return { ...account, ...values }
}

/** The language of the pages for one person; how they like to read is nobody else's business, so it is not audited. */
export const chooseLanguage = (db: Database, { id }: Account, language: string): Promise<unknown> =>
  db.transaction((tx) => updateRows(tx, 'accounts', { id }, { language }))

export async function listOperators(db: Queries): Promise<{ name: string; invited: boolean }[]> {
  const rows = await db.rows<{ operator: string; password: string | null }>(
    'select operator, password from accounts where operator is not null order by operator',
    [],
  )
  return rows.map(({ operator, password }) => ({ name: operator, invited: password === null }))
}

/** Removes an operator, who is signed out at once. */
export function removeOperator(db: Database, actor: string, name: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lockDirectory(tx)
    const account = await findOperatorAccount(tx, name)
    if (!account) throw new Rejected(`There is no operator "${name}"`)
    for (const table of ['invitations', 'sessions'])
      await tx.run(`delete from ${table} where account_id = ?`, [account.id])
    await tx.run('delete from accounts where id = ?', [account.id])
    await record(tx, {
      actor,
      action: 'operator.remove',
      subject: name,
      brand_id: null,
      before: { name },
      after: undefined,
    })
  })
}

/** The demo's two accounts, with a password that everybody knows: they sign in on loopback only. */
export async function addDemoAccounts(
  db: Database,
  actor: string,
  { brand, username, operator, password }: { brand: string; username: string; operator: string; password: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDirectory(tx)
    const { id, brand_id } = await userAccount(tx, brand, username)
    const operator_id = await insertAccount(tx, { operator })
    await tx.run('update accounts set password = ?, loopback_only = 1 where id in (?, ?)', [password, id, operator_id])
    await record(tx, {
      actor,
      action: 'user.password',
      subject: username,
      brand_id,
      before: undefined,
      after: undefined,
    })
    const after = { name: operator }
    await record(tx, { actor, action: 'operator.add', subject: operator, brand_id: null, before: undefined, after })
  })
}
