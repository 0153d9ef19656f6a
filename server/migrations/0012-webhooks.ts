// Webhooks: an endpoint is a cursor over its brand's feed (W10), and what it could not deliver stands beside it (W12). No body is stored.
export const up = `
create table webhook_endpoints (
  brand_id        bigint not null references brands,
  id              text   not null,
  client_id       text   not null, -- the credential that it belongs to
  integrator_id   text   not null,
  url             text   not null,
  name            text   not null,
  types           text   not null, -- a JSON array
  venues          text,            -- a JSON array; null: all that the staff user may enter
  payload         text   not null,
  skip_own        bigint not null,
  secrets         text   not null, -- sealed by the key ring, the newest first, earlier ones with their end (JSON)
  state           text   not null, -- pending, active, failing, paused, disabled
  reason          text,
  state_since     text   not null,
  verified        bigint not null, -- whether its challenge was answered, or staff activated it
  position        bigint not null, -- the cursor
  nonce           bigint not null,
  failures        bigint not null, -- in a row
  probes          bigint not null, -- since it began to fail; while pending: challenges
  notices         bigint not null, -- given since it began to fail (W19)
  due_at          bigint,          -- milliseconds; when a sender has to look at it, apart from new events
  not_before      bigint not null, -- milliseconds; Retry-After
  last_success_at text,
  last_failure    text,            -- JSON
  version         bigint not null, -- raised by each change that a sender has to know
  term            bigint not null, -- raised by each claim (W24)
  lease_holder    text,
  lease_until     bigint not null, -- milliseconds of the database's clock
  created_at      text   not null,
  updated_at      text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, client_id) references credentials (brand_id, client_id)
);
create unique index webhook_endpoints_url on webhook_endpoints (brand_id, client_id, integrator_id, url);
create index webhook_endpoints_lease on webhook_endpoints (lease_holder);

create table webhook_held (
  brand_id    bigint not null,
  endpoint_id text   not null,
  position    bigint not null,
  nonce       bigint not null,
  type        text   not null,
  object      text   not null, -- kind and subject: events of one object stay in order
  state       text   not null, -- waiting, failed, refused
  attempts    bigint not null,
  next_at     bigint,          -- milliseconds; null: it waits for one before it
  class       text,
  status      bigint,
  primary key (brand_id, endpoint_id, position),
  foreign key (brand_id, endpoint_id) references webhook_endpoints (brand_id, id) on delete cascade
);

create table webhook_replays (
  brand_id       bigint not null,
  id             text   not null,
  endpoint_id    text   not null,
  state          text   not null, -- running, done, cancelled
  first_position bigint not null, -- it begins after this
  last_position  bigint not null,
  position       bigint not null, -- its cursor
  nonce          bigint not null,
  types          text,            -- a JSON array
  failed_only    bigint not null,
  failed         bigint not null,
  created_at     text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, endpoint_id) references webhook_endpoints (brand_id, id) on delete cascade
);
create index webhook_replays_endpoint on webhook_replays (brand_id, endpoint_id, state);
`

// W18: one line for each attempt.
export const activity = `
create table webhook_log (
  id          text   not null primary key, -- sorts in the order of the attempts
  at          bigint not null, -- milliseconds since 1970
  brand_id    bigint not null,
  endpoint_id text   not null,
  event       text   not null,
  type        text   not null,
  attempt     bigint not null,
  cause       text   not null,
  status      bigint,
  class       text,
  ms          bigint not null,
  skew_s      bigint,          -- how far the receiver's clock is off, where that is more than two minutes
  answer      text             -- the first KiB of an answer to what failed
);
create index webhook_log_at on webhook_log (at);
create index webhook_log_brand on webhook_log (brand_id, at);
create index webhook_log_endpoint on webhook_log (brand_id, endpoint_id, id);
`
