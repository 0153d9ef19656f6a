import type { BackOfficeDeps } from '../deps.ts'
import type { Health } from '../schema.ts'

/** Whether the stores answer, and how fast. */
export async function checkStores({ config, db, activity, windows }: BackOfficeDeps): Promise<Health['stores']> {
  const version = async () =>
    `schema ${(await db.rows<{ version: number }>('select max(version) as version from comptoir_migrations', []))[0]!.version}`
  const limits = config.REDIS_URL === undefined ? 'in memory' : 'in Redis'
  return [
    await timed(db.dialect.engine, version),
    await timed('Limits', async () => {
      await windows.look(1, 'health', 1)
      const { mode } = windows as { mode?: string } // Redis counts in memory while it cannot be reached
      if (mode === 'local') throw new Error('local')
      return limits
    }),
    await timed('Activity log', async () => {
      await activity.rows('select 1 as one', [])
      return config.DATABASE_URL === undefined ? 'in a file of its own' : 'in PostgreSQL'
    }),
  ]
}

async function timed(name: string, ask: () => Promise<string>): Promise<Health['stores'][number]> {
  const start = performance.now()
  try {
    const detail = await ask()
    return { name, detail, ok: true, ms: Math.round((performance.now() - start) * 10) / 10 }
  } catch {
    return { name, detail: 'does not answer', ok: false, ms: null }
  }
}
