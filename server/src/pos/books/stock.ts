import { decimal, type RowCheck } from './finding.ts'

// I4 and I12: stock is the sum of its movements, and documents have theirs. Imported history (P22) has no position, and is left out.

const SUMS: RowCheck = {
  invariant: 'I4',
  subject: 'stock',
  query: `select stocks.id, stocks.quantity, stocks.value, stocks.movements, coalesce(moved.quantity, 0) as moved_quantity,
      coalesce(moved.value, 0) as moved_value, coalesce(moved.movements, 0) as moved_count
    from stocks left join (select stock_id, cast(sum(quantity) as bigint) as quantity,
        cast(sum(total_cost) as bigint) as value, count(*) as movements
      from stock_operations where brand_id = ? and position > 0 group by stock_id) as moved on moved.stock_id = stocks.id
    where stocks.brand_id = ? and (stocks.quantity <> coalesce(moved.quantity, 0)
      or stocks.value <> coalesce(moved.value, 0) or stocks.movements <> coalesce(moved.movements, 0))`,
  problem: ({ quantity, value, movements, moved_quantity, moved_value, moved_count }) =>
    `it has ${decimal(quantity)} worth ${decimal(value)} after ${movements} movements; ` +
    `the ${moved_count} that are there make ${decimal(moved_quantity)} worth ${decimal(moved_value)}`,
}

const CHAIN: RowCheck = {
  invariant: 'I4',
  subject: 'stock operation',
  query: `select id, position, last_position, before_quantity, last_quantity, before, last_value from
      (select id, position, quantity, total_cost, before_quantity, after_quantity, before, after,
         coalesce(lag(position) over chain, 0) as last_position, coalesce(lag(after_quantity) over chain, 0) as last_quantity,
         coalesce(lag(after) over chain, 0) as last_value
       from stock_operations where brand_id = ? and position > 0
       window chain as (partition by stock_id order by position)) as moved
    where position <> last_position + 1 or before_quantity <> last_quantity or before <> last_value
      or after_quantity <> before_quantity + quantity or after <> before + total_cost`,
  problem: ({ position, last_position, before_quantity, last_quantity, before, last_value }) =>
    `movement ${position} begins at ${decimal(before_quantity)} worth ${decimal(before)}; ` +
    `movement ${last_position} ended at ${decimal(last_quantity)} worth ${decimal(last_value)}, or its own sums are wrong`,
}

const STRAY: RowCheck = {
  invariant: 'I4',
  subject: 'stock operation',
  query: `select moved.id, moved.stock_id from stock_operations as moved
      left join stocks on stocks.brand_id = moved.brand_id and stocks.id = moved.stock_id
    where moved.brand_id = ? and moved.position > 0 and stocks.id is null`,
  problem: ({ stock_id }) => `it moved stock ${stock_id}, which is not there`,
}

/** What a document's type does to an item's product: it comes in, goes out, or goes from one storage to another. */
const SIGN = 'case type when 3 then 0 when 4 then -1 when 10 then -1 else 1 end'

const ITEMS: RowCheck = {
  invariant: 'I12',
  subject: 'operation item',
  query: `select id, operation_id, type, status, movements, own, quantity, moved_quantity from
      (select items.id, items.operation_id, items.quantity, operations.type, operations.status, operations.booked,
         coalesce(moved.movements, 0) as movements, coalesce(moved.own, 0) as own, coalesce(moved.quantity, 0) as moved_quantity,
         coalesce(moved.way, 0) as way
       from operation_items as items
         join operations on operations.brand_id = items.brand_id and operations.id = items.operation_id
         left join (select item.id, count(*) as movements,
             cast(sum(case when made.product_id = item.product_id then 1 else 0 end) as bigint) as own,
             cast(sum(case when made.product_id = item.product_id then made.quantity else 0 end) as bigint) as quantity,
             cast(sum(abs(made.quantity)) as bigint) as way
           from stock_operations as made join operation_items as item
             on item.brand_id = made.brand_id and item.id = made.operation_item_id and item.operation_id = made.operation_id
           where made.brand_id = ? and made.operation_id is not null and made.position > 0 group by item.id) as moved
           on moved.id = items.id
       where items.brand_id = ?) as checked
    where (status = 2 and movements <> 0)
      or (booked = 1 and (own <> case type when 3 then 2 else 1 end or moved_quantity <> ${SIGN} * quantity
        or (type = 3 and way <> 2 * abs(quantity)) or (type <> 7 and movements <> own) or (type = 7 and movements = own)))`,
  problem: ({ operation_id, type, status, movements, quantity, moved_quantity }) =>
    `document ${operation_id} of type ${type} ${status === 2 ? 'is a draft and' : 'is published and'} has ${movements} movements ` +
    `of it, which move ${decimal(moved_quantity)} for ${decimal(quantity)}`,
}

const OF_NO_ITEM: RowCheck = {
  invariant: 'I12',
  subject: 'stock operation',
  query: `select moved.id, moved.operation_id from stock_operations as moved
      left join operation_items as items on items.brand_id = moved.brand_id and items.id = moved.operation_item_id
        and items.operation_id = moved.operation_id
    where moved.brand_id = ? and moved.operation_id is not null and moved.position > 0 and items.id is null`,
  problem: ({ operation_id }) => `document ${operation_id} has no item that it is for`,
}

export const STOCK_CHECKS: readonly RowCheck[] = [SUMS, CHAIN, STRAY, ITEMS, OF_NO_ITEM]
