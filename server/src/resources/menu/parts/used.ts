import { RowProblem } from '../../../resource/files/read-row.ts'
import type { CommandContext } from '../../../resource/write/commands.ts'
import type { Queries } from '../../../storage/database.ts'
import { places } from '../../../storage/upsert.ts'
import type { ModificatorGroup, ProductLine } from '../product-schema.ts'

// Products that others are made of.

/** A recipe must not lead back to its own product: what it costs could not be said. */
export async function refuseCircle({ tx, brand_id }: CommandContext, product: ProductLine): Promise<void> {
  const seen = new Set<number>()
  for (const [index, { id }] of (product.recipe ?? []).entries()) {
    let next = [id]
    while (next.length > 0) {
      if (next.includes(product.id)) throw new RowProblem(`recipe[${index}] is made of this product itself`)
      const ids = next.filter((each) => !seen.has(each))
      for (const each of ids) seen.add(each)
      if (ids.length === 0) break
      const bodies = await tx.texts(
        `select body from products where brand_id = ? and id in ${places(ids)} and instr(body, '"recipe":[{') > 0`,
        [brand_id, ...ids],
      )
      next = bodies.flatMap((body) => (JSON.parse(body) as ProductLine).recipe!.map((item) => item.id))
    }
  }
}

/** What the products that one uses are called, what a unit of each costs, and in which unit they are counted. */
export interface UsedName {
  readonly id: number
  readonly name: string
  readonly cost_price: number | null
  readonly unit: string | null
}

export async function namesOfUsed(
  db: Pick<Queries, 'rows' | 'texts'>,
  brand_id: number,
  id: number,
): Promise<UsedName[]> {
  const [row] = await db.rows<{ body: string; details: string }>(
    'select body, details from products where brand_id = ? and id = ?',
    [brand_id, id],
  )
  if (!row) return []
  const { recipe = [], modificator_groups = [] } = JSON.parse(row.body) as ProductLine
  const { takes = [] } = JSON.parse(row.details) as ProductLine
  const ids = [
    ...recipe.map((item) => item.id),
    ...takes.map(({ product_id }) => product_id),
    ...modificator_groups.flatMap(({ modificators = [] }: ModificatorGroup) =>
      modificators.flatMap(({ ingredient }) => ingredient?.id ?? []),
    ),
  ]
  return usedNames(db, brand_id, ids)
}

export async function usedNames(
  db: Pick<Queries, 'rows'>,
  brand_id: number,
  ids: readonly number[],
): Promise<UsedName[]> {
  if (ids.length === 0) return []
  const rows = await db.rows<{ body: string; unit: string | null }>(
    `select products.body, units.body as unit from products
     left join units on units.brand_id = products.brand_id and units.id = products.unit_id
     where products.brand_id = ? and products.id in ${places(ids)}`,
    [brand_id, ...ids],
  )
  return rows.map(({ body, unit }) => {
    const { id, name, cost_price = null } = JSON.parse(body) as UsedName
    return { id, name, cost_price, unit: unit === null ? null : (JSON.parse(unit) as { symbol: string }).symbol }
  })
}
