// E10: the change feed, one append-only log a brand. Positions are 1, 2, 3, … in commit order, without a gap.
const EVENTS = `create table events (
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
)`

export const up = `
-- The row that a publishing transaction locks. Its tail is the last position that was trimmed, or 0.
create table feeds (
  brand_id   bigint not null primary key references brands,
  tail       bigint not null,
  tail_at    text   not null,
  tail_nonce bigint not null
);
`

const SIX_BYTES = 2 ** 48

/** What one engine has and the other has not. */
export const only = {
  SQLite: [
    `${EVENTS} without rowid`, // one tree to write instead of two
    `insert into feeds (brand_id, tail, tail_at, tail_nonce)
     select id, 0, created_at, (random() & ${SIX_BYTES - 1}) from brands`,
  ],
  PostgreSQL: [
    EVENTS.replaceAll(/\btext\b/g, 'text collate "C"'), // as every other text (dialect.ts)
    `insert into feeds (brand_id, tail, tail_at, tail_nonce)
     select id, 0, created_at, floor(random() * ${SIX_BYTES})::bigint from brands`,
    // The lock first, then a new statement, which sees all that was committed while this one waited (READ COMMITTED).
    // Unused since events are appended by statements; kept for older workers during a rolling restart.
    `create function append_events(of_brand bigint, given_at text, given json) returns double precision language plpgsql as $$
     declare
       asked constant timestamptz := clock_timestamp();
       waited_ms double precision;
       last_position bigint;
       last_at text;
     begin
       perform 1 from feeds where brand_id = of_brand for no key update;
       if not found then raise exception 'brand % has no feed', of_brand; end if; -- the commit follows in the same message
       waited_ms := extract(epoch from clock_timestamp() - asked) * 1000;
       select position, at into last_position, last_at from events
         where brand_id = of_brand order by position desc limit 1;
       if not found then
         select tail, tail_at into last_position, last_at from feeds where brand_id = of_brand;
       end if;
       insert into events (brand_id, position, at, type, subject, venue_id, source, data, nonce)
         select of_brand, last_position + place, greatest(given_at collate "C", last_at collate "C"),
           each ->> 0, each ->> 1, (each ->> 2)::bigint, each ->> 3, each ->> 4, (each ->> 5)::bigint
         from json_array_elements(given) with ordinality as new_events (each, place);
       return waited_ms;
     end $$`,
  ],
}
