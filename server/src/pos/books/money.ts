import { decimalText } from '../../resource/values.ts'
import { CLOSED } from '../../values/states.ts'
import { decimal, type RowCheck } from './finding.ts'

/** I5: an amount is the sum of its transactions, and there are as many as the chain has places. */
const AMOUNTS: RowCheck = {
  invariant: 'I5',
  subject: 'balance',
  query: `select balances.id, balances.amount, balances.steps, coalesce(moves.amount, 0) as booked, coalesce(moves.places, 0) as places
    from balances left join (select balance_id, cast(sum(amount) as bigint) as amount, count(*) as places from transactions
      where brand_id = ? group by balance_id) as moves on moves.balance_id = balances.id
    where balances.brand_id = ? and (balances.amount <> coalesce(moves.amount, 0) or balances.steps <> coalesce(moves.places, 0))`,
  problem: ({ amount, steps, booked, places }) =>
    amount === booked
      ? `it was moved ${steps} times and has ${places} transactions`
      : `its amount is ${decimal(amount)}, and its transactions add up to ${decimal(booked)}`,
}

/** I5: an amount that an import brings is booked before the import ends (P22). */
const BROUGHT: RowCheck = {
  invariant: 'I5',
  subject: 'balance',
  query: 'select id, amount, brought from balances where brand_id = ? and brought is not null',
  problem: ({ amount, brought }) => `its amount is ${decimal(amount)}, and ${decimal(brought)} waits to be booked`,
}

/** I5: each goes on from the one before it. */
const CHAINS: RowCheck = {
  invariant: 'I5',
  subject: 'transaction',
  query: `select id, balance_id, before_amount, after_amount, amount, earlier, step, place from (
      select id, balance_id, before_amount, after_amount, amount, step,
        lag(after_amount, 1, cast(0 as bigint)) over chain as earlier, row_number() over chain as place
      from transactions where brand_id = ? window chain as (partition by balance_id order by step)) as chained
    where before_amount <> earlier or before_amount + amount <> after_amount or step <> place`,
  problem: ({ balance_id, before_amount, after_amount, amount, earlier, step, place }) => {
    if (before_amount !== earlier)
      return `it begins at ${decimal(before_amount)}, and the one before it left ${decimal(earlier)} in balance ${balance_id}`
    if (step !== place) return `it is number ${step} of balance ${balance_id}, and ${place} were expected`
    return `${decimal(before_amount)} and ${decimal(amount)} do not make ${decimal(after_amount)}`
  },
}

/** I6: every balance of a customer is shown by them with its amount. */
const OWNED: RowCheck = {
  invariant: 'I6',
  subject: 'customer',
  query: `select customers.id, balances.id as balance_id, balances.amount from balances join customers
      on customers.brand_id = balances.brand_id and customers.id = balances.customer_id and customers.deleted_at is null
    where balances.brand_id = ? and balances.customer_id is not null and instr(customers.body,
      case when balances.type = 'CASHBACK' then ',"cashback_balance":{"id":' else ',"balance":{"id":' end || balances.id
        || ',"amount":' || ${decimalText('balances.amount')} || ',"type":"' || balances.type || '"}') = 0`,
  problem: ({ balance_id, amount }) =>
    `balance ${balance_id} has ${decimal(amount)}, and the customer shows something else`,
}

/** I6: and what they show is a balance of theirs. What has no id is not there yet, and empty. */
const shownBalance = (member: string, type: string): RowCheck => ({
  invariant: 'I6',
  subject: 'customer',
  query: `select customers.id from customers
    where customers.brand_id = ? and customers.deleted_at is null and instr(customers.body, ',"${member}":{"id":') > 0
      and instr(customers.body, ',"${member}":{"id":null,') = 0 and not exists (
        select 1 from balances where balances.brand_id = customers.brand_id and balances.customer_id = customers.id
          and balances.type = '${type}' and instr(customers.body, ',"${member}":{"id":' || balances.id || ',"amount":') > 0)`,
  problem: () => `the ${member} that is shown is not there`,
})

/** I6: what was spent is the sum of the receipts, and what history brought. */
const SPENT: RowCheck = {
  invariant: 'I6',
  subject: 'customer',
  query: ({ scaledMember }) => `select id, spent, made from (
      select customers.id, ${scaledMember('customers.details', 'spent')} as spent,
        customers.spent_before + coalesce(sold.total, 0) as made
      from customers left join (select customer_id, cast(sum(total) as bigint) as total from receipts
        where brand_id = ? and customer_id is not null and status = ${CLOSED} and rule > 0 group by customer_id) as sold
        on sold.customer_id = customers.id
      where customers.brand_id = ? and customers.deleted_at is null) as spending
    where spent <> made`,
  problem: ({ spent, made }) => `spent is ${decimal(spent)}, and the receipts make ${decimal(made)}`,
}

/** I10: what a drawer should hold; the difference that its close found is not counted. */
const SHIFTS: RowCheck = {
  invariant: 'I10',
  subject: 'cash shift',
  query: `select shifts.id, shifts.expected_amount, shifts.opening_amount + coalesce(moves.amount, 0) as made
    from cash_shifts as shifts left join (
      select transactions.cash_shift_id, cast(sum(transactions.amount) as bigint) as amount from transactions
        join balances on balances.brand_id = transactions.brand_id and balances.id = transactions.balance_id
          and balances.type = 'CASH'
        join finance_categories as categories on categories.brand_id = transactions.brand_id
          and categories.id = transactions.category_id and coalesce(categories.system_type, '') <> 'CASH_DIFFERENCE'
      where transactions.brand_id = ? and transactions.cash_shift_id is not null group by transactions.cash_shift_id) as moves
      on moves.cash_shift_id = shifts.id
    where shifts.brand_id = ? and shifts.expected_amount <> shifts.opening_amount + coalesce(moves.amount, 0)`,
  problem: ({ expected_amount, made }) =>
    `it expects ${decimal(expected_amount)}, and its opening amount and cash make ${decimal(made)}`,
}

/** I5, I6 and I10: balances, people and shifts are the sums of what was booked. */
export const MONEY_CHECKS: readonly RowCheck[] = [
  AMOUNTS,
  BROUGHT,
  CHAINS,
  OWNED,
  shownBalance('balance', 'CUSTOMER'),
  shownBalance('cashback_balance', 'CASHBACK'),
  SPENT,
  SHIFTS,
]
