export const up = `
create table terminals (
  brand_id    bigint not null references brands,
  id          bigint not null,
  venue_id    bigint not null,
  name        text   not null,
  name_folded text   not null,
  status      bigint not null,
  body        text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);

create table tables (
  brand_id    bigint not null references brands,
  id          bigint not null,
  venue_id    bigint not null,
  name        text   not null,
  name_folded text   not null,
  status      bigint not null,
  body        text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);

-- Calls of guests for a waiter.
create table waiter_calls (
  brand_id       bigint not null references brands,
  id             bigint not null,
  venue_id       bigint not null,
  table_id       bigint not null,
  type           text   not null,
  payment_method text,
  created_at     text   not null,
  done_at        text,
  body           text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);
create unique index waiter_calls_waiting on waiter_calls (brand_id, venue_id, table_id, type) where done_at is null;
`
