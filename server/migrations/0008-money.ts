// Where money is and how it moved.
export const up = `
create table taxes (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  rate        bigint not null,
  included    bigint not null,
  status      bigint not null,
  created_at  text   not null,
  updated_at  text   not null,
  body        text   not null,
  primary key (brand_id, id)
);

create table payment_methods (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  kind        text   not null,
  position    bigint not null,
  off_venues  text   not null,
  created_at  text   not null,
  updated_at  text   not null,
  body        text   not null,
  primary key (brand_id, id)
);

-- I14: a method by which payments were made keeps its kind.
create table payment_method_uses (
  brand_id          bigint not null references brands,
  payment_method_id bigint not null, -- an import may name it before it brings it
  primary key (brand_id, payment_method_id)
);

create table finance_categories (
  brand_id    bigint not null references brands,
  id          bigint not null,
  name        text   not null,
  name_folded text   not null,
  type        text   not null,
  system_type text,
  parent_id   bigint,
  status      bigint not null,
  created_at  text   not null,
  updated_at  text   not null,
  body        text   not null,
  primary key (brand_id, id)
);

-- Amounts change with every sale, so their text is made when it is read: in the body the amount is 0 and updated_at is of no meaning.
create table balances (
  brand_id    bigint not null references brands,
  id          bigint not null,
  venue_id    bigint, -- none: the brand's, a customer's or a supplier's
  name        text   not null,
  name_folded text   not null,
  type        text   not null,
  amount      bigint not null,
  steps       bigint not null, -- how many transactions moved it
  customer_id text,
  supplier_id bigint,
  user_id     bigint, -- T13: whose tips these are; none: the venue's pool
  position    bigint not null,
  created_at  text   not null,
  updated_at  text   not null,
  body        text   not null,
  brought     bigint, -- the amount that an import brought, until it is booked (P22)
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, user_id) references users (brand_id, id)
);
create index balances_brought on balances (brand_id, id) where brought is not null;
create index balances_supplier_id on balances (brand_id, supplier_id) where supplier_id is not null;
create index balances_accounts on balances (brand_id, id) where type in ('CASH', 'CARD', 'OTHER', 'SUPPLIER');
create index balances_updated_at on balances (brand_id, updated_at, id);
-- T13: a person has one balance of tips, and a venue one pool.
create unique index balances_of_users on balances (brand_id, user_id) where user_id is not null;
create unique index balances_pool on balances (brand_id, venue_id) where type = 'STAFF' and user_id is null;
-- I6: a customer has one balance of each type.
create unique index balances_of_customers on balances (brand_id, customer_id, type) where customer_id is not null;

-- To which balance a payment by a method goes in a venue: each venue has its own, so that none waits for another (P16).
create table payment_accounts (
  brand_id          bigint not null references brands,
  payment_method_id bigint not null,
  venue_id          bigint not null,
  balance_id        bigint not null,
  primary key (brand_id, payment_method_id, venue_id),
  foreign key (brand_id, payment_method_id) references payment_methods (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id),
  foreign key (brand_id, balance_id) references balances (brand_id, id)
);

-- Appended, never changed. step: its place in the chain of its balance (I5), since ids come in blocks and do not rise along it.
create table transactions (
  brand_id      bigint not null references brands,
  id            bigint not null,
  venue_id      bigint,
  balance_id    bigint not null,
  step          bigint not null,
  category_id   bigint not null,
  amount        bigint not null,
  before_amount bigint not null,
  after_amount  bigint not null,
  receipt_id    bigint,
  operation_id  bigint,
  customer_id   text,
  supplier_id   bigint,
  cash_shift_id text,
  user_id       bigint,
  operated_at   text   not null,
  body          text   not null,
  primary key (brand_id, id),
  foreign key (brand_id, balance_id) references balances (brand_id, id)
);
create unique index transactions_step on transactions (brand_id, balance_id, step);
create index transactions_operated_at on transactions (brand_id, operated_at, id);
create index transactions_venue on transactions (brand_id, venue_id, operated_at, id);
create index transactions_balance on transactions (brand_id, balance_id, operated_at, step);
create index transactions_receipt_id on transactions (brand_id, receipt_id) where receipt_id is not null;
create index transactions_operation_id on transactions (brand_id, operation_id) where operation_id is not null;
create index transactions_cash_shift_id on transactions (brand_id, cash_shift_id, id) where cash_shift_id is not null;

create table cash_shifts (
  brand_id        bigint not null references brands,
  id              text   not null,
  venue_id        bigint not null,
  terminal_id     bigint not null,
  number          bigint not null,
  status          text   not null,
  opened_at       text   not null,
  opened_by       bigint,
  opening_amount  bigint not null,
  expected_amount bigint not null,
  receipts        bigint not null,
  closed_at       text,
  closed_by       bigint,
  shift_date      text   not null,
  body            text   not null,
  report          text, -- of a closed one, as it was
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);
-- S5: one open shift a terminal.
create unique index cash_shifts_open on cash_shifts (brand_id, venue_id, terminal_id) where status = 'OPEN';
create unique index cash_shifts_number on cash_shifts (brand_id, venue_id, number);
create index cash_shifts_opened_at on cash_shifts (brand_id, venue_id, opened_at, id);

-- What \`comptoir audit books\` found when it last checked a brand.
create table book_audits (
  brand_id bigint not null references brands,
  at       text   not null, -- when it began
  ms       bigint not null,
  version  text   not null, -- of Comptoir
  receipts bigint not null,
  checked  text   not null, -- JSON: the invariants
  findings text   not null, -- JSON, so many of each invariant at the most
  primary key (brand_id)
);

-- The check of a brand's books that was asked for or runs, under a lease (delivery/lease.ts): one at a time.
create table book_checks (
  brand_id     bigint not null references brands,
  id           text   not null, -- 'books'
  asked_at     text,            -- null: nobody waits for one
  done         bigint not null, -- pieces of the work
  total        bigint not null,
  failed       bigint not null, -- 1: the last one could not be finished
  night        text   not null, -- the day on which the nightly one was last asked for, by the clock of the first venue
  term         bigint not null,
  lease_holder text,
  lease_until  bigint not null,
  primary key (brand_id, id)
);
create index book_checks_asked_at on book_checks (asked_at) where asked_at is not null;
`
