// E10: `append_events` fails where a brand has no feed, since the commit follows it in the same message.

export const up = ''

export const only = {
  SQLite: [],
  PostgreSQL: [
    `create or replace function append_events(of_brand bigint, given_at text, given json) returns double precision language plpgsql as $$
     declare
       asked constant timestamptz := clock_timestamp();
       waited_ms double precision;
       last_position bigint;
       last_at text;
     begin
       perform 1 from feeds where brand_id = of_brand for no key update;
       if not found then raise exception 'brand % has no feed', of_brand; end if;
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
