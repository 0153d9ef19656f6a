export const up = `
-- What lists of receipts filter and sort by, and what a receipt shows only when asked.
alter table receipts add column cid text;
alter table receipts add column cid_key text;
alter table receipts add column terminal_id bigint;
alter table receipts add column source text;
alter table receipts add column sale_type_id bigint;
alter table receipts add column status bigint;
alter table receipts add column total bigint;
alter table receipts add column fiscal_id text;
alter table receipts add column order_status text;
alter table receipts add column order_number text;
alter table receipts add column shift_date text;
alter table receipts add column order_id bigint;
alter table receipts add column table_id bigint;
alter table receipts add column updated_at text;
alter table receipts add column closed_at text;
alter table receipts add column deleted_at text;
alter table receipts add column version bigint not null default 1;
-- rule: the version of the totals (P12), 0 for imported history (P22); terms: JSON, what the total is made under
alter table receipts add column rule bigint not null default 0;
alter table receipts add column terms text;
alter table receipts add column details text not null default '{}';

-- The version that a stored answer named, to be named again.
alter table idempotency_keys add column etag text;

-- Until the rows that are there are completed (the next migration).
create index receipts_incomplete on receipts (brand_id, id) where updated_at is null;

create table receipt_lines (
  brand_id   bigint not null references brands,
  id         bigint not null,
  venue_id   bigint not null,
  receipt_id bigint not null,
  product_id bigint not null,
  cid        text   not null,
  state      text   not null,
  ticket_id  bigint,
  body       text   not null,
  copied     text, -- JSON: what the line took over from the menu when it was added; none on imported history
  primary key (brand_id, id),
  foreign key (brand_id, receipt_id) references receipts (brand_id, id),
  foreign key (brand_id, product_id) references products (brand_id, id)
);
create index receipt_lines_receipt_id on receipt_lines (brand_id, receipt_id, id);

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
  primary key (brand_id, id),
  foreign key (brand_id, receipt_id) references receipts (brand_id, id)
);
create index tickets_receipt_id on tickets (brand_id, receipt_id);
create index tickets_waiting on tickets (brand_id, venue_id, station_id, id) where state in ('SENT', 'COOKING', 'READY');

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

-- The business days of a venue.
create table venue_days (
  brand_id    bigint not null references brands,
  venue_id    bigint not null,
  shift_date  text   not null,
  last_number bigint not null, -- of the receipts opened on it
  primary key (brand_id, venue_id, shift_date)
);
`
