// What the engine of resources keeps beside their rows: totals, where pages begin, and answers to be given again.
export const up = `
-- The last id given out, or the number of rows, for each name a brand counts.
create table counters (
  brand_id bigint not null references brands,
  name     text   not null,
  value    bigint not null,
  primary key (brand_id, name)
);

-- A list of one or more whole days has its total without counting (P3).
create table day_totals (
  brand_id bigint not null references brands,
  name     text   not null, -- of the table
  venue_id bigint not null,
  day      text   not null, -- UTC, of the list's time
  value    bigint not null,
  primary key (brand_id, name, venue_id, day)
);

-- Where pages begin: the id of every 250th row of a list, so that a late page costs what the first one does.
create table page_marks (
  brand_id bigint not null references brands,
  name     text   not null, -- of the table
  position bigint not null, -- how many rows there are up to this one
  id       bigint not null,
  primary key (brand_id, name, position)
);

-- D4.6: the answers that writes with an Idempotency-Key are given again, each stored in the transaction of its write.
create table idempotency_keys (
  brand_id      bigint not null references brands,
  integrator_id text   not null,
  route         text   not null,
  key           text   not null,
  fingerprint   text   not null, -- of what was asked, to tell another body under the same key
  body          text   not null, -- of the answer, which was a success: no other is stored
  etag          text,            -- the version that the answer named
  created_at    text   not null,
  primary key (brand_id, integrator_id, route, key)
);
create index idempotency_keys_created_at on idempotency_keys (brand_id, created_at);
`
