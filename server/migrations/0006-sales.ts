// Receipts and the orders they come from, what the kitchen makes of them, and what days add up to.
export const up = `
create table sale_types (
  brand_id      bigint not null references brands,
  id            bigint not null,
  name          text   not null,
  name_folded   text   not null,
  system_type   text   not null,
  channel       text   not null,
  charge_tax_id bigint,
  position      bigint not null,
  off_venues    text   not null,
  created_at    text   not null,
  updated_at    text   not null,
  body          text   not null,
  primary key (brand_id, id)
);

create table receipts (
  brand_id      bigint not null references brands,
  id            bigint not null,
  venue_id      bigint not null,
  user_id       bigint,
  customer_id   text, -- an integer on a receipt (§2.5), a string on the customer (§2.2)
  cid           text,
  cid_key       text,
  terminal_id   bigint,
  source        text,
  sale_type_id  bigint,
  status        bigint,
  total         bigint,
  fiscal_id     text,
  order_status  text,
  order_number  text,
  order_id      bigint,
  table_id      bigint,
  parent_id     bigint,
  cash_shift_id text,
  shift_date    text,
  created_at    text   not null,
  updated_at    text   not null,
  closed_at     text,
  deleted_at    text,
  version       bigint not null,
  rule          bigint not null, -- the version of the totals (P12), 0 for imported history (P22)
  terms         text, -- JSON: what the total is made under
  contact       bigint not null default 0, -- 1: its details have an address or a comment
  body          text   not null,
  details       text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, user_id) references users (brand_id, id),
  foreign key (brand_id, customer_id) references customers (brand_id, id)
);
create index receipts_created_at on receipts (brand_id, created_at, id);
create index receipts_venue_created_at on receipts (brand_id, venue_id, created_at, id);
create index receipts_venue_updated_at on receipts (brand_id, venue_id, updated_at, id);
create index receipts_shift_date on receipts (brand_id, venue_id, shift_date, created_at, id);
create index receipts_customer_id on receipts (brand_id, customer_id, id) where customer_id is not null;
create index receipts_cash_shift_id on receipts (brand_id, cash_shift_id, id) where cash_shift_id is not null;
create index receipts_open on receipts (brand_id, venue_id, id) where status = 1;
create index receipts_cid on receipts (brand_id, cid_key, id);
create index receipts_contact on receipts (brand_id, created_at) where contact = 1;
-- P19: the refunds of a receipt.
create index receipts_parent_id on receipts (brand_id, parent_id, id) where parent_id is not null;
-- A year of a venue is added up from indexes alone: the rows themselves are ten times as large.
create index receipts_closed on receipts (brand_id, venue_id, shift_date, id, parent_id, closed_at, total)
  where status = 2 and rule > 0;
-- S2: a cid of a receipt that was made here is its own; equal ones of imported history stay (P22).
create unique index receipts_cid_key on receipts (brand_id, cid_key) where rule > 0;

-- The columns from count to tax are what reports add up, ×10,000; 0 on void lines.
create table receipt_lines (
  brand_id   bigint not null references brands,
  id         bigint not null,
  venue_id   bigint not null,
  receipt_id bigint not null,
  position   bigint not null, -- P16: ids come in blocks, so a later line may have a lower one
  product_id bigint not null,
  cid        text   not null,
  state      text   not null,
  ticket_id  bigint,
  hold       bigint not null default 0, -- T6: 1 while its course waits to be fired
  count      bigint not null,
  subtotal   bigint not null,
  total      bigint not null,
  tax        bigint not null, -- the part that the total includes
  body       text   not null,
  copied     text, -- JSON: what the line took over from the menu when it was added; none on imported history
  primary key (brand_id, id),
  foreign key (brand_id, receipt_id) references receipts (brand_id, id),
  foreign key (brand_id, product_id) references products (brand_id, id)
);
create index receipt_lines_receipt_id on receipt_lines
  (brand_id, receipt_id, position, id, product_id, count, subtotal, total, tax);

-- What the kitchen will be asked for next, of the few lines that are held.
create index receipt_lines_held on receipt_lines (brand_id, venue_id, receipt_id, position) where hold = 1;

-- S4: what one station has to make of one sending. Its id is that of its first line.
create table tickets (
  brand_id   bigint not null references brands,
  id         bigint not null,
  venue_id   bigint not null,
  receipt_id bigint not null,
  station_id bigint not null,
  state      text   not null,
  created_at text   not null,
  updated_at text   not null,
  moved_from bigint, -- T9: the receipt that its lines came from
  routes     text,   -- the print routes that it went to (JSON); null: none, or forgotten
  primary key (brand_id, id),
  foreign key (brand_id, receipt_id) references receipts (brand_id, id)
);
create index tickets_receipt_id on tickets (brand_id, receipt_id);
-- A kitchen's screen reads what waits and what was made last, again and again. SQLite uses a partial index only if its condition
-- stands in the query, and tickets that nobody marks as served stay READY for ever: they must not be walked.
create index tickets_waiting on tickets (brand_id, venue_id, created_at, id) where state in ('SENT', 'COOKING');
create index tickets_ready on tickets (brand_id, venue_id, updated_at, id) where state = 'READY';
create index tickets_routed on tickets (brand_id, created_at) where routes is not null;

-- I9: what lines of open receipts will take from the stock (P20).
create table reservations (
  brand_id       bigint not null references brands,
  line_id        bigint not null,
  product_id     bigint not null,
  modificator_id bigint not null, -- 0 for the line itself
  venue_id       bigint not null,
  receipt_id     bigint not null,
  quantity       bigint not null,
  primary key (brand_id, line_id, product_id, modificator_id),
  foreign key (brand_id, line_id) references receipt_lines (brand_id, id)
);
create index reservations_product_id on reservations (brand_id, venue_id, product_id);
create index reservations_receipt_id on reservations (brand_id, receipt_id);

-- S1
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
  kept             text,            -- JSON: the receipt that it becomes, until it is accepted
  phone_key        text,            -- of its customer, without separators (D4.1)
  contact          bigint not null default 0, -- 1: it says something of a person
  body             text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);
create unique index orders_cid on orders (brand_id, cid);
create index orders_created_at on orders (brand_id, venue_id, created_at, id);
create index orders_updated_at on orders (brand_id, venue_id, updated_at, id);
create index orders_customer_id on orders (brand_id, customer_id) where customer_id is not null;
create index orders_phone_key on orders (brand_id, phone_key) where phone_key is not null;
create index orders_contact on orders (brand_id, created_at) where contact = 1;
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

-- The uuids of all orders and receipts in one place: when an order and a receipt come at once with the same one, only one is written.
-- Never removed: a uuid is used once.
create table sale_uuids (
  brand_id bigint not null references brands,
  uuid     text   not null,
  primary key (brand_id, uuid)
);

-- The business days of a venue. I11: what the receipts add up to that were closed on one; a refund counts against it.
create table venue_days (
  brand_id             bigint not null references brands,
  venue_id             bigint not null,
  shift_date           text   not null,
  last_number          bigint not null, -- of the receipts opened on it
  receipts             bigint not null default 0,
  refunds              bigint not null default 0,
  subtotal             bigint not null default 0,
  total_discount       bigint not null default 0,
  service_charge_value bigint not null default 0,
  delivery_fee         bigint not null default 0,
  i_tax                bigint not null default 0,
  e_tax                bigint not null default 0,
  total                bigint not null default 0,
  recount              bigint not null default 0, -- 1: an import brought receipts of this day, and it is to be counted again
  primary key (brand_id, venue_id, shift_date)
);
create index venue_days_recount on venue_days (brand_id, venue_id, shift_date) where recount = 1;

create table tax_days (
  brand_id   bigint not null references brands,
  venue_id   bigint not null,
  shift_date text   not null,
  tax_id     bigint not null,
  rate       bigint not null,
  included   bigint not null, -- 1: prices held it
  name       text   not null,
  base       bigint not null,
  amount     bigint not null,
  receipts   bigint not null,
  primary key (brand_id, venue_id, shift_date, tax_id, rate, included)
);
`
