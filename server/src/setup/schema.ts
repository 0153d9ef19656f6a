import Type, { type Static } from 'typebox'
import { Decimal, Maybe, Name, Note, Trimmed } from '../resource/values.ts'

const closed = { additionalProperties: false }

/** How things are sold. */
export const CHANNELS = ['IN', 'TAKEAWAY', 'DELIVERY'] as const
export type Channel = (typeof CHANNELS)[number]

/** Kinds of goods that are taxed differently: hot food, cold food, bakery, hot drinks, drinks in a bottle or can, alcohol. */
export const GOODS = ['meal', 'cold', 'pastry', 'coffee', 'soft_drink', 'alcohol'] as const
export type Goods = (typeof GOODS)[number]

/** Languages of starter menus, and of the names that setup gives. */
export const MENU_LANGUAGES = ['en', 'fr'] as const
export type MenuLanguage = (typeof MENU_LANGUAGES)[number]

export const STARTER_MENUS = ['cafe', 'restaurant'] as const

/** A spreadsheet travels as text. */
const MAX_FILE = 6 * 1024 * 1024
/** Room for a file as text inside JSON, which may be twice as long, and for everything else. */
export const SETUP_BODY_LIMIT = 2 * MAX_FILE + 64 * 1024

export const SetupTax = Type.Object(
  {
    name: Name(),
    rate: Decimal(),
    included: Type.Boolean({ description: 'Whether prices hold it' }),
    channels: Maybe(Type.Array(Type.Enum([...CHANNELS]), { description: 'Absent: however something is sold' })),
    goods: Maybe(Type.Array(Type.Enum([...GOODS]), { description: 'Absent: whatever is sold' })),
    for_new: Maybe(Type.Boolean({ description: 'New products get it; the first one is always for them' })),
  },
  closed,
)
export type SetupTax = Static<typeof SetupTax>

/** A restaurant to be opened: all that setup asks for. */
export const NewRestaurant = Type.Object(
  {
    language: Type.Enum([...MENU_LANGUAGES], { description: 'Of the names that it gives' }),
    country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166' }),
    brand: Type.Object(
      {
        slug: Maybe(Type.String({ minLength: 1, maxLength: 63, description: 'Not where the link is for one brand' })),
        name: Name(),
        currency: Type.String({ pattern: '^[A-Z]{3}$' }),
        money_places: Type.Integer({ minimum: 0, maximum: 4 }),
        languages: Type.Array(Type.String({ maxLength: 35 }), {
          description: 'BCP 47; the first is that of plain names',
        }),
      },
      closed,
    ),
    venue: Type.Object(
      {
        name: Name(),
        address: Maybe(Note(500)),
        legal_name: Maybe(Name()),
        tax_number: Maybe(Trimmed({ maxLength: 64 })),
        time_zone: Type.String({ maxLength: 64 }),
      },
      closed,
    ),
    taxes: Type.Array(SetupTax),
    selling: Type.Object(
      {
        counter: Type.Boolean(),
        tables: Type.Integer({ minimum: 0, maximum: 200, description: 'How many; 0: no service at tables' }),
        delivery: Type.Boolean(),
      },
      closed,
    ),
    menu: Type.Object(
      {
        starter: Maybe(Type.Enum([...STARTER_MENUS])),
        file: Maybe(Type.String({ maxLength: MAX_FILE, description: 'A spreadsheet of a menu, as text' })),
      },
      { ...closed, description: 'One of them, or neither: an empty menu' },
    ),
    owner: Type.Object(
      {
        name: Name(),
        username: Name(64),
        password: Type.String({ minLength: 1, maxLength: 256 }),
      },
      closed,
    ),
  },
  closed,
)
export type NewRestaurant = Static<typeof NewRestaurant>
