import { ALLERGENS, DIETS, type MenuEntry } from '../../resources/entries/entries.ts'
import type { PriceListRow } from '../../resources/menu/price-lists.ts'
import type { Modification, ProductLine } from '../../resources/menu/product-schema.ts'
import { fold } from '../../values/fold.ts'
import { LIST_SEPARATOR, type Names } from './names.ts'
import { cellProblem } from './sentences.ts'
import { type MenuState, placeOf, SOLD_TYPES } from './state.ts'

// M17: what each column shows of a product or of a size, and what a text in it changes.

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

/** A product, or one of its sizes, as a row of the file changes it. */
export interface Thing {
  readonly state: MenuState
  readonly product: Mutable<ProductLine>
  readonly size: Mutable<Modification> | undefined
  readonly isNew: boolean
  entry: MenuEntry
  /** By price list; what is absent has no price. */
  readonly prices: Map<number, number>
  /** The category of a path, made where there is none. */
  readonly categoryOf: (path: string) => number
  /** Paths of categories that the file makes, by their ids below 0. */
  readonly newPaths?: ReadonlyMap<number, string>
}

export interface Column {
  readonly name: string
  /** Whether sizes have it too; otherwise their product's row says it. */
  readonly ofSizes: boolean
  /** Whether it holds amounts, which may have a decimal comma. */
  readonly isAmount?: true
  read(thing: Omit<Thing, 'categoryOf' | 'isNew'>): string
  write(thing: Thing, text: string): void
}

export const rowOf = ({ product, size }: Pick<Thing, 'product' | 'size'>) => size ?? product

/** What full names of its sizes begin with. */
export const calledOf = ({ name, full_name = name }: ProductLine) => full_name

const numberText = (value: number | undefined) => (value === undefined ? '' : String(value))

function readNumber(text: string, money_places: number): number {
  const plain = text.replaceAll(/[\s\u00a0\u202f]/g, '')
  if (!/^\d{1,12}([.,]\d{1,4})?$/.test(plain)) throw cellProblem('not_a_number')
  if (/,\d{3}$/.test(plain) && money_places < 3)
    throw cellProblem('two_numbers', text, plain.replace(',', ''), plain.replace(',', '.'))
  return Number(plain.replace(',', '.'))
}

function readPosition(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw cellProblem('not_whole')
  return Number(text)
}

function readFlag(text: string): boolean {
  if (['1', 'true', 'yes'].includes(fold(text))) return true
  if (['0', 'false', 'no'].includes(fold(text))) return false
  throw cellProblem('not_a_flag')
}

function readThing(names: Names, text: string, none: 'no_tax' | 'no_station'): number {
  const found = names.find(text)
  if ('id' in found) return found.id
  throw found.found === 0 ? cellProblem(none, text) : cellProblem('several_of_name', found.found, text)
}

function readCodes<Code extends string>(codes: readonly Code[], text: string): Code[] {
  const given = fold(text)
    .split(/[;,\s]+/)
    .filter((code) => code !== '')
  const wrong = given.find((code) => !codes.includes(code as Code))
  if (wrong !== undefined) throw cellProblem('none_of', wrong, codes.join(', '))
  return codes.filter((code) => given.includes(code))
}

/** Sets a member, or takes it away. */
function put<Row extends object, Name extends keyof Row>(row: Row, name: Name, value: Row[Name] | undefined): void {
  if (value === undefined) delete row[name]
  else row[name] = value as Row[Name]
}

function needed(text: string): string {
  if (text.trim() === '') throw cellProblem('empty_cell')
  return text
}

const NONE = 'none'
type Lists = NonNullable<MenuEntry['allergens']>

function putAllergens(thing: Thing, change: Partial<Lists>): void {
  const { allergens, ...others } = thing.entry
  const lists = { contains: [], may_contain: [], ...allergens, ...change }
  thing.entry = { ...others, allergens: lists }
}

const FIXED: readonly Column[] = [
  {
    name: 'category',
    ofSizes: true,
    read: ({ state, product: { category_id }, newPaths }) =>
      category_id === undefined ? '' : (newPaths?.get(category_id) ?? state.names.category.textOf(category_id)),
    write(thing, text) {
      if (thing.size === undefined)
        put(thing.product, 'category_id', text.trim() === '' ? undefined : thing.categoryOf(text))
    },
  },
  {
    name: 'name',
    ofSizes: true,
    read: ({ product }) => product.name,
    write({ product, size }, text) {
      if (size !== undefined) return
      const before = calledOf(product)
      const isMade = product.full_name === undefined || product.full_name === product.name
      product.name = needed(text).trim()
      if (isMade) product.full_name = product.name
      for (const each of product.modifications ?? [])
        if (each.full_name === `${before}, ${each.name}`) each.full_name = `${calledOf(product)}, ${each.name}`
    },
  },
  {
    name: 'variant',
    ofSizes: true,
    read: ({ size }) => size?.name ?? '',
    write({ product, size }, text) {
      if (size === undefined) return
      const isMade = size.full_name === undefined || size.full_name === `${calledOf(product)}, ${size.name}`
      size.name = needed(text).trim()
      if (isMade) size.full_name = `${calledOf(product)}, ${size.name}`
    },
  },
  {
    name: 'type',
    ofSizes: false,
    read: ({ product }) => product.type,
    write({ product, isNew }, text) {
      const type = text.trim().toUpperCase()
      if (isNew && type === '') return
      if (!SOLD_TYPES.includes(type)) throw cellProblem('not_one_of', SOLD_TYPES.join(', '))
      if (!isNew && type !== product.type) throw cellProblem('fixed_type')
      product.type = type as ProductLine['type']
    },
  },
  {
    name: 'price',
    ofSizes: true,
    isAmount: true,
    read: (thing) => numberText(rowOf(thing).price),
    write(thing, text) {
      put(rowOf(thing), 'price', text.trim() === '' ? undefined : readNumber(text, thing.state.money_places))
    },
  },
  {
    name: 'taxes',
    ofSizes: false,
    read: ({ state, product: { taxes = [] } }) =>
      taxes
        .map(({ id, name = '' }) => (id === undefined ? name : state.names.tax.textOf(id)))
        .join(`${LIST_SEPARATOR} `),
    write({ state, product }, text) {
      const ids = text
        .split(LIST_SEPARATOR)
        .filter((name) => name.trim() !== '')
        .map((name) => {
          const kept = product.taxes?.find(({ id }) => `#${id}` === name.trim())
          return kept?.id ?? readThing(state.names.tax, name.trim(), 'no_tax')
        })
      product.taxes = [...new Set(ids)].map((id) => {
        const kept = product.taxes?.find((tax) => tax.id === id)
        if (kept) return kept
        const { name, rate } = state.taxes.get(id)!
        return { id, name, rate }
      })
    },
  },
  {
    name: 'station',
    ofSizes: false,
    read: ({ state, product: { station_id } }) =>
      station_id === undefined ? '' : state.names.station.textOf(station_id),
    write({ state, product }, text) {
      put(
        product,
        'station_id',
        text.trim() === '' ? undefined : readThing(state.names.station, text.trim(), 'no_station'),
      )
    },
  },
  {
    name: 'barcode',
    ofSizes: true,
    read: (thing) => rowOf(thing).barcode ?? '',
    write(thing, text) {
      if (/^\d([.,]\d+)?e\+?\d+$/i.test(text.trim())) throw cellProblem('shortened', text.trim())
      put(rowOf(thing), 'barcode', text.trim() === '' ? undefined : text.trim())
    },
  },
  {
    name: 'description',
    ofSizes: false,
    read: ({ product }) => product.description ?? '',
    write: ({ product }, text) => put(product, 'description', text.trim() === '' ? undefined : text),
  },
  {
    name: 'status',
    ofSizes: true,
    read: (thing) => numberText(rowOf(thing).status),
    write(thing, text) {
      put(rowOf(thing), 'status', text.trim() === '' ? undefined : readFlag(text.trim()) ? 1 : 0)
    },
  },
  {
    name: 'hidden',
    ofSizes: false,
    read: ({ product }) => (product.hidden ? '1' : '0'),
    write: ({ product }, text) => put(product, 'hidden', text.trim() === '' ? false : readFlag(text.trim())),
  },
  {
    name: 'position',
    ofSizes: false,
    read: ({ product }) => numberText(product.position),
    write: ({ product }, text) => put(product, 'position', text.trim() === '' ? undefined : readPosition(text.trim())),
  },
  {
    name: 'allergens',
    ofSizes: true,
    read: ({ entry: { allergens } }) =>
      allergens === undefined ? '' : allergens.contains.length === 0 ? NONE : allergens.contains.join(' '),
    write(thing, text) {
      const contains = fold(text.trim()) === NONE ? [] : readCodes(ALLERGENS, text)
      if (text.trim() !== '') putAllergens(thing, { contains })
      else {
        const { allergens: _, ...others } = thing.entry
        thing.entry = others
      }
    },
  },
  {
    name: 'may_contain',
    ofSizes: true,
    read: ({ entry: { allergens } }) => allergens?.may_contain.join(' ') ?? '',
    write(thing, text) {
      const may_contain = readCodes(ALLERGENS, text)
      if (may_contain.length > 0 || thing.entry.allergens) putAllergens(thing, { may_contain })
    },
  },
  {
    name: 'diets',
    ofSizes: true,
    read: ({ entry: { diets = [] } }) => diets.join(' '),
    write(thing, text) {
      const { diets: _, ...others } = thing.entry
      const diets = readCodes(DIETS, text)
      thing.entry = diets.length > 0 ? { ...others, diets } : others
    },
  },
]

const wordColumn = (member: 'name' | 'description', language: string): Column => ({
  name: `${member}:${language}`,
  ofSizes: true,
  read: ({ entry }) => entry.translations?.[language]?.[member] ?? '',
  write(thing, text) {
    const { [language]: words = {}, ...translations } = thing.entry.translations ?? {}
    const { [member]: _, ...kept } = words
    const said = text.trim() === '' ? kept : { ...kept, [member]: text.trim() }
    const all = Object.keys(said).length > 0 ? { ...translations, [language]: said } : translations
    const { translations: __, ...others } = thing.entry
    thing.entry = Object.keys(all).length > 0 ? { ...others, translations: all } : others
  },
})

const listColumn = ({ id }: Pick<PriceListRow, 'id'>, names: Names): Column => ({
  name: `price:${names.textOf(id)}`,
  ofSizes: true,
  isAmount: true,
  read: ({ prices }) => numberText(prices.get(id)),
  write({ prices, state }, text) {
    if (text.trim() === '') prices.delete(id)
    else prices.set(id, readNumber(text, state.money_places))
  },
})

/** Every column of a brand's menu, besides `id`. */
export function columnsOf({ languages, entries, lists, names }: MenuState): Column[] {
  const [first] = languages
  const isSaid = entries.values().some(({ translations }) => first !== undefined && translations?.[first] !== undefined)
  const spoken = isSaid ? languages : languages.slice(1)
  return [
    ...FIXED,
    ...spoken.flatMap((language) => [wordColumn('name', language), wordColumn('description', language)]),
    ...lists.map((list) => listColumn(list, names.list)),
  ]
}

/** The columns that a text in the first line may name: also the words in the first language. */
export function columnNamed(state: MenuState, columns: readonly Column[], header: string): Column | undefined {
  const name = header.trim()
  const known = columns.find((column) => fold(column.name) === fold(name))
  if (known) return known
  const [, member, of = ''] = /^(name|description|price)\s*:(.*)$/is.exec(name) ?? []
  if (member === undefined) return undefined
  if (member.toLowerCase() === 'price') {
    const found = state.names.list.find(of.trim())
    return 'id' in found ? listColumn({ id: found.id }, state.names.list) : undefined
  }
  const language = state.languages.find((tag) => fold(tag) === fold(of.trim()))
  return language === undefined ? undefined : wordColumn(member.toLowerCase() as 'name', language)
}

export const entryOf = (state: MenuState, id: number): MenuEntry =>
  state.entries.get(`product-${id}`) ?? { id: `product-${id}` }

export const pricesOf = (state: MenuState, product_id: number): Map<number, number> =>
  new Map(
    state.lists.flatMap(({ id: list_id }) => {
      const [row] = state.prices.get(placeOf({ list_id, product_id })) ?? []
      return row ? [[list_id, row.price] as const] : []
    }),
  )
