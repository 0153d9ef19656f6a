import { defineList } from '../http/list.ts'
import { Customer } from '../resources/customers/schema.ts'
import { Receipt } from '../resources/receipts/schema.ts'
import { StockOperation } from '../resources/stock-operations/schema.ts'

// The contract reads one receipt and one stock operation at a time, and creates customers; people also want to see them listed.

const maxLimit = 100

export const customerList = defineList({
  maxLimit,
  always: ['id'],
  members: Object.keys(Customer.properties),
  columns: { id: 'key', name: 'text', phone: 'key', email: 'key', code: 'key', cid: 'key', created_at: 'instant' },
  sortable: ['id', 'name', 'created_at'],
  date: 'created_at',
})

export const receiptList = defineList({
  maxLimit,
  always: ['id'],
  members: Object.keys(Receipt.properties),
  columns: { id: 'integer', venue_id: 'integer', user_id: 'integer', customer_id: 'key', created_at: 'instant' },
  sortable: ['id', 'created_at'],
  date: 'created_at',
})

export const stockOperationList = defineList({
  maxLimit,
  always: ['id'],
  members: Object.keys(StockOperation.properties),
  columns: {
    id: 'integer',
    venue_id: 'integer',
    receipt_id: 'integer',
    product_id: 'integer',
    operated_at: 'instant',
  },
  sortable: ['id', 'operated_at'],
  date: 'operated_at',
})
