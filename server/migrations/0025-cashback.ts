// S7: what customers earn, in percent ×10,000. P19: the refunds of a receipt.
export const up = `
alter table brands add column cashback_percent bigint not null default 0;
create index receipts_parent_id on receipts (brand_id, parent_id, id) where parent_id is not null;
`
