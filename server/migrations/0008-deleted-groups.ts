// A deleted customer group takes no new customers (D4.4), so its deletion is searched for.
// `deleted_at` is the last member of every stored group: null, or an instant of 24 characters.
export const up = `
alter table customer_groups add column deleted_at text;
update customer_groups set deleted_at = substr(body, length(body) - 25, 24) where body not like '%"deleted_at":null}';
`
