import { once } from 'node:events'
import { join } from 'node:path'
import type { Command } from 'commander'
import { backups, msOf } from '../backup/backups.ts'
import type { LookAt } from '../backup/look-at.ts'
import { noteBackup } from '../backup/noted.ts'
import type { Restored } from '../backup/restore.ts'
import { loadConfig, SETTINGS } from '../config.ts'
import type { Database } from '../storage/database.ts'
import { actor, CommandError, type Context, printable, printResult, table, withDatabase } from './context.ts'
import { integer } from './options.ts'
import { progressBar } from './progress.ts'

interface BackupOptions {
  to?: string
  every?: string
  keep?: number
}

export function backupCommands(program: Command, context: Context): void {
  program
    .command('backup [file]')
    .description('copy the embedded database while it is served: to a new file, or into a folder with --to')
    .option('--to <folder>', 'a folder of copies, on another disk than the data')
    .option('--every <time>', 'with --to: again and again, such as 15m, 6h or 1d, until Ctrl-C')
    .option('--keep <count>', `with --to: how many stay (default: ${SETTINGS.COMPTOIR_BACKUP_KEEP.default})`, integer)
    .action(async (file: string | undefined, options: BackupOptions) => {
      const { to, every, keep } = options
      if ((file === undefined) === (to === undefined)) throw new CommandError('Name a file, or a folder with --to')
      if (to === undefined && (every !== undefined || keep !== undefined))
        throw new CommandError('--every and --keep go with --to')
      if (keep === 0) throw new CommandError('--keep takes a number from 1 on')
      if (every !== undefined && msOf(every) === undefined)
        throw new CommandError('--every takes minutes, hours or days up to a week, such as 15m, 6h or 1d')
      await withDatabase((db) =>
        to === undefined ? toFile(context, db, file!) : toFolder(context, db, { ...options, to }),
      )
    })

  program
    .command('restore <file>')
    .description('put a copy in place of the data of a stopped service; what was there is kept beside it')
    .action((file: string) => restoreFrom(context, file))
}

const KEY_RING = 'The key ring is not in it: keep a copy of that too, elsewhere.'

async function toFile(context: Context, db: Database, file: string): Promise<void> {
  const bar = progressBar(context, `backup ${file}`, 1)
  try {
    const { at } = await db.backup(file, (done, total) => bar.show(done / total))
    await db.transaction((tx) => noteBackup(tx, at))
  } finally {
    bar.end()
  }
  printResult(context, { file }, `The copy is in ${file}. ${KEY_RING}`)
}

async function toFolder(
  context: Context,
  db: Database,
  { to: folder, every, keep = SETTINGS.COMPTOIR_BACKUP_KEEP.default }: BackupOptions & { to: string },
): Promise<void> {
  const bar = progressBar(context, `backup ${folder}`, 1)
  const made = backups({
    db,
    now: Date.now,
    folder,
    keep,
    everyMs: every === undefined ? undefined : msOf(every),
    progress: (done, total) => bar.show(done / total),
    made({ name }) {
      bar.end()
      const file = join(folder, name)
      printResult(context, { file }, `The copy is in ${file}.`)
    },
    failed(error) {
      bar.end()
      context.err.write(`comptoir: ${printable((error as Error).message)}\n`) // the next one may do better
    },
  })
  if (every === undefined) {
    await made.make().finally(bar.end)
    return
  }
  const stopped = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)))
  const keepAlive = setInterval(() => {}, 60_000)
  made.start()
  await stopped
  clearInterval(keepAlive)
  await made.close()
}

async function restoreFrom(context: Context, file: string): Promise<void> {
  const { restore } = await import('../backup/restore.ts') // only this one needs the point of sale
  const bars = [progressBar(context, `copying ${file}`, 1), progressBar(context, 'checking the books', 1)] as const
  try {
    const restored = await restore(loadConfig(), file, {
      actor: actor(),
      copying: (done, total) => bars[0].show(done / total),
      checking: (done, total) => bars[1].show(done / total),
    })
    bars[1].end()
    printResult(context, restored, [...sentencesOf(restored)])
  } finally {
    bars[1].end()
  }
}

function* sentencesOf(restored: Restored): Generator<string> {
  const { file, made_at, kept, receipts, findings, audit_intact, webhooks_paused, papers_cancelled, look_at } = restored
  yield `${file} is in place${made_at === null ? '' : `: the data as they were at ${made_at}`}.`
  if (kept !== null) yield `What was there is in ${kept}: delete it when you need it no more.`
  if (findings.length === 0) yield `The books are sound: ${receipts} receipts.`
  else {
    yield `The books do not agree: ${findings.length} problems. \`comptoir audit books\` says more.`
    for (const { brand, subject, problem } of findings.slice(0, SHOWN)) yield `  ${brand}: ${subject}: ${problem}`
  }
  if (!audit_intact) yield 'The audit log is broken: see `comptoir audit verify`.'
  yield 'Everybody signs in again. Programs that follow a feed are told to read everything again.'
  if (webhooks_paused > 0)
    yield `${webhooks_paused} webhook endpoints are paused, until \`comptoir webhooks resume --all\`.`
  if (papers_cancelled > 0) yield `${papers_cancelled} papers that waited for a printer are cancelled.`
  yield 'Sales since the copy are gone: count the drawers.'
  if (kept === null) return
  if (look_at === null)
    yield 'What was there cannot be read. Look at users, credentials, integrators and operators: those that were switched off since are on again.'
  else if (look_at.length === 0) yield 'Nobody was switched off, changed or erased since.'
  else {
    yield 'Look at these, which were switched off, changed or erased since:'
    yield* table(['what', 'brand', 'name'], look_at.map(rowOf))
  }
}

const SHOWN = 20
const rowOf = ({ kind, brand, name }: LookAt) => [kind, brand || '-', name]
