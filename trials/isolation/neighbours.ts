import { uuidOf } from '../../server/src/demo/random.ts'
import {
  addBrand,
  addIntegrator,
  createCredential,
  setIntegrator,
  setQuota,
} from '../../server/src/directory/registry.ts'
import { RESOURCES } from '../../server/src/resources/all.ts'
import { recount } from '../../server/src/resources/counters.ts'
import { putRows, type Row } from '../../server/test/store.ts'
import type { Credentials, Installation } from '../harness/installation.ts'

// Three brands under one roof. Each has the same ids as the others, and some that it has alone; every text of it carries its marker.

export const BRANDS = [1, 2, 3]
/** Names like theirs that there never were, lower than any that is given out; and names that were there once, in every brand. */
const [NEVER, GONE] = [0, 4]
export const INTEGRATORS = ['north', 'south']
export const VISITOR = 'visitor' // an integrator that no brand has an agreement with
export const CLOSED = 'closed' // one that was switched off

export const ROLES: readonly { username: string; permissions: string[]; venue_ids?: number[] }[] = [
  { username: 'owner', permissions: ['*'] },
  { username: 'nobody', permissions: [] },
  { username: 'reader', permissions: ['products:read', 'price-lists:read', 'receipts:read'] },
  { username: 'waiter', permissions: ['*'], venue_ids: [1] }, // at one venue only
]

export const OWN = 1 // in every brand
export const ELSEWHERE = 2 // in every brand, at its second venue
export const TWIN = 'cl_twin' // a credential of every brand, each with a secret of its own

const marker = (brand: number) => `marker-${brand}-`
const numberOf = (brand: number) => 770_070 + brand // where a row has no text
const secretOf = (brand: number, client_id: string) => `${marker(brand)}secret of ${client_id}`
export const carries = (brands: readonly number[]) =>
  new RegExp(brands.map((brand) => `${marker(brand)}|\\b${numberOf(brand)}\\b`).join('|'))

/** What a brand has alone, or would have. All of them look alike, so that answers which repeat them are of one length. */
export const namesOf = (brand: number) => ({
  brand,
  slug: `${marker(brand)}brand`,
  integrator_id: `${marker(brand)}hub`,
  username: `${marker(brand)}clerk`,
  client_id: `cl_${marker(brand)}client`,
  client_secret: secretOf(brand, 'client'),
  id: 100 + brand,
  variant_id: 200 + brand,
  venue_id: 20 + brand,
  user_id: 30 + brand,
  group_id: 50 + brand,
  name: `${marker(brand)}name`,
  email: `${marker(brand)}guest@example.com`,
  phone: `+994 50 ${numberOf(brand)}`,
  code: `${marker(brand)}code`,
  cid: uuidOf('isolation', brand),
  number: numberOf(brand),
  instant: `2025-0${brand + 1}-01T00:00:00.000Z`,
  request_id: uuidOf('request', brand), // of a call that there was: see `isolation.ts`
})
export type Names = ReturnType<typeof namesOf>

/** One brand as somebody of it sees the world. */
export interface Neighbour {
  brand: number
  own: Names
  others: Names[]
  /** What must look to them as if it were not there: the first never was. */
  hidden: Names[]
  /** What no answer to them may hold. */
  foreign: RegExp
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
    twinSecret: secretOf(brand, TWIN),
  }
}

const rowsOf = (brand: number): Row[] => {
  const { name, number } = namesOf(brand)
  return [
    ...[1, 2].map((id) => ({ kind: 'venue', id, name, is_main: id === 1 })),
    ...ROLES.flatMap(({ username, permissions, venue_ids }, index): Row[] => [
      { kind: 'role', id: index + 1, name, permissions },
      { kind: 'user', id: index + 1, username, name, role_id: index + 1, ...(venue_ids && { venue_ids }) },
    ]),
    { kind: 'product', id: OWN, name, type: 'PRODUCT', price: 1 },
    { kind: 'price_list', id: OWN, name },
    { kind: 'price', id: OWN, list_id: OWN, product_id: OWN, price: number },
    ...[OWN, ELSEWHERE].flatMap((id): Row[] => [
      { kind: 'receipt', id, venue_id: id, cid: name },
      { kind: 'stock_operation', id, venue_id: id, quantity: number },
    ]),
    ...rowsNamed(namesOf(brand)),
    ...rowsNamed({ ...namesOf(GONE), name, number }),
  ]
}

const rowsNamed = (names: Names): Row[] => {
  const { id, variant_id, venue_id, user_id, group_id, name, number, email, phone, code, cid, instant } = names
  const created_at = instant
  const variant = { id: variant_id, name, barcode: names.code, price: number }
  return [
    { kind: 'venue', id: venue_id, name },
    { kind: 'user', id: user_id, username: names.username, name, role_id: 2 },
    { kind: 'customer_group', id: group_id, name },
    { kind: 'customer', id: String(id), name, email, phone, code, cid, group_id, created_at },
    {
      kind: 'product',
      id,
      name,
      type: 'PRODUCT',
      price: number,
      cost_price: number,
      created_at,
      modifications: [variant],
    },
    { kind: 'price_list', id, name, created_at },
    { kind: 'price', id, list_id: id, product_id: id, price: number },
    { kind: 'receipt', id, venue_id: 1, user_id, customer_id: id, cid: name, created_at },
    { kind: 'receipt', id: variant_id, venue_id, cid: name, created_at },
    {
      kind: 'stock_operation',
      id,
      venue_id: 1,
      receipt_id: id,
      product_id: id,
      quantity: number,
      operated_at: instant,
    },
    { kind: 'stock_operation', id: variant_id, venue_id, quantity: number, operated_at: instant },
  ]
}

/** The brands, their integrators and their credentials; then what is to be gone goes. */
export async function settle({ db, keys }: Installation): Promise<void> {
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
  await db.transaction(async (tx) => {
    await tx.run('delete from customer_groups where brand_id = ?', [id])
    await tx.run('delete from brands where id = ?', [id])
    await tx.run('delete from integrators where id = ?', [integrator_id])
  })
}

async function forget({ db }: Pick<Installation, 'db'>, brand_id: number): Promise<void> {
  const { id, variant_id, venue_id, user_id, group_id, client_id } = namesOf(GONE)
  const gone: [table: string, ...ids: (number | string)[]][] = [
    ['stock_operations', id, variant_id],
    ['receipts', id, variant_id],
    ['prices', id],
    ['price_lists', id],
    ['products', variant_id, id],
    ['customers', String(id)],
    ['customer_groups', group_id],
    ['users', user_id],
    ['venues', venue_id],
  ]
  await db.transaction(async (tx) => {
    await tx.run('delete from credentials where brand_id = ? and client_id = ?', [brand_id, client_id])
    for (const [table, ...ids] of gone)
      for (const each of ids) await tx.run(`delete from ${table} where brand_id = ? and id = ?`, [brand_id, each])
    for (const resource of RESOURCES.filter(({ table }) => gone.some(([of]) => of === table)))
      await recount(tx, brand_id, resource)
  })
}

export const credentialOf = (brand: number, username: string) => {
  const client_id = `cl_${marker(brand)}${username}`
  return { client_id, client_secret: secretOf(brand, client_id) }
}

/** What one of the staff signs in with, for an integrator. */
export const credentialsOf = (brand: number, username: string, integrator_id: string): Credentials => ({
  ...credentialOf(brand, username),
  brand: namesOf(brand).slug,
  integrator_id,
})
