import { ALLERGENS, type MenuEntry } from '../resources/entries/entries.ts'
import { definedOnly } from '../values/defined-only.ts'
import pictures from './pictures.json' with { type: 'json' }
import type { CategoryRow, ImageRow, MenuEntryRow, ProductRow } from './rows.ts'
import { ALCOHOL, ALLERGENS_IN, CATEGORY_WORDS, CHOICE_WORDS, DISH_WORDS, MAY_HOLD, SIZE_WORDS } from './words.ts'

// The demo's menu as guests read it: texts in a second language, allergens, and ten pictures (drawn by scripts/demo-pictures.ts).

type Allergens = NonNullable<MenuEntry['allergens']>
type Diet = NonNullable<MenuEntry['diets']>[number]

const DIETS: Readonly<Record<string, Diet[]>> = {
  Végétarien: ['vegetarian'],
  Végane: ['vegetarian', 'vegan'],
  'Sans gluten': ['gluten_free'],
  'Agriculture biologique': ['organic'],
}
const SPICY = 'Relevé'
const ADULTS = 'Alcool, 18 ans et plus'

export const demoImages = (): ImageRow[] => [
  ...new Map(
    pictures
      .flatMap(({ small, medium, large }) => [small, medium, large])
      .map((image) => [image.id, { kind: 'image' as const, ...image }]),
  ).values(),
]

type Products = readonly Pick<
  ProductRow,
  'id' | 'name' | 'type' | 'hidden' | 'recipe' | 'tags' | 'modifications' | 'modificator_groups'
>[]

export function demoEntries(
  categories: readonly Pick<CategoryRow, 'id' | 'name'>[],
  products: Products,
): MenuEntryRow[] {
  const contained = allergensOf(products)
  const groups = new Map(products.flatMap((product) => product.modificator_groups.map((group) => [group.id, group])))
  const choices = [...groups.values()]
  return [
    ...categories.map(({ id, name }) => ({ id: `category-${id}`, ...inEnglish(CATEGORY_WORDS[name]) })),
    ...products.filter(({ hidden }) => !hidden).flatMap((product) => productEntries(product, contained)),
    ...choices.map(({ id, name }) => ({ id: `group-${id}`, ...inEnglish(CHOICE_WORDS[name]) })),
    ...choices
      .flatMap(({ modificators }) => modificators)
      .map(({ id, name, ingredient }) => ({
        id: `modifier-${id}`,
        ...inEnglish(CHOICE_WORDS[name]),
        ...(ingredient && { allergens: stated(contained.get(ingredient.id!)!) }),
      })),
  ]
    .filter((entry) => Object.keys(entry).length > 1)
    .map((entry) => ({ kind: 'menu_entry', ...entry }))
}

function productEntries(product: Products[number], contained: ReadonlyMap<number, Set<string>>): MenuEntry[] {
  const { id, name, type, tags, modifications } = product
  const tagged = tags.map((tag) => tag.name)
  const diets = tagged.flatMap((tag) => DIETS[tag] ?? [])
  const [english, description] = DISH_WORDS[name] ?? []
  const picture = pictures.find(({ dish }) => dish === name)
  return [
    {
      id: `product-${id}`,
      ...inEnglish(english, description),
      ...(type !== 'TIMER' && { allergens: stated(contained.get(id)!, MAY_HOLD[name]) }),
      ...(diets.length > 0 && { diets: [...new Set(diets)] }),
      ...(tagged.includes(SPICY) && { spicy: 2 }),
      ...definedOnly({ alcohol: ALCOHOL[name] }),
      ...(tagged.includes(ADULTS) && { min_age: 18 }),
      ...(picture && { images: [imageOf(picture)] }),
    },
    ...modifications.map((size) => ({ id: `product-${size.id}`, ...inEnglish(SIZE_WORDS[size.name]) })),
  ]
}

const imageOf = ({ small, medium, large, width, height }: (typeof pictures)[number]) => ({
  small: small.id,
  medium: medium.id,
  large: large.id,
  width,
  height,
})

const inEnglish = (name: string | undefined, description?: string) =>
  name === undefined ? {} : { translations: { en: { name, ...definedOnly({ description }) } } }

const stated = (contained: ReadonlySet<string>, may_contain: readonly string[] = []): Allergens => ({
  contains: ALLERGENS.filter((allergen) => contained.has(allergen)),
  may_contain: ALLERGENS.filter((allergen) => may_contain.includes(allergen) && !contained.has(allergen)),
})

/** What is in each product: what was bought has it stated, the others have what is in their recipes, which stand above them. */
function allergensOf(products: Products): ReadonlyMap<number, Set<string>> {
  const contained = new Map<number, Set<string>>()
  for (const { id, name, recipe } of products)
    contained.set(
      id,
      new Set([...(ALLERGENS_IN[name] ?? []), ...recipe.flatMap((part) => [...contained.get(part.id)!])]),
    )
  return contained
}
