import type { FastifyPluginAsync } from 'fastify'
import { enterVenue } from '../../auth/authenticate.ts'
import { authorize } from '../../auth/permissions.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { staffActRoutes } from '../../pos/acts/routes.ts'
import { staffClosingRoutes } from '../../pos/closing/routes.ts'
import { documentRoutes } from '../../pos/documents/routes.ts'
import { staffMoneyRoutes } from '../../pos/money/routes.ts'
import { staffOrderRoutes } from '../../pos/orders/routes.ts'
import { staffPaperRoutes } from '../../pos/papers/routes.ts'
import { staffPrivacyRoutes } from '../../pos/privacy/routes.ts'
import { staffReceiptRoutes } from '../../pos/receipts/routes.ts'
import { staffRefundRoutes } from '../../pos/refunds/routes.ts'
import { stockRoomRoutes } from '../../pos/stock/routes.ts'
import { staffTableRoutes } from '../../pos/tables/routes.ts'
import { staffTipRoutes } from '../../pos/tips/routes.ts'
import { staffPrinterRoutes } from '../../printing/routes.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { approvableAt, withApprovals } from '../devices/approvals.ts'
import { actAsStaff, staysInVenue } from '../guard.ts'
import { customerRoutes } from './customer-routes.ts'
import { liveRoute } from './live.ts'
import { tillMenuRoute } from './menu-routes.ts'
import { presetRoute } from './preset-route.ts'

/** What staff do in the venue of `x-venue` (Part 3 of docs/contract.md, Staff routes), each route with their own right to it. */
export const tillRoutes: FastifyPluginAsync<BackOfficeDeps> = async (app, deps) => {
  const { db, now, directory, live } = deps
  app.setErrorHandler((error, request) => {
    throw approvableAt(request, error)
  })
  app.addHook('onRequest', asHook(sequence(actAsStaff, enterVenue, withApprovals(deps), authorize)))
  staffReceiptRoutes(app, deps)
  staffActRoutes(app, deps)
  presetRoute(app, deps)
  staffTableRoutes(app, deps)
  staffTipRoutes(app, deps)
  staffClosingRoutes(app, deps)
  staffRefundRoutes(app, deps)
  staffOrderRoutes(app, deps)
  staffMoneyRoutes(app, deps)
  staffPaperRoutes(app, deps)
  staffPrinterRoutes(app, deps)
  stockRoomRoutes(app, deps)
  documentRoutes(app, deps, { described: false })
  customerRoutes(app, deps)
  tillMenuRoute(app, deps)
  staffPrivacyRoutes(app, deps)
  liveRoute(app, { db, now, stays: staysInVenue(directory), ...live })
}
