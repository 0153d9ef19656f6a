// What a venue has in stock, what moved it, and the documents that people write about it.
export const up = `
-- P21. Its text is made when it is read: it changes with every sale.
create table stocks (
  brand_id   bigint not null references brands,
  id         bigint not null, -- that of its first movement
  venue_id   bigint not null,
  storage_id bigint not null,
  product_id bigint not null,
  quantity   bigint not null,
  value      bigint not null,
  cost       bigint not null, -- the last value of one unit
  movements  bigint not null, -- how many there were
  updated_at text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, storage_id) references storages (brand_id, id),
  foreign key (brand_id, product_id) references products (brand_id, id)
);
create unique index stocks_place on stocks (brand_id, storage_id, product_id);
create index stocks_venue_id on stocks (brand_id, venue_id, id);
create index stocks_updated_at on stocks (brand_id, venue_id, updated_at, id);
create index stocks_product_id on stocks (brand_id, product_id);

alter table stock_operations add column stock_id bigint;
alter table stock_operations add column storage_id bigint;
alter table stock_operations add column receipt_product_id bigint;
alter table stock_operations add column modificator_id bigint;
alter table stock_operations add column operation_id bigint;
alter table stock_operations add column operation_item_id bigint;
alter table stock_operations add column parent_id bigint;
alter table stock_operations add column unit_id bigint;
alter table stock_operations add column quantity bigint;
alter table stock_operations add column before_quantity bigint;
alter table stock_operations add column after_quantity bigint;
alter table stock_operations add column before bigint;
alter table stock_operations add column after bigint;
alter table stock_operations add column total_cost bigint;
-- I4: its place among the movements of its stock, from 1; 0 for imported history (P22), null until 0026 completes the row
alter table stock_operations add column position bigint;
create index stock_operations_incomplete on stock_operations (brand_id, id) where position is null;

alter table products add column low_stock bigint;
`
