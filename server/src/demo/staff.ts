import type { StaffUser } from '../http/call.ts'
import { newActs } from '../resource/write/acts.ts'
import type { CommandContext } from '../resource/write/commands.ts'
import { raise } from '../resource/write/counters.ts'
import { countRows } from '../resource/write/write.ts'
import type { Transaction, Value } from '../storage/database.ts'
import { roles, users, venues } from './people.ts'

/** The staff at work: builds the context of a command by one of them, at a venue and a time. */
export interface Staff {
  readonly brand_id: number
  readonly tx: Transaction
  acting(venue_id: number, user_id: number, now: string): CommandContext
  /** Context of an API client, as the owner's user. */
  ordering(venue_id: number, client: { integrator_id: string; client_id: string }, now: string): CommandContext
  /** Runs after the last command: counts what was added, and marks the ids that were used as taken. */
  finish(): Promise<void>
}

/** Ids continue the last ones without gaps, and UUIDs are deterministic, so that the demo is the same wherever it is made. */
export async function staffOf(
  tx: Transaction,
  brand: { id: number; slug: string },
  firstUuid: number,
  known: KnownRows = new Map(),
): Promise<Staff> {
  const brand_id = brand.id
  const counters = await tx.rows<{ name: string; value: number }>(
    `select name, value from counters where brand_id = ? and name like '%_id'`,
    [brand_id],
  )
  const last = new Map(counters.map(({ name, value }) => [name, value]))
  const taken = new Set<string>()
  let made = 0
  const ids: CommandContext['ids'] = {
    take(name) {
      const id = (last.get(name) ?? 0) + 1
      last.set(name, id)
      taken.add(name)
      return id
    },
    uuid: () => `0d6ef8c6-6f0e-4f59-9d3b-${(firstUuid + made++).toString(16).padStart(12, '0')}`,
  }
  const permissions = new Map(roles.map((role) => [role.id, new Set(role.permissions)]))
  const people = new Map(
    users.map(({ id, username, role_id, venue_ids }): [number, StaffUser] => [
      id,
      {
        id,
        username,
        active: true,
        permissions: permissions.get(role_id)!,
        venues: venue_ids && new Set(venue_ids),
      },
    ]),
  )
  const counted: CommandContext['counted'] = []
  const published: Transaction = {
    ...tx,
    rows: readOnce(tx, known),
    publish: (event) => tx.publish({ ...event, source: 'staff' }),
  }
  return {
    brand_id,
    tx,
    acting: (venue_id, user_id, now) => ({
      tx: published,
      brand_id,
      actor: people.get(user_id)!.username,
      caller: {
        brand: brand.slug,
        brand_id,
        venue_id,
        user: people.get(user_id)!,
        integrator_id: `staff:${user_id}`,
        client_id: '',
      },
      now,
      ids,
      counted,
      acts: newActs(),
    }),
    ordering: (venue_id, { integrator_id, client_id }, now) => ({
      tx: { ...tx, publish: (event) => tx.publish({ ...event, source: `api:${integrator_id}` }) },
      brand_id,
      actor: client_id,
      caller: { brand: brand.slug, brand_id, venue_id, user: people.get(OWNER)!, integrator_id, client_id },
      now,
      ids,
      counted,
      acts: newActs(),
    }),
    async finish() {
      await countRows({ tx, brand_id }, counted)
      for (const name of [...taken].sort()) await raise(tx, brand_id, name, last.get(name)!)
    },
  }
}

/** Tables that no command of the history writes: every command reads the same rows. */
const UNCHANGED = [
  'brands',
  'venues',
  'terminals',
  'tables',
  'stations',
  'storages',
  'sale_types',
  'payment_methods',
  'payment_accounts',
  'products',
  'prices',
  'price_lists',
  'taxes',
  'finance_categories',
  'units',
]

const MAX_REMEMBERED = 20_000

/** Rows of these tables, by statement and values. */
export type KnownRows = Map<string, unknown[]>

/** Answers repeated reads of these tables alone from memory. */
function readOnce(tx: Transaction, known: KnownRows): Transaction['rows'] {
  const isUnchanged = new Map<string, boolean>()
  return async <Row>(text: string, values: readonly Value[]) => {
    let remembered = isUnchanged.get(text)
    if (remembered === undefined) {
      const tables = [...text.matchAll(/\b(?:from|join|update|into) (\w+)/g)].map(([, table]) => table!)
      remembered = text.startsWith('select') && tables.every((table) => UNCHANGED.includes(table))
      isUnchanged.set(text, remembered)
    }
    if (!remembered) return tx.rows<Row>(text, values)
    const key = JSON.stringify([text, values])
    const rows = known.get(key) ?? (await tx.rows(text, values))
    if (known.size < MAX_REMEMBERED) known.set(key, rows)
    return rows as Row[]
  }
}

/** The cashier, who counts the drawer there. */
export const cashierAt = (venue_id: number): number =>
  users.find(({ role_id, venue_ids }) => role_id === CASHIER && venue_ids?.includes(venue_id))!.id

const CASHIER = 3
const OWNER = 1

export const VENUES = venues.map(({ id }) => id)
