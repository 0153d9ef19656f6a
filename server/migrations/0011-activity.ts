// The request log and its counters. On SQLite they live in a file of their own (storage/activity-store.ts). They belong to no row of
// another table and carry the brand's slug, because a call may name a brand that does not exist; then it is ''.
export const activity = `
create table request_log (
  request_id    text   not null primary key,
  at            bigint not null, -- milliseconds since 1970
  method        text   not null,
  route         text   not null, -- the pattern, never the address
  status        bigint not null,
  micros        bigint not null, -- from the first byte of the request to the last of the answer
  brand         text   not null,
  integrator_id text   not null,
  client_id     text   not null,
  venue_id      bigint,
  tier          bigint not null, -- the one that the answer's headers told of
  budget        bigint not null, -- its limit
  remaining     bigint not null,
  error         text   not null  -- '' for a success
);
create index request_log_at on request_log (at);
create index request_log_brand on request_log (brand, at);

create table minute_counts (
  brand         text   not null,
  minute        bigint not null, -- since 1970
  integrator_id text   not null,
  status        bigint not null,
  error         text   not null,
  calls         bigint not null,
  ${Array.from({ length: 16 }, (_, bucket) => `took_${bucket} bigint not null`).join(', ')}, -- calls in each class of latency
  primary key (brand, minute, integrator_id, status, error)
);
create index minute_counts_minute on minute_counts (minute);
`
