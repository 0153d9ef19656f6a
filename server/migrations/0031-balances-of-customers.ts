// I6: a customer has one balance of each type. Of those that an earlier version may have made at once the last is the customer's.
export const up = `
update balances set customer_id = null, body = replace(body, '"customer_id":"' || customer_id || '",', '')
  where customer_id is not null and exists (
    select 1 from balances as later where later.brand_id = balances.brand_id and later.customer_id = balances.customer_id
      and later.type = balances.type and later.id > balances.id);
drop index balances_customer_id;
create unique index balances_of_customers on balances (brand_id, customer_id, type) where customer_id is not null;
`
