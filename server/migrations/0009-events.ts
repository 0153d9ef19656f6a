// E10: the change feed, one append-only log a brand. Positions are 1, 2, 3, … in commit order, without a gap.
export const up = `
-- The row that a publishing transaction locks. Its tail is the last position that was trimmed, or 0.
create table feeds (
  brand_id   bigint not null primary key references brands,
  tail       bigint not null,
  tail_at    text   not null,
  tail_nonce bigint not null
);

-- \`without rowid\`, on SQLite: one tree to write instead of two.
create table events (
  brand_id bigint not null,
  position bigint not null,
  at       text   not null, -- never decreases along positions
  type     text   not null,
  subject  text   not null, -- the id of what changed
  venue_id bigint,
  source   text   not null, -- staff, import, system, or api: and the integrator's id
  data     text   not null,
  nonce    bigint not null, -- the six random bytes of its id
  primary key (brand_id, position)
) without rowid;

-- M5: the last event that can change the menus of a venue; venue 0: of all venues. It stays when the event is trimmed.
create table menu_marks (
  brand_id bigint not null references brands,
  venue_id bigint not null,
  position bigint not null,
  nonce    bigint not null,
  primary key (brand_id, venue_id)
);
`
