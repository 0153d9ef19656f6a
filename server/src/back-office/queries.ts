import { mayEnter } from '../auth/permissions.ts'
import { type AuditFilter, listAudit } from '../directory/audit.ts'
import { lastEnd, liveSecrets } from '../directory/earlier-secrets.ts'
import type { Brand } from '../directory/registry.ts'
import type { StaffUser } from '../http/call.ts'
import { isFilled } from '../setup/links.ts'
import type { Queries } from '../storage/database.ts'
import { definedOnly } from '../values/defined-only.ts'
import type {
  AuditPage,
  BrandStaff,
  SharedBrands,
  ShownBrand,
  ShownCredential,
  ShownIntegrator,
  SignIns,
  Staff,
} from './schema.ts'

const LATELY_MS = 30 * 86_400_000
const AUDIT_PAGE = 50
const SIGN_INS_SHOWN = 200

/** A staff user as people know them. */
export async function findStaffName(
  db: Queries,
  brand_id: number,
  id: number,
): Promise<{ name: string; role: string }> {
  const [row] = await db.rows<{ name: string; role: string }>(
    `select users.name, roles.name as role from users
     join roles on roles.brand_id = users.brand_id and roles.id = users.role_id where users.brand_id = ? and users.id = ?`,
    [brand_id, id],
  )
  return row!
}

interface CredentialRow {
  client_id: string
  name: string
  user_id: number
  user_name: string
  active: number
  role: string
  venue_id: number
  venue: string
  enabled: number
  earlier_secrets: string | null
  created_at: string
  used_at: string | null
}

/** A brand's credentials, newest first, with the names behind their numbers. */
export async function listShownCredentials(
  db: Queries,
  { id }: Pick<Brand, 'id'>,
  now: number,
): Promise<ShownCredential[]> {
  const rows = await db.rows<CredentialRow>(
    `select credentials.client_id, credentials.name, user_id, users.name as user_name, active, roles.name as role, venue_id,
            venues.name as venue, enabled, earlier_secrets, credentials.created_at,
            (select max(used_at) from credential_uses as uses
             where uses.brand_id = credentials.brand_id and uses.client_id = credentials.client_id) as used_at
     from credentials
     join users on users.brand_id = credentials.brand_id and users.id = credentials.user_id
     join roles on roles.brand_id = users.brand_id and roles.id = users.role_id
     join venues on venues.brand_id = credentials.brand_id and venues.id = credentials.venue_id
     where credentials.brand_id = ? order by credentials.created_at desc, credentials.client_id`,
    [id],
  )
  return rows.map((row) => ({
    client_id: row.client_id,
    name: row.name,
    user: { id: row.user_id, name: row.user_name, role: row.role, active: row.active === 1 },
    venue: { id: row.venue_id, name: row.venue },
    enabled: row.enabled === 1,
    previous_until: lastEnd(liveSecrets(row.earlier_secrets, now)),
    created_at: row.created_at,
    used_at: row.used_at,
  }))
}

interface StaffRow {
  id: number
  name: string
  username: string
  role: string
  permissions: string
  venue_ids: string | null
}

/** Active users and venues of a brand, to bind credentials to. */
export async function listStaff(db: Queries, { id }: Pick<Brand, 'id'>): Promise<Omit<Staff, 'permissions'>> {
  const users = await db.rows<StaffRow>(
    `select users.id, users.name, username, roles.name as role, permissions, venue_ids from users
     join roles on roles.brand_id = users.brand_id and roles.id = users.role_id
     where users.brand_id = ? and active = 1 order by users.name`,
    [id],
  )
  const venues = await db.rows<{ id: number; name: string; is_main: number }>(
    'select id, name, is_main from venues where brand_id = ? order by is_main desc, name',
    [id],
  )
  return {
    users: users.map(({ permissions, venue_ids, ...user }) => ({
      ...user,
      permissions: JSON.parse(permissions),
      venue_ids: venue_ids === null ? null : JSON.parse(venue_ids),
    })),
    venues: venues.map((venue) => ({ ...venue, is_main: venue.is_main === 1 })),
  }
}

interface VenueSettings {
  readonly print_language?: string
  readonly legal_name?: string
  readonly tax_number?: string
  readonly bill_footer?: string
  readonly ask_guests?: number
}

/** The venues that a person may enter, the main one first: their clocks, and what stands on their paper. */
export async function findVenues(db: Queries, brand_id: number, user: StaffUser) {
  const rows = await db.rows<{ id: number; name: string; time_zone: string; address: string | null; settings: string }>(
    'select id, name, time_zone, address, settings from venues where brand_id = ? order by is_main desc, id',
    [brand_id],
  )
  return rows
    .filter(({ id }) => mayEnter(user, id))
    .map(({ address, settings, ...venue }) => {
      const {
        print_language: language = 'en',
        legal_name,
        tax_number,
        bill_footer,
        ask_guests = 1,
      } = JSON.parse(settings) as VenueSettings
      const paper = {
        language,
        ...definedOnly({ address: address ?? undefined, legal_name, tax_number, footer: bill_footer }),
      }
      return { ...venue, paper, ask_guests: ask_guests === 1 }
    })
}

/** A brand's active staff, for those who may invite them. */
export async function listBrandStaff(db: Queries, { id }: Pick<Brand, 'id'>, now: number): Promise<BrandStaff> {
  return {
    users: await db.rows(
      `select username, users.name, roles.name as role,
              case when password is not null then 'password' when expires_at > ? then 'link' else 'none' end as access
       from users
       join roles on roles.brand_id = users.brand_id and roles.id = users.role_id
       left join accounts on accounts.brand_id = users.brand_id and accounts.user_id = users.id
       left join invitations on invitations.account_id = accounts.id
       where users.brand_id = ? and active = 1 order by users.name, username`,
      [new Date(now).toISOString(), id],
    ),
  }
}

/** A page of the audit log, before and after as objects. */
export async function auditPage(db: Queries, filter: Omit<AuditFilter, 'limit'>): Promise<AuditPage> {
  const found = await listAudit(db, { ...filter, limit: AUDIT_PAGE + 1 })
  const rows = found.slice(0, AUDIT_PAGE)
  const slugs = await slugsOf(db, new Set(rows.map(({ brand_id }) => brand_id)))
  return {
    rows: rows.map(({ id, at, actor, action, subject, brand_id, before, after }) => ({
      id,
      at,
      actor,
      action,
      subject,
      brand: slugs.get(brand_id) ?? null,
      before: before && JSON.parse(before),
      after: after && JSON.parse(after),
    })),
    next: found.length > AUDIT_PAGE ? rows.at(-1)!.id : null,
  }
}

async function slugsOf(db: Queries, ids: Set<number | null>): Promise<Map<number | null, string>> {
  const known = [...ids].filter((id) => id !== null)
  if (known.length === 0) return new Map()
  const brands = await db.rows<{ id: number; slug: string }>(
    `select id, slug from brands where id in (${known.map(() => '?').join(', ')})`,
    known,
  )
  return new Map(brands.map(({ id, slug }) => [id, slug]))
}

export async function listShownBrands(db: Queries): Promise<ShownBrand[]> {
  const brands = await db.rows<{
    id: number
    slug: string
    name: string
    test: number
    created_at: string
    credentials: number
    is_open: number
  }>(
    `select id, slug, name, test, created_at,
            (select count(*) from credentials where credentials.brand_id = brands.id) as credentials,
            case when ${isFilled('brands.id')} then 1 else 0 end as is_open
     from brands order by slug`,
    [],
  )
  const quotas = Map.groupBy(
    await db.rows<{ brand_id: number; integrator_id: string; per_minute: number }>(
      'select brand_id, integrator_id, per_minute from quotas order by integrator_id',
      [],
    ),
    ({ brand_id }) => brand_id,
  )
  return brands.map(({ id, test, is_open, ...brand }) => ({
    ...brand,
    is_open: is_open === 1,
    test: test === 1,
    quotas: (quotas.get(id) ?? []).map(({ integrator_id, per_minute }) => ({ integrator_id, per_minute })),
  }))
}

export async function listShownIntegrators(db: Queries): Promise<ShownIntegrator[]> {
  const rows = await db.rows<{
    id: string
    name: string
    active: number
    test: number
    created_at: string
    used_at: string | null
  }>(
    `select id, name, active, test, created_at,
            (select max(used_at) from credential_uses where integrator_id = integrators.id) as used_at
     from integrators order by name, id`,
    [],
  )
  return rows.map(({ id, active, test, ...row }) => ({
    ...row,
    integrator_id: id,
    active: active === 1,
    test: test === 1,
  }))
}

/** §8 tier 3, rule 5: brands that more than one integrator called lately, which may be one client splitting its traffic. */
export async function listSharedBrands(db: Queries, now: number): Promise<SharedBrands['brands']> {
  const rows = await db.rows<{
    slug: string
    brand: string
    integrator_id: string
    name: string
    used_at: string
    per_minute: number | null
  }>(
    `select slug, brands.name as brand, calls.integrator_id, integrators.name, used_at, per_minute
     from (select brand_id, integrator_id, max(used_at) as used_at from credential_uses group by brand_id, integrator_id) as calls
     join brands on brands.id = calls.brand_id
     join integrators on integrators.id = calls.integrator_id
     left join quotas on quotas.brand_id = calls.brand_id and quotas.integrator_id = calls.integrator_id
     where used_at > ? order by slug, used_at desc`,
    [new Date(now - LATELY_MS).toISOString()],
  )
  return [...Map.groupBy(rows, ({ slug }) => slug)]
    .filter(([, calls]) => calls.length > 1)
    .map(([slug, calls]) => ({
      slug,
      name: calls[0]!.brand,
      integrators: calls.map(({ integrator_id, name, used_at, per_minute }) => ({
        integrator_id,
        name,
        used_at,
        per_minute,
      })),
    }))
}

/** The newest attempts to sign in. */
export const listSignIns = (db: Queries): Promise<SignIns['attempts']> =>
  db.rows(`select at, actor, address, outcome from sign_ins order by at desc, id limit ${SIGN_INS_SHOWN}`, [])
