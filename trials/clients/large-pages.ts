import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { putRows, type Row, staff } from '../../server/test/database/store.ts'
import { openService, type Service, untilFree } from '../harness/in-process.ts'
import { addTenant, ENGINES, type Engine, install } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import type { Load, Read } from './large-pages-thread.ts'
import { longestTurn } from './longest-turn.ts'

const LINES = 200
const NOTE = 'sans oignons, bien cuit, à part '.repeat(16)
const PAGES_A_SECOND = 3
const CALLS_A_SECOND = 50
const MAX_TURN_MS = 50
const MAX_TIMES = 3

/** D2.1: large pages are made in pieces, so that who reads them, within their quota, keeps no other brand waiting. */
export async function largePages(trial: Trial): Promise<void> {
  for (const engine of ENGINES)
    await trial.measured(`a brand that reads large pages keeps no other brand waiting, on ${engine}`, (...report) =>
      neighbours(trial, engine, ...report),
    )
}

async function neighbours(
  trial: Trial,
  engine: Engine,
  reportFailure: ReportFailure,
  reportFigure: ReportFailure,
): Promise<string> {
  const { largeReceipts, largePageSeconds: seconds, slack, shed } = trial.sizes
  const installation = await install(trial, engine)
  const { db, keys, brand_id, credentials } = installation
  await putRows(db, brand_id, [TEA])
  for (let id = 1; id <= largeReceipts; id++) await putRows(db, brand_id, [receipt(id)])
  const other = await addTenant(db, keys, 'corner', 'hub-2', [...staff(), ...menu('corner')])
  const service = await openService(trial, installation)
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const [token, otherToken] = [await service.token(credentials), await service.token(other.credentials)]
  const limit = await limitThatFits(service, token)
  const paths = [`${PAGE}&limit=200`, `${PAGE}&limit=${limit}`]
  const [greedy, neighbour] = [openClient(trial), openClient(trial)]
  const call = () => neighbour({ url, token: otherToken, paths: ['/products'], perSecond: CALLS_A_SECOND, seconds })
  await call() // so that all code is compiled
  const alone = await call()
  let [pages, beside]: [Read[], Read[]] = [[], []]
  const { workedMs } = await longestTurn(async () => {
    ;[pages, beside] = await Promise.all([greedy({ url, token, paths, perSecond: PAGES_A_SECOND, seconds }), call()])
  })
  const refused = [...alone, ...beside].filter(({ status }) => status === 503)
  if (refused.length > shed * (alone.length + beside.length))
    reportFailure(`the neighbour was refused: ${tally(beside)}`)
  if (beside.some(({ status }) => status !== 200 && status !== 503)) reportFailure(`the neighbour got ${tally(beside)}`)
  if (!pages.some(({ status }) => status === 200)) reportFailure(`no page was answered: ${tally(pages)}`)
  // On a machine that others use too, a page may wait too long for its turn.
  if (pages.some(({ status }) => status !== 200 && status !== 400 && (shed === 0 || status !== 503)))
    reportFailure(tally(pages))
  if (workedMs > MAX_TURN_MS * slack) reportFigure(`a turn of the event loop took ${workedMs.toFixed(0)} ms`)
  const [before, after] = [p95(alone), p95(beside)]
  // In the short form the machine may be slow for both.
  if (after > Math.max(MAX_TIMES * slack * before, slack === 1 ? 0 : 500)) reportFigure(`p95 ${after.toFixed(1)} ms`)
  const mib = Math.max(...pages.map(({ bytes }) => bytes)) / 2 ** 20
  return `${pages.length} pages of up to ${mib.toFixed(1)} MiB, ${tally(pages)}; the neighbour's p95 ${before.toFixed(1)} ms alone, ${after.toFixed(1)} ms beside them; longest turn ${workedMs.toFixed(0)} ms`
}

const TEA: Row = { kind: 'product', id: 5, name: 'Tea', type: 'PRODUCT' }
const PAGE = '/receipts?include=receipt_products'

const receipt = (id: number): Row => ({
  kind: 'receipt',
  id,
  venue_id: 1,
  status: 2,
  receipt_products: Array.from({ length: LINES }, (_, index) => ({
    id: id * LINES + index,
    product_id: 5,
    name: 'Tea',
    note: NOTE,
    count: 1,
    price: 3,
    total: 3,
  })),
})

/** 200 receipts, or as many as the service says. */
async function limitThatFits(service: Service, token: string): Promise<number> {
  const { text } = await untilFree(() =>
    service.call({ method: 'GET', path: `${PAGE}&limit=200`, headers: { 'x-token': token } }),
  )
  const { details } = JSON.parse(text) as { details?: { limit: number } }
  return details?.limit ?? 200
}

function openClient(trial: Trial) {
  const thread = new Worker(new URL('./large-pages-thread.ts', import.meta.url))
  trial.after(() => thread.terminate())
  return async (load: Load): Promise<Read[]> => {
    thread.postMessage(load)
    const [reads] = await once(thread, 'message')
    return reads as Read[]
  }
}

const p95 = (reads: readonly Read[]) =>
  reads.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(reads.length * 0.95)]!

function tally(reads: readonly Read[]): string {
  const counts = Object.entries(Object.groupBy(reads, ({ status }) => status))
  return counts.map(([status, answers]) => `${status === '0' ? 'no answer' : status} × ${answers!.length}`).join(', ')
}
