// A uuid is one thing: the uuids of all orders and receipts, in one place, so that of an order and a receipt that come at once with
// the same one only one is written. Never removed: a uuid is used once.
export const up = `
create table sale_uuids (
  brand_id bigint not null references brands,
  uuid     text   not null,
  primary key (brand_id, uuid)
);
insert into sale_uuids (brand_id, uuid)
  select brand_id, cid from orders union select brand_id, cid_key from receipts where cid_key is not null;
`
