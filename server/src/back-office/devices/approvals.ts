import type { FastifyRequest } from 'fastify'
import { may, mayEnter } from '../../auth/permissions.ts'
import type { Directory } from '../../directory/directory.ts'
import type { LentApproval } from '../../http/call.ts'
import type { Refusal } from '../../http/errors.ts'
import { forbidden } from '../../http/errors.ts'
import type { Database } from '../../storage/database.ts'
import { insertRow } from '../../storage/rows.ts'
import { isApprovable } from '../../values/approvable.ts'
import { personOf } from '../guard.ts'
import { newToken, tokenHash } from '../people/accounts.ts'

// T19: somebody with the right allows one act of the person at the till, whose session goes on. The token is good for one act, one
// receipt, one session and a minute; the act's own transaction uses it up.

const TERM_MS = 60_000
/** The body may name another receipt for these rights; it is not read yet, so their commands compare it. */
const COMPARED = ['receipts:reprint', 'receipts:others']

interface Approval {
  readonly session: string
  readonly brand_id: number
  readonly permission: string
  readonly receipt_id: number | undefined
  readonly approved_by: number
}

/** Returns the token that the act sends along. */
export async function approve(db: Database, given: Approval, now: number): Promise<string> {
  const token = newToken()
  await db.transaction(async (tx) => {
    await tx.run('delete from approvals where expires_at < ?', [new Date(now - 3_600_000).toISOString()])
    await insertRow(tx, 'approvals', {
      ...given,
      receipt_id: given.receipt_id ?? null,
      id: tokenHash(token),
      expires_at: new Date(now + TERM_MS).toISOString(),
    })
  })
  return token
}

/** One act may need the right to do it, and the right to touch each of two receipts. */
const MAX_APPROVALS = 3

/** A rule between the venue and the permission: what was approved is allowed, on this receipt, to this session. */
export const withApprovals = (deps: Deps) => (request: FastifyRequest) => {
  const tokens = request.headers['x-approval']
  return typeof tokens === 'string' && request.method !== 'GET' ? allow(deps, request, tokens.split(',')) : undefined
}

interface Deps {
  readonly db: Database
  readonly directory: Directory
  readonly now: () => number
}

async function allow(deps: Deps, request: FastifyRequest, tokens: readonly string[]): Promise<undefined> {
  const { call } = request
  const { device } = personOf(request)
  const ids = new Set(tokens.slice(0, MAX_APPROVALS).map((token) => tokenHash(token.trim())))
  const approvals: LentApproval[] = []
  for (const id of ids) approvals.push(...(await lentBy(deps, request, id)))
  if (!device || approvals.length === 0) return undefined // the permission is asked for as without them
  const { caller } = call
  call.venues = new Set([device.venue_id])
  const permissions = new Set([...caller.user.permissions, ...approvals.map(({ permission }) => permission)])
  call.caller = { ...caller, user: { ...caller.user, permissions }, approvals }
  return undefined
}

/** The approval of this id, if it is good for this request. */
async function lentBy({ db, directory, now }: Deps, request: FastifyRequest, id: string): Promise<LentApproval[]> {
  const { call, params } = request
  const { caller } = call
  const { session, device } = personOf(request)
  const [found] = await db.rows<{ permission: string; receipt_id: number | null; approved_by: number }>(
    `select permission, receipt_id, approved_by from approvals
     where id = ? and session = ? and brand_id = ? and expires_at > ?`,
    [id, session, caller.brand_id, new Date(now()).toISOString()],
  )
  if (!found) return []
  const { permission, receipt_id, approved_by: user_id } = found
  const { id: named } = (params ?? {}) as { id?: number | string }
  const here = call.pattern.includes('/receipts/:id') ? Number(named) : null
  if (receipt_id !== here && !COMPARED.includes(permission)) return []
  // It is of the venue where the PIN was typed, also where a body names another, and of somebody who has the right still.
  if (device?.venue_id !== caller.venue_id) return []
  const approver = (await directory.brand(caller.brand))?.users.get(user_id)
  if (!approver?.active || !mayEnter(approver, device.venue_id) || !may(approver.permissions, permission)) return []
  return [{ id, user_id, permission, receipt_id }]
}

/** At a device a refused permission says that somebody else may approve it. */
export function approvableAt(request: FastifyRequest, error: unknown): unknown {
  const { status, body } = error as Partial<Refusal>
  const { required, ...details } =
    (body as { details?: { required?: string; receipt_id?: number } } | undefined)?.details ?? {}
  if (status !== 403 || required === undefined || !isApprovable(required)) return error
  const { user, approvals = [] } = request.call.caller
  // One that was lent and does not suffice is for another receipt.
  const isOfAnother = 'receipt_id' in details && approvals.some(({ permission }) => permission === required)
  const isWanted = isOfAnother || !may(user.permissions, required)
  return personOf(request).device && isWanted ? forbidden(required, { ...details, approvable: true }) : error
}
