import { eventLoop } from './clients/event-loop.ts'
import { fuzz } from './clients/fuzz.ts'
import { largePages } from './clients/large-pages.ts'
import { slowClients } from './clients/slow-clients.ts'
import { soak } from './clients/soak.ts'
import { acknowledged } from './durability/acknowledged.ts'
import { closing } from './durability/closing.ts'
import { disk } from './durability/disk.ts'
import { erasing } from './durability/erasing.ts'
import { idempotency } from './durability/idempotency.ts'
import { migrations } from './durability/migrations.ts'
import { refused } from './durability/refused.ts'
import { uniqueness } from './durability/uniqueness.ts'
import { feed } from './feed/feed.ts'
import { published } from './feed/published.ts'
import { waits } from './feed/waits.ts'
import { contract } from './fleet/contract.ts'
import { crashes } from './fleet/crashes.ts'
import { directory } from './fleet/directory.ts'
import { fleetLimits } from './fleet/limits.ts'
import { oneServer } from './fleet/one-server.ts'
import { postgres } from './fleet/postgres.ts'
import { redis } from './fleet/redis.ts'
import { rollingRestart } from './fleet/rolling-restart.ts'
import { venues } from './fleet/venues.ts'
import type { Trial } from './harness/trial.ts'
import { archive } from './install/archive.ts'
import { isolation } from './isolation/isolation.ts'
import { clock } from './limits/clock.ts'
import { limits } from './limits/limits.ts'
import { menu } from './menu/menu.ts'
import { orders } from './orders/orders.ts'
import { pins } from './pins/pins.ts'
import { printing } from './printing/printing.ts'
import { secrets } from './secrets/secrets.ts'
import { timing } from './secrets/timing.ts'
import { storeCalls } from './store-calls/store-calls.ts'
import { tables } from './tables/tables.ts'
import { closeRaces } from './venue/close-races.ts'
import { rush } from './venue/rush.ts'
import { venue } from './venue/venue.ts'
import { webhooks } from './webhooks/webhooks.ts'

interface Experiment {
  name: string
  run(trial: Trial): Promise<void>
  /** Whether it needs many workers or servers: `npm run test:scale` runs these, `npm run trust` the others. */
  fleet: boolean
}

const tagged = (fleet: boolean, runs: Record<string, Experiment['run']>): Experiment[] =>
  Object.entries(runs).map(([name, run]) => ({ name, run, fleet }))

/** In the order in which they run. */
export const EXPERIMENTS: readonly Experiment[] = [
  ...tagged(false, {
    acknowledged,
    closing,
    closeRaces,
    orders,
    venue,
    tables,
    rush,
    refused,
    idempotency,
    uniqueness,
    erasing,
    feed,
    published,
    waits,
    menu,
    webhooks,
    printing,
    limits,
    fuzz,
    isolation,
    storeCalls,
    slowClients,
    disk,
    migrations,
    clock,
    eventLoop,
    largePages,
    secrets,
    pins,
    timing,
    archive,
    soak,
  }),
  ...tagged(true, {
    fleetLimits,
    redis,
    postgres,
    directory,
    rollingRestart,
    crashes,
    oneServer,
    venues,
    contract,
  }),
]
