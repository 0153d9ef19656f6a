import { definedOnly } from '../values/defined-only.ts'
import { COUNTRIES, ELSEWHERE } from './countries.ts'
import { CAFE } from './menus/cafe.ts'
import { RESTAURANT } from './menus/restaurant.ts'
import { menuRows } from './menus/starter.ts'
import { ROLES, type RoleName } from './roles.ts'
import { CHANNELS, type Channel, type Goods, type NewRestaurant, type SetupTax } from './schema.ts'
import { WORDS } from './words.ts'

// What was asked for, as the rows of a restaurant that has just opened. Pure: nothing here asks the store.

/** Lines of one kind, as an import has them. */
export type Lines = readonly [kind: string, lines: readonly Readonly<Record<string, unknown>>[]]

export const VENUE = 1
export const OWNER = 1

const saleTypeId = (channel: Channel) => CHANNELS.indexOf(channel) + 1
const STATIONS = { kitchen: 1, bar: 2 } as const
const MENUS = { cafe: CAFE, restaurant: RESTAURANT } as const

/** Each kind after those that it points at. */
export function restaurantRows(input: NewRestaurant): Lines[] {
  const { language, venue, owner, selling } = input
  const words = WORDS[language]
  const taxes = taxRows(input.taxes)
  return [
    [
      'venue',
      [
        {
          id: VENUE,
          name: venue.name,
          is_main: true,
          time_zone: venue.time_zone,
          print_language: language,
          ...definedOnly({ address: venue.address, legal_name: venue.legal_name, tax_number: venue.tax_number }),
        },
      ],
    ],
    [
      'role',
      (Object.keys(ROLES) as RoleName[]).map((name, index) => ({
        id: index + 1,
        name: words.roles[name],
        permissions: ROLES[name],
      })),
    ],
    ['user', [{ id: OWNER, username: owner.username, name: owner.name, role_id: 1 }]],
    ['storage', [{ id: 1, venue_id: VENUE, name: words.storage, is_main: 1, status: 1 }]],
    [
      'station',
      (['kitchen', 'bar'] as const).map((station) => ({
        id: STATIONS[station],
        name: words.stations[station],
        status: 1,
        type: station === 'kitchen' ? 1 : 0,
        printable: 1,
      })),
    ],
    ['unit', words.units.map(([name, symbol], index) => ({ id: index + 1, name, symbol }))],
    ['sale_type', saleTypeRows(selling, words.saleTypes)],
    ['tax', taxes],
    ['course', courseRows(selling.tables, words.courses)],
    ...menuLines(input, taxes),
    ['payment_method', methodRows(selling, words.methods)],
    ['terminal', [{ id: 1, venue_id: VENUE, name: words.terminal, status: 1 }]],
    ['hall', hallRows(selling.tables, words.hall)],
    ['table', tableRows(selling.tables)],
  ]
}

/** All three are there, so that a tax can name them; those that are not wanted are off. */
function saleTypeRows(
  { counter, tables, delivery }: NewRestaurant['selling'],
  names: Readonly<Record<Channel, string>>,
) {
  const wanted = { IN: counter || tables > 0, TAKEAWAY: counter, DELIVERY: delivery }
  return CHANNELS.map((channel) => ({
    id: saleTypeId(channel),
    name: names[channel],
    system_type: channel,
    channel,
    status: { [VENUE]: wanted[channel] ? 1 : 0 },
    position: saleTypeId(channel),
  }))
}

interface TaxRow {
  readonly id: number
  readonly name: string
  readonly rate: number
  readonly goods: readonly Goods[] | undefined
}

function taxRows(taxes: readonly SetupTax[]) {
  return taxes.map(({ name, rate, included, channels = [], goods, for_new }, index) => ({
    id: index + 1,
    name,
    rate,
    included,
    sale_type_ids: channels.map(saleTypeId),
    is_default: index === 0 || for_new ? 1 : 0,
    status: 1,
    goods,
  }))
}

function methodRows({ delivery }: NewRestaurant['selling'], names: { cash: string; card: string; online: string }) {
  const methods = [
    [names.cash, 'CASH'],
    [names.card, 'CARD'],
    ...(delivery ? [[names.online, 'OTHER'] as const] : []),
  ] as const
  return methods.map(([name, payment_kind], index) => ({
    id: index + 1,
    name,
    payment_kind,
    status: { [VENUE]: 1 },
    customer_required: 0,
    position: index + 1,
  }))
}

const HALL = 1
const hallRows = (tables: number, name: string) =>
  tables === 0 ? [] : [{ id: HALL, venue_id: VENUE, name, position: 1, status: 1 }]

const tableRows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    venue_id: VENUE,
    name: `T${index + 1}`,
    hall_id: HALL,
    seats: 4,
    status: 1,
  }))

const courseRows = (tables: number, names: readonly string[]) =>
  tables === 0 ? [] : names.map((name, index) => ({ id: index + 1, name, status: 1 }))

function menuLines({ brand, country, language, menu, selling }: NewRestaurant, taxes: readonly TaxRow[]): Lines[] {
  if (!menu.starter) return []
  const { factor, step } = (COUNTRIES.find(({ code }) => code === country) ?? ELSEWHERE).prices
  const prices = { factor, step: Math.max(step, 10 ** -brand.money_places) } // none is finer than the currency
  const taxesOn = (kind: Goods) => {
    const own = taxes.filter(({ goods }) => !goods || goods.includes(kind))
    return (own.length > 0 ? own : taxes.slice(0, 1)).map(({ id, name, rate }) => ({ id, name, rate }))
  }
  const { categories, products } = menuRows(MENUS[menu.starter], {
    language,
    prices,
    stations: STATIONS,
    hasCourses: selling.tables > 0,
    taxesOn,
  })
  return [
    ['category', categories],
    ['product', products],
  ]
}
