import { record } from '../directory/audit.ts'
import { changeTerms, checkTerms } from '../directory/brand-terms.ts'
import { type Brand, checkedBrand, insertBrand, Rejected } from '../directory/registry.ts'
import { type FieldProblem, fieldProblem, Refusal, validationFailed } from '../http/errors.ts'
import { APPLY_EVENTS, applyMenu } from '../menu/spreadsheet/apply.ts'
import type { Resource } from '../resource/resource.ts'
import { keepIds } from '../resource/write/counters.ts'
import { counting } from '../resource/write/write.ts'
import { RESOURCES } from '../resources/catalogue.ts'
import type { Transaction } from '../storage/database.ts'
import { restaurantRows } from './rows.ts'
import type { NewRestaurant } from './schema.ts'

// A restaurant opens: everything in the transaction of its caller, who holds the directory's lock, through the resources' own writes.

/** What setup publishes (E10): a menu from a spreadsheet comes as an import. */
export const SETUP_EVENTS = [
  ...['brand.updated', 'customer_group.created', 'venue.created', 'role.created', 'user.created', 'storage.created'],
  ...['station.created', 'unit.created', 'sale_type.created', 'tax.created', 'course.created'],
  ...['payment_method.created', 'terminal.created', 'hall.created', 'table.created'],
  ...APPLY_EVENTS,
] as const

/** Refuses what cannot be opened, at its field. What a schema says has been checked. */
export function checkRestaurant(input: NewRestaurant, needsSlug: boolean): void {
  const { brand, venue, taxes, selling, menu } = input
  const [first, ...others] = [
    ...(needsSlug
      ? refused('brand.slug', () => checkedBrand({ slug: brand.slug ?? '', name: brand.name, test: false }))
      : []),
    ...refused('brand.currency', () => checkTerms({ currency: brand.currency })),
    ...refused('brand.languages', () => checkTerms({ languages: brand.languages })),
    ...(isTimeZone(venue.time_zone)
      ? []
      : [fieldProblem('venue.time_zone', 'format', 'must be an IANA name such as Europe/Paris')]),
    ...(taxes.length > MAX_TAXES ? [fieldProblem('taxes', 'maxItems', `must have at most ${MAX_TAXES} items`)] : []),
    ...taxes.flatMap(({ rate }, index) =>
      rate >= 0 && rate <= MAX_RATE
        ? []
        : [fieldProblem(`taxes[${index}].rate`, 'range', `must be from 0 to ${MAX_RATE}`)],
    ),
    ...(selling.counter || selling.tables > 0 || selling.delivery
      ? []
      : [fieldProblem('selling', 'required', 'must have one way of selling at least')]),
    ...(menu.starter !== undefined && menu.file !== undefined
      ? [fieldProblem('menu.file', 'exclusive', 'cannot come with a starter menu')]
      : []),
  ]
  if (first) throw validationFailed([first, ...others])
}

const MAX_TAXES = 20
const MAX_RATE = 100

function refused(field: string, check: () => unknown) {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
    return [{ field, rule: 'refused', message: `${error.message}.` }]
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

/** A restaurant as it was opened. */
export interface Opened {
  readonly brand: Brand
  /** The owner's name in the audit log. */
  readonly actor: string
}

/** Opens a brand, or fills one that has nothing yet. */
export async function openRestaurant(
  tx: Transaction,
  input: NewRestaurant,
  empty: Brand | undefined,
  now: string,
): Promise<Opened> {
  const { name, currency, money_places, languages } = input.brand
  const slug = empty?.slug ?? input.brand.slug!
  const actor = `user:${slug}/${input.owner.username}`
  const brand = empty ?? (await insertBrand(tx, actor, checkedBrand({ slug, name, test: false })))
  await changeTerms(tx, actor, brand, { name, currency, money_places, languages })
  const { id: brand_id } = brand
  const { file } = input.menu
  await record(tx, {
    actor,
    action: 'brand.setup',
    subject: slug,
    brand_id,
    before: undefined,
    after: { country: input.country, selling: input.selling, menu: input.menu.starter ?? (file ? 'file' : null) },
  })
  await counting({ tx, brand_id, actor, now, auditAction: 'create' }, async (context) => {
    for (const [kind, given] of restaurantRows(input)) {
      if (given.length === 0) continue
      const resource = resourceOf(kind)
      const lines = given.map((line) => resource.read(membersOf(resource, line)))
      await resource.insert(context, await resource.complete(context, lines))
      await keepIds(tx, brand_id, resource)
    }
    for (const kind of ['venue', 'payment_method']) await resourceOf(kind).checkAfterImport(context)
  })
  if (file !== undefined) await applyMenu({ tx, brand_id, actor, now }, Buffer.from(file), undefined).catch(refuseFile)
  return { brand, actor }
}

/** What is wrong with the cells of the file stands at the one field that it came in. */
function refuseFile(error: unknown): never {
  const { errors = [] } = (error instanceof Refusal ? error.body.details : {}) as { errors?: FieldProblem[] }
  const [first, ...others] = errors.map((problem): FieldProblem => ({ ...problem, field: 'menu.file' }))
  throw first ? validationFailed([first, ...others]) : error
}

const BY_KIND = new Map(RESOURCES.map((resource) => [resource.kind, resource]))
const resourceOf = (kind: string): Resource => BY_KIND.get(kind)!

/** The members of a line that its resource has: a tax also says what it is on. */
export const membersOf = ({ line }: Resource, given: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name in line.properties))
