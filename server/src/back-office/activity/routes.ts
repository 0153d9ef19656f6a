import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { limits } from '../../limits/tiers.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { staffOf } from '../guard.ts'
import { chartOf, listBusyPairs, listCalls, listUses } from './queries.ts'
import {
  Budgets,
  Calls,
  CallsQuery,
  Chart,
  ChartQuery,
  OperatorCallsQuery,
  OperatorChartQuery,
  Uses,
} from './schema.ts'

type Pair = { brand: string; integrator_id: string; integrator: string }

/** The activity of integrations of the signed-in user's own brand, for users who may manage add-ons. */
export const activityRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { activity, searches, figures, now } = deps
  const budgetsOf = budgets(deps)

  app.get(
    '/calls',
    { onRequest: searches.start, schema: { querystring: CallsQuery, response: { 200: Calls } } },
    async (request) => listCalls(activity, { ...request.query, brand: staffOf(request).brand.slug }),
  )
  app.get(
    '/chart',
    { onRequest: figures.start, schema: { querystring: ChartQuery, response: { 200: Chart } } },
    async (request) => chartOf(activity, { ...request.query, brand: staffOf(request).brand.slug }, now()),
  )
  app.get('/budgets', { onRequest: figures.start, schema: { response: { 200: Budgets } } }, async (request) => {
    const uses = await listUses(activity, staffOf(request).brand.slug)
    const pairs = new Map(uses.map((use) => [use.integrator_id, use]))
    return { budgets: await budgetsOf([...pairs.values()]) }
  })
  app.get('/uses', { onRequest: figures.start, schema: { response: { 200: Uses } } }, async (request) => ({
    uses: await listUses(activity, staffOf(request).brand.slug),
  }))
}

/** The same of all brands, or of one, for operators. */
export const operatorActivityRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { activity, searches, figures, now } = deps
  const budgetsOf = budgets(deps)

  app.get(
    '/calls',
    { onRequest: searches.start, schema: { querystring: OperatorCallsQuery, response: { 200: Calls } } },
    async ({ query }) => listCalls(activity, query),
  )
  app.get(
    '/chart',
    { onRequest: figures.start, schema: { querystring: OperatorChartQuery, response: { 200: Chart } } },
    async ({ query }) => chartOf(activity, query, now()),
  )
  app.get('/budgets', { onRequest: figures.start, schema: { response: { 200: Budgets } } }, async () => ({
    budgets: await budgetsOf(await listBusyPairs(activity, now())),
  }))
  app.get('/uses', { onRequest: figures.start, schema: { response: { 200: Uses } } }, async () => ({
    uses: await listUses(activity),
  }))
}

/** The current state of §8 tier 3. Reading it counts nothing. */
function budgets({ directory, windows }: BackOfficeDeps) {
  const { callsOf } = limits(windows)
  return (pairs: readonly Pair[]): Promise<Budgets['budgets']> =>
    Promise.all(
      pairs.map(async ({ brand, integrator_id, integrator }) => {
        const quota = (await directory.brand(brand))?.quotas.get(integrator_id)
        const { limit, count, resetMs } = await callsOf(integrator_id, brand, quota)
        return { brand, integrator_id, integrator, limit, used: count, reset_s: Math.ceil(resetMs / 1000) }
      }),
    )
}
