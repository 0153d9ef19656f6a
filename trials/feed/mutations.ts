import type { Database } from '../../server/src/storage/database.ts'
import type { Installation } from '../harness/installation.ts'
import { subjectOf, type Write } from './write.ts'

// E10, broken on purpose: each way to give positions must be noticed by those who read the feed.

export type PostgresMutation = 'no lock' | 'read before the lock' | 'a sequence'
/** The write lock of SQLite's file cannot be left out: without it SQLite itself refuses to write. */
export type SqliteMutation = 'read before the lock' | 'a sequence'

export const POSTGRES_MUTATIONS: readonly PostgresMutation[] = ['no lock', 'read before the lock', 'a sequence']
export const SQLITE_MUTATIONS: readonly SqliteMutation[] = ['read before the lock', 'a sequence']

/** What 'a sequence' takes positions from. */
export async function makeSequences({ db }: Installation, brands: readonly number[]): Promise<void> {
  for (const brand_id of brands) {
    const next = Number(await db.text('select max(position) + 1 from events where brand_id = ?', [brand_id]))
    await db.transaction((tx) => tx.run(`create sequence feed_${brand_id} start ${next}`, []))
  }
}

/** What is appended goes to the position that was chosen for it. */
const AS_CHOSEN = `
  create trigger feed_as_chosen after insert on events
  when exists (select 1 from feed_chosen where brand_id = new.brand_id and subject = new.subject)
  begin
    update events set position =
      (select position from feed_chosen where brand_id = new.brand_id and subject = new.subject)
    where brand_id = new.brand_id and position = new.position;
  end`

/** Breaks the feed from now on. Returns how to end that. */
export async function mutateSqlite({ db }: Installation): Promise<() => Promise<void>> {
  const define = (text: string) => db.transaction((tx) => tx.run(text, []))
  await define(AS_CHOSEN)
  return async () => void (await define('drop trigger feed_as_chosen'))
}

const NEXT: Record<SqliteMutation, string> = {
  'read before the lock': 'select max(position) + 1 as position from events where brand_id = ?',
  // What was given out is not given out again, whatever becomes of it: SQLite has no sequences.
  'a sequence': `select coalesce(max(position) + 1, 2) as position from feed_chosen where brand_id = ?`,
}

/** Where the writers keep the positions that they choose. */
export const CHOSEN_TABLE =
  'create table feed_chosen (brand_id bigint not null, subject text not null, position bigint not null)'

/** Positions are chosen, and committed, before the transaction begins that takes them. */
export const chooseBefore =
  (db: Database, mutation: SqliteMutation) =>
  async ({ name, brands, events }: Pick<Write, 'name' | 'brands' | 'events'>): Promise<void> => {
    for (const brand_id of brands)
      await db.transaction(async (tx) => {
        const [next] = await tx.rows<{ position: number }>(NEXT[mutation], [brand_id])
        for (let place = 1; place <= events; place++)
          await tx.run('insert into feed_chosen (brand_id, subject, position) values (?, ?, ?)', [
            brand_id,
            subjectOf(name, place, events),
            next!.position + place - 1,
          ])
      })
  }
