// S1: orders, with what is kept of them until they are accepted; P17: portions of the stop list, and the ledger they move by; calls of
// guests for a waiter.
export const up = `
create table orders (
  brand_id         bigint not null references brands,
  id               bigint not null,
  venue_id         bigint not null,
  status           text   not null,
  order_number     text,
  integration_uuid text,
  sale_type_id     bigint,
  customer_id      text,
  table_id         bigint,
  receipt_id       bigint,
  scheduled_at     text,
  expires_at       text,
  created_at       text   not null,
  updated_at       text   not null,
  integrator_id    text,
  cid              text   not null, -- of the receipt that it becomes
  content          text,            -- of what was sent under its uuid
  send_at          text,            -- when its lines go to the stations, until they have
  kept             text,            -- JSON: the receipt that it becomes
  body             text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);
create unique index orders_cid on orders (brand_id, cid);
create index orders_created_at on orders (brand_id, venue_id, created_at, id);
create index orders_updated_at on orders (brand_id, venue_id, updated_at, id);
create index orders_pending on orders (expires_at) where status = 'PENDING';
create index orders_pending_of_brand on orders (brand_id, expires_at) where status = 'PENDING';
create index orders_to_send on orders (send_at) where send_at is not null;

-- P23: which order an identical body made, within two minutes.
create table recent_orders (
  brand_id  bigint not null references brands,
  client_id text   not null,
  content   text   not null,
  order_id  bigint not null,
  placed_at text   not null,
  primary key (brand_id, client_id, content)
);
create index recent_orders_placed_at on recent_orders (placed_at);

alter table brands add column order_prices text not null default 'ask';

-- A new limit is a new entry.
alter table stop_list add column entry text not null default '';
alter table stop_list add column moves bigint not null default 0;
update stop_list set entry = venue_id || '-' || id || '-' || timestamp;

create table portion_moves (
  brand_id    bigint not null references brands,
  id          text   not null, -- entry and number of the move
  venue_id    bigint not null,
  entry       text   not null,
  product_id  bigint not null,
  quantity    bigint not null,
  before      bigint not null,
  after       bigint not null,
  receipt_cid text   not null,
  line_cid    text   not null,
  moved_at    text   not null,
  body        text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);
create index portion_moves_receipt on portion_moves (brand_id, receipt_cid);

create table waiter_calls (
  brand_id          bigint not null references brands,
  id                bigint not null,
  venue_id          bigint not null,
  table_id          bigint not null,
  type              text   not null,
  payment_method    text,
  created_at        text   not null,
  done_at           text,
  body              text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);
create unique index waiter_calls_waiting on waiter_calls (brand_id, venue_id, table_id, type) where done_at is null;
`
