import { setTimeout as sleep } from 'node:timers/promises'
import { type Directory, openDirectory } from '../../server/src/directory/directory.ts'
import { addIntegrator, createCredential } from '../../server/src/directory/registry.ts'
import type { Database } from '../../server/src/storage/database.ts'
import { staff } from '../../server/test/store.ts'
import { openOffice } from '../harness/back-office.ts'
import { openService, type Reply } from '../harness/in-process.ts'
import { addTenant, type Engine, type Installation, install } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import type { Trial } from '../harness/trial.ts'
import { type Census, censusOf, changeBetween } from './census.ts'
import { faultyAside, faultyDatabase, type Plan, underFault } from './faults.ts'
import { faultyLimits, type SharedLimits } from './faulty-redis.ts'
import { apiRequests, officeRequests, type Request } from './requests.ts'

/** Past the deadline of every request, and of what people search. */
const HANG_MS = 20_000

/** A service whose stores go wrong by plan, and what can be asked of it. */
export interface Stand {
  engine: Engine
  db: Database
  census(): Promise<Census>
  api: Request[]
  office: Request[]
  /** How to make a request under a plan; undefined when there was no answer. `held`: with all in the directory that it needs. */
  prepare(request: Request, plan: Plan, held?: boolean): Promise<Prepared>
  /** Makes it alone, and says what it changed. */
  attempt(request: Request, plan: Plan): Promise<Attempt>
}

export interface Prepared {
  turn: number
  ask(): Promise<Reply | undefined>
}

export interface Attempt {
  reply: Reply | undefined
  change: string
}

export async function openStand(trial: Trial, engine: Engine): Promise<Stand> {
  const installation = await install(trial, engine, menu('bistro'))
  const { db, keys, credentials } = installation
  const annex = await addTenant(db, keys, 'annex', 'annex-hub', [...staff(), ...menu('annex')])
  await addIntegrator(db, 'trust', { name: 'Spare', id: 'spare', test: false })
  const { client_id } = await createCredential(db, keys, 'trust', { brand: 'bistro', username: 'owner' })
  const limits = engine === 'PostgreSQL' ? await faultyLimits(trial) : undefined
  const { service, emptyDirectory } = await openFaulty(trial, installation, limits)
  const office = await openOffice(service, 'bistro', 'a long and quiet afternoon')

  const census = await censusOf(db)
  let turn = 0
  let last: Census | undefined
  const prepare: Stand['prepare'] = async (request, plan, held = false) => {
    if (!held) await emptyDirectory()
    limits?.forget()
    last = undefined
    const mine = ++turn
    const ask = await request.prepare(mine)
    return { turn: mine, ask: () => Promise.race([underFault(plan, ask), sleep(HANG_MS, undefined, { ref: false })]) }
  }
  return {
    engine,
    db,
    census,
    api: await apiRequests(service, credentials),
    office: officeRequests(office, {
      db,
      client_id,
      other: { slug: 'annex', integrator_id: 'spare', client_id: annex.credentials.client_id },
    }),
    prepare,
    async attempt(request, plan) {
      const known = request.strict ? last : undefined
      const { ask } = await prepare(request, plan)
      if (limits && !limits.areShared()) throw new Error('Redis is no longer asked, so none of its calls can go wrong')
      const before = known ?? (await census())
      const reply = await ask()
      last = await census()
      return { reply, change: changeBetween(before, last) }
    },
  }
}

async function openFaulty(trial: Trial, installation: Installation, limits: SharedLimits | undefined) {
  let directory: Directory
  let faulty: Database
  // Emptied for each request, so that what it asks the database is asked each time.
  async function emptyDirectory(): Promise<void> {
    directory?.close()
    // Nobody else changes anything, so it need not watch.
    directory = await openDirectory({ ...faulty, watch: () => () => {} }, { async keysChanged() {}, failed() {} })
  }
  const service = await openService(trial, installation, async ({ db, activity, windows }) => {
    faulty = faultyDatabase(db)
    await emptyDirectory()
    return {
      db: faulty,
      activity: faultyAside(activity),
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
