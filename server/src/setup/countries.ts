import type { Channel, Goods } from './schema.ts'

// What setup proposes by country: each can be changed there. Rates and fiscal laws change, so each country says when its facts were last
// looked up; `unverified` means that nobody has. None of it is advice.

/** A tax as it is proposed. */
export interface PresetTax {
  readonly name: string
  /** Percent; null where it must be typed, because it differs from town to town. */
  readonly rate: number | null
  /** How it is sold; absent: in every way. */
  readonly channels?: readonly Channel[]
  /** What it is on; absent: on everything. */
  readonly goods?: readonly Goods[]
  /** A new product gets it. The first tax always is; more are where the first does not hold for every way of selling. */
  readonly for_new?: true
}

export interface Country {
  /** ISO 3166. */
  readonly code: string
  readonly currency: string
  readonly money_places: number
  /** The usual one first. */
  readonly time_zones: readonly string[]
  /** BCP 47, the usual one first. */
  readonly languages: readonly string[]
  /** Whether prices hold the taxes. */
  readonly included: boolean
  readonly taxes: readonly PresetTax[]
  /** Its law wants a fiscal device or a certified till, which Comptoir does not have. */
  readonly fiscal: boolean
  /** The date on which taxes and `fiscal` were looked up. */
  readonly checked: string
  /** What a euro of a starter menu costs there, roughly, and to what its prices are rounded. */
  readonly prices: { readonly factor: number; readonly step: number }
}

export const UNVERIFIED = 'unverified'

const AWAY = ['TAKEAWAY', 'DELIVERY'] as const
const FOOD = ['meal', 'cold', 'pastry'] as const
const EURO = { currency: 'EUR', money_places: 2, prices: { factor: 1, step: 0.1 } } as const

export const COUNTRIES: readonly Country[] = [
  {
    code: 'AZ',
    currency: 'AZN',
    money_places: 2,
    time_zones: ['Asia/Baku'],
    languages: ['az', 'ru', 'en'],
    included: true,
    // With the simplified tax on turnover instead, no VAT is charged.
    taxes: [{ name: 'ƏDV 18 %', rate: 18 }],
    fiscal: true, // new generation cash registers (NKA)
    checked: '2026-11-18',
    prices: { factor: 1.8, step: 0.1 },
  },
  {
    code: 'DE',
    ...EURO,
    time_zones: ['Europe/Berlin'],
    languages: ['de', 'en'],
    included: true,
    // Since 2026 food has one rate wherever it is eaten; drinks have the other. Milk drinks with over 75 % milk count as food.
    taxes: [
      { name: 'USt. 7 %', rate: 7, goods: FOOD },
      { name: 'USt. 19 %', rate: 19, goods: ['coffee', 'soft_drink', 'alcohol'] },
    ],
    fiscal: true, // KassenSichV: a certified security device (TSE)
    checked: '2026-11-18',
  },
  {
    code: 'ES',
    ...EURO,
    time_zones: ['Europe/Madrid', 'Atlantic/Canary', 'Africa/Ceuta'],
    languages: ['es', 'ca', 'gl', 'eu', 'en'],
    included: true,
    // On the Canary Islands there is IGIC instead.
    taxes: [
      { name: 'IVA 10 %, en el local', rate: 10, channels: ['IN'] },
      { name: 'IVA 10 %, para llevar', rate: 10, channels: AWAY, goods: [...FOOD, 'coffee'], for_new: true },
      { name: 'IVA 21 %, para llevar', rate: 21, channels: AWAY, goods: ['soft_drink', 'alcohol'] }, // with sugar or alcohol
    ],
    fiscal: true, // invoicing systems under RD 1007/2023 (Verifactu) from 2027, TicketBAI in the Basque Country
    checked: '2026-11-18',
  },
  {
    code: 'FR',
    ...EURO,
    time_zones: [
      'Europe/Paris',
      'America/Martinique',
      'America/Guadeloupe',
      'America/Cayenne',
      'Indian/Reunion',
      'Indian/Mayotte',
    ],
    languages: ['fr', 'en'],
    included: true,
    // What is eaten at once has 10 %, also away; what keeps, in a closed package, 5.5 %. Overseas the rates are others.
    taxes: [
      { name: 'TVA 10 %, sur place', rate: 10, channels: ['IN'], goods: [...FOOD, 'coffee', 'soft_drink'] },
      { name: 'TVA 10 %, à emporter', rate: 10, channels: AWAY, goods: ['meal', 'cold', 'coffee'], for_new: true },
      { name: 'TVA 5,5 %, à emporter', rate: 5.5, channels: AWAY, goods: ['pastry', 'soft_drink'] },
      { name: 'TVA 20 %', rate: 20, goods: ['alcohol'] },
    ],
    fiscal: true, // a certificate (NF525, LNE) or, since February 2026 again, the publisher's attestation
    checked: '2026-11-18',
  },
  {
    code: 'GB',
    currency: 'GBP',
    money_places: 2,
    time_zones: ['Europe/London'],
    languages: ['en'],
    included: true,
    taxes: [
      { name: 'VAT 20%, eat in', rate: 20, channels: ['IN'] },
      {
        name: 'VAT 20%, takeaway',
        rate: 20,
        channels: AWAY,
        goods: ['meal', 'coffee', 'soft_drink', 'alcohol'],
        for_new: true,
      },
      { name: 'VAT 0%, cold takeaway', rate: 0, channels: AWAY, goods: ['cold', 'pastry'] },
    ],
    fiscal: false,
    checked: '2026-11-18',
    prices: { factor: 1.3, step: 0.1 },
  },
  {
    code: 'GE',
    currency: 'GEL',
    money_places: 2,
    time_zones: ['Asia/Tbilisi'],
    languages: ['ka', 'en', 'ru'],
    included: true,
    taxes: [{ name: 'დღგ 18 %', rate: 18 }],
    fiscal: true, // cash registers with a fiscal module
    checked: '2026-11-18',
    prices: { factor: 3, step: 0.5 },
  },
  {
    code: 'IT',
    ...EURO,
    time_zones: ['Europe/Rome'],
    languages: ['it', 'de', 'fr', 'en'],
    included: true,
    taxes: [
      { name: 'IVA 10 %, sul posto', rate: 10, channels: ['IN'] },
      { name: 'IVA 10 %, da asporto', rate: 10, channels: AWAY, goods: FOOD, for_new: true },
      { name: 'IVA 22 %, da asporto', rate: 22, channels: AWAY, goods: ['coffee', 'soft_drink', 'alcohol'] },
    ],
    fiscal: true, // registratore telematico
    checked: '2026-11-18',
  },
  {
    code: 'KZ',
    currency: 'KZT',
    money_places: 2,
    time_zones: [
      'Asia/Almaty',
      'Asia/Qyzylorda',
      'Asia/Aqtobe',
      'Asia/Aqtau',
      'Asia/Oral',
      'Asia/Atyrau',
      'Asia/Qostanay',
    ],
    languages: ['kk', 'ru', 'en'],
    included: true,
    // By the simplified declaration no VAT is charged.
    taxes: [{ name: 'ҚҚС 16 %', rate: 16 }],
    fiscal: true, // cash registers that send data (KKM)
    checked: '2026-11-18',
    prices: { factor: 550, step: 50 },
  },
  {
    code: 'PL',
    currency: 'PLN',
    money_places: 2,
    time_zones: ['Europe/Warsaw'],
    languages: ['pl', 'en', 'uk'],
    included: true,
    // Dishes with seafood have 23 % too.
    taxes: [
      { name: 'VAT 8 %', rate: 8, goods: FOOD },
      { name: 'VAT 23 %', rate: 23, goods: ['coffee', 'soft_drink', 'alcohol'] },
    ],
    fiscal: true, // online cash registers
    checked: '2026-11-18',
    prices: { factor: 5, step: 0.5 },
  },
  {
    code: 'TR',
    currency: 'TRY',
    money_places: 2,
    time_zones: ['Europe/Istanbul'],
    languages: ['tr', 'en'],
    included: true,
    taxes: [
      { name: 'KDV %10', rate: 10, goods: [...FOOD, 'coffee', 'soft_drink'] },
      { name: 'KDV %20', rate: 20, goods: ['alcohol'] },
    ],
    fiscal: true, // new generation cash registers (ÖKC)
    checked: '2026-11-18',
    prices: { factor: 48, step: 5 },
  },
  {
    code: 'UA',
    currency: 'UAH',
    money_places: 2,
    time_zones: ['Europe/Kyiv'],
    languages: ['uk', 'en', 'ru'],
    included: true,
    // With the single tax there is mostly no VAT; alcohol also bears an excise, which is not here.
    taxes: [{ name: 'ПДВ 20 %', rate: 20 }],
    fiscal: true, // registrars of settlement operations (РРО, ПРРО)
    checked: '2026-11-18',
    prices: { factor: 48, step: 5 },
  },
  {
    code: 'US',
    currency: 'USD',
    money_places: 2,
    time_zones: [
      'America/New_York',
      'America/Chicago',
      'America/Denver',
      'America/Phoenix',
      'America/Los_Angeles',
      'America/Anchorage',
      'Pacific/Honolulu',
    ],
    languages: ['en', 'es'],
    included: false,
    taxes: [{ name: 'Sales tax', rate: null }], // state, county and city together
    fiscal: false,
    checked: UNVERIFIED,
    prices: { factor: 1.5, step: 0.25 },
  },
  {
    code: 'UZ',
    currency: 'UZS',
    money_places: 2,
    time_zones: ['Asia/Tashkent', 'Asia/Samarkand'],
    languages: ['uz', 'ru', 'en'],
    included: true,
    taxes: [{ name: 'QQS 12 %', rate: 12 }],
    fiscal: true, // online or virtual cash registers
    checked: '2026-11-18',
    prices: { factor: 12_500, step: 500 },
  },
]

/** What is proposed for a country that is not among them. */
export const ELSEWHERE: Omit<Country, 'code'> = {
  ...EURO,
  time_zones: ['UTC'],
  languages: ['en'],
  included: true,
  taxes: [{ name: 'VAT', rate: null }],
  fiscal: false,
  checked: UNVERIFIED,
}
