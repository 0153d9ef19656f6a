export const up = `
create table printers (
  brand_id    bigint not null references brands,
  id          bigint not null,
  venue_id    bigint not null,
  name        text   not null,
  name_folded text   not null,
  printer_kind text  not null, -- network, virtual, browser
  status      bigint not null,
  body        text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);

-- Which printer prints the tickets of a station, or a kind of document.
create table print_routes (
  brand_id     bigint not null references brands,
  id           bigint not null,
  venue_id     bigint not null,
  station_id   bigint,
  document     text,
  sale_type_id bigint,
  printer_id   bigint not null,
  copies       bigint not null,
  body         text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, printer_id) references printers (brand_id, id)
);
create index print_routes_venue on print_routes (brand_id, venue_id);
create index print_routes_printer on print_routes (brand_id, printer_id);

create table terminals (
  brand_id    bigint not null references brands,
  id          bigint not null,
  venue_id    bigint not null,
  name        text   not null,
  name_folded text   not null,
  status      bigint not null,
  printer_id  bigint,
  body        text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, printer_id) references printers (brand_id, id)
);
create index terminals_printer on terminals (brand_id, printer_id) where printer_id is not null;

create table halls (
  brand_id    bigint not null references brands,
  id          bigint not null,
  venue_id    bigint not null,
  name        text   not null,
  name_folded text   not null,
  position    bigint not null,
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
  hall_id     bigint,
  status      bigint not null,
  body        text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, hall_id) references halls (brand_id, id)
);
create index tables_hall_id on tables (brand_id, hall_id) where hall_id is not null;

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
