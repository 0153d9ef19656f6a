import type { WriteContext } from './write.ts'

interface Node {
  readonly id: number
  readonly parent_id?: number | null | undefined
}

/** How deep each row of a table with parents is, with these rows as they will be; undefined for one whose parents go in a circle. */
export async function depthsOf(
  { tx, brand_id }: WriteContext,
  table: string,
  rows: readonly Node[] = [],
): Promise<ReadonlyMap<number, number | undefined>> {
  const existing = await tx.rows<{ id: number; parent_id: number | null }>(
    `select id, parent_id from ${table} where brand_id = ?`,
    [brand_id],
  )
  const parents = new Map([...existing, ...rows].map(({ id, parent_id }) => [id, parent_id ?? undefined]))
  const depths = new Map<number, number | undefined>()
  for (const id of parents.keys()) {
    let depth = 0
    for (let parent = parents.get(id); parent !== undefined && depth <= parents.size; parent = parents.get(parent))
      depth++
    depths.set(id, depth > parents.size ? undefined : depth)
  }
  return depths
}

/** A whole tree is one answer, its paths are as long as it is deep, and a chain of thousands would take minutes to read. */
export const MAX_LEVELS = 20

/** What is wrong where a row is below itself, or too many others. */
export function faultIn(depths: ReadonlyMap<number, number | undefined>, kind: string): string | undefined {
  for (const [id, depth] of depths) {
    if (depth === undefined) return `parent_id of ${kind} ${id} leads back to itself`
    if (depth >= MAX_LEVELS) return `parent_id of ${kind} ${id} makes more than ${MAX_LEVELS} levels`
  }
  return undefined
}
