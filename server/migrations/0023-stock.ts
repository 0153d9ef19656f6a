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

-- S6
create table operations (
  brand_id      bigint not null references brands,
  id            bigint not null,
  venue_id      bigint not null,
  type          bigint not null,
  status        bigint not null,
  number        bigint not null,
  storage_id    bigint not null,
  to_storage_id bigint,
  supplier_id   bigint,
  user_id       bigint not null,
  total_cost    bigint not null,
  document_date text   not null,
  published_at  text,
  reverses_id   bigint,
  created_at    text   not null,
  updated_at    text   not null,
  booked        bigint not null, -- 1 if its movements are here; 0 for drafts and imported history (P22)
  body          text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, storage_id) references storages (brand_id, id),
  foreign key (brand_id, to_storage_id) references storages (brand_id, id),
  foreign key (brand_id, supplier_id) references suppliers (brand_id, id),
  foreign key (brand_id, user_id) references users (brand_id, id),
  foreign key (brand_id, reverses_id) references operations (brand_id, id)
);
create index operations_venue_created_at on operations (brand_id, venue_id, created_at, id);
create index operations_venue_updated_at on operations (brand_id, venue_id, updated_at, id);
create index operations_document_date on operations (brand_id, venue_id, document_date, id);
create unique index operations_reverses_id on operations (brand_id, reverses_id) where reverses_id is not null;

create table operation_items (
  brand_id     bigint not null references brands,
  id           bigint not null,
  venue_id     bigint not null,
  operation_id bigint not null,
  product_id   bigint not null,
  quantity     bigint not null,
  total_cost   bigint not null,
  counted_at   text,
  body         text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, operation_id) references operations (brand_id, id),
  foreign key (brand_id, product_id) references products (brand_id, id)
);
create index operation_items_operation_id on operation_items (brand_id, operation_id, id);
create index operation_items_venue_id on operation_items (brand_id, venue_id, id);
create index operation_items_product_id on operation_items (brand_id, product_id);
`
