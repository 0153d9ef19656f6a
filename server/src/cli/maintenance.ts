import type { Command } from 'commander'
import { loadConfig, shownConfig } from '../config.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { type Migration, migrate } from '../storage/migrate.ts'
import { openDatabase } from '../storage/open.ts'
import { type Context, printResult, table, withDatabase } from './context.ts'
import { progressBar } from './progress.ts'

export function maintenanceCommands(program: Command, context: Context): void {
  program
    .command('migrate')
    .description('bring the database up to date (serve does it too)')
    .action(async () => {
      const db = await openDatabase(loadConfig(), 'command', MERGE_RULES)
      try {
        const progress = ({ version, name }: Migration, rows: number) => {
          if (!context.json) context.err.write(`${version} ${name}: ${rows} rows\n`)
        }
        const applied = (await migrate(db, undefined, progress)).map(({ version, name }) => ({ version, name }))
        const lines = applied.map(({ version, name }) => `applied ${version} ${name}`)
        printResult(context, { applied }, [...lines, 'The database is up to date.'])
      } finally {
        await db.close()
      }
    })

  program
    .command('config')
    .description('print the settings in effect, secrets hidden')
    .action(() => {
      const config = shownConfig(loadConfig())
      printResult(
        context,
        config,
        table(
          ['setting', 'value'],
          Object.entries(config).map(([name, value]) => [name, value ?? '(not set)']),
        ),
      )
    })

  program
    .command('backup <file>')
    .description('copy the embedded database to a file while it is served')
    .action(async (file: string) => {
      const bar = progressBar(context, `backup ${file}`, 100)
      try {
        await withDatabase((db) => db.backup(file, (done, total) => bar.at((100 * done) / total)))
      } finally {
        bar.end()
      }
      printResult(
        context,
        { file },
        `The copy is in ${file}. The key ring is not in it: keep a copy of that too, elsewhere.`,
      )
    })
}
