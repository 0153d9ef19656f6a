import type { Goods, MenuLanguage } from '../schema.ts'

// A starter menu: something to sell on the first day, and to change from the second on. Prices are in euros and become the country's.

/** English and French. */
type Both = readonly [en: string, fr: string]

export interface Choice {
  readonly name: Both
  /** One of them must be chosen; otherwise each may be added. */
  readonly required?: true
  readonly modifiers: readonly { readonly name: Both; readonly price?: number }[]
}

export interface Dish {
  readonly name: Both
  /** Absent: it has sizes. */
  readonly price?: number
  readonly sizes?: readonly { readonly name: Both; readonly price: number }[]
  readonly choices?: readonly Choice[]
  readonly goods?: Goods
  /** Minutes. */
  readonly cooking?: number
}

export interface Section {
  readonly name: Both
  readonly color: string
  readonly goods: Goods
  /** The station that makes it. Absent for what is ready, such as a bottle. */
  readonly station?: 'kitchen' | 'bar'
  /** The course in which it is served at tables (T5). */
  readonly course?: 1 | 2 | 3
  /** Bought as it is sold. */
  readonly bought?: true
  readonly dishes: readonly Dish[]
}

interface Inputs {
  readonly language: MenuLanguage
  readonly prices: { readonly factor: number; readonly step: number }
  readonly stations: Readonly<Record<'kitchen' | 'bar', number>>
  /** Whether there are courses, which take tables. */
  readonly hasCourses: boolean
  readonly taxesOn: (goods: Goods) => readonly { readonly id: number; readonly name: string; readonly rate: number }[]
}

/** Lines of categories and products, as an import has them. A choice that several dishes have is one group. */
export function menuRows(menu: readonly Section[], { language, prices, stations, hasCourses, taxesOn }: Inputs) {
  const said = ([en, fr]: Both) => (language === 'fr' ? fr : en)
  const priced = (euros: number) => {
    const steps = Math.max(1, Math.round((euros * prices.factor) / prices.step))
    return Math.round(steps * prices.step * 10_000) / 10_000
  }
  let [productId, modifierId] = [0, 0]
  const groups = new Map<Choice, object>()
  const groupOf = (choice: Choice) => {
    const known = groups.get(choice)
    if (known) return known
    const { name, required, modifiers } = choice
    const group = {
      id: groups.size + 1,
      name: said(name),
      type: required ? 1 : 0,
      min_select: required ? 1 : 0,
      max_select: required ? 1 : modifiers.length,
      modificators: modifiers.map(({ name: modifier, price = 0 }) => ({
        id: ++modifierId,
        name: said(modifier),
        price: price === 0 ? 0 : priced(price),
        max_count: 1,
        status: true,
      })),
    }
    groups.set(choice, group)
    return group
  }
  const categories = menu.map(({ name, color, course }, index) => ({
    id: index + 1,
    name: said(name),
    type: 'PRODUCT',
    status: 1,
    hidden: false,
    position: index + 1,
    color,
    ...(hasCourses && course && { course }),
  }))
  const products = menu.flatMap(({ dishes, station, bought, ...section }, index) =>
    dishes.map(({ name, price, sizes = [], choices = [], cooking, goods = section.goods }, place) => {
      const called = said(name)
      return {
        id: ++productId,
        name: called,
        full_name: called,
        type: bought ? 'PRODUCT' : 'DISH',
        status: 1,
        ...(price !== undefined && { price: priced(price) }),
        has_modifications: sizes.length > 0,
        modifications: sizes.map((size) => ({
          id: ++productId,
          type: 'MODIFICATION',
          name: said(size.name),
          full_name: `${called}, ${said(size.name)}`,
          price: priced(size.price),
          status: 1,
        })),
        modificator_groups: choices.map(groupOf),
        taxes: taxesOn(goods),
        category_id: index + 1,
        position: place + 1,
        unit_id: 1,
        ...(station && { station_id: stations[station] }),
        ...(cooking !== undefined && { cooking_time: cooking }),
      }
    }),
  )
  return { categories, products }
}
