import { setTimeout as sleep } from 'node:timers/promises'
import { addBrand } from '../../server/src/directory/registry.ts'
import { inParallel } from '../harness/client.ts'
import { ENGINES, type Engine, type Installation, install, sqlOn } from '../harness/installation.ts'
import { type ProcessPool, startProcessPool } from '../harness/process-pool.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import {
  CHOSEN_TABLE,
  makeSequences,
  mutateSqlite,
  POSTGRES_MUTATIONS,
  type PostgresMutation,
  SQLITE_MUTATIONS,
  type SqliteMutation,
} from './mutations.ts'
import { follow, keyOf, type Readers, whenBack } from './reader.ts'
import type { Write } from './write.ts'
import type { WriteTask } from './writer.ts'

const WRITERS = 8
const BRANDS = 20
const CONTESTED_BRANDS = 4
const WRITES_A_TASK = 10
const KILL_AFTER_MS = { least: 50, most: 500 }
const MODULE = new URL('./writer.ts', import.meta.url)
const MUTATED = new URL('./mutated-append.ts', import.meta.url)

/** E10: each event of a brand appears once, in commit order, without a gap, even when writers or PostgreSQL are killed. */
export async function feed(trial: Trial): Promise<void> {
  const writers = await inParallel(WRITERS, () => newWriter(trial))
  for (const engine of ENGINES) {
    const { feedEvents, writerKills, feedServerKills } = trial.sizes
    let made: Promise<Installation> | undefined
    const installation = () => {
      made ??= installed(trial, engine) // within a promise, which tells why it cannot be had
      return made
    }
    await trial.promise(`positions have no gap and no other order, ${engine}`, async (reportFailure) => {
      const run = await startRun(trial, await installation(), writers, reportFailure)
      return run.end(() => run.readers.events() >= feedEvents)
    })
    await trial.promise(`positions have no gap when writers are killed, ${engine}`, async (reportFailure) => {
      const run = await startRun(trial, await installation(), writers, reportFailure)
      return killing(trial, run, writerKills, run.killWriter)
    })
    if (engine === 'PostgreSQL')
      await trial.promise(`positions have no gap when PostgreSQL is killed, ${engine}`, async (reportFailure) => {
        const { env } = await installation()
        const run = await startRun(trial, await installation(), writers, reportFailure)
        return killing(trial, run, feedServerKills, () => crashPostgres(env.DATABASE_URL!))
      })
    const notice = (mutation: string, mutated: () => Promise<Mutated>) =>
      trial.promise(`readers notice a feed with ${mutation}, ${engine}`, async (reportFailure) =>
        noticed(trial, await installation(), await mutated(), reportFailure),
      )
    if (engine === 'SQLite')
      for (const mutation of SQLITE_MUTATIONS)
        await notice(mutation, async () => onSqlite(await installation(), writers, mutation))
    else
      for (const mutation of POSTGRES_MUTATIONS)
        await notice(mutation, async () => onPostgres(trial, await installation(), mutation))
  }
}

type Writer = ProcessPool<WriteTask, Write[]>
type Slots = Writer[]

const newWriter = (trial: Trial, execArgv?: string[]) =>
  startProcessPool<WriteTask, Write[]>(trial, MODULE, 1, execArgv)

/** A database with what the writers keep beside the feeds. */
async function installed(trial: Trial, engine: Engine): Promise<Installation> {
  const installation = await install(trial, engine)
  const table = 'create table feed_writes (brand_id bigint not null, name text not null, events bigint not null)'
  for (const text of [table, CHOSEN_TABLE]) await installation.db.transaction((tx) => tx.run(text, []))
  return installation
}

interface Run {
  readers: Readers
  /** Writes on until `isEnough`, then holds what was told against what is stored. */
  end(isEnough: () => boolean): Promise<string>
  killWriter(): void
}

let runs = 0

/** Eight processes begin to write to new brands, and a reader for each brand to follow. */
async function startRun(
  trial: Trial,
  { db, env }: Installation,
  writers: Slots,
  reportFailure: ReportFailure,
  brandCount = BRANDS,
  prepare: (brands: readonly number[]) => Promise<SqliteMutation | undefined> = async () => undefined,
): Promise<Run> {
  const run = `${trial.seed}r${++runs}`
  const random = trial.random(`feed ${run}`)
  const brands: number[] = []
  for (let brand = 0; brand < brandCount; brand++)
    brands.push((await addBrand(db, 'trust', { slug: `r${runs}-${brand}`, test: false })).id)
  const mutation = await prepare(brands)
  const readers = follow(db, brands, reportFailure)
  const writes: Write[] = []
  let over = false

  async function write(slot: number): Promise<void> {
    for (let task = 0; !over; task++) {
      const given = { env, name: `${run}w${slot}t${task}`, brands, writes: WRITES_A_TASK, mutation }
      try {
        const [done] = await writers[slot]!.run([given])
        writes.push(...done!)
        for (const { name, error } of done!) if (error) reportFailure(`${name}: ${error}`)
      } catch (error) {
        if (writers[slot]!.members[0]!.signalCode !== 'SIGKILL') throw error
        writers[slot] = await newWriter(trial) // nobody knows what became of the task
      }
    }
  }

  const writing = Promise.all(writers.map((_, slot) => write(slot)))
  return {
    readers,
    killWriter: () => void random.pick(writers).members[0]!.kill('SIGKILL'),
    async end(isEnough) {
      try {
        while (!isEnough()) await Promise.race([sleep(20), writing])
      } finally {
        over = true
      }
      await writing
      const seen = await readers.finish()
      const stored = await whenBack(() =>
        db.rows<{ brand_id: number; name: string; events: number }>(
          `select brand_id, name, events from feed_writes where name like ?`,
          [`${run}%`],
        ),
      )
      check(writes, stored, seen, reportFailure)
      const counts = Object.entries(Object.groupBy(writes, ({ outcome }) => outcome))
      const summary = counts.map(([outcome, events]) => `${events!.length} ${outcome}`).join(', ')
      return `${readers.events()} events on ${readers.pages()} pages of ${brandCount} brands, by ${WRITERS} processes: ${summary}`
    },
  }
}

/** Done means stored with its events, refused means nothing is, and never is there one without the other. */
function check(
  writes: readonly Write[],
  stored: readonly { brand_id: number; name: string; events: number }[],
  seen: ReadonlyMap<string, number>,
  reportFailure: ReportFailure,
): void {
  const rows = new Map(stored.map(({ brand_id, name, events }) => [keyOf(brand_id, name), events]))
  for (const { name, brands, outcome } of writes) {
    const there = brands.filter((brand_id) => rows.has(keyOf(brand_id, name))).length
    const wanted = { done: [brands.length], refused: [0], unknown: [0, brands.length] }[outcome]
    if (!wanted.includes(there)) reportFailure(`${name} is ${outcome}, and in ${there} of ${brands.length} brands`)
  }
  for (const [key, events] of rows)
    if (seen.get(key) !== events) reportFailure(`${key}: a row with ${seen.get(key) ?? 0} of ${events} events`)
  for (const key of seen.keys()) if (!key.endsWith(' ') && !rows.has(key)) reportFailure(`${key}: events without a row`)
}

async function killing(trial: Trial, run: Run, kills: number, kill: () => Promise<void> | void): Promise<string> {
  const random = trial.random(`feed kills ${runs}`)
  const strike = async () => {
    for (let done = 0; done < kills; done++) {
      const before = run.readers.events()
      const startedAt = performance.now()
      while (run.readers.events() === before && performance.now() - startedAt < 30_000) await sleep(10) // it writes
      await sleep(random.between(KILL_AFTER_MS.least, KILL_AFTER_MS.most))
      await kill()
    }
    const before = run.readers.events()
    while (run.readers.events() === before) await sleep(10) // it writes again
  }
  let isOver = false
  const striking = strike().finally(() => {
    isOver = true
  })
  const summary = await run.end(() => isOver)
  await striking
  return `${kills} kills, ${summary}`
}

/** A backend that dies by SIGKILL takes the whole server down. */
async function crashPostgres(url: string): Promise<void> {
  const [backend] = await whenBack(() =>
    sqlOn<{ pid: number }>(
      url,
      `select pid from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' limit 1`,
    ),
  )
  if (backend) process.kill(backend.pid, 'SIGKILL')
}

/** Writers that give positions in a wrong way. */
interface Mutated {
  writers: Slots
  prepare: (brands: readonly number[]) => Promise<SqliteMutation | undefined>
  end(): Promise<void> | void
}

async function onSqlite(installation: Installation, writers: Slots, mutation: SqliteMutation): Promise<Mutated> {
  return { writers, prepare: async () => mutation, end: await mutateSqlite(installation) }
}

async function onPostgres(trial: Trial, installation: Installation, mutation: PostgresMutation): Promise<Mutated> {
  const writers = await inParallel(WRITERS, () => newWriter(trial, ['--import', `${MUTATED}?mutation=${mutation}`]))
  return {
    writers,
    async prepare(brands) {
      if (mutation === 'a sequence') await makeSequences(installation, brands)
      return undefined
    },
    end: () => writers.forEach(({ members }) => void members[0]!.kill()),
  }
}

/** The trial itself is tried: where positions are given in a wrong way, it must say so. */
async function noticed(
  trial: Trial,
  installation: Installation,
  mutated: Mutated,
  reportFailure: ReportFailure,
): Promise<string> {
  const reports: string[] = []
  const startedAt = performance.now()
  const report: ReportFailure = (how) => void reports.push(how)
  const isOver = () => reports.length > 0 || performance.now() - startedAt > trial.sizes.mutationMs
  try {
    const run = await startRun(trial, installation, mutated.writers, report, CONTESTED_BRANDS, mutated.prepare)
    const summary = await run.end(isOver)
    if (reports.length === 0) reportFailure(`nobody noticed: ${summary}`)
  } finally {
    await mutated.end()
  }
  return `${reports.length} reports, the first: ${reports[0]}`
}
