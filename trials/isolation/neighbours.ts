import { uuidOf } from '../../server/src/demo/random.ts'
import { createCredential } from '../../server/src/directory/credentials.ts'
import { addBrand, addIntegrator, setIntegrator, setQuota } from '../../server/src/directory/registry.ts'
import type { Resource } from '../../server/src/resource/resource.ts'
import { recount } from '../../server/src/resource/write/counters.ts'
import { RESOURCES } from '../../server/src/resources/catalogue.ts'
import { products } from '../../server/src/resources/menu/products.ts'
import { users } from '../../server/src/resources/people/users.ts'
import { venues } from '../../server/src/resources/places/venues.ts'
import { receipts } from '../../server/src/resources/sales/receipts.ts'
import { putRows, type Row } from '../../server/test/database/store.ts'
import type { Credentials, Installation } from '../harness/installation.ts'
import { cidOf, DISH } from '../harness/openapi.ts'
import { courseOf, type Place, rowAt, TABLES, variantId } from './rows.ts'
import { takeSnapshot } from './snapshot.ts'

// Three brands under one roof. Each has the same ids as the others, and some that it has alone; every text of it carries its marker.

export const BRANDS = [1, 2, 3]
/** Names like theirs that there never were, lower than any that is given out; and names that were there once, in every brand. */
const [NEVER, GONE] = [0, 4]
export const INTEGRATORS = ['north', 'south']
export const VISITOR = 'visitor' // an integrator that no brand has an agreement with
export const CLOSED = 'closed' // one that was switched off

const READER = ['products:read', 'price-lists:read', 'receipts:read', 'events:read', 'menu:write']
export const ROLES: readonly { username: string; permissions: string[]; venue_ids?: number[] }[] = [
  { username: 'owner', permissions: ['*'] },
  { username: 'nobody', permissions: [] },
  { username: 'reader', permissions: READER },
  { username: 'waiter', permissions: ['*'], venue_ids: [1] }, // at one venue only
]

export const OWN = 1 // in every brand
export const SECOND = 9 // a second receipt of every brand, at its first venue
export const ELSEWHERE = 2 // in every brand, at its second venue
export const TWIN = 'cl_twin' // a credential of every brand, each with a secret of its own

const marker = (brand: number) => `marker-${brand}-`
// Where a row has no text; far enough from each other that no sum of one brand's is another's.
const numberOf = (brand: number) => 760_000 + brand * 10_007
const secretOf = (brand: number, client_id: string) => `${marker(brand)}secret of ${client_id}`
/** What rows of venues other than the first have in the place of both. */
const away = (brand: number) => ({ text: `${marker(brand)}elsewhere `, number: 860_000 + brand * 10_007 })
const awayPattern = (brand: number) => `${away(brand).text.trim()}|\\b${away(brand).number}\\b`
export const carries = (brands: readonly number[]) =>
  new RegExp(brands.map((brand) => `${marker(brand)}|\\b${numberOf(brand)}\\b|${awayPattern(brand)}`).join('|'))

/** Names that only one brand has. All have the same length, so that responses that repeat them have the same length too. */
export const namesOf = (brand: number) => ({
  brand,
  slug: `${marker(brand)}brand`,
  integrator_id: `${marker(brand)}hub`,
  username: `${marker(brand)}clerk`,
  client_id: `cl_${marker(brand)}client`,
  client_secret: secretOf(brand, 'client'),
  id: 100 + brand,
  variant_id: variantId(100 + brand),
  venue_id: 20 + brand,
  user_id: 30 + brand,
  name: `${marker(brand)}name`,
  number: numberOf(brand),
  instant: `2025-0${brand + 1}-01T00:00:00.000Z`,
  request_id: uuidOf('request', brand), // of a call that there was: see `isolation.ts`
})
export type Names = ReturnType<typeof namesOf>

/** Where a user may go. */
export const venuesOf = (brand: number, venue_ids?: number[]) => venue_ids ?? [1, ELSEWHERE, namesOf(brand).venue_id]

/** The id by which somebody asks for a row of this resource. */
export function idOf({ table }: Resource, { id, venue_id, user_id }: Names): number {
  if (table === 'courses') return courseOf(id)
  return table === 'venues' ? venue_id : table === 'users' ? user_id : id
}

/** Where rows with these names stand: by default at the first venue. */
export const placeOf = ({ id, user_id, brand, number, instant }: Names): Place => ({
  id,
  brandWide: id,
  venue_id: 1,
  user_id,
  text: marker(brand),
  number,
  instant,
})
export const awayOf = (names: Names): Place => ({
  ...placeOf(names),
  ...away(names.brand),
  id: names.variant_id,
  venue_id: names.venue_id,
})

/** One brand as somebody of it sees the world. */
export interface Neighbour {
  brand: number
  own: Names
  others: Names[]
  /** Names that must look absent to them; the first one never existed. */
  hidden: Names[]
  /** Matches everything that no response to them may contain. */
  foreign: RegExp
  /** Matches texts that only rows of other venues than the first contain. */
  elsewhere: RegExp
  twinSecret: string
}

export const neighbourOf = (brand: number, called: ReadonlyMap<number, string> = new Map()): Neighbour => {
  const names = (each: number) => ({ ...namesOf(each), request_id: called.get(each) ?? namesOf(each).request_id })
  const strangers = BRANDS.filter((each) => each !== brand)
  const others = strangers.map(names)
  return {
    brand,
    own: names(brand),
    others,
    hidden: [names(NEVER), names(GONE), ...others],
    foreign: carries(strangers),
    elsewhere: new RegExp(awayPattern(brand)),
    twinSecret: secretOf(brand, TWIN),
  }
}

const roles = RESOURCES.find(({ table }) => table === 'roles')!
const OF_VENUES = TABLES.filter(({ scope }) => scope === 'venue')

const rowsOf = (brand: number): Row[] => {
  const own: Place = {
    ...placeOf(namesOf(brand)),
    id: OWN,
    brandWide: OWN,
    user_id: OWN,
    instant: '2026-01-01T00:00:00.000Z',
  }
  const elsewhere: Place = { ...own, ...away(brand), id: ELSEWHERE, venue_id: ELSEWHERE }
  const rows: Row[] = [
    { ...rowAt(venues, own), is_main: true },
    rowAt(venues, elsewhere),
    ...ROLES.flatMap(({ username, permissions, venue_ids }, index): Row[] => [
      { kind: 'role', id: index + 1, name: own.text, permissions },
      { ...rowAt(users, { ...own, id: index + 1 }), username, role_id: index + 1, ...(venue_ids && { venue_ids }) },
    ]),
    ...TABLES.map((resource) => rowAt(resource, own)),
    ...OF_VENUES.map((resource) => rowAt(resource, elsewhere)),
    { ...rowAt(products, own), id: DISH },
    rowAt(receipts, { ...own, id: SECOND }),
    ...rowsNamed(namesOf(brand)),
    ...rowsNamed(namesOf(GONE)),
  ]
  // Customers and suppliers bring balances, which get ids after those that are there.
  const place = ({ kind }: Row) => FIRST.indexOf(kind) + 1 || FIRST.length + 1
  return rows.sort((one, other) => place(one) - place(other))
}

const FIRST = ['venue', 'role', 'user', 'balance']

const rowsNamed = (names: Names): Row[] => {
  const [here, there] = [placeOf(names), awayOf(names)]
  return [
    rowAt(venues, { ...there, id: names.venue_id }),
    { ...rowAt(roles, here), permissions: [] },
    { ...rowAt(users, { ...here, id: names.user_id }), venue_ids: [1, ELSEWHERE, names.venue_id] },
    ...TABLES.map((resource) => rowAt(resource, here)),
    ...OF_VENUES.map((resource) => rowAt(resource, there)),
  ]
}

/** Creates the brands, their integrators and their credentials, then deletes those that the experiments expect to be gone. */
export async function createBrands({ db, keys }: Installation): Promise<void> {
  const hubs = [...BRANDS, GONE].map((brand) => namesOf(brand).integrator_id)
  for (const id of [...INTEGRATORS, VISITOR, CLOSED, ...hubs])
    await addIntegrator(db, 'trust', { name: id, id, test: false })
  await setIntegrator(db, 'trust', CLOSED, { active: false })
  for (const brand of BRANDS) {
    const { slug, username, integrator_id, client_id, client_secret } = namesOf(brand)
    const { id } = await addBrand(db, 'trust', { slug, name: slug, test: false })
    await putRows(db, id, rowsOf(brand))
    for (const integrator of [...INTEGRATORS, integrator_id]) await setQuota(db, 'trust', slug, integrator, 1e9)
    const add = (user: string, fixed: { client_id: string; client_secret: string }) =>
      createCredential(db, keys, 'trust', { brand: slug, username: user, name: `${marker(brand)}credential`, fixed })
    for (const role of ROLES) await add(role.username, credentialOf(brand, role.username))
    await add(username, { client_id, client_secret })
    await add('owner', { client_id: TWIN, client_secret: secretOf(brand, TWIN) })
    await add('owner', { client_id: namesOf(GONE).client_id, client_secret: namesOf(GONE).client_secret })
    await forget({ db }, id)
  }
  const { slug, integrator_id } = namesOf(GONE)
  const { id } = await addBrand(db, 'trust', { slug, test: false })
  const added = (await takeSnapshot(db)).get(id) ?? []
  const tables = new Set([...added].map((row) => row.slice(0, row.indexOf(' '))))
  await db.transaction(async (tx) => {
    for (const table of tables)
      if (!['audit', 'brands'].includes(table)) await tx.run(`delete from ${table} where brand_id = ?`, [id])
    await tx.run('delete from brands where id = ?', [id])
    await tx.run('delete from integrators where id = ?', [integrator_id])
  })
}

async function forget({ db }: Pick<Installation, 'db'>, brand_id: number): Promise<void> {
  const names = namesOf(GONE)
  const ids = [names.id, names.variant_id]
  await db.transaction(async (tx) => {
    await tx.run('delete from credentials where brand_id = ? and client_id = ?', [brand_id, names.client_id])
    for (const table of ['reservations', 'tickets', 'receipt_lines'])
      await tx.run(`delete from ${table} where brand_id = ? and receipt_id in (?, ?)`, [brand_id, ...ids])
    // What came with other rows, and has ids of its own.
    await tx.run('delete from stocks where brand_id = ? and product_id in (?, ?)', [brand_id, ...ids])
    const theirs = `select id from balances where brand_id = ?
      and (name like ? or customer_id in (?, ?) or supplier_id in (?, ?) or venue_id = ?)`
    const whose = [brand_id, `${marker(GONE)}%`, ...ids.map(String), ...ids, names.venue_id]
    await tx.run(
      `delete from payment_accounts where brand_id = ? and (payment_method_id in (?, ?) or balance_id in (${theirs}))`,
      [brand_id, ...ids, ...whose],
    )
    await tx.run(`delete from transactions where brand_id = ? and balance_id in (${theirs})`, [brand_id, ...whose])
    await tx.run(`delete from balances where brand_id = ? and id in (${theirs})`, [brand_id, ...whose])
    // Each after those that point at it, and variants after their products.
    for (const resource of RESOURCES.toReversed()) {
      const own = idOf(resource, names)
      if (resource.kind === 'menu_entry')
        await tx.run('delete from menu_entries where brand_id = ? and id = ?', [brand_id, `product-${names.id}`])
      for (const id of resource.columns.id === 'key' ? ids.map(textOf(resource)) : [names.variant_id, own])
        await tx.run(`delete from ${resource.table} where brand_id = ? and id = ?`, [brand_id, id])
      await recount(tx, brand_id, resource)
    }
  })
}

/** An id that is a text. */
const textOf =
  ({ line }: Resource) =>
  (id: number) =>
    (line.properties.id as { format?: string }).format === 'uuid' ? cidOf(id) : String(id)

const credentialOf = (brand: number, username: string) => {
  const client_id = `cl_${marker(brand)}${username}`
  return { client_id, client_secret: secretOf(brand, client_id) }
}

/** What one of the staff signs in with, for an integrator. */
export const credentialsOf = (brand: number, username: string, integrator_id: string): Credentials => ({
  ...credentialOf(brand, username),
  brand: namesOf(brand).slug,
  integrator_id,
})
