// The menu as a guest sees it: categories, products and their prices, what is said of them, and what is sold out.
export const up = `
-- M6: how the body of GET /menu was written last (menu/snapshot/format.ts).
insert into settings (name, value) values ('menu_format', '1');

create table stations (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  status      bigint not null,
  type        bigint not null,
  created_at  text   not null,
  updated_at  text   not null,
  body        text   not null,
  primary key (brand_id, id)
);

-- T5: what guests at tables are served after each other.
create table courses (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  status      bigint not null,
  body        text   not null,
  primary key (brand_id, id)
);

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
  category_id       bigint,
  station_id        bigint,
  unit_id           bigint,
  low_stock         bigint,
  created_at        text   not null,
  updated_at        text   not null,
  body              text   not null,
  details           text   not null,
  summary           text   not null, -- the members that a price entry shows of its product (D2.6)
  primary key (brand_id, id),
  foreign key (brand_id, parent_id) references products (brand_id, id)
);
create index products_name on products (brand_id, name_folded, id);
create index products_price on products (brand_id, price, id);
create index products_created_at on products (brand_id, created_at, id);
create index products_updated_at on products (brand_id, updated_at, id);
create index products_type on products (brand_id, type, id);
create index products_category_id on products (brand_id, category_id, id);
create index products_parent_id on products (brand_id, parent_id) where parent_id is not null;
create index products_low_stock on products (brand_id, id) where low_stock is not null;

create table price_lists (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  status      bigint,
  scopes      text, -- JSON: for which venues and sale types it holds
  created_at  text   not null,
  updated_at  text   not null,
  body        text   not null,
  summary     text   not null,
  primary key (brand_id, id)
);

create table prices (
  brand_id   bigint not null references brands,
  id         bigint not null,
  list_id    bigint not null,
  product_id bigint not null,
  price      bigint not null,
  body       text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, list_id) references price_lists (brand_id, id),
  foreign key (brand_id, product_id) references products (brand_id, id)
);
create index prices_list_id on prices (brand_id, list_id, id);
create index prices_product_id on prices (brand_id, product_id);

-- P17: what is left of a product in a venue; how many there were when the entry began is kept beside it. A new limit is a new entry.
create table stop_list (
  brand_id  bigint not null references brands,
  venue_id  bigint not null,
  id        bigint not null, -- the product's
  entry     text   not null,
  started   bigint not null,
  remaining bigint not null,
  moves     bigint not null,
  timestamp bigint not null, -- milliseconds since 1970
  until     text,
  primary key (brand_id, venue_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, id) references products (brand_id, id)
);

create index stop_list_until on stop_list (until) where until is not null;

-- P17: the ledger by which portions of the stop list move.
create table portion_moves (
  brand_id    bigint not null references brands,
  id          text   not null, -- entry and number of the move
  venue_id    bigint not null,
  entry       text   not null,
  product_id  bigint not null,
  quantity    bigint not null,
  before      bigint not null,
  after       bigint not null,
  receipt_cid text   not null,
  line_cid    text   not null,
  moved_at    text   not null,
  body        text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);
create index portion_moves_receipt on portion_moves (brand_id, receipt_cid);

-- M11: what guests read of things on the menu besides names and prices.
create table menu_entries (
  brand_id bigint not null references brands,
  id       text   not null, -- kind and id of the thing: product-12
  images   text,            -- the hashes that it names, with spaces between
  body     text   not null,
  primary key (brand_id, id)
);

-- M13: their pictures.
create table images (
  brand_id   bigint not null references brands,
  id         text   not null, -- SHA-256 of the bytes, as base64url
  type       text   not null,
  width      bigint not null,
  height     bigint not null,
  size       bigint not null, -- bytes
  touched_at text   not null, -- when it was last sent, or an entry that names it was written
  data       text   not null, -- the bytes, as base64
  primary key (brand_id, id)
);
`
