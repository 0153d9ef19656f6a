import type { Database, Queries, Transaction } from '../storage/database.ts'
import { updateRows } from '../storage/rows.ts'
import { fromScaled, toScaled } from '../values/values.ts'
import { record } from './audit.ts'
import { type Brand, changeDirectory, checkedName, findBrand, publishBrand, Rejected } from './registry.ts'

// The settings of a brand, for the command line and the form of the back office alike.

export interface BrandTerms {
  readonly name: string
  /** ISO 4217. */
  readonly currency: string
  /** P8: what is there keeps the places that it was made with. */
  readonly money_places: number
  /** BCP 47 tags of languages; plain names are written in the first (M12). */
  readonly languages: readonly string[]
  /** S7, as a percent. */
  readonly cashback_percent: number
  /** P13 */
  readonly order_prices: string
  /** When the books are checked each night, by the clock of the first venue: `04:00`, or `off`. */
  readonly books_check: string
  /** Days that orders keep whom they were for. */
  readonly contact_days: number
  /** Days that the brand's calls are in the request log, if the service keeps them for so long. */
  readonly request_log_days: number
}

/** A term that cannot be; the message says why. */
export class TermRejected extends Rejected {
  readonly member: string

  constructor(member: string, message: string) {
    super(message)
    this.member = member
  }
}

/** How a term is stored in the column of its name, and read from it. */
interface Term<Value> {
  /** Throws Rejected. */
  stored(value: Value): string | number
  shown(stored: never): Value
}

const asItIs = { shown: (stored: never) => stored }

export const ORDER_PRICES = ['ask', 'trust', 'ours'] as const
const MAX_LANGUAGES = 12
const MAX_CONTACT_DAYS = 3_650
const MAX_LOG_DAYS = 365

const days = (what: string, most: number) => (count: number) => {
  if (!(Number.isInteger(count) && count >= 1 && count <= most)) throw new Rejected(`${what} for 1 to ${most} days`)
  return count
}

const TERMS: { readonly [Name in keyof BrandTerms]: Term<BrandTerms[Name]> } = {
  name: { ...asItIs, stored: (name) => checkedName('a brand', name) },
  currency: {
    ...asItIs,
    stored(code) {
      if (!/^[A-Z]{3}$/.test(code)) throw new Rejected('A currency is its ISO 4217 code, such as EUR')
      return code
    },
  },
  money_places: {
    ...asItIs,
    stored(places) {
      if (!(Number.isInteger(places) && places >= 0 && places <= 4)) throw new Rejected('Amounts have 0 to 4 places')
      return places
    },
  },
  languages: { stored: (tags) => JSON.stringify(checkedLanguages(tags)), shown: (text: string) => JSON.parse(text) },
  cashback_percent: {
    stored(percent) {
      const scaled = toScaled(percent)
      if (scaled === undefined || scaled < 0 || scaled > 1_000_000)
        throw new Rejected('Cashback is a percent from 0 to 100, with up to four decimals')
      return scaled
    },
    shown: (scaled: number) => fromScaled(scaled),
  },
  order_prices: {
    ...asItIs,
    stored(rule) {
      if (!(ORDER_PRICES as readonly string[]).includes(rule))
        throw new Rejected(`Prices of orders are one of ${ORDER_PRICES.join(', ')}`)
      return rule
    },
  },
  books_check: {
    ...asItIs,
    stored(time) {
      if (time !== 'off' && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
        throw new Rejected('The books are checked at a time such as 04:00, or off')
      return time
    },
  },
  contact_days: { ...asItIs, stored: days('Contact data of orders is kept', MAX_CONTACT_DAYS) },
  request_log_days: { ...asItIs, stored: days('Calls are kept', MAX_LOG_DAYS) },
}
const NAMES = Object.keys(TERMS) as (keyof BrandTerms)[]

/** Languages as they are written: `fr`, `pt-BR`. */
function checkedLanguages(tags: readonly string[]): string[] {
  let languages: string[]
  try {
    languages = Intl.getCanonicalLocales([...tags]) // without repetitions
  } catch (error) {
    throw new Rejected(`A language is a BCP 47 tag such as en or pt-BR: ${(error as Error).message}`)
  }
  if (languages.length < 1 || languages.length > MAX_LANGUAGES)
    throw new Rejected(`A brand has 1 to ${MAX_LANGUAGES} languages`)
  return languages
}

const termOf = <Name extends keyof BrandTerms>(name: Name) => TERMS[name] as Term<unknown>

function storedOf(terms: Partial<BrandTerms>): [keyof BrandTerms, string | number][] {
  return NAMES.flatMap((name) => {
    const value = terms[name]
    if (value === undefined) return []
    try {
      return [[name, termOf(name).stored(value)] as [keyof BrandTerms, string | number]]
    } catch (error) {
      throw error instanceof Rejected ? new TermRejected(name, error.message) : error
    }
  })
}

/** Throws Rejected where a brand cannot have these. */
export const checkTerms = (terms: Partial<BrandTerms>): void => void storedOf(terms)

/** All settings of a brand. */
export async function findTerms(db: Queries, brand_id: number): Promise<BrandTerms> {
  const [row] = await db.rows<Record<string, never>>(`select ${NAMES.join(', ')} from brands where id = ?`, [brand_id])
  return Object.fromEntries(NAMES.map((name) => [name, termOf(name).shown(row![name]!)])) as unknown as BrandTerms
}

/** Changes what `terms` names, with an audit row of what is now different; the caller holds the directory's lock. */
export async function changeTerms(
  tx: Transaction,
  actor: string,
  brand: Pick<Brand, 'id' | 'slug'>,
  terms: Partial<BrandTerms>,
): Promise<void> {
  const stored = storedOf(terms)
  const before = await findTerms(tx, brand.id)
  const changed = stored.filter(([name, value]) => termOf(name).stored(before[name]) !== value)
  if (changed.length === 0) return
  await updateRows(tx, 'brands', { id: brand.id }, Object.fromEntries(changed))
  const side = (all: BrandTerms) => Object.fromEntries(changed.map(([name]) => [name, all[name]]))
  await record(tx, {
    actor,
    action: 'brand.set',
    subject: brand.slug,
    brand_id: brand.id,
    before: side(before),
    after: side(await findTerms(tx, brand.id)),
  })
  for (const [name] of changed) publishBrand(tx, brand, name)
}

export const setBrandTerms = (
  db: Database,
  actor: string,
  slug: string,
  terms: { readonly [Name in keyof BrandTerms]?: BrandTerms[Name] | undefined },
): Promise<void> =>
  changeDirectory(db, actor, async (tx) =>
    changeTerms(tx, actor, await findBrand(tx, slug), terms as Partial<BrandTerms>),
  )
