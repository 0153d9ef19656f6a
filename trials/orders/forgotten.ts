import { waitUntil } from '../harness/client.ts'
import type { ReportFailure } from '../harness/trial.ts'
import { describeAnswer, type House, orderIn } from './house.ts'

const WITHIN_MS = 30_000 // S1
const SLACK_MS = 60_000 // how long it is waited for at all

/** An order of a brand that nobody reads: only the service itself can notice that its time has passed. */
export async function forgotten({ unread: { db, brand_id, place } }: House) {
  const placed = await place()
  if (placed.status !== 200) throw new Error(`placing: ${describeAnswer(placed)}`)
  const { id, expires_at } = orderIn(placed)
  return {
    /** Looks at the table, which makes nothing happen. */
    async expired(reportFailure: ReportFailure): Promise<string> {
      let row: { status: string; updated_at: string } | undefined
      await waitUntil('it expires', SLACK_MS, async () => {
        const rows = await db.rows<NonNullable<typeof row>>(
          'select status, updated_at from orders where brand_id = ? and id = ?',
          [brand_id, id],
        )
        row = rows[0]
        return row?.status !== 'PENDING'
      })
      const lateMs = Date.parse(row!.updated_at) - Date.parse(expires_at)
      if (row!.status !== 'IGNORE') reportFailure(`it is ${row!.status}`)
      if (lateMs > WITHIN_MS) reportFailure(`${lateMs} ms after its time`)
      const events = await db.rows<{ type: string }>(
        "select type from events where brand_id = ? and subject = ? and type like 'order.%' order by position",
        [brand_id, String(id)],
      )
      const types = events.map(({ type }) => type).join(', ')
      if (types !== 'order.created, order.ignored') reportFailure(`published ${types}`)
      return `it expired ${(lateMs / 1000).toFixed(1)} s after its time`
    },
  }
}
