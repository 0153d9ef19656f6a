import { RowProblem } from '../../../resource/files/read-row.ts'
import type { CommandContext } from '../../../resource/write/commands.ts'
import { places } from '../../../storage/upsert.ts'
import type { ProductLine } from '../product-schema.ts'

function circle(field: string): RowProblem {
  const explanation = 'is made of this product itself'
  return new RowProblem(`${field} ${explanation}`, undefined, [
    { field, rule: 'circle', explanation, value: undefined },
  ])
}

/** A recipe must not lead back to its own product: what it costs could not be said. */
export async function refuseCircle({ tx, brand_id }: CommandContext, product: ProductLine): Promise<void> {
  const seen = new Set<number>()
  for (const [index, { id }] of (product.recipe ?? []).entries()) {
    let next = [id]
    while (next.length > 0) {
      if (next.includes(product.id)) throw circle(`recipe[${index}]`)
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
