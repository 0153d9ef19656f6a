// Where money is, how it moved, and what days add up to. The rows that are there come with the next migration.
export const up = `
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
  position    bigint not null,
  created_at  text   not null,
  updated_at  text   not null,
  body        text   not null,
  -- the amount that an import brought, until it is booked (P22)
  brought     bigint,
  primary key (brand_id, id),
  foreign key (brand_id, venue_id) references venues (brand_id, id)
);
create index balances_brought on balances (brand_id, id) where brought is not null;
create index balances_customer_id on balances (brand_id, customer_id) where customer_id is not null;
create index balances_supplier_id on balances (brand_id, supplier_id) where supplier_id is not null;
create index balances_accounts on balances (brand_id, id) where type in ('CASH', 'CARD', 'OTHER', 'SUPPLIER');
create index balances_updated_at on balances (brand_id, updated_at, id);

-- What history (P22) brought of what a customer spent: the rest is the sum of their receipts (I6).
alter table customers add column spent_before bigint not null default 0;

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

create index receipts_cash_shift_id on receipts (brand_id, cash_shift_id, id) where cash_shift_id is not null;

-- I11: what the receipts add up to that were closed on a business day; a refund counts against it.
alter table venue_days add column receipts bigint not null default 0;
alter table venue_days add column refunds bigint not null default 0;
alter table venue_days add column subtotal bigint not null default 0;
alter table venue_days add column total_discount bigint not null default 0;
alter table venue_days add column service_charge_value bigint not null default 0;
alter table venue_days add column delivery_fee bigint not null default 0;
alter table venue_days add column i_tax bigint not null default 0;
alter table venue_days add column e_tax bigint not null default 0;
alter table venue_days add column total bigint not null default 0;
-- 1: an import brought receipts of this day, and it is to be counted again
alter table venue_days add column recount bigint not null default 0;
create index venue_days_recount on venue_days (brand_id, venue_id, shift_date) where recount = 1;

create table tax_days (
  brand_id   bigint not null references brands,
  venue_id   bigint not null,
  shift_date text   not null,
  tax_id     bigint not null,
  rate       bigint not null,
  name       text   not null,
  base       bigint not null,
  amount     bigint not null,
  receipts   bigint not null,
  primary key (brand_id, venue_id, shift_date, tax_id, rate)
);

-- How far the next migration has come with the rows that are there.
create table money_upgrade (kind text not null, brand_id bigint not null, id text not null);
insert into money_upgrade (kind, brand_id, id) values ('customers', 0, '');
`
