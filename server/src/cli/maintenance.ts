import type { Command } from 'commander'
import { loadConfig, shownConfig } from '../config.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { isNew, type Migration, migrate } from '../storage/migrate.ts'
import { openDatabase, placeOf } from '../storage/open.ts'
import { type Context, printResult, table } from './context.ts'

export function maintenanceCommands(program: Command, context: Context): void {
  program
    .command('migrate')
    .description('bring the database up to date (serve does it too)')
    .action(async () => {
      const config = loadConfig()
      const db = await openDatabase(config, 'command', MERGE_RULES)
      try {
        const progress = ({ version, name }: Migration, rows: number) => {
          if (!context.json) context.err.write(`${version} ${name}: ${rows} rows\n`)
        }
        const migrations = await migrate(db, undefined, progress)
        const applied = migrations.map(({ version, name }) => ({ version, name }))
        const { engine } = db.dialect
        const lines = isNew(migrations)
          ? [`The ${engine} database ${placeOf(config)} was created by ${applied.length} migrations.`]
          : [...applied.map(({ version, name }) => `applied ${version} ${name}`), 'The database is up to date.']
        printResult(context, { applied }, lines)
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
}
