import type { Command } from 'commander'
import { type AuditCheck, type AuditSeal, auditRows, listAudit, verifyAudit } from '../directory/audit.ts'
import type { Database } from '../storage/database.ts'
import { answer, type Context, table, Usage, withDatabase, withKeys } from './context.ts'

export function auditCommands(program: Command, context: Context): void {
  const audit = program.command('audit').description('who changed what in the directory')

  audit
    .command('list')
    .description('list every change, oldest first')
    .action(async () => {
      const rows = await withDatabase((db) => Array.fromAsync(auditRows(db)))
      const parsed = rows.map((row) => ({ ...row, before: json(row.before), after: json(row.after) }))
      answer(
        context,
        parsed,
        table(
          ['id', 'at', 'actor', 'action', 'subject'],
          rows.map(({ id, at, actor, action, subject }) => [id, at, actor, action, subject]),
        ),
      )
    })

  audit
    .command('verify')
    .description('check that no change was altered or taken out, and print the last row to note elsewhere')
    .option('--expect <id:hash>', 'a last row that you noted: rows cut off the end show by it only')
    .action(async ({ expect }: { expect?: string }) => {
      const { result, last } = await withKeys((db, ring) => verified(db, ring.audit, expect))
      if (!result.intact && !context.json) throw new Usage(`The audit log is broken at row ${result.broken_at}`)
      answer(context, { ...result, last }, [
        `The audit log is intact: ${result.rows} rows, ${keyed(result)}.`,
        ...(last === null ? [] : [`The last row is ${last}: keep it elsewhere, and check it later with --expect.`]),
      ])
      if (!result.intact) process.exitCode = 1
    })
}

/** The chain in itself, and whether it still holds a row that was its last one; and its last row now. */
async function verified(db: Database, seal: AuditSeal, expect: string | undefined) {
  const noted = expect === undefined ? undefined : notedRow(expect)
  const result = await verifyAudit(db, seal)
  const [newest] = await listAudit(db, { limit: 1 })
  const last = newest ? `${newest.id}:${newest.hash}` : null
  if (!noted || !result.intact) return { result, last }
  const [there] = await listAudit(db, { before: noted.id + 1, limit: 1 })
  const isThere = there?.id === noted.id && there.hash === noted.hash
  return { result: isThere ? result : { ...result, intact: false, broken_at: noted.id }, last }
}

function notedRow(text: string): { id: number; hash: string } {
  const [, id, hash] = /^(\d{1,15}):(\S+)$/.exec(text) ?? []
  if (hash === undefined)
    throw new Usage('--expect takes a row as `audit verify` printed it, for example 30:hmac:5f0c…')
  return { id: Number(id), hash }
}

const keyed = ({ keyed_from }: AuditCheck) =>
  keyed_from === null ? 'none of them keyed with the key ring yet' : `keyed with the key ring from row ${keyed_from} on`

const json = (text: string | null) => (text === null ? null : JSON.parse(text))
