// What a venue has in stock, what moved it, and the documents that people write about it.
export const up = `
create table units (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  body        text   not null,
  primary key (brand_id, id)
);

create table suppliers (
  brand_id       bigint not null references brands,
  id             bigint not null,
  name           text   not null,
  name_folded    text   not null,
  phone          text,
  email          text,
  tax_id         text,
  spent          bigint not null,
  balance_amount bigint not null,
  status         bigint not null,
  created_at     text   not null,
  updated_at     text   not null,
  body           text   not null,
  primary key (brand_id, id)
);

-- P20: every venue has a main one.
create table storages (
  brand_id    bigint not null references brands,
  id          bigint not null,
  venue_id    bigint not null,
  name        text   not null,
  name_folded text   not null,
  is_main     bigint not null,
  status      bigint not null,
  created_at  text   not null,
  updated_at  text   not null,
  body        text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);

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

create table stock_operations (
  brand_id           bigint not null references brands,
  id                 bigint not null,
  venue_id           bigint not null,
  receipt_id         bigint,
  product_id         bigint,
  stock_id           bigint,
  storage_id         bigint,
  receipt_product_id bigint,
  modificator_id     bigint,
  operation_id       bigint,
  operation_item_id  bigint,
  parent_id          bigint,
  unit_id            bigint,
  quantity           bigint,
  before_quantity    bigint,
  after_quantity     bigint,
  before             bigint,
  after              bigint,
  total_cost         bigint,
  position           bigint not null, -- I4: its place among the movements of its stock, from 1; 0 for imported history (P22)
  operated_at        text   not null,
  body               text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, receipt_id) references receipts (brand_id, id),
  foreign key (brand_id, product_id) references products (brand_id, id)
);
create index stock_operations_operated_at on stock_operations (brand_id, operated_at, id);
create index stock_operations_venue_operated_at on stock_operations (brand_id, venue_id, operated_at, id);
create index stock_operations_stock_id on stock_operations (brand_id, stock_id, operated_at, id) where stock_id is not null;
create index stock_operations_operation_id on stock_operations (brand_id, operation_id, id) where operation_id is not null;
create index stock_operations_parent_id on stock_operations (brand_id, parent_id, id) where parent_id is not null;
-- What a receipt cost is the sum of its movements, added up from the index alone.
create index stock_operations_receipt_id on stock_operations (brand_id, receipt_id, id, receipt_product_id, total_cost)
  where receipt_id is not null;
create unique index stock_operations_position on stock_operations (brand_id, stock_id, position) where position > 0;

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
