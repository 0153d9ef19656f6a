// P16: ids come in blocks, so a later row may have a lower one. A receipt's lines go by their position, tickets by when they were sent.
// The index of lines has all that reports add up, as in 0029.
export const up = `
alter table receipt_lines add column position bigint not null default 0;
update receipt_lines set position = (select count(*) from receipt_lines as earlier where earlier.brand_id = receipt_lines.brand_id
  and earlier.receipt_id = receipt_lines.receipt_id and earlier.id <= receipt_lines.id);
drop index receipt_lines_receipt_id;
create index receipt_lines_receipt_id on receipt_lines
  (brand_id, receipt_id, position, id, product_id, count, subtotal, total, tax);

drop index tickets_waiting;
create index tickets_waiting on tickets (brand_id, venue_id, created_at, id) where state in ('SENT', 'COOKING');
`
