// Directory of who may do what: brands, their staff, the integrators and their credentials, and the log of every change to them.
export const up = `
create table settings (
  name  text not null primary key,
  value text not null
);

-- One row. A directory change locks it first, so that changes follow one another and the log's ids have no gaps.
create table directory_version (
  id      bigint not null primary key,
  version bigint not null
);
insert into directory_version (id, version) values (1, 0);

create table brands (
  id               bigint not null primary key,
  slug             text   not null,
  name             text   not null,
  test             bigint not null,
  created_at       text   not null,
  currency         text   not null default 'EUR',
  money_places     bigint not null default 2,
  order_prices     text   not null default 'ask',
  cashback_percent bigint not null default 0,     -- S7: what customers earn, ×10,000
  languages        text   not null default '["en"]', -- M12, JSON: the first is that of plain names
  books_check      text   not null default '04:00', -- when the books are checked each night, by the first venue's clock; or off
  contact_days     bigint not null default 400,   -- how long orders keep whom they were for
  request_log_days bigint not null default 365    -- how long its calls are in the request log, if the service keeps them for so long
);
create unique index brands_slug on brands (slug);

create table integrators (
  id         text   not null primary key,
  name       text   not null,
  active     bigint not null,
  test       bigint not null,
  epoch      bigint not null, -- counts how often it was deactivated; a token remembers under which it was issued
  created_at text   not null
);

create table venues (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  is_main     bigint not null,
  address     text,
  phone       text,
  time_zone   text   not null default 'UTC',
  -- JSON: what only staff see (day_starts_at, accept, order_expiry_s, hours, paused_until, cash_shift, legal_name, tax_number, bill_footer, print_language)
  settings    text   not null default '{"day_starts_at":"04:00","accept":"ask","order_expiry_s":1800,"cash_shift":0}',
  body        text   not null, -- the wire's JSON, as in every table of a resource; without the currency, which is the brand's
  primary key (brand_id, id)
);

create table roles (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  permissions text   not null, -- JSON: ["customers:write", …] or ["*"]
  primary key (brand_id, id)
);

create table users (
  brand_id      bigint not null references brands,
  id            bigint not null,
  username      text   not null,
  username_key  text   not null, -- folded: what uniqueness compares
  name          text   not null,
  role_id       bigint not null,
  venue_ids     text,            -- JSON; null: every venue of the brand
  active        bigint not null,
  email         text,
  first_name    text,
  last_name     text,
  mobile_number text,
  created_at    text   not null,
  updated_at    text   not null,
  body          text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, role_id) references roles (brand_id, id)
);
create unique index users_username_key on users (brand_id, username_key);

create table credentials (
  brand_id        bigint not null references brands,
  client_id       text   not null,
  name            text   not null,
  user_id         bigint not null,
  venue_id        bigint not null,
  enabled         bigint not null,
  epoch           bigint not null, -- counts the secrets; a token remembers under which it was issued
  secret_kid      text   not null, -- the key of the ring under which hash and cipher were made
  secret_hash     text   not null,
  secret_cipher   text   not null, -- for display in the back office
  -- JSON, newest first: [{"epoch", "kid", "hash", "until"}]. Each earlier secret works until its own end.
  earlier_secrets text,
  created_at      text   not null,
  primary key (brand_id, client_id),
  foreign key (brand_id, user_id) references users (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);
create index credentials_client_id on credentials (client_id);

create table quotas (
  brand_id      bigint not null references brands,
  integrator_id text   not null references integrators,
  per_minute    bigint not null,
  primary key (brand_id, integrator_id)
);

-- Append-only. Each row carries the hash of the one before, so that a changed or missing row shows.
create table audit (
  id            bigint not null primary key,
  at            text   not null,
  actor         text   not null,
  action        text   not null,
  subject       text   not null,
  brand_id      bigint,
  before        text,
  after         text,
  previous_hash text   not null,
  hash          text   not null
);
create index audit_brand_id on audit (brand_id, id);
`
