import { plain } from '../../../plain.ts'

// Prices of a list that come many at a time.

interface Priced {
  readonly id: number
  readonly name: string
  readonly own: number | null
  readonly price: number | null
}

/**
 * Reads lines of a name, or an id, and a price, with a tab, a semicolon or several spaces between. `places`: the money's; with fewer
 * than three, 1,250 may be a thousand or one and a quarter, and is not guessed.
 */
export function pastedPrices(
  text: string,
  products: readonly Pick<Priced, 'id' | 'name'>[],
  places: number,
): { prices: [number, number][]; unknown: string[] } {
  const byName = Map.groupBy(products, ({ name }) => plain(name))
  const byId = new Map(products.map((product) => [String(product.id), product]))
  const prices: [number, number][] = []
  const unknown: string[] = []
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const [, name = '', typed = ''] = /^(.*?)(?:\t|;|\s{2,})\s*(-?[\d\s.,]+?)\s*$/.exec(line) ?? []
    const named = byName.get(plain(name.trim())) ?? []
    const product = byId.get(name.trim()) ?? (named.length === 1 ? named[0] : undefined)
    const price = places < 3 && TWO_NUMBERS.test(typed) ? undefined : numberIn(typed)
    if (product && price !== undefined && price >= 0) prices.push([product.id, price])
    else unknown.push(line.trim())
  }
  return { prices, unknown }
}

const TWO_NUMBERS = /^[1-9]\d{0,2}[.,]\d{3}$/

/** 1234.5, 1234,5, 1 234,50 and 1.234,50. */
function numberIn(typed: string): number | undefined {
  const text = typed.replaceAll(/\s/g, '')
  const decimal = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  const digits = decimal === -1 ? text : `${text.slice(0, decimal).replaceAll(/[.,]/g, '')}.${text.slice(decimal + 1)}`
  const value = digits === '' ? Number.NaN : Number(digits)
  return Number.isFinite(value) ? Math.round(value * 1e4) / 1e4 : undefined
}

/** The prices of a list, or where it has none the products' own, changed by a percent and rounded to the money's places. */
export const changedByPercent = (
  products: readonly Priced[],
  typed: ReadonlyMap<number, number | string | null>,
  percent: number,
  places: number,
): [number, number][] =>
  products.flatMap(({ id, price, own }): [number, number][] => {
    const now = typed.has(id) ? typed.get(id) : (price ?? own)
    if (typeof now !== 'number') return []
    const scale = 10 ** places
    // In whole ten thousandths, so that no half is lost: 1.005 is 1.01.
    return [[id, Math.max(0, Math.round((Math.round(now * 1e4) * (100 + percent) * scale) / 1e6) / scale)]]
  })
