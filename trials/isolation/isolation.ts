import { setTimeout as sleep } from 'node:timers/promises'
import { openService, type Service } from '../harness/in-process.ts'
import { ENGINES, type Engine, install } from '../harness/installation.ts'
import { officeRoutes } from '../harness/office/back-office.ts'
import { OPERATIONS } from '../harness/openapi.ts'
import { type ReportFailure, shuffled, type Trial } from '../harness/trial.ts'
import { probeApi, type Token } from './api.ts'
import { probeCustomers } from './customers.ts'
import {
  BRANDS,
  createBrands,
  credentialsOf,
  INTEGRATORS,
  namesOf,
  neighbourOf,
  ROLES,
  venuesOf,
} from './neighbours.ts'
import { assertEveryRouteIsKnown, probeOffice } from './office/office.ts'
import { probeOperator } from './office/operator.ts'
import { openPeople, type Person } from './office/people.ts'
import { probeSignInPages } from './office/sign-in-pages.ts'
import { probeNewcomers, probeWrites } from './office/writes.ts'
import { probeSignIns } from './sign-ins.ts'
import { changes, takeSnapshot } from './snapshot.ts'

/** Every route × 3 brands × 2 integrators × 4 roles × what is foreign, absent, deleted or of another venue. */
export async function isolation(trial: Trial): Promise<void> {
  for (const engine of ENGINES)
    await trial.promise(`no brand, venue or role learns anything of another, ${engine}`, (reportFailure) =>
      probeAll(trial, engine, reportFailure),
    )
}

const OFFICE_EVERY = 4 // rounds: most of what is asked there is asked the same way each time

async function probeAll(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const installation = await install(trial, engine)
  await createBrands(installation)
  const service = await openService(trial, installation)
  assertEveryRouteIsKnown(service)
  const called = await callEach(service)
  const tokens = await openTokens(service)
  const people = await openPeople(service)
  const random = trial.random(`isolation ${engine}`)
  const rounds = trial.sizes.isolationRounds
  // Hashing passwords takes its time: in the short form once is enough.
  const hashing = rounds > 1 ? BRANDS : engine === 'SQLite' ? [random.pick(BRANDS)] : []
  let probes = 0
  for (const brand of hashing) probes += await probeSignInPages(service, neighbourOf(brand), reportFailure)
  for (let turn = 0; turn < rounds; turn++) {
    // All at once, in another order each time: whatever is kept between requests is then somebody else's.
    const drawn = tokens.filter(({ neighbour, ...token }) => isPresent(neighbour.brand, token, turn))
    probes += await sum(shuffled(drawn, random).map((token) => probeApi(service, token, turn, reportFailure)))
    probes += await sum(BRANDS.map((brand) => probeSignIns(service, neighbourOf(brand), turn, reportFailure)))
    probes += await probeCustomers(service, tokens, random, reportFailure)
    if (turn % OFFICE_EVERY === 0)
      probes += await probePages(service, people, called, turn / OFFICE_EVERY, reportFailure)
  }
  probes += await probeChanges(service, people, hashing, reportFailure)
  if (probes < trial.sizes.minProbes) reportFailure(`only ${probes} probes`)
  const routes = OPERATIONS.length + officeRoutes(service).length
  return `${probes} probes, ${routes} routes, ${tokens.length} tokens, ${people.length} sessions`
}

const sum = async (counts: Promise<number>[]) => (await Promise.all(counts)).reduce((all, count) => all + count, 0)

/** P16: commands take ids in blocks, before they know whether they need them. */
const TAKEN_IDS = /^counters .*"name":"\w+_id"/

/** The pages of the back office. Whatever is asked there about what is somebody else's is refused, and so changes nothing. */
async function probePages(
  service: Service,
  people: Person[],
  called: Called,
  turn: number,
  reportFailure: ReportFailure,
) {
  await toldOf(service, called)
  const before = await takeSnapshot(service.deps.db)
  const present = people.filter((person) => person.brand === 0 || isPresent(person.brand, person, turn))
  const probes = await sum(
    present.map((person) =>
      person.brand === 0
        ? probeBrandsInTurn(service, person, called, reportFailure)
        : probeOffice(service, person, neighbourOf(person.brand, called), turn, reportFailure),
    ),
  )
  const after = await takeSnapshot(service.deps.db)
  for (const id of before.keys())
    for (const change of changes(before, after, id))
      if (!TAKEN_IDS.test(change)) reportFailure(`somebody's doing, which was refused: ${change}`)
  return probes
}

/** One brand after the other: only four requests of one account may wait for its password to be checked. */
async function probeBrandsInTurn(
  service: Service,
  operator: Person,
  called: Called,
  reportFailure: ReportFailure,
): Promise<number> {
  let probes = 0
  for (const brand of BRANDS)
    probes += await probeOperator(service, operator, neighbourOf(brand, called), reportFailure)
  return probes
}

/** The owners are there each time, the others in turns. */
function isPresent(
  brand: number,
  { username, integrator_id = '' }: { username: string; integrator_id?: string },
  turn: number,
) {
  const place = ROLES.findIndex((role) => role.username === username)
  return place === 0 || (place > 0 && (place + brand + INTEGRATORS.indexOf(integrator_id) + turn) % BRANDS.length === 0)
}

/** What is changed in one brand after the other, by its owner and by the operator. */
async function probeChanges(
  service: Service,
  people: Person[],
  hashing: readonly number[],
  reportFailure: ReportFailure,
) {
  const operator = people.find(({ brand }) => brand === 0)!
  let probes = 0
  for (const brand of BRANDS) {
    const owner = people.find((person) => person.brand === brand && person.username === 'owner')!
    const who = { owner, operator, neighbour: neighbourOf(brand), hashes: hashing.includes(brand) }
    probes += await probeWrites(service, who, reportFailure)
  }
  return probes + (await probeNewcomers(service, operator, reportFailure))
}

async function openTokens(service: Service): Promise<Token[]> {
  const all = BRANDS.flatMap((brand) =>
    ROLES.flatMap((role) => INTEGRATORS.map((integrator_id) => ({ brand, role, integrator_id }))),
  )
  return Promise.all(
    all.map(async ({ brand, role: { username, permissions, venue_ids }, integrator_id }) => ({
      neighbour: neighbourOf(brand),
      integrator_id,
      username,
      permissions,
      venues: venuesOf(brand, venue_ids),
      token: await service.token(credentialsOf(brand, username, integrator_id)),
    })),
  )
}

type Called = ReadonlyMap<number, string>

/** A call for each brand, by an integrator that calls no other; answers their ids. */
async function callEach({ call, token }: Service): Promise<Called> {
  const called = new Map<number, string>()
  for (const brand of BRANDS) {
    const its = await token(credentialsOf(brand, 'owner', namesOf(brand).integrator_id))
    const { headers } = await call({ method: 'GET', path: '/whoami', headers: { 'x-token': its } })
    called.set(brand, String(headers['x-request-id']))
  }
  return called
}

/** The back office tells of calls a moment after they were made. */
async function toldOf({ deps: { activity, db } }: Service, called: Called): Promise<void> {
  const ids = [...called.values()]
  for (let waits = 0; waits < 1_200; waits++) {
    const places = ids.map(() => '?').join(', ')
    const lines = await activity.rows(`select request_id from request_log where request_id in (${places})`, ids)
    const uses = await db.rows('select client_id from credential_uses', [])
    if (lines.length === ids.length && uses.length >= ids.length) return
    await sleep(50)
  }
  throw new Error('the back office does not tell of the calls that were made')
}
