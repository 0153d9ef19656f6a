import type { FastifyRequest } from 'fastify'
import { may, mayEnter } from '../../auth/permissions.ts'
import type { Directory } from '../../directory/directory.ts'
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
/** Rights for a receipt that a body may name, which nobody has read yet: their commands compare it. */
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

/** A rule between the venue and the permission: what was approved is allowed, on this receipt, to this session. */
export const withApproval = (deps: Deps) => (request: FastifyRequest) => {
  const token = request.headers['x-approval']
  return typeof token === 'string' && request.method !== 'GET' ? allow(deps, request, token) : undefined
}

interface Deps {
  readonly db: Database
  readonly directory: Directory
  readonly now: () => number
}

async function allow({ db, directory, now }: Deps, request: FastifyRequest, token: string): Promise<undefined> {
  const { call, params } = request
  const { session, device } = personOf(request)
  const [found] = await db.rows<{ id: string; permission: string; receipt_id: number | null; approved_by: number }>(
    `select id, permission, receipt_id, approved_by from approvals
     where id = ? and session = ? and brand_id = ? and expires_at > ?`,
    [tokenHash(token), session, call.caller.brand_id, new Date(now()).toISOString()],
  )
  const { id: named } = (params ?? {}) as { id?: number | string }
  if (!found) return undefined // the permission is asked for as without it
  const receipt_id = call.pattern.includes('/receipts/:id') ? Number(named) : null
  if (found.receipt_id !== receipt_id && !COMPARED.includes(found.permission)) return undefined
  const { caller } = call
  // It is of the venue where the PIN was typed, also where a body names another, and of somebody who has the right still.
  if (device?.venue_id !== caller.venue_id) return undefined
  const approver = (await directory.brand(caller.brand))?.users.get(found.approved_by)
  if (!approver?.active || !mayEnter(approver, device.venue_id) || !may(approver.permissions, found.permission))
    return undefined
  call.venues = new Set([device.venue_id])
  const permissions = new Set([...caller.user.permissions, found.permission])
  const { permission } = found
  const approval = { id: found.id, user_id: found.approved_by, permission, receipt_id: found.receipt_id }
  call.caller = { ...caller, user: { ...caller.user, permissions }, approval }
  return undefined
}

/** At a device a refused permission says that somebody else may approve it. */
export function approvableAt(request: FastifyRequest, error: unknown): unknown {
  const { status, body } = error as Partial<Refusal>
  const { required, ...details } = (body as { details?: { required?: string } } | undefined)?.details ?? {}
  if (status !== 403 || required === undefined || !isApprovable(required)) return error
  const { call } = request
  return personOf(request).device && !may(call.caller.user.permissions, required)
    ? forbidden(required, { ...details, approvable: true })
    : error
}
