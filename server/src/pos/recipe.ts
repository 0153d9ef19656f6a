import { roundTo } from './rounding.ts'

// P20: what a line takes from the venue's main storage. Quantities are ×10,000.

/** An entry of a product's `takes`: of the product itself, of one of its variants or of one of its modificators. */
export interface Take {
  readonly product_id: number
  readonly gross: number
  readonly modification_id?: number | undefined
  readonly modificator_id?: number | undefined
}

/** What is sold. A variant comes with its parent's entries and recipe, which are also its own. */
export interface Sold {
  readonly id: number
  readonly type: string
  readonly takes: readonly Take[]
  readonly recipe: readonly { readonly product_id: number; readonly gross: number }[]
}

/** What one unit of a line takes, copied to the line when it is added. */
interface RecipeUse {
  readonly product_id: number
  readonly gross: number
  readonly modificator_id?: number
  /** A modifier of a timer: taken once, as its price is counted once (P11), and not for every minute. */
  readonly once?: boolean
}

/** `modifiers` are those that were chosen, with whole counts. */
export function recipeOf(sold: Sold, modifiers: readonly { id: number; count: number }[]): RecipeUse[] {
  const once = sold.type === 'TIMER' ? { once: true } : {}
  return [
    ...ownUse(sold),
    ...modifiers.flatMap(({ id, count }) =>
      sold.takes
        .filter(({ modificator_id }) => modificator_id === id)
        .map(({ product_id, gross }) => ({ product_id, gross: gross * count, modificator_id: id, ...once })),
    ),
  ]
}

function ownUse({ id, type, takes, recipe }: Sold): RecipeUse[] {
  const own = takes.filter(({ modificator_id }) => modificator_id === undefined)
  const ofVariant = own.filter(({ modification_id }) => modification_id === id)
  const ofProduct = own.filter(({ modification_id }) => modification_id === undefined)
  const entries = ofVariant.length > 0 ? ofVariant : ofProduct
  if (entries.length > 0) return entries.map(({ product_id, gross }) => ({ product_id, gross }))
  if (type === 'TIMER') return []
  if (recipe.length > 0) return recipe.map(({ product_id, gross }) => ({ product_id, gross }))
  return type === 'PRODUCT' || type === 'MODIFICATION' ? [{ product_id: id, gross: SCALE }] : []
}

export interface Taken {
  readonly product_id: number
  readonly quantity: number
  readonly modificator_id?: number
}

const SCALE = 10_000

/** What a line takes: each product once for the line itself and once for each of its modificators, rounded to four places. */
export function takenBy(line: { recipe: readonly RecipeUse[]; count: number; portion_size: number }): Taken[] {
  const sums = new Map<string, { product_id: number; modificator_id: number | undefined; exact: bigint }>()
  for (const { product_id, modificator_id, gross, once } of line.recipe) {
    const key = `${product_id} ${modificator_id ?? ''}`
    const { exact } = sums.get(key) ?? { exact: 0n }
    const count = BigInt(once ? SCALE : line.count)
    sums.set(key, {
      product_id,
      modificator_id,
      exact: exact + BigInt(gross) * count * BigInt(line.portion_size),
    })
  }
  return [...sums.values()]
    .map(({ product_id, modificator_id, exact }) => ({
      product_id,
      quantity: Number(roundTo(1n, exact, BigInt(SCALE) ** 2n)),
      ...(modificator_id !== undefined && { modificator_id }),
    }))
    .filter(({ quantity }) => quantity !== 0)
}
