import Type from 'typebox'
import { asJson, ErrorBody, One, one } from '../../http/envelope.ts'
import { noSuchRecord } from '../../http/errors.ts'
import { type CashShift, cashShifts } from '../../resources/cash-shifts.ts'
import { type Extension, PathUuid, readUuid } from '../../resources/serve.ts'
import { instantOf } from '../../values/values.ts'
import { CashShiftReport, reportOf } from './shift-report.ts'

/** GET /finance/cash-shifts/{id}/report: of an open shift as it is now, of a closed one as it was. */
export const shiftExtension: Extension = {
  routes(app, { db, now }) {
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
        const [shift] = await db.rows<{ body: string; report: string | null }>(
          'select body, report from cash_shifts where brand_id = ? and venue_id = ? and id = ?',
          [brand_id, venue_id, readUuid('id', params)],
        )
        if (!shift) throw noSuchRecord()
        const made = async () =>
          JSON.stringify(await reportOf(db, brand_id, JSON.parse(shift.body) as CashShift, instantOf(now())))
        return asJson(reply, one(shift.report ?? (await made())))
      },
    )
  },
}
