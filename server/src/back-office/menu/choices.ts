import { isDeepStrictEqual } from 'node:util'
import Type, { type Static } from 'typebox'
import { lockDirectory } from '../../directory/audit.ts'
import { fieldProblem, noSuchRecord, validationFailed } from '../../http/errors.ts'
import type { IfMatch } from '../../http/if-match.ts'
import { changeLine, findLine, versionOf } from '../../resource/edit.ts'
import { Decimal, Id, Maybe, Name } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import { productsWithGroups } from '../../resources/menu/parts/prepare.ts'
import type { ModificatorGroup, ProductLine } from '../../resources/menu/product-schema.ts'
import { products } from '../../resources/menu/products.ts'
import type { Database } from '../../storage/database.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { closed } from '../schema.ts'

// M11: a group of choices means one thing in the brand, whichever product has it. It is edited at one of them, and written to all that
// have the same.

const Use = Type.Object({ product_id: Id(), gross: Decimal() }, closed)

const Choice = Type.Object(
  {
    id: Maybe(Id()),
    name: Name(),
    price: Maybe(Decimal()),
    cost_price: Maybe(Decimal()),
    max_count: Maybe(Type.Integer({ minimum: 1 })),
    status: Maybe(Type.Boolean()),
    ingredient_id: Maybe(Id()),
    uses: Maybe(Type.Array(Use, { maxItems: 20, description: 'What one of it takes from stock (P20)' })),
  },
  closed,
)

export const ChoiceGroup = Type.Object(
  {
    id: Maybe(Id()),
    name: Name(),
    type: Maybe(Type.Enum([1, 0], { description: '1 one choice, 0 several' })),
    min_select: Maybe(Type.Integer({ minimum: 0 })),
    max_select: Maybe(Type.Integer({ minimum: 0 })),
    choices: Type.Array(Choice, { maxItems: 200 }),
  },
  closed,
)
export type ChoiceGroup = Static<typeof ChoiceGroup>

export const NewChoices = Type.Object(
  {
    groups: Type.Array(ChoiceGroup, { maxItems: 50 }),
    also: Maybe(
      Type.Array(Type.Object({ group_id: Id(), product_ids: Type.Array(Id(), { maxItems: 2000 }) }, closed), {
        maxItems: 50,
        description: 'Products whose group has other content, and gets this one',
      }),
    ),
  },
  closed,
)
export type NewChoices = Static<typeof NewChoices>

interface Named {
  readonly id: number
  readonly name: string
}

/** Another product with a group of the same id. */
export interface SharedGroup {
  readonly group_id: number
  /** Products whose group has the same content. */
  readonly same: readonly Named[]
  readonly different: readonly (Named & { readonly group: ChoiceGroup })[]
}

export interface ShownChoices {
  readonly id: number
  readonly name: string
  readonly version: string
  readonly groups: readonly ChoiceGroup[]
  readonly shared: readonly SharedGroup[]
  /** Groups that only other products have: this one can take them. */
  readonly elsewhere: readonly { readonly group: ChoiceGroup; readonly products: readonly Named[] }[]
}

type Takes = NonNullable<ProductLine['takes']>

/** A group with what its choices take, which a product has beside it. */
function groupOf({ id, name = '', type, min_select, max_select, modificators = [] }: ModificatorGroup, takes: Takes) {
  return {
    name,
    ...definedOnly({ id, type, min_select, max_select }),
    choices: modificators.map(({ id, name = '', price, cost_price, max_count, status, ingredient }) => {
      const uses = takes.filter(({ modificator_id }) => modificator_id !== undefined && modificator_id === id)
      return {
        name,
        ...definedOnly({ id, price, cost_price, max_count, status, ingredient_id: ingredient?.id }),
        ...(uses.length > 0 && { uses: uses.map(({ product_id, gross }) => ({ product_id, gross })) }),
      }
    }),
  } satisfies ChoiceGroup
}

const storedGroup = ({ choices, ...group }: ChoiceGroup) => ({
  ...group,
  modificators: choices.map(({ ingredient_id, uses, ...choice }) => {
    const id = ingredient_id ?? uses?.[0]?.product_id
    return { ...choice, ...(id !== undefined && { ingredient: { id } }) }
  }),
})

interface Offered extends Named {
  readonly groups: readonly ChoiceGroup[]
}

/** Every product that offers choices. */
async function readOffered(db: Pick<Database, 'rows'>, brand_id: number): Promise<Offered[]> {
  return (await productsWithGroups(db, brand_id)).map(({ product: { id, name, modificator_groups = [] }, takes }) => ({
    id,
    name,
    groups: modificator_groups.map((group) => groupOf(group, takes)),
  }))
}

const named = ({ id, name }: Named): Named => ({ id, name })
const withId = (groups: readonly ChoiceGroup[], id: number | undefined) =>
  id === undefined ? undefined : groups.find((group) => group.id === id)

export async function findChoices(db: Database, caller: CommandContext['caller'], id: number): Promise<ShownChoices> {
  const line = (await findLine(db, products, caller, id)) as ProductLine | undefined
  if (!line) throw noSuchRecord()
  const { name, modificator_groups = [], takes = [] } = line
  const groups = modificator_groups.map((group) => groupOf(group, takes))
  const others = (await readOffered(db, caller.brand_id)).filter((other) => other.id !== id)
  const elsewhere = new Map<number, { group: ChoiceGroup; products: Named[] }>()
  for (const other of others)
    for (const group of other.groups)
      if (group.id !== undefined && !withId(groups, group.id)) {
        const known = elsewhere.get(group.id)
        if (!known) elsewhere.set(group.id, { group, products: [named(other)] })
        else known.products.push(named(other))
      }
  return {
    id,
    name,
    version: versionOf(line),
    groups,
    shared: groups.flatMap((group) => sharedOf(group, others)),
    elsewhere: [...elsewhere.values()].sort((one, other) => other.products.length - one.products.length),
  }
}

function sharedOf(group: ChoiceGroup, others: readonly Offered[]): SharedGroup[] {
  if (group.id === undefined) return []
  const having = others.flatMap((other) => {
    const theirs = withId(other.groups, group.id)
    return theirs ? [{ ...named(other), group: theirs }] : []
  })
  if (having.length === 0) return []
  const { same = [], different = [] } = Object.groupBy(having, ({ group: theirs }) =>
    isDeepStrictEqual(theirs, group) ? 'same' : 'different',
  )
  return [{ group_id: group.id, same: same.map(named), different }]
}

/** Writes the choices of a product, and each group that changed to the other products that have it. */
export async function changeChoices(
  context: CommandContext,
  id: number,
  { groups, also = [] }: NewChoices,
  ifMatch: IfMatch | undefined,
): Promise<{ changed: boolean; written: Named[] }> {
  const { tx, brand_id } = context
  refuseTwice(groups)
  await lockDirectory(tx) // nobody changes another of them by hand meanwhile
  const offered = await readOffered(tx, brand_id)
  const before = offered.find((product) => product.id === id)?.groups ?? []
  const own = await writeGroups(context, id, () => groups, ifMatch)
  const after = (await readOffered(tx, brand_id)).find((product) => product.id === id)?.groups ?? []
  const written: Named[] = []
  for (const other of offered) {
    if (other.id === id) continue
    const next = other.groups.map((theirs) => {
      const now = withId(after, theirs.id)
      if (!now || isDeepStrictEqual(now, theirs)) return theirs
      // One that was taken over from others counts as what the first of them has.
      const base = withId(before, theirs.id) ?? offered.map((one) => withId(one.groups, theirs.id)).find(Boolean)
      const isTicked = also.some(
        ({ group_id, product_ids }) => group_id === theirs.id && product_ids.includes(other.id),
      )
      return isTicked || isDeepStrictEqual(base, theirs) ? now : theirs
    })
    if (isDeepStrictEqual(next, other.groups)) continue
    await writeGroups(context, other.id, () => next, undefined)
    written.push(named(other))
  }
  return { changed: own.changed.length > 0, written }
}

/** A choice that is there twice would have two prices. */
function refuseTwice(groups: readonly ChoiceGroup[]): void {
  const isTwice = (ids: readonly (number | undefined)[], at: number) =>
    ids[at] !== undefined && ids.indexOf(ids[at]) !== at
  const groupIds = groups.map(({ id }) => id)
  const problems = groups.flatMap(({ choices }, at) => {
    const ids = choices.map(({ id }) => id)
    return [
      ...(isTwice(groupIds, at) ? [fieldProblem(`groups[${at}].id`, 'unique', 'is there twice')] : []),
      ...choices.flatMap((_, index) =>
        isTwice(ids, index) ? [fieldProblem(`groups[${at}].choices[${index}].id`, 'unique', 'is there twice')] : [],
      ),
    ]
  })
  const [first, ...others] = problems
  if (first) throw validationFailed([first, ...others])
}

/** The groups of one product, and what their choices take. */
function writeGroups(
  context: CommandContext,
  id: number,
  groupsOf: () => readonly ChoiceGroup[],
  ifMatch: IfMatch | undefined,
) {
  return changeLine(
    context,
    products,
    id,
    async (before) => {
      const groups = groupsOf()
      const prepared = (await products.edit!.prepare(
        context,
        { modificator_groups: groups.map(storedGroup) },
        before as ProductLine,
      )) as { modificator_groups: ModificatorGroup[] }
      const { modificator_groups: old = [], takes = [] } = before as ProductLine
      const choiceIds = new Set(
        [...old, ...prepared.modificator_groups].flatMap(({ modificators = [] }) => modificators.map(({ id }) => id)),
      )
      const uses = groups.flatMap(({ choices }, group) =>
        choices.flatMap(({ uses = [] }, index) =>
          uses.map((use) => ({
            ...use,
            modificator_id: prepared.modificator_groups[group]!.modificators![index]!.id!,
          })),
        ),
      )
      return {
        modificator_groups: prepared.modificator_groups,
        takes: [
          ...takes.filter(({ modificator_id }) => modificator_id === undefined || !choiceIds.has(modificator_id)),
          ...uses,
        ],
      }
    },
    ifMatch,
  )
}
