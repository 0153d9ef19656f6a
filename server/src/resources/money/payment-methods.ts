import Type, { type Static } from 'typebox'
import { methodInUse } from '../../http/errors.ts'
import { defineResource } from '../../resource/define.ts'
import type { Resource } from '../../resource/resource.ts'
import { Flag, Id, Maybe, Name, Timestamps } from '../../resource/values.ts'
import { PAYMENT_KINDS } from '../../values/states.ts'
import { offVenues, refuseOtherVenues, STATUS_HERE, VenueStatus, venuesNamed } from '../places/per-venue.ts'
import { keepBalances } from './balance-rows.ts'
import {
  accountsOf,
  completed,
  giveAccounts,
  linkAccounts,
  methodsInUse,
  withAccountsHere,
} from './payment-accounts.ts'

const Kind = () => Type.Enum([...PAYMENT_KINDS])

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
        { id: Id(), name: Name(), type: Kind() },
        { description: 'The balance that payments in the active venue go to' },
      ),
    ),
    ...Timestamps(),
  },
  { $id: 'PaymentMethod' },
)
export type PaymentMethod = Static<typeof PaymentMethod>

/** One imported line, where `kind` says what the line is. */
export const PaymentMethodRow = Type.Object({
  ...Type.Omit(PaymentMethod, ['kind']).properties,
  payment_kind: Kind(),
  accounts: Maybe(
    Type.Record(Type.String({ pattern: '^[1-9][0-9]{0,15}$' }), Id(), {
      description: 'By venue id: the balance that payments there go to. Only in our own exports',
    }),
  ),
})
export type PaymentMethodRow = Static<typeof PaymentMethodRow>

/**
 * Renames the member `kind`, which a line of an import calls `payment_kind`. It is found as text: there is one such member, and inside of a
 * string its quotes would be escaped.
 */
const LINE = `replace(body, '"kind":', '"payment_kind":')`
const EXPORTED = `substr(${LINE}, 1, length(${LINE}) - 1) || coalesce((select ',"accounts":{' ||
  string_agg('"' || its.venue_id || '":' || its.balance_id, ',' order by its.venue_id) || '}'
  from payment_accounts as its where its.brand_id = payment_methods.brand_id
    and its.payment_method_id = payment_methods.id), '') || '}'`

export const paymentMethods: Resource<PaymentMethodRow> = defineResource({
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
  list: { compared: { status: STATUS_HERE }, compose: withAccountsHere },
  api: { list: {} },
  edit: {
    permission: 'settings:write',
    members: ['name', 'payment_kind', 'status', 'customer_required', 'position'],
    reviewed: ['name', 'payment_kind', 'status', 'customer_required', 'position'],
    async apply(context, after, before) {
      if (before && before.payment_kind !== after.payment_kind && (await methodsInUse(context, [after.id])).size > 0)
        throw methodInUse()
      return refuseOtherVenues(context, after, before)
    },
  },
  complete: completed,
  async write(context, rows, writer) {
    await keepBalances(context, await accountsOf(context, rows))
    const bodies = await writer.put(
      context,
      rows.map(({ payment_kind, accounts: _, ...row }) => ({ ...row, kind: payment_kind })),
    )
    for (const { id, accounts = {} } of rows)
      await linkAccounts(
        context,
        Object.entries(accounts).map(([venue_id, balance_id]) => ({
          payment_method_id: id,
          venue_id: Number(venue_id),
          balance_id,
        })),
      )
    return bodies
  },
  async checkAfterImport(context) {
    await giveAccounts(context)
    return undefined
  },
  exportText: EXPORTED,
})
