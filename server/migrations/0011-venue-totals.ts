export const up = `
-- The rows of each venue, as the totals of its lists.
${['receipts', 'stock_operations'].map(totalsOf).join('')}`

function totalsOf(table: string): string {
  return `
insert into counters (brand_id, name, value)
  select brand_id, '${table}:' || venue_id, count(*) from ${table} group by brand_id, venue_id;
`
}
