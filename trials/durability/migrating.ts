import { loadConfig } from '../../server/src/config.ts'
import { MERGE_RULES } from '../../server/src/events/merge.ts'
import type { Database, Queries } from '../../server/src/storage/database.ts'
import { migrate } from '../../server/src/storage/migrate.ts'
import { openDatabase } from '../../server/src/storage/open.ts'

// A process that brings a schema up to date and dies by SIGKILL after a number of statements: `migrating.ts 12`; 0 lives to the end, and
// says how many there were.

const killAfter = Number(process.argv[2])
let statements = 0

const deadly = (tx: Queries): Queries => ({
  ...tx,
  async run(text, values) {
    const changed = await tx.run(text, values)
    if (++statements === killAfter) process.kill(process.pid, 'SIGKILL')
    return changed
  },
})

const db = await openDatabase(loadConfig(), 'command', MERGE_RULES)
const watched: Database = { ...db, migrate: (work) => db.migrate((tx) => work(deadly(tx))) }
await migrate(watched)
await db.close()
process.stdout.write(String(statements))
