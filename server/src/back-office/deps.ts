import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Backups } from '../backup/backups.ts'
import type { Config } from '../config.ts'
import type { Directory } from '../directory/directory.ts'
import type { KeyRing } from '../directory/keys.ts'
import type { Windows } from '../limits/window.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { RefuseSaved } from '../resource/edit.ts'
import type { Resource } from '../resource/resource.ts'
import type { AddCommand } from '../resource/write/commands.ts'
import type { ActivityStore } from '../storage/activity-store.ts'
import type { Database } from '../storage/database.ts'
import type { PasswordQueue } from './people/password-queue.ts'
import type { SignIn } from './people/sign-in.ts'
import type { Connect } from './schema.ts'
import type { Searches } from './searches.ts'
import type { LiveDeps } from './till/live.ts'
import type { Verify } from './verification.ts'

/** The service's dependencies that the back office uses. */
export interface ServiceDeps {
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

/** The dependencies of its routes. */
export interface BackOfficeDeps extends ServiceDeps {
  command: AddCommand
  /** The resources of the data pages. */
  resources: readonly Resource[]
  /** Serves the change feed in a scope. */
  events: (scope: FastifyInstance) => void
  /** Serves webhook endpoints in a scope. */
  webhooks: (scope: FastifyInstance) => void
  /** Serves in a scope the menu as guests pay it, and what staff does with it. */
  menu: (scope: FastifyInstance) => void
  /** Dependencies of the till's event stream. */
  live: LiveDeps
  /** By resources: refuses what this installation does not allow to be stored. */
  refuseSaved: Readonly<Record<string, RefuseSaved>>
  /** How other devices of the local network are connected; undefined where the service is not on one. */
  connection: () => Connect | undefined
  /** The certificate that this process serves with, as PEM; undefined where it speaks plain HTTP. */
  certificate: () => string | Buffer | undefined
  /** Copies of the embedded database; undefined on PostgreSQL. */
  backups: Backups | undefined
  signIn: SignIn
  verify: Verify
  /** Makes this process follow a committed change at once. Never fails. */
  followChange: () => Promise<void>
  /** Lists that people filter and search, and the figures of Activity: each has its own limit of four for an account. */
  searches: Searches
  figures: Searches
}
