import { cpus } from 'node:os'
import { type Footprint, found, type Result } from './bench.ts'
import * as contest from './scenarios/contest.ts'
import * as log from './scenarios/request-log.ts'
import * as size from './scenarios/sizes.ts'
import { WORKS } from './works.ts'

// What the service is held to, as ratios of one run.

export interface Target {
  name: string
  wanted: string
  measured: string
  /** Undefined: not measured, or not judged on this machine. */
  met: boolean | undefined
}

/** Keycloak's sizing guide: client-credential grants a second for one core. */
const KEYCLOAK_GRANTS = 120
/** Two workers, PostgreSQL, Redis and the load generator beside them. */
const CORES_FOR_TWO = 4

export function targetsOf(results: readonly Result[], footprints: readonly Footprint[]): Target[] {
  const { LIMIT, SQLITE, ONE_WORKER, TWO_WORKERS, DIRECTUS_SQLITE, DIRECTUS_POSTGRES } = contest
  const rate = (contestant: string, work: string) => found(results, contestant, work)?.perSecond
  const of = (work: string, contestant: string, other: string) => ratio(rate(contestant, work), rate(other, work))
  const ofLimit = (work: string) => of(work, SQLITE, LIMIT)
  const p99 = (contestant: string) => found(results, contestant, size.SIZE_PAGE)?.p99Ms
  const { coldStartMs, rssMiB } = footprints.find(({ contestant }) => contestant === SQLITE) ?? {}
  const signIns = rate(SQLITE, WORKS.signIn)

  return [
    atLeast('one receipt / node:http', 0.5, ofLimit(WORKS.receipt)),
    atLeast('one receipt / Directus', 80, of(WORKS.receipt, SQLITE, DIRECTUS_SQLITE)),
    atLeast('50 products / node:http', 0.22, ofLimit(WORKS.page)),
    atLeast('50 products / Directus', 50, of(WORKS.page, SQLITE, DIRECTUS_SQLITE)),
    atLeast('a 401 / node:http', 0.6, ofLimit(WORKS.unauthorised)),
    atLeast('a 429, spent address / node:http', 0.6, ofLimit(WORKS.spentAddress)),
    atLeast('a 429, spent pair / node:http', 0.6, ofLimit(WORKS.spentPair)),
    {
      name: "POST /auth / Keycloak's published 120 grants a second for a core",
      wanted: 'told',
      measured: signIns === undefined ? '' : `${signIns.toFixed(0)}/s, ${times(signIns / KEYCLOAK_GRANTS)}`,
      met: undefined,
    },
    atLeast('a customer / Directus', 40, of(WORKS.customer, SQLITE, DIRECTUS_SQLITE)),
    within('page 100 of the products / page 1', 1.3, of(size.SIZE_PLACE, size.FIRST_PAGE, size.LATE_PAGE)),
    within('a receipt of 100,000 / of 1,000', 1.3, of(size.SIZE_RECEIPT, size.SMALL, size.DEMO_SIZE)),
    below('cold start with 100,000 receipts', 1.5, 's', coldStartMs && coldStartMs / 1000),
    below('RSS after the run', 150, 'MiB', rssMiB),
    within('p99 of a page, 1,000,000 products / 1,000', 1.5, ratio(p99(size.LARGE), p99(size.SMALL))),
    atLeast('PostgreSQL, one receipt / Directus', 30, of(WORKS.receipt, ONE_WORKER, DIRECTUS_POSTGRES)),
    twoWorkers(found(results, ONE_WORKER, WORKS.receipt), found(results, TWO_WORKERS, WORKS.receipt)),
    atLeast('with the request log / without', 0.95, of(log.LOG_WORK, log.LOG_ON, log.LOG_OFF)),
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
  ...judged(measured, times, (value) => value >= wanted),
})

/** How much more the first costs than the second. */
const within = (name: string, wanted: number, measured: number | undefined): Target => ({
  name,
  wanted: `at most ${wanted} ×`,
  ...judged(measured, times, (value) => value <= wanted),
})

const below = (name: string, wanted: number, unit: string, measured: number | undefined): Target => ({
  name,
  wanted: `under ${wanted} ${unit}`,
  ...judged(
    measured,
    (value) => `${value.toPrecision(3)} ${unit}`,
    (value) => value < wanted,
  ),
})

function judged(
  measured: number | undefined,
  shown: (value: number) => string,
  good: (value: number) => boolean,
): Pick<Target, 'measured' | 'met'> {
  return measured === undefined ? { measured: '', met: undefined } : { measured: shown(measured), met: good(measured) }
}
