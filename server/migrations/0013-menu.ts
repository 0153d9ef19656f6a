// What an integration looks up: the menu's parts, sales, storages, suppliers and finance, and more of venues, users and groups.
const DATED = 'created_at text not null, updated_at text not null'
const NAMED = 'name text not null, name_folded text not null'
const VENUE = 'venue_id bigint not null'

/** A table as every resource has one; with a venue_id it belongs to a venue. */
const table = (name: string, ...columns: string[]) => `
create table ${name} (
  brand_id bigint not null references brands,
  id       bigint not null,
  ${columns.join(',\n  ')},
  body     text   not null,
  primary key (brand_id, id)${columns.includes(VENUE) ? ',\n  foreign key (brand_id, venue_id) references venues (brand_id, id)' : ''}
);
`

export const up = `
alter table brands add column currency text not null default 'EUR';
alter table brands add column money_places bigint not null default 2;

alter table venues add column name_folded text;
alter table venues add column address text;
alter table venues add column phone text;
alter table venues add column time_zone text not null default 'UTC';
-- JSON: what only staff see (day_starts_at, accept, order_expiry_s, hours, paused_until, cash_shift)
alter table venues add column settings text not null
  default '{"day_starts_at":"04:00","accept":"ask","order_expiry_s":1800,"cash_shift":0}';
-- without the currency, which is the brand's
alter table venues add column body text;

alter table users add column email text;
alter table users add column first_name text;
alter table users add column last_name text;
alter table users add column mobile_number text;
alter table users add column created_at text;
alter table users add column updated_at text;
alter table users add column body text;

alter table customer_groups add column name text;
alter table customer_groups add column name_folded text;
alter table customer_groups add column created_at text;
alter table customer_groups add column updated_at text;
${table('stations', NAMED, 'status bigint not null', 'type bigint not null', DATED)}
${table('units', NAMED)}
${table(
  'sale_types',
  NAMED,
  'system_type text not null',
  'channel text not null',
  'charge_tax_id bigint',
  'position bigint not null',
  'off_venues text not null',
  DATED,
)}
${table('taxes', NAMED, 'rate bigint not null', 'included bigint not null', 'status bigint not null', DATED)}
${table('payment_methods', NAMED, 'kind text not null', 'position bigint not null', 'off_venues text not null', DATED)}
${table(
  'suppliers',
  NAMED,
  'phone text',
  'email text',
  'tax_id text',
  'spent bigint not null',
  'balance_amount bigint not null',
  'status bigint not null',
  DATED,
)}
${table(
  'finance_categories',
  NAMED,
  'type text not null',
  'system_type text',
  'parent_id bigint',
  'status bigint not null',
  DATED,
)}
${table('terminals', VENUE, NAMED, 'status bigint not null')}
${table('tables', VENUE, NAMED, 'status bigint not null')}
${table('storages', VENUE, NAMED, 'is_main bigint not null', 'status bigint not null', DATED)}`
