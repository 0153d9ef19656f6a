import Type, { type Static } from 'typebox'
import { Decimal, Id, Maybe, Nullable, TimeOfDay } from '../../resource/values.ts'
import { MenuEntry } from '../../resources/entries/entries.ts'
import { Hours } from '../../resources/places/venues.ts'
import { SaleType } from '../../resources/sales/sale-types.ts'
import { WEEKDAYS } from '../../values/wall-clock.ts'

/** M1: what GET /menu answers. */

const ById = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Record(Type.String({ pattern: '^[1-9][0-9]*$' }), schema, { description })

const PriceWindow = Type.Object(
  {
    days: Maybe(Type.Array(Type.Enum([...WEEKDAYS]), { description: 'On which it begins; absent: every day' })),
    from: Maybe(TimeOfDay()),
    to: Maybe(TimeOfDay()),
    starts_on: Maybe(Type.String({ format: 'date', description: 'The first day' })),
    ends_on: Maybe(Type.String({ format: 'date', description: 'The last day, which counts' })),
    price: Decimal(),
  },
  { $id: 'PriceWindow' },
)

const MenuStop = Type.Object(
  { sold_out: Type.Boolean(), until: Maybe(Type.String({ format: 'date-time' })) },
  { $id: 'MenuStop', description: 'Its entry on the stop list of the venue' },
)

const PRICED = {
  price: Maybe(
    Type.Number({
      description: 'What holds when no window does; absent: it cannot be sold then, or its price is open',
    }),
  ),
  price_windows: Maybe(
    Type.Array(PriceWindow, { description: 'By the clock of the venue; the first one that holds is the price' }),
  ),
}

const MenuGroup = Type.Object(
  {
    id: Maybe(Id()),
    name: Type.String(),
    min: Type.Integer({ description: 'So many different modifiers at least' }),
    max: Nullable(Type.Integer({ description: 'So many different modifiers at most; null: any number' })),
    modifiers: Type.Array(
      Type.Object({
        id: Id(),
        name: Type.String(),
        price: Decimal(),
        max_count: Maybe(Type.Integer({ description: 'How often one may be taken; absent: 10,000 times' })),
      }),
    ),
  },
  { $id: 'MenuGroup' },
)
export type MenuGroup = Static<typeof MenuGroup>

const MenuProduct = Type.Object(
  {
    name: Type.String(),
    type: Type.Enum(['PRODUCT', 'DISH', 'TIMER']),
    category_id: Maybe(Id()),
    position: Maybe(Type.Integer()),
    description: Maybe(Type.String()),
    barcode: Maybe(Type.String()),
    unit: Maybe(Type.String({ description: 'Its symbol' })),
    sold_by_weight: Type.Boolean(),
    cooking_time: Maybe(Type.Integer({ description: 'Minutes' })),
    open_price: Maybe(
      Type.Boolean({ description: 'It and its variants have no price here: an order names one, and people accept it' }),
    ),
    ...PRICED,
    setting: Maybe(
      Type.Object({
        interval: Maybe(Type.Integer()),
        prices: Maybe(Type.Array(Type.Object({ price: Maybe(Decimal()), from: Maybe(Decimal()) }))),
      }),
    ),
    taxes: Type.Array(Id()),
    stop: Maybe(MenuStop),
    orderable: Type.Boolean({ description: 'False where a group has fewer modifiers than it needs' }),
    variants: Maybe(
      Type.Array(
        Type.Object({
          id: Id(),
          name: Type.String(),
          barcode: Maybe(Type.String()),
          ...PRICED,
          stop: Maybe(MenuStop),
        }),
        { description: 'It is sold as one of these, and has no price of its own' },
      ),
    ),
    groups: Maybe(Type.Array(MenuGroup)),
  },
  { $id: 'MenuProduct' },
)
export type MenuProduct = Static<typeof MenuProduct>

const Entry = Type.Object(
  {
    ...MenuEntry.properties,
    name: Maybe(Type.String({ description: 'With lang: the name in it' })),
    description: Maybe(Type.String({ description: 'With lang: the description in it' })),
  },
  { $id: 'ShownMenuEntry' },
)

export const Menu = Type.Object(
  {
    version: Type.String({ description: 'The id of the last event that could change it: a cursor of GET /events' }),
    venue: Type.Object({
      id: Id(),
      name: Type.String(),
      time_zone: Type.String({ description: 'IANA name' }),
      currency: Type.String({ description: 'ISO 4217' }),
      money_places: Type.Integer({ description: 'Decimals of amounts' }),
      hours: Maybe(Hours),
      paused_until: Maybe(Type.String({ format: 'date-time' })),
    }),
    sale_type: Type.Object({
      id: Id(),
      name: Type.String(),
      system_type: SaleType.properties.system_type,
      service_charge_rate: Maybe(Decimal()),
    }),
    languages: Type.Array(Type.String(), { description: 'BCP 47; the first is that of plain names' }),
    categories: ById(
      Type.Object({
        name: Type.String(),
        parent_id: Maybe(Id()),
        position: Maybe(Type.Integer()),
        color: Maybe(Type.String()),
      }),
      'By their ids',
    ),
    products: ById(MenuProduct, 'By their ids'),
    taxes: ById(
      Type.Object({ name: Type.String(), rate: Decimal(), included: Type.Boolean() }),
      'Taxes that apply to the sale type, by their ids',
    ),
    entries: Type.Record(Type.String({ pattern: '^[a-z]+-[1-9][0-9]*$' }), Entry, {
      description: 'What guests read of things besides: category-3, product-12, group-5, modifier-9',
    }),
  },
  { $id: 'Menu' },
)
export type Menu = Static<typeof Menu>
