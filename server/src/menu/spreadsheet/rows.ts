import { MAX_LEVELS } from '../../resource/write/tree.ts'
import type { MenuEntry } from '../../resources/entries/entries.ts'
import type { CategoryRow } from '../../resources/menu/categories.ts'
import type { Modification, ProductLine } from '../../resources/menu/product-schema.ts'
import { fold } from '../../values/fold.ts'
import { type Column, calledOf, columnNamed, columnsOf, entryOf, pricesOf, type Thing } from './columns.ts'
import { readCsv, SheetProblem, type TableRow } from './csv.ts'
import { CellProblem, cellProblem } from './sentences.ts'
import { type MenuState, SOLD_TYPES } from './state.ts'

// M17: the rows of a file, each with the product or the size that it is about.

const MAX_ROWS = 5_000
const MAX_NEW_CATEGORIES = 1_000
/** What a row without an id is found by, however it is written. */
const FOUND_BY: readonly string[] = ['category', 'name', 'variant']

/** Also an amount that is shown with a decimal comma. */
const isAsBefore = ({ isAmount }: Column, text: string, before: string | undefined) =>
  text === before || (isAmount === true && text.replace(',', '.') === before)

/** A row of the file, and what it is about as it was and as it becomes. */
export interface SheetRow {
  readonly line: number
  readonly thing: Thing
  readonly id: number
  readonly isNew: boolean
  /** What its cells showed before. */
  readonly before: ReadonlyMap<Column, string>
  readonly entryBefore: MenuEntry
  readonly pricesBefore: ReadonlyMap<number, number>
}

/** A file, and the menu that it changes. */
export interface Work {
  readonly columns: readonly Column[]
  /** What is to be done with each row; a step throws SheetProblem. */
  readonly steps: Iterable<() => void>
  readonly rows: SheetRow[]
  /** Products that rows are about, as they become. */
  readonly products: ReadonlyMap<number, ProductLine>
  readonly newCategories: CategoryRow[]
  /** Their paths, by id. */
  readonly newPaths: ReadonlyMap<number, string>
}

/** The columns of a row that changed, as a spreadsheet shows them. */
export function changesOf({ columns }: Work, { before, thing, isNew }: SheetRow) {
  return columns.flatMap((column) => {
    const from = isNew ? '' : (before.get(column) ?? '')
    const to = thing.size && !column.ofSizes ? '' : column.read(thing)
    return from === to ? [] : [{ column: column.name, from, to }]
  })
}

export function workOn(state: MenuState, file: Buffer): Work {
  const [head, ...table] = readCsv(file)
  if (!head) throw new SheetProblem(1, '', cellProblem('empty_file'))
  if (table.length > MAX_ROWS) throw new SheetProblem(table[MAX_ROWS]!.line, '', cellProblem('too_many_rows', MAX_ROWS))
  const { idAt, columns, cellsOf } = readHead(state, head, table)
  const drafts = draftsOf(state)
  const rows: SheetRow[] = []
  const lineOf = new Map<string, number>()

  function about(row: TableRow, product: ProductLine, size: Modification | undefined, isNew: boolean): SheetRow {
    const id = (size ?? product).id
    const known = lineOf.get(String(id))
    if (known !== undefined) throw new SheetProblem(row.line, '', cellProblem('same_as_line', known))
    lineOf.set(String(id), row.line)
    const [entry, prices] = [entryOf(state, id), pricesOf(state, id)]
    const { categoryOf, newPaths } = drafts
    const thing: Thing = { state, product, size, isNew, entry, prices: new Map(prices), categoryOf, newPaths }
    const before = new Map(columns.map(({ column }) => [column, size && !column.ofSizes ? '' : column.read(thing)]))
    const made = { line: row.line, thing, id, isNew, before, entryBefore: entry, pricesBefore: prices }
    rows.push(made)
    return made
  }

  function writeCell({ line }: TableRow, thing: Thing, column: Column, text: string): void {
    try {
      column.write(thing, text)
    } catch (error) {
      throw error instanceof CellProblem ? new SheetProblem(line, column.name, error) : error
    }
  }

  function write(row: TableRow, { thing, before, isNew }: SheetRow, wanted: (column: Column) => boolean): void {
    for (const { column, text } of cellsOf(row))
      if (wanted(column) && (isNew || !isAsBefore(column, text, before.get(column))))
        writeCell(row, thing, column, text)
  }

  const idOf = ({ line, cells }: TableRow): number | undefined => {
    const text = (idAt === -1 ? '' : (cells[idAt] ?? '')).trim()
    if (text === '') return undefined
    if (!/^[1-9]\d{0,15}$/.test(text)) throw new SheetProblem(line, 'id', cellProblem('not_an_id'))
    return Number(text)
  }
  const cellOf = (row: TableRow, name: string) => cellsOf(row).find(({ column }) => column.name === name)?.text

  /** The product that a row without an id names; undefined where there is none. */
  function named(row: TableRow): ProductLine | undefined {
    const name = cellOf(row, 'name')?.trim() ?? ''
    if (name === '') throw new SheetProblem(row.line, 'name', cellProblem('name_missing'))
    const path = cellOf(row, 'category')
    const found = drafts.find(name, path === undefined ? undefined : drafts.knownCategory(path, row.line))
    if (found.length > 1) throw new SheetProblem(row.line, 'name', cellProblem('products_of_name', found.length))
    return found[0]
  }

  function productRow(row: TableRow, id: number | undefined): void {
    const known = id === undefined ? named(row) : drafts.take(id, row.line)
    const product = known ?? drafts.add()
    const isFound = id === undefined && known !== undefined
    write(row, about(row, product, undefined, known === undefined), ({ name }) => !isFound || !FOUND_BY.includes(name))
    drafts.name(product)
  }

  function sizeRow(row: TableRow, id: number | undefined, name: string): void {
    const ofRow = id === undefined ? undefined : drafts.takeSize(id, row.line)
    const known = ofRow?.product ?? named(row)
    const product = known ?? drafts.add()
    if (known === undefined) writeProduct(row, product)
    const sizes = product.modifications ?? []
    const key = fold(name.trim())
    const found = ofRow ? [ofRow.size] : sizes.filter((size) => fold(size.name) === key)
    if (found.length > 1) throw new SheetProblem(row.line, 'variant', cellProblem('sizes_of_name', found.length))
    const size = found[0] ?? drafts.addSize(product, name.trim())
    const made = about(row, product, size, found[0] === undefined)
    write(row, made, ({ name, ofSizes }) => ofSizes && (ofRow !== undefined || !FOUND_BY.includes(name)))
    if (known !== undefined) refuseOtherProduct(row, product)
  }

  /** Refuses a size that contradicts its product. What all sizes share stands in the product’s row, and may be repeated. */
  function refuseOtherProduct(row: TableRow, product: ProductLine): void {
    const { modifications: _, ...own } = product // each of its sizes would copy all of them
    const [thing, copy] = [ofProduct(product, false), ofProduct(structuredClone(own), false)]
    for (const { column, text } of cellsOf(row)) {
      if (column.ofSizes || text.trim() === '') continue
      writeCell(row, copy, column, text)
      if (column.read(copy) !== column.read(thing))
        throw new SheetProblem(row.line, column.name, cellProblem('of_the_product'))
    }
  }

  /** A product that only rows of its sizes name: the first of them says what it is. */
  function writeProduct(row: TableRow, product: ProductLine): void {
    const thing = ofProduct(product, true)
    for (const { column, text } of cellsOf(row))
      if (!column.ofSizes || column.name === 'name' || column.name === 'category') writeCell(row, thing, column, text)
    drafts.name(product)
  }

  const ofProduct = (product: ProductLine, isNew: boolean): Thing => ({
    state,
    product,
    size: undefined,
    isNew,
    entry: { id: '' },
    prices: new Map(),
    categoryOf: drafts.categoryOf,
  })

  /** Products first, so that sizes find them. */
  function* steps(): Generator<() => void> {
    for (const row of table) if ((cellOf(row, 'variant') ?? '').trim() === '') yield () => productRow(row, idOf(row))
    for (const row of table) {
      const name = cellOf(row, 'variant') ?? ''
      if (name.trim() !== '') yield () => sizeRow(row, idOf(row), name)
    }
  }

  const { newCategories, newPaths, products } = drafts
  return { columns: columns.map(({ column }) => column), steps: steps(), rows, products, newCategories, newPaths }
}

interface Head {
  readonly idAt: number
  /** In the order in which they are written. */
  readonly columns: readonly { readonly column: Column; readonly at: number }[]
  readonly cellsOf: (row: TableRow) => readonly { readonly column: Column; readonly text: string }[]
}

function readHead(state: MenuState, { line, cells }: TableRow, table: readonly TableRow[]): Head {
  const all = columnsOf(state)
  const seen = new Set<string>()
  let idAt = -1
  const columns = cells.flatMap((header, at) => {
    if (header.trim() === '') {
      const full = table.find((row) => (row.cells[at] ?? '').trim() !== '')
      if (full) throw new SheetProblem(full.line, '', cellProblem('unnamed_column', at + 1))
      return []
    }
    const isId = fold(header.trim()) === 'id'
    const column = isId ? undefined : columnNamed(state, all, header)
    if (!isId && !column) throw new SheetProblem(line, header.trim(), unknownColumn(header, all))
    const name = column?.name ?? 'id'
    if (seen.has(name)) throw new SheetProblem(line, name, cellProblem('column_twice'))
    seen.add(name)
    if (isId) idAt = at
    return column ? [{ column, at }] : []
  })
  if (idAt === -1 && !seen.has('name')) throw new SheetProblem(line, '', cellProblem('no_name_column'))
  const order = new Map(all.map(({ name }, index) => [name, index]))
  const last = all.length
  columns.sort((one, other) => (order.get(one.column.name) ?? last) - (order.get(other.column.name) ?? last))
  const tooLong = table.find((row) => row.cells.slice(cells.length).some((cell) => cell.trim() !== ''))
  if (tooLong) throw new SheetProblem(tooLong.line, '', cellProblem('too_many_cells'))
  return {
    idAt,
    columns,
    cellsOf: (row) => columns.map(({ column, at }) => ({ column, text: row.cells[at] ?? '' })),
  }
}

const unknownColumn = (header: string, all: readonly Column[]) =>
  cellProblem('unknown_column', header.trim(), ['id', ...all.map(({ name }) => name)].join(', '))

/** The menu as rows change it. What is new gets ids below 0, in the order in which it comes. */
function draftsOf(state: MenuState) {
  const products = new Map<number, ProductLine>()
  const parents = new Map<number, number>()
  const byName = new Map<string, Set<number>>()
  const newCategories: CategoryRow[] = []
  const newPaths = new Map<number, string>()
  const made = new Map<string, number>()
  let next = 0
  let nextCategory = 0

  const nameOf = (name: string) => {
    const key = fold(name.trim())
    const ids = byName.get(key) ?? new Set<number>()
    byName.set(key, ids)
    return ids
  }
  for (const { id, name, type, modifications = [] } of state.products.values()) {
    for (const size of modifications) parents.set(size.id, id)
    if (SOLD_TYPES.includes(type)) nameOf(name).add(id)
  }

  /** A copy that may be changed. */
  function draft(id: number): ProductLine {
    const known = products.get(id)
    if (known) return known
    const copy = structuredClone(state.products.get(id)!)
    products.set(id, copy)
    return copy
  }

  const partsOf = (path: string) => path.split('>').map((part) => part.trim().replaceAll(/\s+/g, ' '))

  return {
    products,
    newCategories,
    newPaths,

    take(id: number, line: number): ProductLine {
      if (parents.has(id)) throw new SheetProblem(line, 'variant', cellProblem('size_name_missing'))
      const stored = state.products.get(id)
      if (!stored) throw new SheetProblem(line, 'id', cellProblem('no_product', id))
      if (!SOLD_TYPES.includes(stored.type))
        throw new SheetProblem(line, 'id', cellProblem('not_sold', id, stored.type))
      return draft(id)
    },

    takeSize(id: number, line: number): { product: ProductLine; size: Modification } {
      const parent = parents.get(id)
      if (parent === undefined) throw new SheetProblem(line, 'id', cellProblem('no_size', id))
      const product = draft(parent)
      return { product, size: product.modifications!.find((size) => size.id === id)! }
    },

    add(): ProductLine {
      const taxes = [...state.taxes.values()].filter(({ is_default, status }) => is_default === 1 && status === 1)
      const product: ProductLine = {
        id: --next,
        name: '',
        type: 'PRODUCT',
        status: 1,
        taxes: taxes.map(({ id, name, rate }) => ({ id, name, rate })),
      }
      products.set(product.id, product)
      return product
    },

    addSize(product: ProductLine, name: string): Modification {
      const size: Modification = {
        id: --next,
        type: 'MODIFICATION',
        name,
        full_name: `${calledOf(product)}, ${name}`,
        status: 1,
      }
      product.modifications = [...(product.modifications ?? []), size]
      product.has_modifications = true
      return size
    },

    /** Lets a product be found by its name. */
    name: (product: ProductLine) => void nameOf(product.name).add(product.id),

    /** Products of a name, in a category where that is given; those that rows have changed are where they are now. */
    find(name: string, category: number | undefined | 'any' = 'any'): ProductLine[] {
      const key = fold(name.trim())
      const ids = byName.get(key) ?? []
      return [...ids]
        .filter((id) => {
          const product = products.get(id) ?? state.products.get(id)!
          return (category === 'any' || product.category_id === category) && fold(product.name) === key
        })
        .map(draft)
    },

    /** The id of a path's category; undefined for none, and one that no product has where it is new. */
    knownCategory(path: string, line: number): number | undefined {
      if (path.trim() === '') return undefined
      const found = state.names.category.find(path)
      if ('id' in found) return found.id
      if (found.found > 1)
        throw new SheetProblem(line, 'category', cellProblem('categories_of_name', found.found, path))
      return made.get(fold(partsOf(path).join(' > '))) ?? 0
    },

    categoryOf(path: string): number {
      const found = state.names.category.find(path)
      if ('id' in found) return found.id
      if (found.found > 1) throw cellProblem('categories_of_name', found.found, path)
      if (path.trim().startsWith('#')) throw cellProblem('no_category', path.trim())
      const names = partsOf(path)
      if (names.includes('')) throw cellProblem('category_part_missing')
      if (names.length > MAX_LEVELS) throw cellProblem('category_too_deep', MAX_LEVELS)
      let parent: number | undefined
      for (const [index, name] of names.entries()) {
        const whole = names.slice(0, index + 1).join(' > ')
        const key = fold(whole)
        const above = state.names.category.find(whole)
        const known = 'id' in above ? above.id : made.get(key)
        if (known !== undefined) parent = known
        else {
          if (newCategories.length === MAX_NEW_CATEGORIES) throw cellProblem('too_many_categories', MAX_NEW_CATEGORIES)
          const category: CategoryRow = {
            id: --nextCategory,
            name,
            type: 'PRODUCT',
            status: 1,
            ...(parent !== undefined && { parent_id: parent }),
          }
          newCategories.push(category)
          newPaths.set(category.id, whole)
          made.set(key, category.id)
          parent = category.id
        }
      }
      return parent!
    },
  }
}
