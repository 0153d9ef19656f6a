import type { Queries } from '../storage/database.ts'
import { updateRows } from '../storage/rows.ts'
import { type EarlierSecret, liveSecrets } from './earlier-secrets.ts'

// Access that must not come back: what is ended here stays ended when its user, or its credential, is active again.

/** A new epoch for each of a credential's secrets, above any that a token was issued under. */
export function newEpochs(epoch: number, earlier: string | null): { epoch: number; earlier_secrets: string | null } {
  const live = liveSecrets(earlier, Date.now())
  const next = epoch + live.length + 1
  const renumbered = live.map((secret, index): EarlierSecret => ({ ...secret, epoch: next - 1 - index }))
  return { epoch: next, earlier_secrets: live.length > 0 ? JSON.stringify(renumbered) : null }
}

/** Ends the tokens of the credentials that are bound to a staff user, their sessions, links to them, and the links and PINs that they made. */
export async function endAccess(tx: Queries, brand_id: number, user_id: number): Promise<void> {
  const bound = await tx.rows<{ client_id: string; epoch: number; earlier_secrets: string | null }>(
    'select client_id, epoch, earlier_secrets from credentials where brand_id = ? and user_id = ?',
    [brand_id, user_id],
  )
  for (const { client_id, epoch, earlier_secrets } of bound)
    await updateRows(tx, 'credentials', { brand_id, client_id }, newEpochs(epoch, earlier_secrets))
  await endSignedIn(tx, brand_id, user_id)
  await endWaysForOthers(tx, brand_id, user_id)
}

/** Removes the account of a user number that now belongs to somebody else, who inherits no password, link or session. */
export async function endAccount(tx: Queries, brand_id: number, user_id: number): Promise<void> {
  await endSignedIn(tx, brand_id, user_id)
  await endWaysForOthers(tx, brand_id, user_id)
  await tx.run('delete from accounts where brand_id = ? and user_id = ?', [brand_id, user_id])
}

/** Removes the links and PINs that a user made for others: with one of them, they could come back. */
async function endWaysForOthers(tx: Queries, brand_id: number, user_id: number): Promise<void> {
  for (const made of ['invitations where made_by', 'pins where set_by'])
    await tx.run(`delete from ${made} = ? and account_id in (select id from accounts where brand_id = ?)`, [
      user_id,
      brand_id,
    ])
}

async function endSignedIn(tx: Queries, brand_id: number, user_id: number): Promise<void> {
  for (const table of ['invitations', 'sessions'])
    await tx.run(
      `delete from ${table} where account_id in (select id from accounts where brand_id = ? and user_id = ?)`,
      [brand_id, user_id],
    )
}
