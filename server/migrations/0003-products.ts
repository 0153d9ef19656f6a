export const up = `
-- A variant is a row of its own beside its parent, in the same id space (D3.6).
create table products (
  brand_id          bigint not null references brands,
  id                bigint not null,
  parent_id         bigint,
  type              text   not null,
  type_folded       text   not null, -- folded copies serve sorting and \`like\` (D2.3, D2.7)
  name              text   not null,
  name_folded       text   not null,
  full_name         text,
  full_name_folded  text,
  barcode           text,
  barcode_folded    text,
  status            bigint,
  price             bigint, -- ×10,000, as every amount
  cost_price        bigint,
  has_modifications bigint,
  created_at        text   not null,
  updated_at        text   not null,
  body              text   not null,
  summary           text   not null, -- the members that a price entry shows of its product (D2.6)
  primary key (brand_id, id),
  foreign key (brand_id, parent_id) references products (brand_id, id)
);
create index products_name on products (brand_id, name_folded, id);
create index products_price on products (brand_id, price, id);
create index products_created_at on products (brand_id, created_at, id);
create index products_updated_at on products (brand_id, updated_at, id);
create index products_type on products (brand_id, type, id);
create index products_parent_id on products (brand_id, parent_id) where parent_id is not null;

create table price_lists (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  status      bigint,
  created_at  text   not null,
  updated_at  text   not null,
  body        text   not null,
  primary key (brand_id, id)
);

create table prices (
  brand_id   bigint not null references brands,
  id         bigint not null,
  list_id    bigint not null,
  product_id bigint not null,
  body       text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, list_id) references price_lists (brand_id, id),
  foreign key (brand_id, product_id) references products (brand_id, id)
);
create index prices_list_id on prices (brand_id, list_id, id);
create index prices_product_id on prices (brand_id, product_id);
`
