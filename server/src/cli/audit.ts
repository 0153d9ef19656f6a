import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { auditRows, listAudit, verifyAudit } from '../directory/audit.ts'
import type { Audited } from '../pos/books/audit.ts'
import type { Database } from '../storage/database.ts'
import { CommandError, type Context, printResult, table, withDatabase, withKeys } from './context.ts'
import { progressBar } from './progress.ts'

export function auditCommands(program: Command, context: Context): void {
  const audit = program.command('audit').description('who changed what in the directory')

  audit
    .command('list')
    .description('list every change, oldest first')
    .action(async () => {
      const rows = await withDatabase((db) => Array.fromAsync(auditRows(db)))
      const parsed = rows.map((row) => ({ ...row, before: json(row.before), after: json(row.after) }))
      printResult(
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
    .description('check that no row was changed or deleted, and print the last row to keep elsewhere')
    .option(
      '--expect <id:hash>',
      'a row that an earlier `audit verify` printed; fails if it was changed or deleted. Rows deleted from the end of the log are detected only this way.',
    )
    .action(async ({ expect }: { expect?: string }) => {
      const { result, last } = await withKeys((db, ring) => verified(db, ring.audit, expect))
      if (!result.intact && !context.json) throw new CommandError(`The audit log is broken at row ${result.broken_at}`)
      printResult(context, { ...result, last }, [
        `The audit log is intact: ${result.rows} rows.`,
        ...(last === null ? [] : [`The last row is ${last}: keep it elsewhere, and check it later with --expect.`]),
      ])
      if (!result.intact) process.exitCode = 1
    })

  audit
    .command('books')
    .description('check that receipts, stock and money agree, and name what does not')
    .option('--brand <slug>', 'only this brand')
    .action(async ({ brand }: { brand?: string }) => {
      const audited = await withDatabase((db, config) => auditedBrands(db, config, brand, context))
      const broken = audited.flatMap(({ slug, findings }) => findings.map((finding) => ({ brand: slug, ...finding })))
      const receipts = audited.reduce((sum, each) => sum + each.receipts, 0)
      printResult(
        context,
        { sound: broken.length === 0, receipts, findings: broken },
        broken.length === 0
          ? [`The books are sound: ${receipts} receipts.`]
          : table(
              ['brand', 'invariant', 'subject', 'problem'],
              broken.map((finding) => [finding.brand, finding.invariant, finding.subject, finding.problem]),
            ),
      )
      if (broken.length > 0) process.exitCode = 1
    })
}

async function auditedBrands(db: Database, config: Config, slug: string | undefined, context: Context) {
  // Only this one needs the point of sale.
  const { keepAudit } = await import('../pos/books/running/last-audit.ts')
  const { auditInThreads } = await import('../pos/books/running/threads.ts')
  const brands = await db.rows<{ id: number; slug: string; receipts: number }>(
    `select id, slug, (select value from counters where brand_id = brands.id and name = 'receipts') as receipts
     from brands${slug === undefined ? '' : ' where slug = ?'} order by id`,
    slug === undefined ? [] : [slug],
  )
  if (slug !== undefined && brands.length === 0) throw new CommandError(`There is no brand ${slug}`)
  const audited: (Audited & { slug: string })[] = []
  const checked = () => audited.reduce((sum, { receipts }) => sum + receipts, 0)
  const bar = progressBar(
    context,
    'checking the books',
    brands.reduce((sum, { receipts }) => sum + receipts, 0),
  )
  try {
    for (const brand of brands) {
      const startedAt = new Date()
      const books = await auditInThreads(db, config, brand.id, (receipts) => bar.show(checked() + receipts))
      const times = { at: startedAt.toISOString(), ms: Date.now() - startedAt.getTime() }
      await db.transaction((tx) => keepAudit(tx, brand.id, books, times))
      audited.push({ slug: brand.slug, ...books })
    }
  } finally {
    bar.end()
  }
  return audited
}

/** Verifies the chain, checks that it still contains the expected row, and returns its last row. */
async function verified(db: Database, key: Buffer, expect: string | undefined) {
  const noted = expect === undefined ? undefined : notedRow(expect)
  const result = await verifyAudit(db, key)
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
    throw new CommandError('--expect takes a row as `audit verify` printed it, for example 30:5f0c…')
  return { id: Number(id), hash }
}

const json = (text: string | null) => (text === null ? null : JSON.parse(text))
