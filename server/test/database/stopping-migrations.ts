import type { Database } from '../../src/storage/database.ts'

/** The same database, whose migrations are interrupted after so many statements. */
export function stoppingAfter(db: Database, allowed: number): Database {
  let left = allowed
  return {
    ...db,
    migrate: (work) =>
      db.migrate((tx) =>
        work({
          ...tx,
          run(text, values) {
            if (left-- === 0) throw new Error('stopped')
            return tx.run(text, values)
          },
        }),
      ),
  }
}
