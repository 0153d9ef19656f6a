import { lockDirectory, record } from '../../directory/audit.ts'
import { type FieldProblem, planChanged, validationFailed } from '../../http/errors.ts'
import { importer, LineProblem } from '../../resource/files/import.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import { advance, idCounter } from '../../resource/write/counters.ts'
import { counting, type WriteContext } from '../../resource/write/write.ts'
import { categories } from '../../resources/menu/categories.ts'
import { prices } from '../../resources/menu/prices.ts'
import type { ProductLine } from '../../resources/menu/product-schema.ts'
import { products } from '../../resources/menu/products.ts'
import { CATALOGUE } from '../../resources/venue-pointers.ts'
import { type MenuFault, type MenuPlan, planMenu, type Writes } from './plan.ts'
import { type MenuState, placeOf, readState } from './state.ts'

// M17: a file is applied as an import: all of it or nothing, with an import's events.

export type ApplyContext = Pick<WriteContext, 'tx' | 'brand_id' | 'actor' | 'now'>

/** What applying may publish (E10). */
export const APPLY_EVENTS = [
  ...['category.created', 'category.updated', 'product.created', 'product.updated'],
  ...['menu_entry.created', 'menu_entry.updated', 'menu_entry.deleted', 'price_list.prices_changed'],
  'import.completed',
] as const

/**
 * Plans once more in the transaction and writes that, where it is the plan that somebody looked at; undefined: whatever it is. The
 * directory's lock keeps others who change the menu by hand away until the end.
 */
export async function applyMenu(context: ApplyContext, file: Buffer, looked: string | undefined): Promise<MenuPlan> {
  const { tx, brand_id, actor } = context
  await lockDirectory(tx)
  const state = await readState(tx, brand_id)
  const { plan, writes } = await planMenu(state, file)
  refuseErrors(plan)
  if (looked !== undefined && looked !== plan.plan) throw planChanged(plan)
  if (isNothing(writes)) return plan
  try {
    await write(context, state, writes)
  } catch (error) {
    if (error instanceof LineProblem || error instanceof RowProblem)
      throw validationFailed([{ field: 'body', rule: 'refused', message: `${error.message}.` }])
    throw error
  }
  const { created, changed } = plan
  await record(tx, {
    actor,
    action: 'menu.import',
    subject: '',
    brand_id,
    before: undefined,
    after: { created, changed },
  })
  return plan
}

/** A cell of a file that came in a request: pages say what is wrong with it in their language. */
export interface SheetFieldProblem extends FieldProblem {
  readonly fault: MenuFault
}

/** Refuses a plan with errors, cell by cell. */
function refuseErrors({ errors }: MenuPlan): void {
  const [first, ...others] = errors.map((fault): SheetFieldProblem => {
    const { line, column, message } = fault
    const place = column === '' ? `line ${line}` : `line ${line}, ${column}`
    return { field: place, rule: 'refused', message: `L${place.slice(1)}: ${message}`, fault }
  })
  if (first) throw validationFailed([first, ...others])
}

const isNothing = (writes: Writes) => Object.values(writes).every((rows) => rows.length === 0)

async function write(context: ApplyContext, state: MenuState, writes: Writes): Promise<void> {
  const { tx } = context
  const ids = await newIds(context, writes)
  const asImport = {
    ...tx,
    publish: (event: Parameters<typeof tx.publish>[0]) => tx.publish({ ...event, source: 'import' }),
  }
  await counting({ ...context, tx: asImport }, async (removing) => {
    for (const place of writes.removed)
      for (const row of state.prices.get(placeOf(place))!) await prices.remove(removing, row)
  })
  const rows = importer(context, CATALOGUE)
  let line = 0
  for (const { id, parent_id, ...category } of writes.categories)
    await rows.add(
      { kind: 'category', id: ids.category(id), ...(parent_id && { parent_id: ids.category(parent_id) }), ...category },
      ++line,
    )
  for (const product of writes.products) await rows.add({ kind: 'product', ...withIds(product, ids) }, ++line)
  for (const entry of writes.entries)
    await rows.add(
      { kind: 'menu_entry', ...entry, id: `product-${ids.product(Number(entry.id.slice('product-'.length)))}` },
      ++line,
    )
  for (const { list_id, product_id, price } of writes.prices) {
    const [known] = state.prices.get(placeOf({ list_id, product_id })) ?? []
    await rows.add(
      { kind: 'price', id: known?.id ?? ids.price(), list_id, product_id: ids.product(product_id), price },
      ++line,
    )
  }
  await rows.finish()
}

interface NewIds {
  category(id: number): number
  product(id: number): number
  price(): number
}

/** Ids for what is new, which no row ever had. */
async function newIds({ tx, brand_id }: ApplyContext, writes: Writes): Promise<NewIds> {
  const made = writes.products.flatMap(({ id, modifications = [] }) => [id, ...modifications.map((size) => size.id)])
  const names = {
    category: idCounter(categories.kind),
    product: idCounter(products.kind),
    price: idCounter(prices.kind),
  }
  const counts = {
    [names.category]: writes.categories.length,
    [names.product]: made.filter((id) => id < 0).length,
    [names.price]: writes.prices.length,
  }
  const last = await advance(tx, brand_id, counts)
  // In the order in which the file makes them, which is the menu's where they have no position.
  const after = (name: string) => (id: number) => (id < 0 ? last[name]! - counts[name]! - id : id)
  let price = 0
  return {
    category: after(names.category),
    product: after(names.product),
    price: () => last[names.price]! - price++,
  }
}

/** As an import line, whose time of change is now. */
function withIds({ updated_at: _, category_id, modifications, ...product }: ProductLine, ids: NewIds): object {
  return {
    ...product,
    id: ids.product(product.id),
    ...(category_id !== undefined && { category_id: ids.category(category_id) }),
    ...(modifications && { modifications: modifications.map((size) => ({ ...size, id: ids.product(size.id) })) }),
  }
}
