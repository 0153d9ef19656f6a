import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { RowProblem } from '../../resource/files/read-row.ts'
import { isEmpty, type MenuEntry, menuEntries } from '../../resources/entries/entries.ts'
import { type CategoryRow, categories } from '../../resources/menu/categories.ts'
import type { ProductLine } from '../../resources/menu/product-schema.ts'
import { products } from '../../resources/menu/products.ts'
import { SheetProblem } from './csv.ts'
import { changesOf, type Work, workOn } from './rows.ts'
import { cellProblem } from './sentences.ts'
import type { MenuState } from './state.ts'

// M17: what a file would change. Pure: the same file and the same menu give the same plan. What is new has ids below 0.

/** Rows that a plan shows. */
const SHOWN_ROWS = 200
const MAX_ERRORS = 500
const ROWS_A_TURN = 250

const MenuFault = Type.Object({
  line: Type.Integer(),
  column: Type.String({ description: 'Empty: the whole line' }),
  message: Type.String(),
  code: Type.String({ description: 'Of the message, for pages that say it in another language' }),
  values: Type.Array(Type.Union([Type.String(), Type.Number()]), { description: 'In the message, in their order' }),
})
export type MenuFault = Static<typeof MenuFault>

export const MenuPlan = Type.Object(
  {
    plan: Type.String({ description: 'Names it: what is applied is what was looked at' }),
    created: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    categories: Type.Array(Type.String(), { description: 'Those that would be made' }),
    errors: Type.Array(MenuFault),
    rows: Type.Array(
      Type.Object({
        line: Type.Integer(),
        name: Type.String(),
        action: Type.Enum(['create', 'change']),
        changes: Type.Array(Type.Object({ column: Type.String(), from: Type.String(), to: Type.String() })),
      }),
      { description: `The first ${SHOWN_ROWS} that are made or changed` },
    ),
  },
  { $id: 'MenuPlan' },
)
export type MenuPlan = Static<typeof MenuPlan>

/** What a plan writes. Ids below 0 stand for those that are taken when it is applied. */
export interface Writes {
  readonly categories: readonly CategoryRow[]
  readonly products: readonly ProductLine[]
  readonly entries: readonly MenuEntry[]
  readonly prices: readonly { readonly list_id: number; readonly product_id: number; readonly price: number }[]
  /** Prices that go, by list and product. */
  readonly removed: readonly { readonly list_id: number; readonly product_id: number }[]
}

export interface Planned {
  readonly plan: MenuPlan
  readonly writes: Writes
}

export async function planMenu(state: MenuState, file: Buffer): Promise<Planned> {
  const errors: MenuPlan['errors'] = []
  const note = (error: unknown) => {
    if (!(error instanceof SheetProblem)) throw error
    const { line, column, message, problem } = error
    if (errors.length < MAX_ERRORS)
      errors.push({ line, column, message: `${message}.`, code: problem.code, values: [...problem.values] })
  }
  let work: Work | undefined
  try {
    work = workOn(state, file)
  } catch (error) {
    note(error)
  }
  if (work) await eachInTurns(work.steps, (step) => attempt(step, note))
  const writes = work ? await writesOf(state, work, note) : NOTHING
  const rows = work ? work.rows.map((row) => ({ row, changes: changesOf(work, row) })) : []
  const differing = rows.filter(({ row, changes }) => row.isNew || changes.length > 0)
  const created = differing.filter(({ row }) => row.isNew).length
  const summary = {
    created,
    changed: differing.length - created,
    unchanged: rows.length - differing.length,
    categories: work ? [...work.newPaths.values()] : [],
    errors: errors.sort((one, other) => one.line - other.line),
    rows: differing
      .sort((one, other) => one.row.line - other.row.line)
      .slice(0, SHOWN_ROWS)
      .map(({ row, changes }) => ({
        line: row.line,
        name: row.thing.size ? `${row.thing.product.name}, ${row.thing.size.name}` : row.thing.product.name,
        action: row.isNew ? ('create' as const) : ('change' as const),
        changes,
      })),
  }
  const plan = createHash('sha256')
    .update(JSON.stringify([summary, writes]))
    .digest('base64url')
    .slice(0, 22)
  return { plan: { plan, ...summary }, writes }
}

const NOTHING: Writes = { categories: [], products: [], entries: [], prices: [], removed: [] }

function attempt(work: () => void, note: (error: unknown) => void): void {
  try {
    work()
  } catch (error) {
    note(error)
  }
}

/** A large file gives way to others. */
async function eachInTurns<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let done = 0
  for (const item of items) {
    work(item)
    if (++done % ROWS_A_TURN === 0) await nextTurn()
  }
}

async function writesOf(state: MenuState, work: Work, note: (error: unknown) => void): Promise<Writes> {
  const written = {
    categories: [...work.newCategories],
    products: [] as ProductLine[],
    entries: [] as MenuEntry[],
    prices: [] as Writes['prices'][number][],
    removed: [] as Writes['removed'][number][],
  }
  const lineOf = new Map<number, number>()
  await eachInTurns(work.rows, ({ line, thing, id, pricesBefore, entryBefore }) => {
    if (!lineOf.has(thing.product.id)) lineOf.set(thing.product.id, line)
    if (JSON.stringify(thing.entry) !== JSON.stringify(entryBefore)) {
      const entry = { ...thing.entry, id: `product-${id}` }
      if (!isEmpty(entry)) attempt(() => check(line, () => menuEntries.read({ ...entry, id: 'product-1' })), note)
      written.entries.push(entry)
    }
    for (const [list_id, price] of thing.prices)
      if (pricesBefore.get(list_id) !== price) written.prices.push({ list_id, product_id: id, price })
    for (const list_id of pricesBefore.keys())
      if (!thing.prices.has(list_id)) written.removed.push({ list_id, product_id: id })
  })
  await eachInTurns(work.products.values(), (product) => {
    if (JSON.stringify(product) === JSON.stringify(state.products.get(product.id))) return
    attempt(() => check(lineOf.get(product.id) ?? 1, () => products.read(withIds(product))), note)
    written.products.push(product)
  })
  for (const category of work.newCategories)
    attempt(
      () => check(1, () => categories.read({ ...category, id: 1, ...(category.parent_id && { parent_id: 1 }) })),
      note,
    )
  return written
}

/** New rows are read by their schema before they have ids. */
function withIds({ modifications, category_id, ...product }: ProductLine): Record<string, unknown> {
  const sizes = modifications?.map((size, index) => ({ ...size, id: size.id > 0 ? size.id : index + 1 }))
  return {
    ...product,
    id: Math.max(product.id, 1),
    ...(category_id !== undefined && { category_id: Math.max(category_id, 1) }),
    ...(sizes && { modifications: sizes.map(({ parent_id: _, ...size }) => size) }),
  }
}

function check(line: number, read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof RowProblem)) throw error
    const [column = ''] = /[a-z_]+(?=[^a-z_]*$)/.exec(error.problems[0]?.field ?? '') ?? []
    const { rule = 'format' } = error.problems[0] ?? {}
    throw new SheetProblem(line, column, cellProblem('schema', rule, error.message.replace(/\.$/, '')))
  }
}
