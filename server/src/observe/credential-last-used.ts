import type { FastifyBaseLogger } from 'fastify'
import type { Caller } from '../http/call.ts'
import type { Database } from '../storage/database.ts'
import { upsert } from '../storage/upsert.ts'
import { loggedError } from './log.ts'

const NOTED_MS = 60_000
const FLUSH_AFTER_MS = 500
const MAX_CREDENTIALS = 100_000

type Use = { brand_id: number; client_id: string; integrator_id: string; used_at: string }

/**
 * When each integrator last called with each credential: noted at most once a minute for a pair, and written in batches outside
 * every request. A write that fails is dropped; the next minute brings another.
 */
export function credentialLastUsed(db: Database, log: FastifyBaseLogger, now: () => number) {
  const noted = new Map<string, number>()
  let pending: Use[] = []
  let timer: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const uses = pending
    pending = []
    if (uses.length === 0) return
    try {
      await db.transaction((tx) => upsert(tx, 'credential_uses', ['brand_id', 'client_id', 'integrator_id'], uses))
    } catch (error) {
      log.warn({ error: loggedError(error) }, 'last uses of credentials could not be written')
    }
  }

  return {
    note({ brand_id, client_id, integrator_id }: Caller): void {
      const key = `${brand_id} ${client_id} ${integrator_id}`
      const usedAt = now()
      if (usedAt - (noted.get(key) ?? Number.NEGATIVE_INFINITY) < NOTED_MS) return
      if (noted.size >= MAX_CREDENTIALS) noted.clear()
      noted.set(key, usedAt)
      pending.push({ brand_id, client_id, integrator_id, used_at: new Date(usedAt).toISOString() })
      timer ??= setTimeout(write, FLUSH_AFTER_MS).unref()
    },
    write,
  }
}
