import { journal } from '../pos/acts/journal.ts'
import type { CommandContext } from '../resource/write/commands.ts'
import { REASONS } from './house.ts'

/**
 * Writes why something was taken back or given away, as the runner does for a command that somebody gives (T21). What else was
 * done in a month would be a row for nearly each command of it, of which nobody ever asks.
 */
export async function noteWhy(context: CommandContext): Promise<void> {
  const { notes, touched } = context.acts
  const told = notes.filter(({ kind }) => kind !== undefined)
  const receipts = new Set(told.map(({ receipt_id }) => receipt_id))
  notes.splice(0, notes.length, ...told)
  for (const id of touched.keys()) if (!receipts.has(id)) touched.delete(id)
  const reason = REASONS.findIndex(({ kinds }) => told.every(({ kind }) => kinds.includes(kind!)))
  const why = { reason_id: reason + 1 }
  await journal({ ...context, why }, { action: 'change' }, { receipt_id: undefined })
}
