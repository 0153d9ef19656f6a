import type { MenuOverview } from '../../../../../server/src/back-office/menu/overview.ts'
import type { Problem } from '../../../../../server/src/menu/problems/find.ts'
import type { Tab } from '../tabs.ts'

// What problems are about (M16), and where they are mended.

/** What a problem is about: a product (also where it is one of its sizes), a category, a price list. */
export type Mended =
  | { readonly kind: 'product'; readonly id: number; readonly name: string }
  | { readonly kind: 'category'; readonly id: number; readonly name: string }
  | { readonly kind: 'price_list'; readonly id: number; readonly name: string }

/** Finds things by the ids that problems have. */
export function thingsOf({ products, categories, choices }: MenuOverview, lists: ReadonlyMap<number, string>) {
  const byId = new Map<string, Mended>()
  for (const { id, name, sizes } of products) {
    byId.set(`product-${id}`, { kind: 'product', id, name })
    for (const size of sizes) byId.set(`product-${size.id}`, { kind: 'product', id, name: `${name}, ${size.name}` })
  }
  for (const { id, name } of categories) byId.set(`category-${id}`, { kind: 'category', id, name })
  for (const [key, { name, product_id }] of Object.entries(choices))
    byId.set(key, { kind: 'product', id: product_id, name })
  for (const [id, name] of lists) byId.set(`price_list-${id}`, { kind: 'price_list', id, name })
  return byId
}

const TABS: Readonly<Record<string, Tab>> = {
  group_unsatisfiable: 'choices',
  no_active_variant: 'sizes',
  no_price: 'prices',
  no_image: 'pictures',
  no_allergens: 'allergens',
  missing_translation: 'languages',
}

/** The part of a product's page where it is mended. */
export const tabOf = ({ code }: Pick<Problem, 'code'>): Tab => TABS[code] ?? 'basics'

/** Problems by the product on whose page they are mended. */
export function byProduct(
  problems: readonly Problem[],
  things: ReadonlyMap<string, Mended>,
): ReadonlyMap<number, readonly Problem[]> {
  const found = new Map<number, Problem[]>()
  for (const problem of problems) {
    const thing = things.get(problem.id)
    if (thing?.kind !== 'product') continue
    const known = found.get(thing.id)
    if (known) known.push(problem)
    else found.set(thing.id, [problem])
  }
  return found
}
