import Type, { type Static } from 'typebox'
import { defineResource } from './define.ts'
import { offVenues, refuseOtherVenues, STATUS_HERE, VenueStatus, venuesNamed } from './per-venue.ts'
import { Flag, Id, Maybe, Name, Timestamps } from './values.ts'

const Kind = () => Type.Enum(['CASH', 'CARD', 'CUSTOMER', 'CASHBACK', 'OTHER'])

const PaymentMethod = Type.Object(
  {
    id: Id(),
    name: Name(),
    kind: Kind(),
    status: VenueStatus(),
    customer_required: Flag('1 if a receipt must have a customer'),
    position: Type.Integer(),
    balance: Maybe(
      Type.Object(
        { id: Id(), name: Name(), type: Type.Enum(['CASH', 'CARD', 'OTHER', 'CUSTOMER', 'CASHBACK']) },
        { description: 'The account that payments go to' },
      ),
    ),
    ...Timestamps(),
  },
  { $id: 'PaymentMethod' },
)

/** One imported line, where `kind` says what the line is. */
export const PaymentMethodRow = Type.Object({
  ...Type.Omit(PaymentMethod, ['kind']).properties,
  payment_kind: Kind(),
})
export type PaymentMethodRow = Static<typeof PaymentMethodRow>

export const paymentMethods = defineResource({
  name: { one: 'payment-method', many: 'payment-methods' },
  tag: 'Sales',
  about: 'What a receipt is paid with. A filter on status means the active venue.',
  wire: PaymentMethod,
  line: PaymentMethodRow,
  row: PaymentMethod,
  scope: 'brand',
  columns: {
    id: 'integer',
    name: 'text',
    kind: 'key',
    position: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  computed: { off_venues: offVenues },
  stamped: ['created_at', 'updated_at'],
  laterReferences: ({ status }) => venuesNamed(status),
  list: { compared: { status: STATUS_HERE } },
  api: { list: {} },
  edit: {
    permission: 'settings:write',
    members: ['name', 'payment_kind', 'status', 'customer_required', 'position'],
    apply: refuseOtherVenues,
  },
  write: (context, rows, writer) =>
    writer.put(
      context,
      rows.map(({ payment_kind, ...row }) => ({ ...row, kind: payment_kind })),
    ),
  // The only member of that name; inside a text its quotes would be escaped.
  exportText: `replace(body, '"kind":', '"payment_kind":')`,
})
