import type { LentApproval } from '../../http/call.ts'
import { approvalUsed, fieldProblem, noSuchRecord, reasonRequired, validationFailed } from '../../http/errors.ts'
import type { ActDeclared, ActNote } from '../../resource/write/acts.ts'
import type { CommandContext, Journal } from '../../resource/write/commands.ts'
import type { Reason } from '../../resources/service/reasons.ts'
import { type ReceiptAct, receiptActs } from '../../resources/service/receipt-acts.ts'
import { definedOnly } from '../../values/defined-only.ts'
import type { ReasonKind } from '../../values/states.ts'
import { fromScaled, laterOf } from '../../values/values.ts'

// T21: writes the acts of a command, in its transaction.

type Declared = Exclude<ActDeclared, 'none'>

export const journal: Journal = async (context, declared, { receipt_id }) => {
  const noted = notesOf(context, declared, receipt_id)
  const reason = await reasonOf(context, declared, noted)
  const [approval, ...further] = await useApprovals(context)
  const { caller, acts, ids, now } = context
  if (noted.length === 0) return
  const notes = [...noted, ...further.map(noteApproval)]
  const last = await lastAct(context, notes)
  const numbers = new Map<number, number>()
  const rows = notes.map(({ receipt_id: receipt, action = declared.action, amount, kind, ...note }): ReceiptAct => {
    const version = acts.touched.get(receipt ?? 0)
    const step = receipt === undefined ? 0 : (version ?? last.step + 1) // a receipt that is refunded keeps its version
    const number = (numbers.get(receipt ?? 0) ?? 0) + 1
    numbers.set(receipt ?? 0, number)
    return {
      id: version === undefined ? ids.uuid() : `${receipt}-${step}-${number}`,
      venue_id: caller.venue_id,
      ...definedOnly({ receipt_id: receipt }),
      step,
      at: laterOf(now, last.at),
      user_id: caller.user.id,
      ...definedOnly({ terminal_id: caller.terminal_id }),
      action,
      ...definedOnly({ approved_by: approval?.user_id }),
      ...note,
      ...(kind && { reason_kind: kind, ...reason }),
      ...(amount !== undefined && { amount: fromScaled(amount) }),
    }
  })
  const [first, ...others] = rows
  const approved = approval && { approval_id: approval.id } // of several acts the first names it
  await receiptActs.insert(context, [{ ...first!, ...approved }, ...others])
}

/** T19: the act uses its approvals up, in its own transaction: of two at once one comes too late. The act's own comes first. */
async function useApprovals({ tx, caller, now }: CommandContext): Promise<readonly LentApproval[]> {
  const isOthers = ({ permission }: LentApproval) => Number(permission === 'receipts:others')
  const approvals = [...(caller.approvals ?? [])].sort((one, other) => isOthers(one) - isOthers(other))
  const text = 'update approvals set used_at = ? where id = ? and used_at is null and expires_at > ?'
  for (const { id } of approvals) if ((await tx.run(text, [now, id, now])) === 0) throw approvalUsed()
  return approvals
}

/** A row for each further approval of an act that needed several: somebody else may have given it. */
const noteApproval = ({ id, user_id, permission, receipt_id }: LentApproval): Noted => ({
  ...(receipt_id !== null && { receipt_id }),
  action: 'approve',
  to: permission,
  approved_by: user_id,
  approval_id: id,
})

/** What a row says besides what the command noted. */
type Noted = ActNote & Pick<ReceiptAct, 'approved_by' | 'approval_id'>

/** One act for each note, and one for each receipt that was touched and of which nothing else is to be said. */
function notesOf(
  { acts }: CommandContext,
  { always, kinds = [] }: Declared,
  receipt_id: number | undefined,
): ActNote[] {
  const { notes, touched } = acts
  const noted = new Set(notes.map((note) => note.receipt_id))
  const refunded = new Set(notes.map(({ to }) => to))
  const plain = [...touched.keys()].filter((id) => !noted.has(id) && !refunded.has(String(id)))
  const all = [...notes, ...plain.map((id): ActNote => ({ receipt_id: id }))]
  if (all.length > 0 || !always) return all
  const [kind] = kinds
  return [definedOnly({ receipt_id, kind }) as ActNote]
}

/** The newest act on the receipt: a clock that was set back puts none before it. */
async function lastAct({ tx, brand_id }: CommandContext, notes: readonly ActNote[]) {
  const [receipt_id] = notes.flatMap((note) => note.receipt_id ?? [])
  if (receipt_id === undefined) return { step: 0, at: undefined }
  const [last] = await tx.rows<{ step: number; at: string }>(
    'select step, at from receipt_acts where brand_id = ? and receipt_id = ? order by step desc limit 1',
    [brand_id, receipt_id],
  )
  return last ?? { step: 0, at: undefined }
}

/** T20: the reason as the acts name it. People at a venue that wants one for what they did have to give it. */
async function reasonOf(context: CommandContext, declared: Declared, notes: readonly ActNote[]) {
  const { reason_id, reason_note } = context.why ?? {}
  const kinds = [...new Set(notes.flatMap(({ kind }) => kind ?? []))]
  if (reason_id === undefined) {
    if (!declared.decidedBefore) await refuseWithout(context, kinds)
    return definedOnly({ note: reason_note })
  }
  const { tx, brand_id } = context
  const body = await tx.text('select body from reasons where brand_id = ? and id = ?', [brand_id, reason_id])
  const reason = body === undefined ? undefined : (JSON.parse(body) as Reason)
  const wrong = (rule: string, must: string) => validationFailed([fieldProblem('reason_id', rule, must)])
  if (reason?.status !== 1) throw wrong('exists', `${reason_id} is no active reason`)
  const other = kinds.find((kind) => !reason.kinds.includes(kind))
  if (other) throw wrong('kind', `${reason_id} is no reason of the kind ${other}`)
  if (reason.needs_note === 1 && reason_note === undefined)
    throw validationFailed([fieldProblem('reason_note', 'required', 'must say more: the reason asks for it')])
  return definedOnly({ reason_id, note: reason_note })
}

async function refuseWithout({ tx, caller }: CommandContext, kinds: readonly ReasonKind[]): Promise<void> {
  if (kinds.length === 0 || caller.client_id !== '') return // integrators have none to choose from
  const settings = await tx.text('select settings from venues where brand_id = ? and id = ?', [
    caller.brand_id,
    caller.venue_id,
  ])
  if (settings === undefined) throw noSuchRecord()
  const { reason_for = [] } = JSON.parse(settings) as { reason_for?: ReasonKind[] }
  const kind = kinds.find((each) => reason_for.includes(each))
  if (kind) throw reasonRequired(kind)
}
