// The order of the menu: what has to be written so that something stands in another place. Only rows whose place changes are named.

export interface Node {
  readonly id: number
  readonly parent_id?: number
  readonly position?: number
  readonly name?: string
}

export interface CategoryMove {
  readonly id: number
  readonly parent_id: number | null
  readonly position: number
}

const LAST = Number.MAX_SAFE_INTEGER

/** What is directly below a category, in order. One whose parent is not there stands at the top. */
export function childrenOf<Kind extends Node>(nodes: readonly Kind[], parent: number | undefined): Kind[] {
  const known = new Set(nodes.map(({ id }) => id))
  return nodes
    .filter(({ parent_id }) => (parent_id !== undefined && known.has(parent_id) ? parent_id : undefined) === parent)
    .sort((one, other) => (one.position ?? LAST) - (other.position ?? LAST) || one.id - other.id)
}

/** Moves a category before another one, or to the end of another's. Undefined: below itself it cannot be. */
export function moveCategory(
  nodes: readonly Node[],
  id: number,
  to: { before: number } | { endOf: number | undefined },
): CategoryMove[] | undefined {
  const parentOf = (id: number) => nodes.find((node) => node.id === id)?.parent_id
  const parent = 'before' in to ? parentOf(to.before) : to.endOf
  for (let above = parent; above !== undefined; above = parentOf(above)) if (above === id) return undefined
  const siblings = childrenOf(nodes, parent)
    .map((node) => node.id)
    .filter((each) => each !== id)
  const index = 'before' in to ? siblings.indexOf(to.before) : siblings.length
  siblings.splice(index, 0, id)
  return siblings.flatMap((each, at): CategoryMove[] => {
    const node = nodes.find((one) => one.id === each)!
    const position = at + 1
    return node.position === position && node.parent_id === parent
      ? []
      : [{ id: each, parent_id: parent ?? null, position }]
  })
}

/** What each key does with a category. */
export function steps(
  nodes: readonly Node[],
  id: number,
): Partial<Record<'up' | 'down' | 'out' | 'into', CategoryMove[] | undefined>> {
  const node = nodes.find((each) => each.id === id)
  if (!node) return {}
  const siblings = childrenOf(nodes, node.parent_id)
  const at = siblings.findIndex((each) => each.id === id)
  const [before, after, beyond] = [siblings[at - 1], siblings[at + 1], siblings[at + 2]]
  const parent = nodes.find((each) => each.id === node.parent_id)
  const uncles = parent ? childrenOf(nodes, parent.parent_id) : []
  const behind = parent && uncles[uncles.findIndex((each) => each.id === parent.id) + 1]
  return {
    ...(before && { up: moveCategory(nodes, id, { before: before.id }) }),
    ...(after && {
      down: moveCategory(nodes, id, beyond ? { before: beyond.id } : { endOf: node.parent_id }),
    }),
    ...(parent && { out: moveCategory(nodes, id, behind ? { before: behind.id } : { endOf: parent.parent_id }) }),
    ...(before && { into: moveCategory(nodes, id, { endOf: before.id }) }),
  }
}

export interface ProductMove {
  readonly id: number
  readonly category_id: number | null
  readonly position: number
}

/** Moves a product of a list to another place in it. */
export function moveProduct(
  items: readonly { readonly id: number; readonly position?: number }[],
  category: number | undefined,
  from: number,
  to: number,
): ProductMove[] {
  const next = [...items]
  const [item] = next.splice(from, 1)
  if (!item || to < 0 || to > next.length) return []
  next.splice(to, 0, item)
  return next.flatMap(({ id, position }, at) =>
    position === at + 1 ? [] : [{ id, category_id: category || null, position: at + 1 }],
  )
}

/** A category and all below it. */
export function idsBelow(nodes: readonly Node[], id: number | undefined): ReadonlySet<number> {
  const found = new Set(id === undefined ? [] : [id])
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const { id, parent_id } of nodes) if (parent_id !== undefined && found.has(parent_id)) found.add(id)
  }
  return found
}
