import type { StaffUser } from '../http/call.ts'
import type { Database } from '../storage/database.ts'
import type { Tables } from '../storage/tables.ts'
import { isSoundText } from '../values/values.ts'
import { liveSecrets } from './earlier-secrets.ts'

// Brands, staff, integrators and credentials, cached in memory so that no request queries the database, and coherent within a second
// (D5.6): every change leaves an audit row, so the rows after the last one seen say exactly what to forget.

export interface HeldCredential {
  readonly client_id: string
  readonly user_id: number
  readonly venue_id: number
  readonly enabled: boolean
  readonly epoch: number
  /** Epochs of earlier secrets, and until when their tokens are good, in milliseconds. */
  readonly earlier: readonly { readonly epoch: number; readonly until: number }[]
}

export interface HeldBrand {
  readonly id: number
  readonly slug: string
  readonly test: boolean
  /** The main venue first. */
  readonly venues: ReadonlySet<number>
  readonly users: ReadonlyMap<number, StaffUser>
  readonly credentials: ReadonlyMap<string, HeldCredential>
  /** Requests a minute by integrator, where it is not the default quota. */
  readonly quotas: ReadonlyMap<string, number>
}

interface HeldIntegrator {
  readonly id: string
  readonly active: boolean
  readonly test: boolean
  readonly epoch: number
}

export interface Directory {
  /** Returns a cached entry at once; loads any other from the database. */
  brand(slug: string): HeldBrand | Promise<HeldBrand | undefined>
  integrator(id: string): HeldIntegrator | Promise<HeldIntegrator | undefined>
  /** Applies every change that is committed by now. */
  refresh(): Promise<void>
  /** For how long changes could not be read; 0 when all is well. */
  staleMs(): number
  close(): void
}

const MAX_CACHED = 20_000

interface DirectoryEvents {
  /** A key was added to the ring, or revoked. */
  keysChanged(): Promise<void>
  /** Changes could not be read; the cache may be stale until the store is back. */
  failed(error: unknown): void
}

export async function openDirectory(db: Database, events: DirectoryEvents): Promise<Directory> {
  const [start] = await db.rows<{ version: number }>('select version from directory_version where id = 1', [])
  let seen = start!.version
  const brands = cache((slug) => loadBrand(db, slug))
  const integrators = cache((id) => loadIntegrator(db, id))

  async function takeIn() {
    const changes = await db.unqueued.rows<{ id: number; action: string; subject: string; slug: string | null }>(
      `select audit.id, audit.action, audit.subject, brands.slug from audit left join brands on brands.id = audit.brand_id
       where audit.id > ? order by audit.id`,
      [seen],
    )
    for (const { id, action, subject, slug } of changes) {
      if (slug !== null) brands.forget(slug)
      else if (action.startsWith('integrator.')) integrators.forget(subject)
      else if (action.startsWith('keys.')) await events.keysChanged()
      seen = id
    }
  }

  const refresh = oneAtATime(takeIn)
  let failingSince: number | undefined
  const unwatch = db.watch(() =>
    refresh().then(
      () => {
        failingSince = undefined
      },
      (error) => {
        if (failingSince === undefined) events.failed(error) // once, not at every poll
        failingSince ??= performance.now()
      },
    ),
  )
  const staleMs = () => (failingSince === undefined ? 0 : performance.now() - failingSince)
  return { brand: brands.get, integrator: integrators.get, refresh, staleMs, close: unwatch }
}

/** Runs `work` again once it ends if it was called meanwhile, so that the last caller sees what was committed before its call. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = () => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (!running) return start()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}

function cache<Entry>(load: (key: string) => Promise<Entry | undefined>) {
  const held = new Map<string, Entry>()
  const loading = new Map<string, Promise<Entry | undefined>>()

  async function loaded(key: string): Promise<Entry | undefined> {
    const attempt = load(key)
    loading.set(key, attempt)
    try {
      const entry = await attempt
      // Forgotten while it was loading: it may be older than the change, so it is returned once and not cached.
      if (entry !== undefined && loading.get(key) === attempt) {
        if (held.size >= MAX_CACHED) held.delete(held.keys().next().value!)
        held.set(key, entry)
      }
      return entry
    } finally {
      if (loading.get(key) === attempt) loading.delete(key)
    }
  }

  return {
    get: (key: string): Entry | Promise<Entry | undefined> => held.get(key) ?? loading.get(key) ?? loaded(key),
    forget(key: string) {
      held.delete(key)
      loading.delete(key)
    },
  }
}

async function loadIntegrator(db: Database, id: string): Promise<HeldIntegrator | undefined> {
  if (!isSoundText(id)) return undefined
  const [row] = await db.rows<Pick<Tables['integrators'], 'id' | 'active' | 'test' | 'epoch'>>(
    'select id, active, test, epoch from integrators where id = ?',
    [id],
  )
  return row && { id: row.id, active: row.active === 1, test: row.test === 1, epoch: row.epoch }
}

async function loadBrand(db: Database, slug: string): Promise<HeldBrand | undefined> {
  const [brand] = await db.rows<Pick<Tables['brands'], 'id' | 'slug' | 'test'>>(
    'select id, slug, test from brands where slug = ?',
    [slug],
  )
  if (!brand) return undefined
  const owned = <Table extends keyof Tables, Column extends keyof Tables[Table] & string>(
    table: Table,
    columns: readonly Column[],
    order = '',
  ) =>
    db.rows<Pick<Tables[Table], Column>>(`select ${columns.join(', ')} from ${table} where brand_id = ? ${order}`, [
      brand.id,
    ])
  const [venues, roles, users, credentials, quotas] = await Promise.all([
    owned('venues', ['id'], 'order by is_main desc, id'),
    owned('roles', ['id', 'permissions']),
    owned('users', ['id', 'username', 'role_id', 'venue_ids', 'active']),
    owned('credentials', ['client_id', 'user_id', 'venue_id', 'enabled', 'epoch', 'earlier_secrets']),
    owned('quotas', ['integrator_id', 'per_minute']),
  ])
  const permissions = new Map(roles.map((role) => [role.id, new Set(JSON.parse(role.permissions) as string[])]))
  return {
    id: brand.id,
    slug: brand.slug,
    test: brand.test === 1,
    venues: new Set(venues.map(({ id }) => id)),
    users: new Map(
      users.map(({ id, username, role_id, venue_ids, active }) => [
        id,
        {
          id,
          username,
          active: active === 1,
          permissions: permissions.get(role_id) ?? new Set(),
          venues: venue_ids === null ? undefined : new Set(JSON.parse(venue_ids) as number[]),
        },
      ]),
    ),
    credentials: new Map(
      credentials.map(({ client_id, user_id, venue_id, enabled, epoch, earlier_secrets }) => [
        client_id,
        {
          client_id,
          user_id,
          venue_id,
          enabled: enabled === 1,
          epoch,
          earlier: liveSecrets(earlier_secrets, 0).map((secret) => ({
            epoch: secret.epoch,
            until: Date.parse(secret.until),
          })),
        },
      ]),
    ),
    quotas: new Map(quotas.map(({ integrator_id, per_minute }) => [integrator_id, per_minute])),
  }
}
