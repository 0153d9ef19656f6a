import { hostname } from 'node:os'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { loggedError } from '../../observe/log.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { upsertRow } from '../../storage/rows.ts'

const BEAT_MS = 15_000
const SILENT_MS = 60_000
const FORGOTTEN_MS = 24 * 3_600_000

/** A process that serves: what it last said of itself. */
export interface Worker {
  name: string
  started_at: string
  seen_at: string
  node: string
  rss_bytes: number
}

/** A heartbeat every few seconds while this process listens; the operator's page shows which processes have stopped sending it. */
export function heartbeat(app: FastifyInstance, db: Database, log: FastifyBaseLogger, now: () => number): void {
  const name = `${hostname()} ${process.pid}`
  const started_at = new Date(now()).toISOString()
  let timer: NodeJS.Timeout | undefined

  const beat = () =>
    db
      .transaction(async (tx) => {
        const row = {
          name,
          started_at,
          seen_at: new Date(now()).toISOString(),
          node: process.version,
          rss_bytes: process.memoryUsage.rss(),
        }
        await upsertRow(tx, 'workers', ['name'], row)
        await tx.run('delete from workers where seen_at < ?', [new Date(now() - FORGOTTEN_MS).toISOString()])
      })
      .catch((error: unknown) => log.warn({ error: loggedError(error) }, 'heartbeat could not be written'))

  app.addHook('onListen', async () => {
    await beat()
    timer = setInterval(beat, BEAT_MS).unref()
  })
  app.addHook('onClose', async () => {
    if (!timer) return
    clearInterval(timer)
    await db.transaction((tx) => tx.run('delete from workers where name = ?', [name])).catch(() => {}) // the store may be gone
  })
}

export async function listWorkers(db: Queries, now: number): Promise<(Worker & { alive: boolean })[]> {
  const rows = await db.rows<Worker>('select name, started_at, seen_at, node, rss_bytes from workers order by name', [])
  return rows.map((row) => ({ ...row, alive: Date.parse(row.seen_at) > now - SILENT_MS }))
}
