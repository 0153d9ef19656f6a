import type { Queries } from '../../storage/database.ts'
import { type Column, columnsOf, entryOf, pricesOf } from './columns.ts'
import { type Separator, writeCsv } from './csv.ts'
import { type MenuState, pathOf, readState, SOLD_TYPES } from './state.ts'

// M17: the menu as a file that people change and import again.

/** The file of a brand's menu, with a mark by which spreadsheets know UTF-8; with semicolons for those whose decimals have commas. */
export async function exportMenu(db: Queries, brand_id: number, separator: Separator = ','): Promise<string> {
  const state = await readState(db, brand_id)
  const columns = columnsOf(state)
  const rows = sortedProducts(state).flatMap((product) => [
    rowOf(state, columns, product, undefined),
    ...(product.modifications ?? []).map((size) => rowOf(state, columns, product, size)),
  ])
  const isAmount = [false, ...columns.map((column) => column.isAmount === true)]
  const withCommas = (cells: readonly string[]) =>
    cells.map((cell, at) => (isAmount[at] ? cell.replace('.', ',') : cell))
  const local = separator === ';' ? rows.map(withCommas) : rows
  return `\ufeff${writeCsv([['id', ...columns.map(({ name }) => name)], ...local], separator)}`
}

type Product = ReturnType<MenuState['products']['get']> & {}
type Size = NonNullable<Product['modifications']>[number]

function rowOf(state: MenuState, columns: readonly Column[], product: Product, size: Size | undefined): string[] {
  const { id } = size ?? product
  const thing = { state, product, size, entry: entryOf(state, id), prices: pricesOf(state, id) }
  return [String(id), ...columns.map((column) => (size && !column.ofSizes ? '' : column.read(thing)))]
}

/** As a menu is read: by category, in their order. */
function sortedProducts({ products, categories }: MenuState): Product[] {
  const paths = new Map([...categories.keys()].map((id) => [id, pathOf(categories, id)]))
  const placeOf = ({ category_id = 0 }: Product) => paths.get(category_id) ?? ''
  const last = Number.MAX_SAFE_INTEGER
  return [...products.values()]
    .filter(({ type }) => SOLD_TYPES.includes(type))
    .sort((one, other) => {
      const [here, there] = [placeOf(one), placeOf(other)]
      if (here !== there) return here < there ? -1 : 1
      return (one.position ?? last) - (other.position ?? last) || one.id - other.id
    })
}
