import { cpus } from 'node:os'
import { type Footprint, found, type Result } from './bench.ts'
import { REQUEST_KINDS } from './request-kinds.ts'
import * as comparison from './scenarios/comparison.ts'
import * as feed from './scenarios/feed.ts'
import * as food from './scenarios/menu.ts'
import * as log from './scenarios/request-log.ts'
import * as sale from './scenarios/sales.ts'
import * as size from './scenarios/sizes.ts'
import { HERE, THERE, TRANSLATED_PAGE, WITH_DETAILS } from './scenarios/translated.ts'
import * as hook from './scenarios/webhooks.ts'

// What the service is held to, as ratios of one run.

export interface Target {
  name: string
  wanted: string
  measured: string
  /** Undefined: not measured, or not checked on this machine. */
  met: boolean | undefined
}

/** Keycloak's sizing guide: client-credential grants a second for one core. */
const KEYCLOAK_GRANTS = 120
/** Two workers, PostgreSQL, Redis and the load generator beside them. */
const CORES_FOR_TWO = 4

export function targetsOf(results: readonly Result[], footprints: readonly Footprint[]): Target[] {
  const { BASELINE, SQLITE, ONE_WORKER, TWO_WORKERS, DIRECTUS_SQLITE, DIRECTUS_POSTGRES } = comparison
  const rate = (system: string, work: string) => found(results, system, work)?.perSecond
  const relative = (work: string, system: string, other: string) => ratio(rate(system, work), rate(other, work))
  const ofMenu = (name: string, wanted: number, work: string) =>
    atLeast(name, wanted, relative(work, food.MENU_READER, food.MENU_BASELINE))
  const ofBaseline = (work: string) => relative(work, SQLITE, BASELINE)
  const p99 = (system: string) => found(results, system, size.SIZE_PAGE)?.p99Ms
  const { coldStartMs, idleMiB, rssMiB } = footprints.find(({ system }) => system === SQLITE) ?? {}
  const bareLoop = Math.max(rate(hook.BARE_HTTP, hook.DELIVERIES) ?? 0, rate(hook.BARE_FETCH, hook.DELIVERIES) ?? 0)
  const signIns = rate(SQLITE, REQUEST_KINDS.signIn)

  return [
    atLeast('one receipt / node:http', 0.5, ofBaseline(REQUEST_KINDS.receipt)),
    atLeast('one receipt / Directus', 80, relative(REQUEST_KINDS.receipt, SQLITE, DIRECTUS_SQLITE)),
    atLeast('50 products / node:http', 0.22, ofBaseline(REQUEST_KINDS.page)),
    atLeast('50 products / Directus', 50, relative(REQUEST_KINDS.page, SQLITE, DIRECTUS_SQLITE)),
    atLeast('a 401 / node:http', 0.6, ofBaseline(REQUEST_KINDS.unauthorised)),
    atLeast('a 429, spent address / node:http', 0.6, ofBaseline(REQUEST_KINDS.rateLimitedAddress)),
    atLeast('a 429, spent pair / node:http', 0.6, ofBaseline(REQUEST_KINDS.rateLimitedPair)),
    {
      name: "POST /auth / Keycloak's published 120 grants a second for a core",
      wanted: 'for information',
      measured: signIns === undefined ? '' : `${signIns.toFixed(0)}/s, ${times(signIns / KEYCLOAK_GRANTS)}`,
      met: undefined,
    },
    atLeast('a customer / Directus', 40, relative(REQUEST_KINDS.customer, SQLITE, DIRECTUS_SQLITE)),
    within('page 100 of the products / page 1', 1.3, relative(size.SIZE_PLACE, size.FIRST_PAGE, size.LATE_PAGE)),
    within('a receipt of 100,000 / of 1,000', 1.3, relative(size.SIZE_RECEIPT, size.SMALL, size.DEMO_SIZE)),
    atLeast(
      'receipts of a day, among 1,000,000 / 10,000',
      0.5,
      relative(size.SIZE_DAY, size.MANY_RECEIPTS, size.FEW_RECEIPTS),
    ),
    below('cold start with 100,000 receipts', 1.5, 's', coldStartMs && coldStartMs / 1000),
    below('RSS, idle', 130, 'MiB', idleMiB),
    below('RSS after the run', 170, 'MiB', rssMiB),
    within('p99 of a page, 1,000,000 products / 1,000', 1.5, ratio(p99(size.LARGE), p99(size.SMALL))),
    atLeast('PostgreSQL, one receipt / Directus', 30, relative(REQUEST_KINDS.receipt, ONE_WORKER, DIRECTUS_POSTGRES)),
    twoWorkers(found(results, ONE_WORKER, REQUEST_KINDS.receipt), found(results, TWO_WORKERS, REQUEST_KINDS.receipt)),
    atLeast('with the request log / without', 0.95, relative(log.LOG_WORK, log.LOG_ON, log.LOG_OFF)),
    atLeast('a customer with the feed / without', 0.92, relative(feed.FEED_WRITE.SQLite, feed.FEED_ON, feed.FEED_OFF)),
    atLeast(
      'PostgreSQL, a customer with the feed / without',
      0.88,
      relative(feed.FEED_WRITE.PostgreSQL, feed.FEED_ON, feed.FEED_OFF),
    ),
    atLeast(
      'an order / a customer',
      0.35,
      ratio(rate(sale.SALE_ORDER, sale.SALES), rate(sale.SALE_CUSTOMER, sale.SALES)),
    ),
    atLeast(
      'a close / a customer',
      0.2,
      ratio(rate(sale.SALE_CLOSE, sale.SALES), rate(sale.SALE_CUSTOMER, sale.SALES)),
    ),
    atLeast('50 products, translated / the same members at /v2', 0.35, relative(TRANSLATED_PAGE, THERE, WITH_DETAILS)),
    atLeast('50 products, translated / the plain page at /v2', 0.35, relative(TRANSLATED_PAGE, THERE, HERE)),
    atLeast('events, nothing new / node:http', 0.4, relative(feed.FEED_READ, feed.FEED_READER, feed.FEED_BASELINE)),
    ofMenu('a menu that is still the same, 304 / node:http', 0.6, food.MENU_SAME),
    ofMenu('a menu of 2,000 products / node:http, as many bytes', 0.5, food.MENU_WARM),
    within('a menu after a change / 20 pages of 100 products', 1.5, relative(food.MENU_COLD, food.PAGES, food.COLD)),
    atLeast('an order with five timed lists / none', 0.97, relative(food.MENU_ORDER, food.TIMED, food.UNTIMED)),
    ofMenu('a picture / node:http', 0.5, food.MENU_PICTURE),
    atLeast(
      'webhooks to loopback / the faster bare loop',
      0.6,
      ratio(rate(hook.SENDER, hook.DELIVERIES), bareLoop || undefined),
    ),
    atLeast(
      'a customer with 100 endpoints / none',
      0.97,
      relative(hook.HOOK_WRITE, hook.MANY_ENDPOINTS, hook.NO_ENDPOINTS),
    ),
    below('commit to first byte of a webhook, idle, p95', 100, 'ms', found(results, hook.SENDER, hook.IDLE)?.p95Ms),
  ]
}

function twoWorkers(one: Result | undefined, two: Result | undefined): Target {
  const target = atLeast('two workers / one', 1.6, ratio(two?.perSecond, one?.perSecond))
  if (!two || target.met === undefined) return target
  const cores = cpus().length
  const measured = `${target.measured}; the load generator took ${two.generatorCpu.toFixed(2)} of ${cores} cores`
  return { ...target, measured, met: cores < CORES_FOR_TWO && !target.met ? undefined : target.met }
}

const ratio = (a: number | undefined, b: number | undefined) => (a === undefined || b === undefined ? undefined : a / b)
const times = (value: number) => `${value.toPrecision(3)} ×`

const atLeast = (name: string, wanted: number, measured: number | undefined): Target => ({
  name,
  wanted: `at least ${wanted} ×`,
  ...check(measured, times, (value) => value >= wanted),
})

/** How much more the first costs than the second. */
const within = (name: string, wanted: number, measured: number | undefined): Target => ({
  name,
  wanted: `at most ${wanted} ×`,
  ...check(measured, times, (value) => value <= wanted),
})

const below = (name: string, wanted: number, unit: string, measured: number | undefined): Target => ({
  name,
  wanted: `under ${wanted} ${unit}`,
  ...check(
    measured,
    (value) => `${value.toPrecision(3)} ${unit}`,
    (value) => value < wanted,
  ),
})

function check(
  measured: number | undefined,
  shown: (value: number) => string,
  good: (value: number) => boolean,
): Pick<Target, 'measured' | 'met'> {
  return measured === undefined ? { measured: '', met: undefined } : { measured: shown(measured), met: good(measured) }
}
