import type { Resource } from '../../resource/resource.ts'
import { languagesOf, type MenuEntry, menuEntries } from '../../resources/entries/entries.ts'
import { type CategoryRow, categories } from '../../resources/menu/categories.ts'
import { type PriceListRow, priceLists } from '../../resources/menu/price-lists.ts'
import { type PriceRow, prices } from '../../resources/menu/prices.ts'
import type { ProductLine } from '../../resources/menu/product-schema.ts'
import { products } from '../../resources/menu/products.ts'
import type { Queries } from '../../storage/database.ts'
import { type Names, namesOf } from './names.ts'

// M17: the menu as a spreadsheet shows it, read as an export reads it.

/** What a spreadsheet has: ingredients have pages of their own. */
export const SOLD_TYPES: readonly string[] = ['PRODUCT', 'DISH', 'TIMER']

export interface TaxName {
  readonly id: number
  readonly name: string
  readonly rate: number
  readonly is_default: number
  readonly status: number
}

export interface MenuState {
  readonly money_places: number
  readonly languages: readonly string[]
  readonly products: ReadonlyMap<number, ProductLine>
  readonly categories: ReadonlyMap<number, CategoryRow>
  readonly entries: ReadonlyMap<string, MenuEntry>
  readonly taxes: ReadonlyMap<number, TaxName>
  /** By list and product; of several the first counts, as it does for guests. */
  readonly prices: ReadonlyMap<string, readonly PriceRow[]>
  readonly lists: readonly PriceListRow[]
  readonly names: { readonly tax: Names; readonly station: Names; readonly list: Names; readonly category: Names }
}

export const placeOf = ({ list_id, product_id }: Pick<PriceRow, 'list_id' | 'product_id'>) => `${list_id} ${product_id}`

/** The names of a category and of all above it. */
export function pathOf(categories: ReadonlyMap<number, CategoryRow>, id: number): string {
  const path: string[] = []
  for (let next: number | undefined = id; next !== undefined && path.length < categories.size; ) {
    const category = categories.get(next)
    if (!category) break
    path.unshift(category.name)
    next = category.parent_id
  }
  return path.join(' > ')
}

export async function readState(db: Queries, brand_id: number): Promise<MenuState> {
  const [brand] = await db.rows<{ money_places: number }>('select money_places from brands where id = ?', [brand_id])
  const bodies = async <Row>(table: string) =>
    (await db.texts(`select body from ${table} where brand_id = ? order by id`, [brand_id])).map(
      (body) => JSON.parse(body) as Row,
    )
  const every = (resource: Resource) => readAll(db, brand_id, resource)
  const byId = <Row extends { readonly id: number | string }>(rows: readonly Row[]) =>
    new Map(rows.map((row) => [row.id as Row['id'], row]))
  const tree = byId((await every(categories as Resource)) as CategoryRow[])
  const taxes = await bodies<TaxName>('taxes')
  const lists = (await every(priceLists as Resource)) as PriceListRow[]
  const sold = ((await every(products as Resource)) as ProductLine[]).filter(
    ({ deleted_at }) => deleted_at === undefined,
  )
  return {
    money_places: brand!.money_places,
    languages: await languagesOf(db, brand_id),
    products: byId(sold),
    categories: tree,
    entries: new Map(((await every(menuEntries as Resource)) as MenuEntry[]).map((entry) => [entry.id, entry])),
    taxes: byId(taxes),
    prices: Map.groupBy((await every(prices as Resource)) as PriceRow[], placeOf),
    lists,
    names: {
      tax: namesOf(taxes),
      station: namesOf(await bodies<{ id: number; name: string }>('stations')),
      list: namesOf(lists),
      category: namesOf([...tree.keys()].map((id) => ({ id, name: pathOf(tree, id) }))),
    },
  }
}

async function readAll(db: Queries, brand_id: number, resource: Resource): Promise<unknown[]> {
  const rows: unknown[] = []
  let after: number | string | undefined
  do {
    const { objects, next } = await resource.readExportPage(db, brand_id, after)
    for (const text of objects) rows.push(JSON.parse(text))
    after = next
  } while (after !== undefined)
  return rows
}
