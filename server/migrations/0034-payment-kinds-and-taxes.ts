// A method by which payments were made keeps its kind (I14), and days add up taxes by whether prices held them (I11).
export const up = `
create table payment_method_uses (
  brand_id          bigint not null references brands,
  payment_method_id bigint not null, -- an import may name it before it brings it
  primary key (brand_id, payment_method_id)
);
insert into payment_method_uses (brand_id, payment_method_id)
  select brand_id, id from payment_methods as methods where kind in ('CUSTOMER', 'CASHBACK') or exists (
    select 1 from payment_accounts as its join transactions as moves
      on moves.brand_id = its.brand_id and moves.balance_id = its.balance_id
    where its.brand_id = methods.brand_id and its.payment_method_id = methods.id);

create table tax_days_by_sort (
  brand_id   bigint not null references brands,
  venue_id   bigint not null,
  shift_date text   not null,
  tax_id     bigint not null,
  rate       bigint not null,
  included   bigint not null,
  name       text   not null,
  base       bigint not null,
  amount     bigint not null,
  receipts   bigint not null,
  primary key (brand_id, venue_id, shift_date, tax_id, rate, included)
);
insert into tax_days_by_sort (brand_id, venue_id, shift_date, tax_id, rate, included, name, base, amount, receipts)
  select brand_id, venue_id, shift_date, tax_id, rate,
    coalesce((select included from taxes where taxes.brand_id = tax_days.brand_id and taxes.id = tax_days.tax_id), 1),
    name, base, amount, receipts from tax_days;
drop table tax_days;
alter table tax_days_by_sort rename to tax_days;
`
