import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { Compose } from '../../resource/read/page.ts'
import type { Reference } from '../../resource/resource.ts'
import { Maybe, Name, Note } from '../../resource/values.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import type { Queries } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { definedOnly } from '../../values/defined-only.ts'
import type { Product } from '../menu/product-schema.ts'

// M11: what guests read of things on the menu besides their names and prices.

export const ALLERGENS = [
  'gluten',
  'crustaceans',
  'eggs',
  'fish',
  'peanuts',
  'soybeans',
  'milk',
  'nuts',
  'celery',
  'mustard',
  'sesame',
  'sulphites',
  'lupin',
  'molluscs',
] as const
export const DIETS = ['vegetarian', 'vegan', 'halal', 'kosher', 'gluten_free', 'lactose_free', 'organic'] as const

const THINGS = ['category', 'product', 'group', 'modifier'] as const
export type ThingKind = (typeof THINGS)[number]
export type ThingId = `${ThingKind}-${number}`

export const THING_ID = `^(${THINGS.join('|')})-[1-9][0-9]{0,15}$`
const IS_THING = new RegExp(THING_ID)
/** BCP 47, as far as its form goes; `check` reads it. */
const LANGUAGE = '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$'
const HASH = '^[A-Za-z0-9_-]{43}$'

const Allergens = () => Type.Array(Type.Enum([...ALLERGENS]))
const Hash = (description: string) => Type.String({ pattern: HASH, description })

const Words = Type.Object(
  { name: Maybe(Name()), description: Maybe(Note(2000)) },
  { $id: 'MenuWords', description: 'In one language' },
)

/** One picture in three sizes, by the hashes at which GET /media/{brand}/{hash} has them. */
export const MenuImage = Type.Object(
  {
    small: Hash('160 pixels on the long side'),
    medium: Hash('640 pixels on the long side'),
    large: Hash('1,600 pixels on the long side'),
    width: Type.Integer({ minimum: 1, description: 'Pixels of the large one' }),
    height: Type.Integer({ minimum: 1, description: 'Pixels of the large one' }),
  },
  { $id: 'MenuImage' },
)
export type MenuImage = Static<typeof MenuImage>

const AllergenLists = Type.Object(
  { contains: Allergens(), may_contain: Allergens() },
  { $id: 'Allergens', description: 'Absent: not stated; empty lists: none' },
)

export const MenuEntry = Type.Object(
  {
    id: Type.String({
      pattern: THING_ID,
      description: 'The kind of thing and its id: category, product (variants too), group or modifier',
      example: 'product-12',
    }),
    translations: Maybe(Type.Record(Type.String({ pattern: LANGUAGE }), Words, { description: 'By language' })),
    allergens: Maybe(AllergenLists),
    diets: Maybe(Type.Array(Type.Enum([...DIETS]))),
    spicy: Maybe(Type.Integer({ minimum: 0, description: '0 to 3' })),
    alcohol: Maybe(Type.Number({ description: 'Percent, 0 to 100' })),
    min_age: Maybe(Type.Integer({ minimum: 0, description: 'Years, 0 to 21' })),
    images: Maybe(Type.Array(MenuImage, { description: 'At most 5; the first is the main one' })),
  },
  { $id: 'MenuEntry' },
)
export type MenuEntry = Static<typeof MenuEntry>
export type EntryMember = Exclude<keyof MenuEntry, 'id'>

/** The members that an entry can have, by the kind of its thing. */
const MEMBERS: Readonly<Record<ThingKind, readonly EntryMember[]>> = {
  category: ['translations', 'images'],
  product: ['translations', 'allergens', 'diets', 'spicy', 'alcohol', 'min_age', 'images'],
  group: ['translations'],
  modifier: ['translations', 'allergens', 'diets'],
}
const MAX = { spicy: 3, alcohol: 100, min_age: 21 } as const
const MAX_IMAGES = 5

/** The thing that an entry is about. */
export function thingOf(id: string): { kind: ThingKind; id: number } {
  const dash = id.indexOf('-')
  return { kind: id.slice(0, dash) as ThingKind, id: Number(id.slice(dash + 1)) }
}

export const membersOf = (id: string): readonly EntryMember[] => MEMBERS[thingOf(id).kind]

/** Whether there is such a thing: group and modifier ids mean one thing in the brand, whichever product has them. */
export async function findThing(db: Pick<Queries, 'rows' | 'texts'>, brand_id: number, id: string): Promise<boolean> {
  if (!IS_THING.test(id)) return false
  const [reference] = thingReferences(id)
  if (reference) {
    const { table, id: row } = reference
    return (await db.rows(`select id from ${table} where brand_id = ? and id = ?`, [brand_id, row!])).length > 0
  }
  const thing = thingOf(id)
  const bodies = await db.texts('select body from products where brand_id = ? and parent_id is null and body like ?', [
    brand_id,
    `%"id":${thing.id},%`,
  ])
  return bodies
    .flatMap((body) => (JSON.parse(body) as Product).modificator_groups ?? [])
    .flatMap((group): { id?: number }[] => (thing.kind === 'group' ? [group] : (group.modificators ?? [])))
    .some((each) => each.id === thing.id)
}

/** Pictures that nobody collects until the transaction ends. */
export async function lockImages(
  { tx, brand_id }: Pick<WriteContext, 'tx' | 'brand_id'>,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  const sorted = hashes.toSorted()
  await tx.rows(
    `select id from images where brand_id = ? and id in ${places(sorted)} order by id${tx.dialect.lockRows}`,
    [brand_id, ...sorted],
  )
}

export const menuEntries = defineResource({
  name: { one: 'menu-entry', many: 'menu-entries' },
  path: 'menu/entries',
  permission: 'products:read',
  tag: 'Menu',
  about:
    'What guests read of categories, products, groups and modifiers besides their names and prices: names in other languages, ' +
    'allergens, diets, pictures. Languages that the brand no longer has are left out.',
  wire: MenuEntry,
  scope: 'brand',
  columns: { id: 'key' },
  computed: { images: ({ images }) => (images?.length ? hashesOf(images).join(' ') : null) },
  laterReferences: ({ id, images = [] }) => [...thingReferences(id), ...images.flatMap(imageReferences)],
  list: { sortable: ['id'], compose: withLanguagesOf },
  api: { list: {} },
  check: checkEntry,
  async write(context, rows, writer) {
    const entries = rows.map(ordered)
    await touchImages(context, entries)
    const { empty = [], full = [] } = Object.groupBy(entries, (entry) => (isEmpty(entry) ? 'empty' : 'full'))
    for (const entry of empty) await writer.remove(context, entry)
    await writer.put(context, full)
    return entries.map((entry) => JSON.stringify(entry))
  },
})

const thingReferences = (id: string): Reference[] => {
  const thing = thingOf(id)
  const table = { category: 'categories', product: 'products', group: undefined, modifier: undefined }[thing.kind]
  return table === undefined ? [] : [{ member: 'id', table, id: thing.id }]
}

const imageReferences = ({ small, medium, large }: MenuImage, index: number): Reference[] =>
  Object.entries({ small, medium, large }).map(([size, id]) => ({
    member: `images[${index}].${size}`,
    table: 'images',
    id,
  }))

export const hashesOf = (images: readonly MenuImage[]) => [
  ...new Set(images.flatMap(({ small, medium, large }) => [small, medium, large])),
]

function checkEntry(entry: MenuEntry): void {
  const { id, translations = {}, images = [], allergens } = entry
  const { kind } = thingOf(id)
  const allowed = MEMBERS[kind]
  for (const member of Object.keys(entry))
    if (member !== 'id' && !allowed.includes(member as EntryMember))
      throw new RowProblem(`${member} is not a member of a ${kind}`)
  for (const [language, { description }] of Object.entries(translations)) {
    if (languageOf(language) !== language)
      throw new RowProblem(`translations.${language} must be a BCP 47 tag such as fr or pt-BR`)
    if (description !== undefined && kind !== 'product')
      throw new RowProblem(`translations.${language}.description is not a member of a ${kind}`)
  }
  for (const [member, most] of Object.entries(MAX)) {
    const value = entry[member as keyof typeof MAX]
    if (value !== undefined && (value < 0 || value > most)) throw new RowProblem(`${member} must be from 0 to ${most}`)
  }
  const both = allergens?.contains.find((allergen) => allergens.may_contain.includes(allergen))
  if (both) throw new RowProblem(`allergens.may_contain has ${both}, which contains has too`)
  if (images.length > MAX_IMAGES) throw new RowProblem(`images has more than ${MAX_IMAGES} pictures`)
}

/** The tag as it is written, undefined where it is none. */
function languageOf(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

const sorted = <Value>(values: readonly Value[], order: readonly Value[]) =>
  order.filter((value) => values.includes(value))

/** The same entry with lists in one order and without texts that say nothing, so that equal entries are equal texts. */
function ordered({ id, translations = {}, allergens, diets, spicy, alcohol, min_age, images }: MenuEntry): MenuEntry {
  const words = Object.entries(translations)
    .filter(([, { name, description }]) => name !== undefined || description !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    id,
    ...(words.length > 0 && { translations: Object.fromEntries(words) }),
    ...(allergens && {
      allergens: {
        contains: sorted(allergens.contains, ALLERGENS),
        may_contain: sorted(allergens.may_contain, ALLERGENS),
      },
    }),
    ...(diets?.length && { diets: sorted(diets, DIETS) }),
    ...definedOnly({ spicy, alcohol, min_age }),
    ...(images?.length && { images }),
  }
}

export const isEmpty = (entry: MenuEntry): boolean => Object.keys(entry).length === 1

/** M12: languages that a brand no longer has keep their texts, unseen. */
export function seenIn(entry: MenuEntry, languages: ReadonlySet<string>): MenuEntry {
  const { translations, ...others } = entry
  if (!translations) return entry
  const seen = Object.entries(translations).filter(([language]) => languages.has(language))
  return ordered({ ...others, translations: Object.fromEntries(seen) })
}

export async function languagesOf(db: Pick<Queries, 'rows'>, brand_id: number): Promise<readonly string[]> {
  const [brand] = await db.rows<{ languages: string }>('select languages from brands where id = ?', [brand_id])
  return JSON.parse(brand!.languages)
}

async function withLanguagesOf(...[db, { brand_id }, bodies]: Parameters<Compose>): Promise<string[]> {
  const languages = new Set(await languagesOf(db, brand_id))
  return bodies.map((body) => JSON.stringify(seenIn(JSON.parse(body), languages)))
}

/** M13: a picture that is not named goes after a day, which begins again with each change of an entry that names it or named it. */
async function touchImages({ tx, brand_id, now }: WriteContext, entries: readonly MenuEntry[]): Promise<void> {
  const ids = entries.map(({ id }) => id)
  const named = await tx.texts(
    `select images from menu_entries where brand_id = ? and id in ${places(ids)} and images is not null`,
    [brand_id, ...ids],
  )
  const before = named.flatMap((hashes) => hashes.split(' '))
  const hashes = [...new Set([...before, ...entries.flatMap(({ images = [] }) => hashesOf(images))])]
  for (let from = 0; from < hashes.length; from += HASHES_A_STATEMENT) {
    const some = hashes.slice(from, from + HASHES_A_STATEMENT)
    await tx.run(`update images set touched_at = ? where brand_id = ? and id in ${places(some)} and touched_at < ?`, [
      now,
      brand_id,
      ...some,
      now,
    ])
  }
}

const HASHES_A_STATEMENT = 100
