import Type, { type Static } from 'typebox'
import { DateTime, Id, Maybe, Nullable, Sum, shown, Trimmed } from '../../resource/values.ts'
import { nfc } from '../../values/fold.ts'
import { withoutSeparators } from '../../values/values.ts'
import { CustomerGroup } from './customer-groups.ts'

export const Balance = Type.Object(
  { id: Maybe(Id()), amount: Sum(), type: Type.Enum(['CUSTOMER']) },
  { $id: 'Balance' },
)

export const CashbackBalance = Type.Object(
  { id: Nullable(Id()), amount: Sum(), type: Type.Enum(['CASHBACK']) },
  { $id: 'CashbackBalance' },
)

/** §2.2 */
export const Customer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Maybe(Type.String({ format: 'idn-email' })),
    phone: Maybe(Type.String()),
    group_id: Id(),
    balance: Balance,
    cashback_balance: CashbackBalance,
    group: shown(CustomerGroup),
    created_at: DateTime(),
  },
  { $id: 'Customer' },
)
export type Customer = Static<typeof Customer>

/** §4.2, D4.3 */
export const NewCustomer = Type.Object(
  {
    name: Trimmed({ minLength: 1, maxLength: 255, 'x-name': true }),
    email: Maybe(Trimmed({ format: 'idn-email', maxLength: 254 })),
    phone: Maybe(
      Trimmed({
        maxLength: 64,
        'x-phone': true,
        description:
          'Unique in the brand; compared without spaces, dashes, dots, slashes and parentheses, and made of more than these',
      }),
    ),
    code: Maybe(Trimmed({ maxLength: 64, description: 'Unique in the brand' })),
    cid: Maybe(Trimmed({ format: 'uuid', description: 'Unique in the brand; generated when it is absent' })),
    description: Maybe(Trimmed({ maxLength: 2000 })),
    group_id: Maybe(Type.Integer({ minimum: 1, description: 'The brand’s default group when it is absent' })),
    gender: Maybe(
      Nullable(Type.Enum([0, 1, 2, 9], { description: '0 not known, 1 male, 2 female, 9 not applicable' })),
    ),
    date_of_birth: Maybe(Trimmed({ format: 'date', 'x-past': true, description: 'Not in the future' })),
  },
  {
    $id: 'NewCustomer',
    description: 'null for an optional member counts as absent.',
    additionalProperties: false,
  },
)
export type NewCustomer = Static<typeof NewCustomer>

/** P1: what comes with include=details. */
export const CustomerDetails = Type.Object({
  cid: Type.String(),
  code: Maybe(Type.String()),
  description: Maybe(Type.String()),
  gender: Maybe(Type.Integer()),
  date_of_birth: Maybe(Type.String({ format: 'date' })),
  spent: Sum(),
  receipt_count: Type.Integer(),
  total_discount: Sum(),
  balance_id: Maybe(Id()),
  cashback_balance_id: Maybe(Id()),
  updated_at: DateTime(),
  erased_at: Maybe(Type.String({ format: 'date-time', description: 'Since then nobody knows who it was' })),
})
export type CustomerDetails = Static<typeof CustomerDetails>

/** One imported line: a customer as §4.2 takes it, with what is otherwise given to a new one. */
export const CustomerRow = Type.Object({
  id: Trimmed({ minLength: 1, maxLength: 64 }),
  ...NewCustomer.properties,
  balance: Maybe(Balance),
  cashback_balance: Maybe(CashbackBalance),
  spent: Maybe(Sum()),
  receipt_count: Maybe(Type.Integer({ minimum: 0 })),
  total_discount: Maybe(Sum()),
  spent_before: Maybe(Sum('What history brought of `spent`. Only in our own exports')),
  created_at: Maybe(DateTime()),
  updated_at: Maybe(DateTime()),
  erased_at: Maybe(DateTime()),
})
export type CustomerRow = Static<typeof CustomerRow>

// D4.1: what uniqueness compares.
const phoneKey = (phone: string | undefined) => (phone && withoutSeparators(phone)) || null
const codeKey = (code: string | undefined) => (code && nfc(code)) || null
const cidKey = (cid: string | undefined) => cid?.toLowerCase() ?? null

/** Each has a unique index, `customers_` and the column's name. */
export const UNIQUE = [
  { field: 'phone', column: 'phone_key', key: (row: NewCustomer) => phoneKey(row.phone) },
  { field: 'code', column: 'code_key', key: (row: NewCustomer) => codeKey(row.code) },
  { field: 'cid', column: 'cid_key', key: (row: NewCustomer) => cidKey(row.cid) },
] as const
