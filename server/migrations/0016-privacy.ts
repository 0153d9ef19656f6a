// What is still to be forgotten, and what is done once a night.
export const up = `
-- Customers who were erased, until the rest of what names them is gone too. Ids alone.
create table erasures (
  brand_id    bigint not null references brands,
  customer_id text   not null,
  orders      text   not null, -- JSON: ids of orders that guests placed with the customer's phone
  due_at      text   not null, -- when a worker looks again
  primary key (brand_id, customer_id)
);
create index erasures_due_at on erasures (due_at);

-- The last night of each task: the worker that sets it does the work.
create table nightly_runs (
  brand_id bigint not null references brands,
  task     text   not null,
  day      text   not null,
  primary key (brand_id, task)
);
`
