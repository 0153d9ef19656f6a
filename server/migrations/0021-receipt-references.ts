// Every id that a receipt has can be filtered by.
export const up = `
alter table receipts add column parent_id bigint;
alter table receipts add column cash_shift_id text;
`
