// What reports add up of lines, ×10,000; 0 on void lines. The rows that are there get it with the next migration.
export const up = `
alter table receipt_lines add column count bigint;
alter table receipt_lines add column subtotal bigint;
alter table receipt_lines add column total bigint;
-- the part that the total includes
alter table receipt_lines add column tax bigint;
create index receipt_lines_incomplete on receipt_lines (brand_id, id) where tax is null;
`
