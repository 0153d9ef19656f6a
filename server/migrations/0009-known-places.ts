// Where an account signed in before has a count of wrong attempts of its own, which strangers cannot use up.
export const up = `
create table known_places (
  account_id bigint not null references accounts on delete cascade,
  place      text   not null, -- 'device:' and the hash of a cookie's token, or 'address:' and the address
  used_at    text   not null, -- the last sign-in from there
  primary key (account_id, place)
);

-- The known place of an attempt, or the session that gave its password again; null for strangers.
alter table sign_ins add column place text;
`
