import { setTimeout as sleep } from 'node:timers/promises'
import { createCredential } from '../../server/src/directory/credentials.ts'
import { type Directory, openDirectory } from '../../server/src/directory/directory.ts'
import { addIntegrator } from '../../server/src/directory/registry.ts'
import type { Database } from '../../server/src/storage/database.ts'
import { staff } from '../../server/test/database/store.ts'
import { openService, type Reply } from '../harness/in-process.ts'
import { addTenant, type Engine, type Installation, install } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import { API, LIVE, openOffice } from '../harness/office/back-office.ts'
import type { Trial } from '../harness/trial.ts'
import { faultyActivityStore, faultyDatabase, type Plan, underFault } from './faults.ts'
import { faultyLimits, type SharedLimits } from './faulty-redis.ts'
import { apiRequests, officeRequests, type Request } from './requests.ts'
import { changeBetween, type Snapshot, snapshotsOf } from './snapshot.ts'

/** Much longer than the deadline of any request, and of searches in the back office. */
const HANG_MS = 45_000

/**
 * A fault could not be matched to its calls to stores, nor a change to it: it goes on after its answer. The same is true of the live
 * stream, which is read over a real connection.
 */
const COPYING = `POST ${API}/operator/backups`

/** A service whose stores fail by plan, and the requests that it can be sent. */
export interface FaultyService {
  engine: Engine
  db: Database
  snapshot(): Promise<Snapshot>
  api: Request[]
  office: Request[]
  /** Prepares a request that is then asked under a plan; nobody may ask under a fault meanwhile. `held`: the directory keeps its copy. */
  prepare(request: Request, plan: Plan, held?: boolean): Promise<Prepared>
  /** Sends a request while no other runs, and returns what it changed. `arm` is called when it is prepared. */
  attempt(request: Request, plan: Plan, arm?: () => Promise<void>): Promise<Attempt>
}

export interface Prepared {
  turn: number
  ask(): Promise<Reply | undefined>
}

export interface Attempt {
  reply: Reply | undefined
  change: string
}

export async function openFaultyService(trial: Trial, engine: Engine): Promise<FaultyService> {
  const installation = await install(trial, engine, menu('bistro'))
  const { db, keys, credentials } = installation
  const annex = await addTenant(db, keys, 'annex', 'annex-hub', [...staff(), ...menu('annex')])
  await addIntegrator(db, 'trust', { name: 'Spare', id: 'spare', test: false })
  const { client_id } = await createCredential(db, keys, 'trust', { brand: 'bistro', username: 'owner' })
  const limits = engine === 'PostgreSQL' ? await faultyLimits(trial) : undefined
  const { service, emptyDirectory } = await openFaulty(trial, installation, limits)
  const office = await openOffice(service, 'bistro', 'a long and quiet afternoon')

  const snapshot = await snapshotsOf(db)
  let turn = 0
  let last: Snapshot | undefined
  /** The request of the last attempt, if that changed nothing. */
  let unchanged: Request | undefined
  const prepare: FaultyService['prepare'] = async (request, plan, held = false) => {
    const again = unchanged === request
    unchanged = undefined
    last = undefined
    const mine = ++turn
    const send = await request.prepare(mine, again)
    return {
      turn: mine,
      async ask() {
        last = undefined
        if (!held) await emptyDirectory()
        limits?.forget()
        return Promise.race([underFault(plan, send), sleep(HANG_MS, undefined, { ref: false })])
      },
    }
  }
  return {
    engine,
    db,
    snapshot,
    api: await apiRequests(service, credentials),
    office: officeRequests(
      { ...office, routes: office.routes.filter(({ method, url }) => url !== LIVE && `${method} ${url}` !== COPYING) },
      {
        db,
        client_id,
        other: { slug: 'annex', integrator_id: 'spare', client_id: annex.credentials.client_id },
      },
    ),
    prepare,
    async attempt(request, plan, arm) {
      const known = request.preparesNothing || unchanged === request ? last : undefined
      const { ask } = await prepare(request, plan)
      await limits?.untilShared()
      const before = known ?? (await snapshot())
      await arm?.()
      const reply = await ask()
      last = await snapshot()
      const change = changeBetween(before, last)
      if (change === '' && request.strict) unchanged = request
      return { reply, change }
    },
  }
}

async function openFaulty(trial: Trial, installation: Installation, limits: SharedLimits | undefined) {
  let directory: Directory
  let faulty: Database
  // Emptied before each request, so that each makes all of its calls to the database.
  async function emptyDirectory(): Promise<void> {
    directory?.close()
    // It does not watch for changes, because nobody else makes any.
    directory = await openDirectory({ ...faulty, watch: () => () => {} }, { async keysChanged() {}, failed() {} })
  }
  const service = await openService(trial, installation, async ({ db, activity, windows }) => {
    faulty = faultyDatabase(db)
    await emptyDirectory()
    return {
      db: faulty,
      activity: faultyActivityStore(activity),
      windows: limits?.windows ?? windows,
      directory: {
        brand: (slug) => directory.brand(slug),
        integrator: (id) => directory.integrator(id),
        refresh: () => directory.refresh(),
        staleMs: () => directory.staleMs(),
        close: () => directory.close(),
      },
    }
  })
  trial.after(() => directory.close())
  return { service, emptyDirectory }
}
