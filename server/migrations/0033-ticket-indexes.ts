// S4: a kitchen's screen reads what waits and what was made last, again and again. SQLite uses a partial index only if its condition
// stands in the query, and tickets that nobody marks as served stay READY for ever: they must not be walked.
export const up = `
drop index tickets_waiting;
create index tickets_waiting on tickets (brand_id, venue_id, id) where state in ('SENT', 'COOKING');
create index tickets_ready on tickets (brand_id, venue_id, updated_at, id) where state = 'READY';
`
