import Type from 'typebox'
import { asJson, ErrorBody, One, one } from '../../http/envelope.ts'
import { noSuchRecord } from '../../http/errors.ts'
import { type Extension, PathUuid, readUuid } from '../../resource/serve.ts'
import { type CashShift, cashShifts } from '../../resources/money/cash-shifts.ts'
import type { Queries } from '../../storage/database.ts'
import { CashShiftReport, reportOf } from './shift-report.ts'

/** GET /finance/cash-shifts/{id}/report: of an open shift as it is now, of a closed one as it was. */
export const shiftExtension: Extension = {
  routes(app, { db }) {
    app.get(
      '/finance/cash-shifts/:id/report',
      {
        config: { permission: cashShifts.permission },
        schema: {
          operationId: 'getCashShiftReport',
          summary: 'Read the report of a cash shift',
          description:
            'What was sold, by payment method and sale type, and what the drawer should hold. Of a closed shift as it was when it closed.',
          tags: ['Finance'],
          params: Type.Object({ id: PathUuid() }),
          response: { 200: One(CashShiftReport), 400: ErrorBody, 404: ErrorBody },
        },
      },
      async ({ call: { caller }, params }, reply) => {
        const { brand_id, venue_id } = caller
        const report = await shiftReport(db, { brand_id, venues: [venue_id] }, readUuid('id', params))
        return asJson(reply, one(report))
      },
    )
  },
}

/** Returns the report of a shift as JSON. A shift of another brand or venue is not there (D3.1). */
export async function shiftReport(
  db: Pick<Queries, 'rows'>,
  { brand_id, venues }: { brand_id: number; venues: readonly number[] },
  id: string,
): Promise<string> {
  const [shift] = await db.rows<{ body: string; report: string | null }>(
    'select body, report from cash_shifts where brand_id = ? and id = ?',
    [brand_id, id],
  )
  const held = shift && (JSON.parse(shift.body) as CashShift)
  if (!held || !venues.includes(held.venue_id)) throw noSuchRecord()
  return shift.report ?? JSON.stringify(await reportOf(db, brand_id, held))
}
