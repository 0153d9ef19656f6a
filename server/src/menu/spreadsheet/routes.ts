import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { readParameters } from '../../events/selection.ts'
import { asJson, one } from '../../http/envelope.ts'
import { invalidParameter } from '../../http/errors.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import type { Database } from '../../storage/database.ts'
import { APPLY_EVENTS, applyMenu } from './apply.ts'
import { exportMenu } from './export.ts'
import { planMenu } from './plan.ts'
import { readState } from './state.ts'

// M17: the menu as a file, for staff.

const PERMISSION = 'menu:write'
export const MAX_FILE_BYTES = 5 * 1024 * 1024

export function spreadsheetRoutes(app: FastifyInstance, { db, command }: { db: Database; command: AddCommand }): void {
  app.get('/menu-export', { config: { permission: PERMISSION } }, async ({ call, url }, reply) => {
    const separator = readParameters(url, ['separator']).get('separator')
    if (separator !== undefined && separator !== 'semicolon')
      throw invalidParameter('separator', 'separator is semicolon, or absent for commas.')
    const text = await exportMenu(db, call.caller.brand_id, separator ? ';' : ',')
    return reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', 'attachment; filename="menu.csv"')
      .send(text)
  })

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    scope.post(
      '/menu-import/plan',
      { bodyLimit: MAX_FILE_BYTES, config: { permission: PERMISSION, events: 'none' } },
      async ({ call, body }, reply) => {
        const { plan } = await planMenu(await readState(db, call.caller.brand_id), fileOf(body))
        return asJson(reply, one(JSON.stringify(plan)))
      },
    )

    command(scope, {
      method: 'POST',
      url: '/menu-import/apply',
      permission: PERMISSION,
      events: APPLY_EVENTS,
      bodyLimit: MAX_FILE_BYTES,
      query: Type.Object({ plan: Type.String() }),
      readQuery: (url) => ({ plan: readPlan(url) }),
      body: Type.Unknown(),
      message: 'Imported.',
      async run(context, { query, body }) {
        return JSON.stringify(await applyMenu(context, fileOf(body), query.plan))
      },
    })
  })
}

const fileOf = (body: unknown) => (body instanceof Buffer ? body : Buffer.alloc(0))

function readPlan(url: string): string {
  const plan = readParameters(url, ['plan']).get('plan')
  if (!plan) throw invalidParameter('plan', 'plan is needed: the one that was answered for this file.')
  return plan
}
