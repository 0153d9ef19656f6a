import type { Command } from 'commander'
import { type AuditCheck, auditRows, verifyAudit } from '../auth/audit.ts'
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
    .description('check that no change was altered or taken out')
    .action(async () => {
      const result = await withKeys((db, ring) => verifyAudit(db, ring.audit))
      if (!result.intact && !context.json) throw new Usage(`The audit log is broken at row ${result.broken_at}`)
      answer(context, result, `The audit log is intact: ${result.rows} rows, ${keyed(result)}.`)
      if (!result.intact) process.exitCode = 1
    })
}

const keyed = ({ keyed_from }: AuditCheck) =>
  keyed_from === null ? 'none of them keyed with the key ring yet' : `keyed with the key ring from row ${keyed_from} on`

const json = (text: string | null) => (text === null ? null : JSON.parse(text))
