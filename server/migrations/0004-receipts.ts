export const up = `
create table receipts (
  brand_id    bigint not null references brands,
  id          bigint not null,
  venue_id    bigint not null,
  user_id     bigint,
  customer_id text, -- an integer on a receipt (§2.5), a string on the customer (§2.2)
  created_at  text   not null,
  body        text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, user_id) references users (brand_id, id),
  foreign key (brand_id, customer_id) references customers (brand_id, id)
);

create table stock_operations (
  brand_id    bigint not null references brands,
  id          bigint not null,
  venue_id    bigint not null,
  receipt_id  bigint,
  product_id  bigint,
  operated_at text   not null,
  body        text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, receipt_id) references receipts (brand_id, id),
  foreign key (brand_id, product_id) references products (brand_id, id)
);
`
