import type { CommandContext } from '../../../resource/write/commands.ts'
import { advance, idCounter, takeBeside } from '../../../resource/write/counters.ts'
import type { Queries } from '../../../storage/database.ts'
import { places } from '../../../storage/upsert.ts'
import type { ProductLine } from '../product-schema.ts'

// The parts of a product as people send them: those that are new have no id yet, and copies of other products only theirs.

type Values = Readonly<Record<string, unknown>>
type Part = Readonly<Record<string, unknown>> & { readonly id?: number }

/** Gives ids to new parts, and the names that parts show to products that they use. */
export async function prepareParts(context: CommandContext, values: Values, before?: ProductLine): Promise<Values> {
  const made: Record<string, unknown> = { ...values }
  if (partsIn(values.modifications)) {
    const variants = values.modifications as Part[]
    made.modifications = await withVariantIds(context, variants)
    made.has_modifications = variants.length > 0
    if (before)
      made.takes = withoutVanished((values.takes ?? before.takes ?? []) as ProductLine['takes'], variants, before)
  }
  if (partsIn(values.modificator_groups))
    made.modificator_groups = await withGroupIds(context, await withIngredients(context, values.modificator_groups))
  if (partsIn(values.recipe)) made.recipe = await withNames(context, values.recipe)
  for (const member of ['packages', 'tags'])
    if (partsIn(values[member])) made[member] = await withPartIds(context, member, values[member] as Part[])
  return made
}

/** Whether it is a list of objects; anything else is left to the schema to refuse. */
const partsIn = (value: unknown): value is Part[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'object' && part !== null && !Array.isArray(part))

/** What a size that is gone took. */
function withoutVanished(takes: ProductLine['takes'], variants: readonly Part[], before: ProductLine) {
  const gone = (before.modifications ?? []).filter(({ id }) => !variants.some((variant) => variant.id === id))
  return (takes ?? []).filter(({ modification_id }) => !gone.some(({ id }) => id === modification_id))
}

/** Sizes are products, with ids of theirs. */
async function withVariantIds({ tx, brand_id }: CommandContext, variants: readonly Part[]): Promise<Part[]> {
  const count = variants.filter(({ id }) => id === undefined).length
  if (count === 0) return [...variants]
  const counter = idCounter('product')
  let id = (await advance(tx, brand_id, { [counter]: count, products: 0 }))[counter]! - count
  return variants.map((variant) => (variant.id === undefined ? { ...variant, id: ++id } : variant))
}

/** M11: ids of groups and of modifiers mean one thing in the brand. */
async function withGroupIds(context: CommandContext, groups: readonly Part[]): Promise<Part[]> {
  const modifiersOf = ({ modificators }: Part) => (partsIn(modificators) ? modificators : [])
  const newGroups = groups.filter(({ id }) => id === undefined).length
  const newModifiers = groups.flatMap(modifiersOf).filter(({ id }) => id === undefined).length
  if (newGroups + newModifiers === 0) return [...groups]
  const used = await usedGroupIds(context)
  const { tx, brand_id } = context
  let group = await takeBeside(tx, brand_id, 'modificator_group_id', used.groups, newGroups)
  let modifier = await takeBeside(tx, brand_id, 'modificator_id', used.modifiers, newModifiers)
  return groups.map((each) => ({
    ...each,
    id: each.id ?? ++group,
    ...(partsIn(each.modificators) && {
      modificators: each.modificators.map((one) => ({ ...one, id: one.id ?? ++modifier })),
    }),
  }))
}

async function usedGroupIds({ tx, brand_id }: CommandContext): Promise<{ groups: number[]; modifiers: number[] }> {
  const groups = (await productsWithGroups(tx, brand_id)).flatMap(({ product }) => product.modificator_groups ?? [])
  const described = await tx.texts(
    `select id from menu_entries where brand_id = ? and (id like 'group-%' or id like 'modifier-%')`,
    [brand_id],
  )
  const entries = (kind: string) =>
    described.flatMap((id) => (id.startsWith(`${kind}-`) ? [Number(id.slice(kind.length + 1))] : []))
  return {
    groups: [...groups.flatMap(({ id }) => id ?? []), ...entries('group')],
    modifiers: [
      ...groups.flatMap(({ modificators = [] }) => modificators.flatMap(({ id }) => id ?? [])),
      ...entries('modifier'),
    ],
  }
}

/** Every product that offers choices, with what they take. */
export async function productsWithGroups(
  db: Pick<Queries, 'rows'>,
  brand_id: number,
): Promise<
  { product: Pick<ProductLine, 'id' | 'name' | 'modificator_groups'>; takes: NonNullable<ProductLine['takes']> }[]
> {
  const rows = await db.rows<{ body: string; details: string }>(
    `select body, details from products
     where brand_id = ? and parent_id is null and instr(body, '"modificator_groups":[{') > 0 order by id`,
    [brand_id],
  )
  return rows.map(({ body, details }) => ({ product: JSON.parse(body), takes: JSON.parse(details).takes ?? [] }))
}

async function withPartIds({ tx, brand_id }: CommandContext, member: string, parts: readonly Part[]): Promise<Part[]> {
  const count = parts.filter(({ id }) => id === undefined).length
  if (count === 0) return [...parts]
  const bodies = await tx.texts(
    `select body from products where brand_id = ? and instr(body, '"${member}":[{') > 0`, //
    [brand_id],
  )
  const used = bodies.flatMap((body) => (JSON.parse(body)[member] as Part[]).flatMap(({ id }) => id ?? []))
  let id = await takeBeside(tx, brand_id, `product_${member}_id`, used, count)
  return parts.map((part) => (part.id === undefined ? { ...part, id: ++id } : part))
}

interface Used {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly cost_price?: number
}

/** A product as others show it that use it. One that does not exist is left to the check of references. */
async function readUsed({ tx, brand_id }: CommandContext, parts: readonly Part[]): Promise<ReadonlyMap<number, Used>> {
  const ids = parts.flatMap(({ id }) => (Number.isSafeInteger(id) ? [id!] : []))
  if (ids.length === 0) return new Map()
  const bodies = await tx.texts(`select body from products where brand_id = ? and id in ${places(ids)}`, [
    brand_id,
    ...ids,
  ])
  return new Map(
    bodies.map((body) => {
      const { id, name, type, cost_price } = JSON.parse(body) as Used
      return [id, { id, name, type, ...(cost_price !== undefined && { cost_price }) }]
    }),
  )
}

async function withNames(context: CommandContext, recipe: readonly Part[]): Promise<Part[]> {
  const used = await readUsed(context, recipe)
  return recipe.map((item) => {
    const { type: _, ...shown } = used.get(item.id!) ?? { type: '' }
    return { ...item, ...shown }
  })
}

async function withIngredients(context: CommandContext, groups: readonly Part[]): Promise<Part[]> {
  const modifiersOf = ({ modificators }: Part) => (partsIn(modificators) ? modificators : [])
  const ingredients = groups.flatMap(modifiersOf).flatMap(({ ingredient }) => (ingredient ? [ingredient as Part] : []))
  const used = await readUsed(context, ingredients)
  return groups.map((group) =>
    partsIn(group.modificators)
      ? {
          ...group,
          modificators: group.modificators.map(({ ingredient, ...modifier }) => {
            const { id } = (ingredient ?? {}) as Part
            return { ...modifier, ...(ingredient !== undefined && { ingredient: used.get(id!) ?? ingredient }) }
          }),
        }
      : group,
  )
}
