export const up = `
-- D4.6: the answers that writes with an Idempotency-Key are given again, each stored in the transaction of its write.
create table idempotency_keys (
  brand_id      bigint not null references brands,
  integrator_id text   not null,
  route         text   not null,
  key           text   not null,
  fingerprint   text   not null, -- of what was asked, to tell another body under the same key
  body          text   not null, -- of the answer, which was a success: no other is stored
  created_at    text   not null,
  primary key (brand_id, integrator_id, route, key)
);
create index idempotency_keys_created_at on idempotency_keys (brand_id, created_at);

-- Where pages begin: the id of every 250th row of a list, so that a late page costs what the first one does.
create table page_marks (
  brand_id bigint not null references brands,
  name     text   not null, -- of the table
  position bigint not null, -- how many rows there are up to this one
  id       bigint not null,
  primary key (brand_id, name, position)
);
${['products', 'price_lists'].map(marksOf).join('')}`

function marksOf(table: string): string {
  return `
insert into page_marks (brand_id, name, position, id) select brand_id, '${table}', position, id from
  (select brand_id, id, row_number() over (partition by brand_id order by id) as position from ${table}) as numbered
  where position % 250 = 0;
`
}
