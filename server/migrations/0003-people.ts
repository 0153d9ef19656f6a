export const up = `
create table customer_groups (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  system_type text,
  created_at  text,
  updated_at  text,
  deleted_at  text, -- a deleted group takes no new customers (D4.4)
  body        text   not null,
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
  spent_before  bigint not null default 0, -- what history (P22) brought: the rest is the sum of their receipts (I6)
  created_at    text   not null,
  updated_at    text   not null,
  deleted_at    text,
  erased_at     text, -- the person's data are gone, the sums stay
  body          text   not null, -- without \`group\`, which is joined
  details       text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, group_id) references customer_groups (brand_id, id)
);
create index customers_name on customers (brand_id, name_folded, id);
create index customers_created_at on customers (brand_id, created_at, id);
create index customers_updated_at on customers (brand_id, updated_at, id);

-- §4.2: 409 when phone, code or cid is taken in the brand. The index name carries the column.
create unique index customers_phone_key on customers (brand_id, phone_key) where deleted_at is null;
create unique index customers_code_key on customers (brand_id, code_key) where deleted_at is null;
create unique index customers_cid_key on customers (brand_id, cid_key) where deleted_at is null;
`
