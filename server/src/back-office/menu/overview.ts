import Type, { type Static } from 'typebox'
import { lockDirectory, record } from '../../directory/audit.ts'
import { validationFailed } from '../../http/errors.ts'
import { findLine, type Line } from '../../resource/edit.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { Resource } from '../../resource/resource.ts'
import { Id, Nullable } from '../../resource/values.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { MenuEntry } from '../../resources/entries/entries.ts'
import { type Category, categories } from '../../resources/menu/categories.ts'
import type { Product, ProductDetails } from '../../resources/menu/product-schema.ts'
import { products } from '../../resources/menu/products.ts'
import type { Unit } from '../../resources/stock/units.ts'
import type { Database } from '../../storage/database.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { closed } from '../schema.ts'

/** A product in the list of the menu page. */
export interface MenuItem {
  readonly id: number
  readonly name: string
  readonly type: Product['type']
  readonly category_id?: number
  readonly position?: number
  readonly price?: number
  readonly active: boolean
  readonly hidden: boolean
  readonly open_price?: boolean
  readonly sizes: readonly { readonly id: number; readonly name: string; readonly price?: number }[]
  readonly cost_price?: number
  /** The symbol of its unit. */
  readonly unit?: string
  /** Its smallest picture. */
  readonly image?: string
}

export interface MenuOverview {
  readonly categories: readonly (Pick<
    Category,
    'id' | 'name' | 'type' | 'status' | 'hidden' | 'position' | 'parent_id' | 'color'
  > & { readonly image?: string })[]
  readonly products: readonly MenuItem[]
  /** Groups and their modifiers, `group-5` and `modifier-9`, each with one of the products that have it. */
  readonly choices: Readonly<Record<string, { readonly name: string; readonly product_id: number }>>
}

/** The whole menu and the ingredients, as somebody sees them who changes them. */
export async function findMenu(db: Database, brand_id: number): Promise<MenuOverview> {
  const images = await mainPictures(db, brand_id)
  const units = new Map(
    (await db.texts('select body from units where brand_id = ?', [brand_id])).map((body) => {
      const { id, symbol } = JSON.parse(body) as Unit
      return [id, symbol]
    }),
  )
  const shown: MenuItem[] = []
  const choices: Record<string, { name: string; product_id: number }> = {}
  const query = `select body, details from products where brand_id = ? and parent_id is null order by id`
  for await (const batch of db.batches<[body: string, details: string]>(brand_id, query, [brand_id]))
    for (const [body, details] of batch) {
      const { id, name, type, price, cost_price, status, modifications = [], ...product } = JSON.parse(body) as Product
      const { category_id, position, hidden, unit_id, open_price } = JSON.parse(details) as ProductDetails
      for (const group of product.modificator_groups ?? []) {
        choices[`group-${group.id}`] ??= { name: group.name ?? '', product_id: id }
        for (const modifier of group.modificators ?? [])
          choices[`modifier-${modifier.id}`] ??= { name: modifier.name ?? '', product_id: id }
      }
      const unit = unit_id === undefined ? undefined : units.get(unit_id)
      const image = images.get(`product-${id}`)
      shown.push({
        id,
        name,
        type,
        ...definedOnly({ category_id, position, price, cost_price, unit, image }),
        active: status !== 0,
        hidden,
        ...(open_price && { open_price }),
        sizes: modifications.map(({ id, name, price }) => ({ id, name, ...definedOnly({ price }) })),
      })
    }
  const bodies = await db.texts('select body from categories where brand_id = ? order by id', [brand_id])
  return {
    categories: bodies.map((body) => {
      const { id, name, type, status, hidden, position, parent_id, color } = JSON.parse(body) as Category
      const image = images.get(`category-${id}`)
      return { id, name, type, status, hidden, ...definedOnly({ position, parent_id, color, image }) }
    }),
    products: shown,
    choices,
  }
}

async function mainPictures(db: Database, brand_id: number): Promise<ReadonlyMap<string, string>> {
  const bodies = await db.texts('select body from menu_entries where brand_id = ? and images is not null', [brand_id])
  return new Map(
    bodies.flatMap((body) => {
      const { id, images = [] } = JSON.parse(body) as MenuEntry
      return images[0] ? [[id, images[0].small] as const] : []
    }),
  )
}

const Position = Type.Integer({ minimum: 0, maximum: 1_000_000 })

export const NewOrder = Type.Object(
  {
    categories: Type.Optional(
      Type.Array(Type.Object({ id: Id(), parent_id: Nullable(Id()), position: Position }, closed), { maxItems: 500 }),
    ),
    products: Type.Optional(
      Type.Array(Type.Object({ id: Id(), category_id: Nullable(Id()), position: Position }, closed), {
        maxItems: 500,
      }),
    ),
  },
  closed,
)

/** Moves categories and products in one transaction; the audit log gets one row for each kind. */
export async function changeOrder(
  context: CommandContext,
  { categories: movedCategories = [], products: movedProducts = [] }: Static<typeof NewOrder>,
): Promise<{ changed: number }> {
  await lockDirectory(context.tx)
  const changed = [
    await move(context, categories as Resource, 'categories', movedCategories),
    await move(context, products as Resource, 'products', movedProducts),
  ]
  return { changed: changed[0]! + changed[1]! }
}

type Move = { readonly id: number; readonly position: number } & Readonly<Record<string, number | null>>

async function move(
  context: CommandContext,
  resource: Resource,
  member: 'categories' | 'products',
  moves: readonly Move[],
): Promise<number> {
  const { tx, brand_id, actor, caller, now } = context
  const refuse = (index: number, rule: string, message: string): never => {
    throw validationFailed([{ field: `${member}[${index}].id`, rule, message }])
  }
  const ids = moves.map(({ id }) => id)
  const changes: { before: Line; after: Line }[] = []
  for (const [index, { id, ...place }] of moves.entries()) {
    if (ids.indexOf(id) !== index) return refuse(index, 'unique', `${id} is there twice.`)
    const before = await findLine(tx, resource, caller, id)
    if (!before) return refuse(index, 'exists', `There is no record with id ${id}.`)
    const [name, parent] = Object.entries(place).find(([key]) => key !== 'position')!
    if (parent !== null && parent !== before[name]) {
      const [row] = await tx.rows('select id from categories where brand_id = ? and id = ?', [brand_id, parent])
      if (!row) return refuse(index, 'exists', `There is no category with id ${parent}.`)
    }
    const { [name]: _, ...others } = before
    const after = { ...others, position: place.position, ...(parent !== null && { [name]: parent }), id } as Line
    if (before.position !== after.position || before[name] !== after[name])
      changes.push({ before, after: { ...after, updated_at: now } })
  }
  if (changes.length === 0) return 0
  try {
    await resource.write(
      context,
      changes.map(({ after }) => after),
    )
    const problem = await resource.checkAfterImport(context)
    if (problem) throw new RowProblem(problem)
  } catch (error) {
    if (error instanceof RowProblem) return refuse(0, 'refused', `${error.message}.`)
    throw error
  }
  const places = (side: 'before' | 'after') =>
    Object.fromEntries(
      changes.map(({ [side]: { id, position, parent_id, category_id } }) => [
        id,
        definedOnly({ position, parent_id, category_id }),
      ]),
    )
  await record(tx, {
    actor,
    action: `${resource.kind}.order`,
    subject: changes
      .map(({ after: { id } }) => id)
      .join(' ')
      .slice(0, 200),
    brand_id,
    before: places('before'),
    after: places('after'),
  })
  return changes.length
}
