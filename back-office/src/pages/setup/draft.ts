import type { SetupInfo } from '../../../../server/src/back-office/schema.ts'
import type { Channel, Goods, NewRestaurant } from '../../../../server/src/setup/schema.ts'
import { LOCALE } from '../../texts/texts.ts'

// What is typed on the pages of setup, until it is sent at once. Without React, so that it is tested as it is.

export type Country = SetupInfo['countries'][number]

/** Stands for a country that setup has no proposals for. */
export const ELSEWHERE = 'ZZ'

export interface DraftTax {
  readonly key: number
  readonly name: string
  /** As it is typed. */
  readonly rate: string
  readonly channels?: readonly Channel[] | undefined
  readonly goods?: readonly Goods[] | undefined
  readonly for_new?: boolean | undefined
}

export interface Draft {
  readonly country: string
  readonly name: string
  /** Absent until it is typed: the restaurant's name. */
  readonly venue?: string
  readonly slug?: string
  readonly address: string
  readonly legalName: string
  readonly taxNumber: string
  readonly currency: string
  readonly places: number
  readonly zone: string
  /** The first is that of plain names. */
  readonly languages: readonly string[]
  readonly included: boolean
  readonly taxes: readonly DraftTax[]
  readonly counter: boolean
  readonly tables: boolean
  readonly tableCount: string
  readonly delivery: boolean
  readonly menu: 'cafe' | 'restaurant' | 'file' | 'empty'
  /** A spreadsheet of a menu. */
  readonly file?: { readonly name: string; readonly text: string } | undefined
  /** Absent until it is chosen. */
  readonly menuLanguage?: string
  readonly ownerName: string
  readonly username?: string
}

/** The country of a browser: that of its time zone, else of its language. */
export function likelyCountry(countries: readonly Country[], zone: string, languages: readonly string[]): string {
  const regions = languages.map((tag) => new Intl.Locale(tag).region)
  const found =
    countries.find(({ time_zones }) => time_zones.includes(zone)) ??
    countries.find(({ code }) => regions.includes(code))
  return found?.code ?? ELSEWHERE
}

/** What a country proposes. */
export function proposals(country: Country | undefined, zone: string): Partial<Draft> {
  if (!country)
    return {
      country: ELSEWHERE,
      currency: 'EUR',
      places: 2,
      zone,
      languages: ['en'],
      included: true,
      taxes: [{ key: 0, name: 'VAT', rate: '' }],
    }
  const { code, currency, money_places, time_zones, languages, included, taxes } = country
  return {
    country: code,
    currency,
    places: money_places,
    zone: time_zones.includes(zone) ? zone : time_zones[0]!,
    languages: languages.slice(0, 1),
    included,
    taxes: taxes.map(({ rate, ...tax }, key) => ({
      key,
      ...tax,
      rate: rate === null ? '' : rate.toLocaleString(LOCALE),
    })),
  }
}

export const emptyDraft = (country: Country | undefined, zone: string, name: string): Draft => ({
  country: ELSEWHERE,
  name,
  address: '',
  legalName: '',
  taxNumber: '',
  currency: 'EUR',
  places: 2,
  zone,
  languages: ['en'],
  included: true,
  taxes: [],
  counter: false,
  tables: false,
  tableCount: '10',
  delivery: false,
  menu: 'restaurant',
  ownerName: '',
  ...proposals(country, zone),
})

const MAX_SLUG = 63

/** A short name made of a name: `Chez Odile, Paris` is `chez-odile-paris`. Of letters that are not Latin there is none. */
export function slugOf(name: string): string {
  const made = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ə', 'e')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '')
  return made === '' && name.trim() !== '' ? 'restaurant' : made
}

/** A username made of a name: the first word. */
export const usernameOf = (name: string): string =>
  slugOf(name.trim().split(/\s+/)[0] ?? '').replace('restaurant', 'owner')

export const slugIn = ({ slug, name }: Draft): string => slug ?? slugOf(name)
export const venueIn = ({ venue, name }: Draft): string => venue ?? name
export const usernameIn = ({ username, ownerName }: Draft): string => username ?? usernameOf(ownerName)

/** The language of the names that setup gives: the menu's, where setup speaks it, else the pages'. */
export function menuLanguageIn({ menuLanguage, languages }: Draft, spoken: readonly string[], page: string): string {
  const [main = ''] = languages
  const primary = main.split('-')[0]!
  return menuLanguage ?? (spoken.includes(primary) ? primary : page)
}

export const isStarter = (menu: Draft['menu']) => menu === 'cafe' || menu === 'restaurant'

/** A number as it is typed. Nothing is no number, so that a field that was left empty is refused there, and is not 0. */
const numberIn = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed.trim().replace(',', '.')))

/** All of it, as it is sent. What a step still lacks, because another one was returned to, is refused at its field. */
export function requestOf(
  draft: Draft,
  { password, language, isLinked }: { password: string; language: string; isLinked: boolean },
): NewRestaurant {
  const { country, name, currency, places, zone, included, menu, file } = draft
  const said = (text: string) => text.trim() || undefined
  const [address, legal_name, tax_number] = [draft.address, draft.legalName, draft.taxNumber].map(said)
  // A starter menu has its names in this language: it is that of plain names.
  const isOther = (tag: string | undefined) => tag?.split('-')[0] !== language
  const languages =
    isStarter(menu) && isOther(draft.languages[0])
      ? [language, ...draft.languages.filter(isOther)]
      : [...draft.languages]
  return {
    language: language as NewRestaurant['language'],
    country,
    brand: {
      ...(!isLinked && { slug: slugIn(draft) }),
      name,
      currency,
      money_places: places,
      languages,
    },
    venue: {
      name: venueIn(draft),
      time_zone: zone,
      ...(address && { address }),
      ...(legal_name && { legal_name }),
      ...(tax_number && { tax_number }),
    },
    taxes: draft.taxes.map(({ name: called, rate, channels, goods, for_new }) => ({
      name: called,
      rate: numberIn(rate),
      included,
      ...(channels && { channels: [...channels] }),
      ...(goods && { goods: [...goods] }),
      ...(for_new && { for_new }),
    })),
    selling: {
      counter: draft.counter,
      tables: draft.tables ? numberIn(draft.tableCount) || Number.NaN : 0,
      delivery: draft.delivery,
    },
    menu: isStarter(menu) ? { starter: menu } : menu === 'file' ? { file: file?.text ?? '' } : {},
    owner: { name: draft.ownerName, username: usernameIn(draft), password },
  }
}

/** The step on which a refused field is: 0 to 3. */
export function stepOf(field: string): number {
  const [part] = field.split(/[.[]/)
  if (part === 'selling') return 1
  if (part === 'menu' || part === 'language') return 2
  return part === 'owner' ? 3 : 0
}

/** A field without its place in a list: `taxes[1].rate` is `taxes.rate`. */
export const plainField = (field: string): string => field.replace(/\[\d+\]/g, '')
