import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { MERGE_RULES } from '../../server/src/events/merge.ts'
import { knownMigrations, migrate } from '../../server/src/storage/migrate.ts'
import { openDatabase } from '../../server/src/storage/open.ts'
import { ENGINES, type Engine, emptyInstallation } from '../harness/installation.ts'
import type { Env } from '../harness/server.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'

const MAX_MINUTES = 2
const MODULE = fileURLToPath(new URL('./migrating.ts', import.meta.url))

/** A migration that is killed after any statement, or run twice at once, ends in the same schema and loses no row. */
export async function migrations(trial: Trial): Promise<void> {
  for (const engine of ENGINES)
    await trial.promise(`a migration killed at any statement resumes, ${engine}`, (reportFailure) =>
      killEverywhere(trial, engine, reportFailure),
    )
}

async function killEverywhere(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const clean = await emptyInstallation(trial, engine)
  const { said } = await migrating(trial, clean.env, 0)
  const statements = Number(said)
  const schema = await schemaOf(clean, reportFailure)
  const all = Array.from({ length: statements }, (_, index) => index + 1)
  const random = trial.random(`migrations ${engine}`)
  const chosen =
    trial.sizes.migrationKills >= statements
      ? all
      : Array.from({ length: trial.sizes.migrationKills }, () => random.between(1, statements))

  for (const statement of chosen) {
    const installation = await emptyInstallation(trial, engine)
    const killed = await migrating(trial, installation.env, statement)
    if (killed.signal !== 'SIGKILL') reportFailure(`statement ${statement}: it was not killed`)
    // Two at once, as when several servers start together after a crash.
    const restart = () => migrating(trial, installation.env, 0)
    const restarts = await Promise.all([restart(), restart()])
    if (restarts.some(({ code }) => code !== 0))
      reportFailure(`statement ${statement}: ${restarts.map(({ said }) => said)}`)
    const resumed = await schemaOf(installation, reportFailure)
    if (resumed !== schema) reportFailure(`statement ${statement}: another schema than without a kill`)
  }
  await keepsRows(trial, engine, schema, reportFailure)
  return `${chosen.length} kills at ${new Set(chosen).size} of ${statements} statements, two runners after each`
}

/** Rows that are there before the later migrations are there after them, also when one is killed half-way. */
async function keepsRows(trial: Trial, engine: Engine, schema: string, reportFailure: ReportFailure): Promise<void> {
  const installation = await emptyInstallation(trial, engine)
  const db = await openDatabase(installation.config, 'command', MERGE_RULES)
  await migrate(db, (await knownMigrations()).slice(0, 1))
  const insert = `insert into brands (id, slug, name, test, created_at) values (?, ?, ?, 0, '2026-01-01T00:00:00.000Z')`
  for (let id = 1; id <= 100; id++) await db.transaction((tx) => tx.run(insert, [id, `brand-${id}`, `Brand ${id}`]))
  await db.close()
  await migrating(trial, installation.env, 5)
  const resumed = await openDatabase(installation.config, 'command', MERGE_RULES)
  await migrate(resumed)
  await resumed.close()
  if ((await schemaOf(installation, reportFailure, 100)) !== schema)
    reportFailure('another schema on a database with rows')
}

interface Ended {
  code: number | null
  signal: string | null
  said: string
}

function migrating(trial: Trial, env: Env, killAfter: number): Promise<Ended> {
  const child = spawn(process.execPath, [MODULE, String(killAfter)], { env: { PATH: process.env.PATH, ...env } })
  trial.after(() => child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`migrating.ts ${killAfter} was still running after ${MAX_MINUTES} min: ${said}`))
    }, MAX_MINUTES * 60_000)
    child.once('close', (code, signal) => {
      clearTimeout(late)
      resolve({ code, signal, said })
    })
  })
}

const SCHEMA = {
  SQLite: `select type || ' ' || name || ' ' || coalesce(sql, '') from sqlite_schema order by 1`,
  PostgreSQL: `
    select table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(collation_name, '')
      from information_schema.columns where table_schema = current_schema()
    union all select indexdef from pg_indexes where schemaname = current_schema()
    union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = current_schema()::regnamespace
    order by 1`,
}

/** Everything that the schema consists of, and each migration once. */
async function schemaOf(
  { config }: Awaited<ReturnType<typeof emptyInstallation>>,
  reportFailure: ReportFailure,
  brands = 0,
): Promise<string> {
  const db = await openDatabase(config, 'command', MERGE_RULES)
  try {
    const parts = await db.texts(SCHEMA[db.dialect.engine], [])
    const versions = await db.texts('select version from comptoir_migrations order by version', [])
    const known = (await knownMigrations()).map(({ version }) => version)
    if (versions.join() !== known.join()) reportFailure(`migrations ${versions.join()} of ${known.join()}`)
    const [held] = await db.rows<{ count: number }>('select count(*) as count from brands', [])
    if (held!.count !== brands) reportFailure(`${held!.count} of ${brands} rows were kept`)
    return parts.join('\n')
  } finally {
    await db.close()
  }
}
