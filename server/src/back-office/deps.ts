import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Directory } from '../directory/directory.ts'
import type { KeyRing } from '../directory/keys.ts'
import type { Windows } from '../limits/window.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Resource } from '../resources/define.ts'
import type { ActivityStore } from '../storage/activity-store.ts'
import type { Database } from '../storage/database.ts'
import type { PasswordQueue } from './people/password-queue.ts'
import type { SignIn } from './people/sign-in.ts'
import type { Searches } from './searches.ts'
import type { Verify } from './verification.ts'

/** What the back office takes of the service. */
export interface Stores {
  config: Config
  db: Database
  activity: ActivityStore
  keys: KeyRing
  directory: Directory
  windows: Windows
  log: FastifyBaseLogger
  metrics: Metrics
  hashing: PasswordQueue
  now: () => number
}

/** What its routes are handed. */
export interface Needs extends Stores {
  /** What the data pages list. */
  resources: readonly Resource[]
  signIn: SignIn
  verify: Verify
  /** Makes this process follow a committed change at once. Never fails. */
  followChange: () => Promise<void>
  /** Lists that people filter and search, and the figures of Activity: each has its own limit of four for an account. */
  searches: Searches
  figures: Searches
}
