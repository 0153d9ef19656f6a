import type { FastifyInstance } from 'fastify'
import { all, asJson } from '../../http/envelope.ts'
import type { Database } from '../../storage/database.ts'

/** T24: the notes that waiters tap, in their order. */
export function presetRoute(app: FastifyInstance, { db }: { db: Database }): void {
  app.get('/note-presets', { config: { permission: 'receipts:write' } }, async ({ call: { caller } }, reply) =>
    asJson(
      reply,
      all(
        await db.texts('select body from note_presets where brand_id = ? and status = 1 order by position, id', [
          caller.brand_id,
        ]),
      ),
    ),
  )
}
