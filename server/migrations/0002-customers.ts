export const up = `
-- The last id given out, or the number of rows, for each name a brand counts.
create table counters (
  brand_id bigint not null references brands,
  name     text   not null,
  value    bigint not null,
  primary key (brand_id, name)
);

create table customer_groups (
  brand_id    bigint not null references brands,
  id          bigint not null,
  system_type text,
  body        text   not null, -- the wire's JSON, as in every table below
  primary key (brand_id, id)
);

create table customers (
  brand_id      bigint not null references brands,
  id            text   not null,
  name          text   not null,
  name_folded   text   not null,
  email         text,
  phone         text,
  phone_key     text, -- without separators: what uniqueness compares (D4.1)
  code          text,
  code_key      text,
  cid           text,
  cid_key       text,
  description   text,
  gender        bigint,
  date_of_birth text,
  group_id      bigint not null,
  created_at    text   not null,
  deleted_at    text,
  body          text   not null, -- without \`group\`, which is joined
  primary key (brand_id, id),
  foreign key (brand_id, group_id) references customer_groups (brand_id, id)
);

-- §4.2: 409 when phone, code or cid is taken in the brand. The index name carries the column.
create unique index customers_phone_key on customers (brand_id, phone_key) where deleted_at is null;
create unique index customers_code_key on customers (brand_id, code_key) where deleted_at is null;
create unique index customers_cid_key on customers (brand_id, cid_key) where deleted_at is null;
`
