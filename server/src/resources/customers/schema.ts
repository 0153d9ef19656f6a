import Type, { type Static } from 'typebox'
import { DateTime, Decimal, Id, Maybe, Name, Nullable, Trimmed } from '../values.ts'

export const Balance = Type.Object(
  { id: Maybe(Id()), amount: Decimal(), type: Type.Enum(['CUSTOMER']) },
  { $id: 'Balance' },
)

export const CashbackBalance = Type.Object(
  { id: Nullable(Id()), amount: Decimal(), type: Type.Enum(['CASHBACK']) },
  { $id: 'CashbackBalance' },
)

export const CustomerGroup = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    discount_type: Nullable(Type.Enum(['percent', 'amount'])),
    discount_value: Maybe(Decimal()),
    system_type: Maybe(Type.Enum(['default', 'employee', 'custom'])),
    total_amount: Nullable(Decimal()),
    created_at: DateTime(),
    updated_at: DateTime(),
    deleted_at: Nullable(DateTime()),
  },
  { $id: 'CustomerGroup' },
)
export type CustomerGroup = Static<typeof CustomerGroup>

/** One imported line: an absent timestamp is the time of the import. */
export const CustomerGroupRow = Type.Object({
  ...CustomerGroup.properties,
  name: Name(),
  created_at: Maybe(DateTime()),
  updated_at: Maybe(DateTime()),
})
export type CustomerGroupRow = Static<typeof CustomerGroupRow>

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
    group: CustomerGroup,
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
  { $id: 'NewCustomer', additionalProperties: false },
)
export type NewCustomer = Static<typeof NewCustomer>

/** One imported line: a customer as §4.2 takes it, with what is otherwise given to a new one. */
export const CustomerRow = Type.Object({
  id: Trimmed({ minLength: 1, maxLength: 64 }),
  ...NewCustomer.properties,
  balance: Maybe(Balance),
  cashback_balance: Maybe(CashbackBalance),
  created_at: Maybe(DateTime()),
})
export type CustomerRow = Static<typeof CustomerRow>
