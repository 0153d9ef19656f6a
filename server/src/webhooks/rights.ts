import { may } from '../auth/permissions.ts'
import type { Directory, HeldBrand } from '../directory/directory.ts'
import { EVENT_TYPES, typesNamed } from '../events/catalogue.ts'
import type { Selection } from '../events/selection.ts'
import type { Caller } from '../http/call.ts'

// W5, W9: for whom an endpoint receives, and what they may see at this moment.

export type Suspension =
  | 'credential_disabled'
  | 'user_deactivated'
  | 'integrator_inactive'
  | 'test_mode'
  | 'no_permission'

/** An endpoint as far as rights depend on it. */
export interface Owner {
  readonly client_id: string
  readonly integrator_id: string
  readonly types: string
  readonly venues: string | null
}

/** The caller that an endpoint stands for, or why nothing is sent to it now. */
export async function receiverOf(
  directory: Directory,
  slug: string,
  { client_id, integrator_id }: Owner,
): Promise<{ readonly caller: Caller } | { readonly suspended: Suspension }> {
  const brand = await directory.brand(slug)
  const credential = brand?.credentials.get(client_id)
  if (!brand || !credential?.enabled) return { suspended: 'credential_disabled' }
  const user = brand.users.get(credential.user_id)
  if (!user?.active) return { suspended: 'user_deactivated' }
  const integrator = await directory.integrator(integrator_id)
  if (!integrator?.active) return { suspended: 'integrator_inactive' }
  if (integrator.test && !brand.test) return { suspended: 'test_mode' }
  if (!may(user.permissions, 'events:read')) return { suspended: 'no_permission' }
  return { caller: callerOf(brand, credential, integrator_id, user) }
}

const callerOf = (
  { id: brand_id, slug: brand }: HeldBrand,
  { client_id, venue_id }: { client_id: string; venue_id: number },
  integrator_id: string,
  user: Caller['user'],
): Caller => ({ brand_id, brand, integrator_id, client_id, venue_id, user })

const filtered = new Map<string, ReadonlySet<string>>()
const MAX_FILTERS = 1_000

/** The types that filters name, as a set; those of a stored endpoint are known. */
function typesIn(filters: string): ReadonlySet<string> {
  const known = filtered.get(filters)
  if (known) return known
  const types = new Set((JSON.parse(filters) as string[]).flatMap((name) => typesNamed(name).map(({ type }) => type)))
  if (filtered.size >= MAX_FILTERS) filtered.clear()
  filtered.set(filters, types)
  return types
}

const allowed = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>()

/** What of the feed goes to an endpoint now. */
export function selectionOf({ user }: Caller, { types, venues }: Owner): Selection {
  let visible = allowed.get(user.permissions)
  if (!visible) {
    visible = new Set(EVENT_TYPES.filter(({ permission }) => may(user.permissions, permission)).map(({ type }) => type))
    allowed.set(user.permissions, visible)
  }
  const chosen = venues === null ? undefined : new Set(JSON.parse(venues) as number[])
  const entered = chosen && user.venues ? chosen.intersection(user.venues) : (chosen ?? user.venues)
  return { types: typesIn(types).intersection(visible), venues: entered }
}
