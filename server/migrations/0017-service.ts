// T16 to T24: reasons and presets that staff choose, and the journal of what they did.
export const up = `
create table reasons (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  position    bigint not null,
  status      bigint not null,
  body        text   not null,
  primary key (brand_id, id)
);

create table note_presets (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  position    bigint not null,
  status      bigint not null,
  body        text   not null,
  primary key (brand_id, id)
);

-- T21: who did what, with whose approval, and why. Rows are only added.
create table receipt_acts (
  brand_id    bigint not null references brands,
  id          text   not null, -- receipt, version and number of the act; a UUID without a receipt
  venue_id    bigint not null,
  receipt_id  bigint,
  step        bigint not null,
  at          text   not null,
  user_id     bigint not null,
  approved_by bigint,
  action      text   not null,
  reason_kind text,
  line_id     bigint,
  reason_id   bigint,
  amount      bigint,
  approval_id text,
  body        text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);
create index receipt_acts_receipt_id on receipt_acts (brand_id, receipt_id, step) where receipt_id is not null;
create index receipt_acts_at on receipt_acts (brand_id, at);
create index receipt_acts_kind on receipt_acts (brand_id, venue_id, at) where reason_kind is not null;
-- T19: an approval is used once.
create unique index receipt_acts_approval on receipt_acts (brand_id, approval_id) where approval_id is not null;
`
