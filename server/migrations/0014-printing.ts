// Printing: a queue for each printer that printed, and its jobs (R8). Both are neither exported nor events.
export const up = `
create table print_queues (
  brand_id     bigint not null references brands,
  id           bigint not null, -- the printer's
  last_seq     bigint not null, -- of its jobs, without a gap
  state        text,            -- as it was seen last; null: never
  state_since  text,
  faults       text   not null, -- of a virtual printer: what its switches say (JSON)
  due_at       bigint not null, -- milliseconds; when its state is asked for again
  term         bigint not null, -- raised by each claim
  lease_holder text,
  lease_until  bigint not null, -- milliseconds of the database's clock
  primary key (brand_id, id),
  foreign key (brand_id, id) references printers (brand_id, id) on delete cascade
);
create index print_queues_due on print_queues (due_at);

create table print_jobs (
  brand_id   bigint not null references brands,
  printer_id bigint not null,
  seq        bigint not null,
  venue_id   bigint not null,
  kind       text   not null, -- ticket, void, bill, share, receipt, refund, report, test, drawer
  state      text   not null, -- waiting, sending, unsure, printed, moved, cancelled, expired
  receipt_id bigint,
  ticket_id  bigint,
  station_id bigint,
  route_id   bigint,
  copies     bigint not null,
  copy       bigint,          -- COPY n: a person asked for it again
  document   text,            -- with language, zone and money (JSON); null: a pulse, or forgotten (R20)
  attempt    bigint not null,
  begun      bigint not null, -- attempts that may have reached the paper
  begun_at   text,            -- the first of them
  duplicate  bigint not null, -- 1: the last attempt was marked as DUPLICATE
  created_at text   not null,
  sent_at    text,            -- when the last attempt began
  done_at    text,            -- printed, moved, cancelled or expired
  moved_to   text,            -- the job at another printer that took its place
  primary key (brand_id, printer_id, seq),
  foreign key (brand_id, printer_id) references printers (brand_id, id)
);
-- SQLite uses a partial index only if its condition stands in the query.
create index print_jobs_open on print_jobs (brand_id, printer_id, seq) where state in ('waiting', 'sending', 'unsure');
create index print_jobs_receipt on print_jobs (brand_id, receipt_id) where receipt_id is not null;
create index print_jobs_created on print_jobs (brand_id, created_at);
create index print_jobs_ticket on print_jobs (brand_id, ticket_id) where ticket_id is not null;
`
