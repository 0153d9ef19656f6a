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
  id         bigint not null primary key,
  slug       text   not null,
  name       text   not null,
  test       bigint not null,
  created_at text   not null
);
create unique index brands_slug on brands (slug);

create table integrators (
  id         text   not null primary key,
  name       text   not null,
  active     bigint not null,
  test       bigint not null,
  created_at text   not null
);

create table venues (
  brand_id bigint not null references brands,
  id       bigint not null,
  name     text   not null,
  is_main  bigint not null,
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
  brand_id     bigint not null references brands,
  id           bigint not null,
  username     text   not null,
  username_key text   not null, -- folded: what uniqueness compares
  name         text   not null,
  role_id      bigint not null,
  venue_ids    text,            -- JSON; null: every venue of the brand
  active       bigint not null,
  primary key (brand_id, id),
  foreign key (brand_id, role_id) references roles (brand_id, id)
);
create unique index users_username_key on users (brand_id, username_key);

create table credentials (
  brand_id       bigint not null references brands,
  client_id      text   not null,
  name           text   not null,
  user_id        bigint not null,
  venue_id       bigint not null,
  enabled        bigint not null,
  epoch          bigint not null, -- counts the secrets; a token remembers under which it was issued
  secret_kid     text   not null, -- the key of the ring under which hash and cipher were made
  secret_hash    text   not null,
  secret_cipher  text   not null, -- for display in the back office
  previous_kid   text,            -- the secret before, while a rotation's overlap lasts
  previous_hash  text,
  previous_until text,
  created_at     text   not null,
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
