// What a receipt cost is the sum of its movements.
export const up = `
create index stock_operations_receipt_id on stock_operations (brand_id, receipt_id, id) where receipt_id is not null;
`
