import Type, { type Static } from 'typebox'
import { DateTime, Decimal, Id, Maybe, Nullable } from '../values.ts'

export const Balance = Type.Object({ id: Maybe(Id()), amount: Decimal(), type: Type.String() }, { $id: 'Balance' })

export const CashbackBalance = Type.Object(
  { id: Nullable(Id()), amount: Decimal(), type: Type.String() },
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
  created_at: Maybe(DateTime()),
  updated_at: Maybe(DateTime()),
})
export type CustomerGroupRow = Static<typeof CustomerGroupRow>

/** §2.2 */
export const Customer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Maybe(Type.String({ format: 'email' })),
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

/** One imported line: the contract's members without `group`, and those that §4.2 takes but does not give back. */
export const CustomerRow = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  email: Maybe(Type.String({ maxLength: 254 })),
  phone: Maybe(Type.String({ maxLength: 64 })),
  group_id: Maybe(Id()),
  balance: Maybe(Balance),
  cashback_balance: Maybe(CashbackBalance),
  created_at: Maybe(DateTime()),
  code: Maybe(Type.String({ maxLength: 64 })),
  cid: Maybe(Type.String({ format: 'uuid' })),
  description: Maybe(Type.String({ maxLength: 2000 })),
  gender: Maybe(Type.Enum([0, 1, 2, 9])),
  date_of_birth: Maybe(Type.String({ format: 'date' })),
})
export type CustomerRow = Static<typeof CustomerRow>
