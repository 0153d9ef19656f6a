// The back office: who may sign in, who is signed in, and what the operator watches.
export const up = `
-- A staff user of a brand, or an operator, who belongs to none; not a tenant's table, so it points at no row of one.
create table accounts (
  id            bigint not null primary key,
  brand_id      bigint,
  user_id       bigint,
  operator      text,            -- the operator's name
  password      text,            -- argon2id; null until an invitation was taken up
  totp_kid      text,            -- operators: the key of the ring that sealed the secret
  totp_cipher   text,
  totp_step     bigint,          -- of the last code that was used: none is good twice
  loopback_only bigint not null, -- 1: the demo's, whose password everybody knows
  language      text,            -- of the pages, as its owner chose it
  seen_at       text             -- when its owner last used a page, to the minute
);
create unique index accounts_user on accounts (brand_id, user_id);
create unique index accounts_operator on accounts (operator);

-- One-time links. An operator's carries the TOTP secret that will be theirs once it is taken up.
create table invitations (
  account_id  bigint not null primary key references accounts,
  hash        text   not null, -- of the link's secret
  totp_kid    text,
  totp_cipher text,
  made_by     bigint,          -- the staff user of the same brand who made it; null: an operator, or the command line
  expires_at  text   not null
);
create unique index invitations_hash on invitations (hash);

create table sessions (
  hash       text   not null primary key, -- of the cookie
  account_id bigint not null references accounts,
  device_id  text,                        -- T18: opened by PIN, at this device
  created_at text   not null,
  seen_at    text   not null
);
create index sessions_account_id on sessions (account_id);

-- T16: browsers that stay at a terminal.
create table devices (
  id          text   not null primary key,
  brand_id    bigint not null references brands,
  venue_id    bigint not null,
  terminal_id bigint not null,
  name        text   not null,
  used_for    text   not null,
  hash        text   not null, -- of the cookie
  created_at  text   not null,
  created_by  bigint not null,
  revoked_at  text
);
create unique index devices_hash on devices (hash);
create index devices_terminal on devices (brand_id, terminal_id);

-- T17: argon2id of an HMAC with a key of the ring, which is not in here.
create table pins (
  account_id  bigint not null primary key references accounts on delete cascade,
  kid         text   not null, -- the key of the ring
  hash        text   not null,
  set_by      bigint,          -- who chose it for somebody else, who has to change it
  set_at      text   not null,
  locked_at   text             -- until it is set again
);

-- Of the last 24 hours. An attempt is written before it is checked.
create table pin_attempts (
  id         text   not null primary key,
  account_id bigint not null,
  device_id  text   not null,
  at         text   not null,
  outcome    text   not null -- wrong, right
);
create index pin_attempts_account on pin_attempts (account_id, at);

-- T19: what somebody with the right allowed, for one act of a session.
create table approvals (
  id          text   not null primary key, -- hash of the token
  session     text   not null,
  brand_id    bigint not null,
  permission  text   not null,
  receipt_id  bigint,
  approved_by bigint not null,
  expires_at  text   not null,
  used_at     text
);

-- Attempts to give a password, for the operator to see and for the growing delay after wrong ones.
create table sign_ins (
  id      text not null primary key,
  at      text not null,
  account text not null, -- a hash of whom they named, so that nothing typed by mistake is kept
  actor   text,          -- who that is; null when there is nobody
  address text not null,
  place   text,          -- the known place, or the session that gave its password again; null for strangers
  outcome text not null
);
create index sign_ins_at on sign_ins (at);
create index sign_ins_account on sign_ins (account, at);
create index sign_ins_address on sign_ins (address, at);

-- Where an account signed in before has a count of wrong attempts of its own, which strangers cannot use up.
create table known_places (
  account_id bigint not null references accounts on delete cascade,
  place      text   not null, -- 'device:' and the hash of a cookie's token, or 'address:' and the address
  used_at    text   not null, -- the last sign-in from there
  primary key (account_id, place)
);

-- When an integrator last called with a credential, to the minute.
create table credential_uses (
  brand_id      bigint not null,
  client_id     text   not null,
  integrator_id text   not null,
  used_at       text   not null,
  primary key (brand_id, client_id, integrator_id),
  foreign key (brand_id, client_id) references credentials (brand_id, client_id)
);

-- The processes that serve, each saying every few seconds that it is there.
create table workers (
  name       text   not null primary key,
  started_at text   not null,
  seen_at    text   not null,
  node       text   not null,
  rss_bytes  bigint not null
);
`
