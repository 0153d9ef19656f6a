import type { Menu, MenuProduct, ShownMenuEntry } from '../types.ts'

// A menu as a page shows it: categories inside one another, products in their order, and words in one language.

type Group = NonNullable<MenuProduct['groups']>[number]
type Variant = NonNullable<MenuProduct['variants']>[number]
type Modifier = Group['modifiers'][number]

/** What guests read of a thing besides its name. */
type Told = Pick<ShownMenuEntry, 'allergens' | 'diets' | 'spicy' | 'alcohol' | 'min_age' | 'images'>

export type TreeModifier = Modifier & Told
export type TreeGroup = Omit<Group, 'modifiers'> & { modifiers: TreeModifier[] }
export type TreeVariant = Variant & Told
export type TreeProduct = Omit<MenuProduct, 'variants' | 'groups'> &
  Told & { id: number; variants: TreeVariant[]; groups: TreeGroup[] }

export interface TreeCategory {
  id: number
  name: string
  color?: string
  images?: ShownMenuEntry['images']
  categories: TreeCategory[]
  products: TreeProduct[]
}

/** Categories that have something to sell, and the products that are in none of them. */
export interface MenuTree {
  categories: TreeCategory[]
  products: TreeProduct[]
}

/**
 * The tree of a menu. Names and descriptions are those of `lang`, or of the menu where it was asked for in one language, and the
 * plain ones where there are none. A variant without allergens, diets and the like of its own has those of its product.
 */
export function menuTree({ categories, products, entries }: Menu, lang?: string): MenuTree {
  const entryOf = (kind: string, id: number | undefined): Partial<ShownMenuEntry> => entries[`${kind}-${id}`] ?? {}
  const wordsOf = (entry: Partial<ShownMenuEntry>): { name?: string; description?: string } =>
    (lang === undefined ? undefined : entry.translations?.[lang]) ?? entry

  const byCategory = new Map<number | undefined, TreeProduct[]>()
  for (const [key, product] of Object.entries(products)) {
    const { variants = [], groups = [], ...plain } = product
    const id = Number(key)
    const entry = entryOf('product', id)
    const words = wordsOf(entry)
    const told = toldIn(entry)
    const made: TreeProduct = {
      ...plain,
      ...told,
      id,
      name: words.name ?? plain.name,
      ...(words.description !== undefined && { description: words.description }),
      variants: variants.map((variant) => {
        const own = entryOf('product', variant.id)
        return { ...variant, ...told, ...toldIn(own), name: wordsOf(own).name ?? variant.name }
      }),
      groups: groups.map((group) => ({
        ...group,
        name: wordsOf(entryOf('group', group.id)).name ?? group.name,
        modifiers: group.modifiers.map((modifier) => {
          const own = entryOf('modifier', modifier.id)
          return { ...modifier, ...toldIn(own), name: wordsOf(own).name ?? modifier.name }
        }),
      })),
    }
    const place = plain.category_id !== undefined && categories[plain.category_id] ? plain.category_id : undefined
    byCategory.set(place, [...(byCategory.get(place) ?? []), made])
  }

  const all = Object.entries(categories).map(([key, category]) => ({ ...category, id: Number(key) }))
  const below = (parent: number | undefined): TreeCategory[] =>
    all
      .filter(({ parent_id }) => (parent_id !== undefined && categories[parent_id] ? parent_id : undefined) === parent)
      .sort(inOrder)
      .map(({ id, name, color }) => {
        const entry = entryOf('category', id)
        return {
          id,
          name: wordsOf(entry).name ?? name,
          ...(color !== undefined && { color }),
          ...(entry.images && { images: entry.images }),
          categories: below(id),
          products: (byCategory.get(id) ?? []).sort(inOrder),
        }
      })
      .filter((category) => category.categories.length + category.products.length > 0)
  return { categories: below(undefined), products: (byCategory.get(undefined) ?? []).sort(inOrder) }
}

interface Placed {
  id: number
  position?: number
}

/** By position; what has none comes last, in the order in which it was made. */
const inOrder = (one: Placed, other: Placed) =>
  (one.position ?? Number.MAX_SAFE_INTEGER) - (other.position ?? Number.MAX_SAFE_INTEGER) || one.id - other.id

const TOLD = ['allergens', 'diets', 'spicy', 'alcohol', 'min_age', 'images'] as const

const toldIn = (entry: Partial<ShownMenuEntry>): Told =>
  Object.fromEntries(TOLD.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])))
