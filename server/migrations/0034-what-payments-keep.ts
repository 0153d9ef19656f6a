// Each payment keeps the kind and the balance that it was booked on (I14), and a method by which payments were made keeps its kind.
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
`
