// What a token remembers of its credential and of its integrator, so that access that was ended does not come back.
export const up = `
-- JSON, newest first: [{"epoch", "kid", "hash", "until"}]. Each earlier secret works until its own end.
alter table credentials add column earlier_secrets text;
update credentials set earlier_secrets = '[{"epoch":' || (epoch - 1) || ',"kid":"' || previous_kid || '","hash":"' || previous_hash
  || '","until":"' || previous_until || '"}]' where previous_until is not null;
alter table credentials drop column previous_kid;
alter table credentials drop column previous_hash;
alter table credentials drop column previous_until;

-- Counts how often an integrator was deactivated.
alter table integrators add column epoch bigint not null default 1;
`
