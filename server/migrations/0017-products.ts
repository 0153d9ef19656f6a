// The menu as a guest sees it: categories, what a product has besides the specification, where price lists hold, the stop list.
export const up = `
create table categories (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  type        text   not null,
  status      bigint not null,
  position    bigint,
  parent_id   bigint,
  depth       bigint not null,
  created_at  text   not null,
  updated_at  text   not null,
  body        text   not null, -- without its children
  primary key (brand_id, id)
);
create index categories_parent_id on categories (brand_id, parent_id);

alter table products add column category_id bigint;
alter table products add column station_id bigint;
alter table products add column unit_id bigint;
alter table products add column details text;
create index products_category_id on products (brand_id, category_id, id);

alter table customers add column updated_at text;
alter table customers add column details text;
create index customers_updated_at on customers (brand_id, updated_at, id);

-- JSON: for which venues and sale types it holds
alter table price_lists add column scopes text;
alter table price_lists add column summary text;
alter table prices add column price bigint;

-- P17: what is left of a product in a venue; how many there were when the entry began is kept beside it.
create table stop_list (
  brand_id  bigint not null references brands,
  venue_id  bigint not null,
  id        bigint not null, -- the product's
  started   bigint not null,
  remaining bigint not null,
  timestamp bigint not null, -- milliseconds since 1970
  until     text,
  primary key (brand_id, venue_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, id) references products (brand_id, id)
);
`
