// A list of one or more whole days has its total without counting (Part 3 of docs/contract.md, P3), and a business day is read in order.
export const up = `
create table day_totals (
  brand_id bigint not null references brands,
  name     text   not null, -- of the table
  venue_id bigint not null,
  day      text   not null, -- UTC, of the list's time
  value    bigint not null,
  primary key (brand_id, name, venue_id, day)
);
insert into day_totals (brand_id, name, venue_id, day, value)
  select brand_id, 'receipts', venue_id, substr(created_at, 1, 10), count(*) from receipts
  group by brand_id, venue_id, substr(created_at, 1, 10);

drop index receipts_shift_date;
create index receipts_shift_date on receipts (brand_id, venue_id, shift_date, created_at, id);
`
