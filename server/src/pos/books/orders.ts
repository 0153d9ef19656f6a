import { decimal, type RowCheck } from './finding.ts'

/** I7: an order that was accepted has one receipt, any other none. */
const RECEIPTS_OF_ORDERS: RowCheck = {
  invariant: 'I7',
  subject: 'order',
  query: `select orders.id, orders.status, coalesce(made.receipts, 0) as receipts from orders
    left join (select order_id, count(*) as receipts from receipts where brand_id = ? and order_id is not null and rule > 0
      group by order_id) as made on made.order_id = orders.id
    where orders.brand_id = ?
      and coalesce(made.receipts, 0) <> case when orders.status in ('RECEIVED', 'DELIVERED') then 1 else 0 end`,
  problem: ({ status, receipts }) => `it is ${status} and has ${receipts} receipts`,
}

const ORDERS_OF_RECEIPTS: RowCheck = {
  invariant: 'I7',
  subject: 'receipt',
  query: `select receipts.id, order_id from receipts where brand_id = ? and order_id is not null and rule > 0 and not exists (
      select 1 from orders where orders.brand_id = receipts.brand_id and orders.id = receipts.order_id
        and orders.receipt_id = receipts.id)`,
  problem: ({ order_id }) => `order ${order_id} does not name it`,
}

/** I8: what is gone of an entry is what its moves took. */
const ENTRIES: RowCheck = {
  invariant: 'I8',
  subject: 'stop-list entry',
  query: `select stop_list.venue_id || ' ' || stop_list.id as id, started, remaining, stop_list.moves,
      coalesce(moved.quantity, 0) as quantity, coalesce(moved.places, 0) as places
    from stop_list left join (select entry, cast(sum(quantity) as bigint) as quantity, count(*) as places from portion_moves
      where brand_id = ? group by entry) as moved on moved.entry = stop_list.entry
    where stop_list.brand_id = ? and (started + coalesce(moved.quantity, 0) <> remaining
      or stop_list.moves <> coalesce(moved.places, 0))`,
  problem: ({ started, remaining, quantity }) =>
    `it began with ${decimal(started)}, was moved by ${decimal(quantity)}, and has ${decimal(remaining)}`,
}

/** I8: each line that holds portions is one of a pending order, or of a receipt: not void, or made and lost. */
const HOLDS: RowCheck = {
  invariant: 'I8',
  subject: 'portions of line',
  query: `select line_cid as id, receipt_cid, held from (
      select receipt_cid, line_cid, cast(-sum(quantity) as bigint) as held from portion_moves
        join stop_list on stop_list.brand_id = portion_moves.brand_id and stop_list.venue_id = portion_moves.venue_id
          and stop_list.id = portion_moves.product_id and stop_list.entry = portion_moves.entry
      where portion_moves.brand_id = ? group by receipt_cid, line_cid having sum(quantity) <> 0) as holds
    where held < 0 or (not exists (select 1 from orders where brand_id = ? and cid = receipt_cid and status = 'PENDING')
      and not exists (select 1 from receipts join receipt_lines on receipt_lines.brand_id = receipts.brand_id
          and receipt_lines.receipt_id = receipts.id
        where receipts.brand_id = ? and receipts.cid_key = holds.receipt_cid and receipt_lines.cid = holds.line_cid
          and (receipt_lines.state <> 'VOID' or instr(receipt_lines.copied, '"waste":true') > 0)))`,
  problem: ({ receipt_cid, held }) => `${decimal(held)} are held for ${receipt_cid}, which has no such line`,
}

export const ORDER_CHECKS: readonly RowCheck[] = [RECEIPTS_OF_ORDERS, ORDERS_OF_RECEIPTS, ENTRIES, HOLDS]
